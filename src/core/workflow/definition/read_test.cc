#include "core/workflow/definition/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stoker::asl {
namespace {

std::string listed(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& found : diagnostics) {
    if (!text.empty()) text += '\n';
    text += (found.warning ? "warning " : "") + found.code + ": " + found.message;
    if (!found.location.empty()) text += " at " + found.location;
  }
  return text;
}

std::string faults_of(std::string_view text, bool express = false) {
  const ReadDefinition read = read_definition(text, express);
  const bool failed = std::ranges::any_of(read.diagnostics, [](const Diagnostic& d) { return !d.warning; });
  EXPECT_EQ(failed, read.definition == nullptr);
  return listed(read.diagnostics);
}

// A machine of the one state X.
std::string machine_of(std::string_view state, std::string_view language = "JSONPath") {
  return R"({"StartAt":"X","QueryLanguage":")" + std::string(language) + R"(","States":{"X":)" +
         std::string(state) + "}}";
}

struct Case {
  std::string_view rule;
  std::string_view text;
  std::string_view faults;
};

void check(std::span<const Case> cases, std::string (*make)(std::string_view)) {
  for (const Case& one : cases) EXPECT_EQ(faults_of(make(one.text)), one.faults) << one.rule;
}

TEST(ReadDefinition, TheDocument) {
  constexpr Case kCases[] = {
      {"both members are named, in this order", "{}",
       "SCHEMA_VALIDATION_FAILED: These fields are required: [States, StartAt] at /"},
      {"nothing at all is no object", " ",
       "SCHEMA_VALIDATION_FAILED: Definition must be a valid JSON object"},
      {"an array is no object", "[]", "SCHEMA_VALIDATION_FAILED: Definition must be a valid JSON object"},
      {"a syntax error tells where, twice", "not a definition",
       "INVALID_JSON_DESCRIPTION: Unrecognized token 'not': was expecting (JSON String, Number, Array, "
       "Object "
       "or token 'null', 'true' or 'false')\n at [Source: (String)\"not a definition\"; line: 1, column: 4] "
       "at [Source: (String)\"not a definition\"; line: 1, column: 4]"},
      {"what the language does not know is refused",
       R"({"StartAt":"X","Start":"X","States":{"X":{"Type":"Succeed"}}})",
       "SCHEMA_VALIDATION_FAILED: Field 'Start' is not supported at /"},
      {"there is one version", R"({"Version":"2.0","StartAt":"X","States":{"X":{"Type":"Succeed"}}})",
       "SCHEMA_VALIDATION_FAILED: The field 'Version' should have one of these values: [1.0] at /Version"},
      {"the whole execution's limit is a positive number",
       R"({"TimeoutSeconds":0,"StartAt":"X","States":{"X":{"Type":"Succeed"}}})",
       "SCHEMA_VALIDATION_FAILED: Value is out of range: it must be between 1 and 99999999 at "
       "/TimeoutSeconds"},
      {"a machine without states is none", R"({"StartAt":"X","States":{}})",
       "SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States"},
      {"a number that no integer holds is out of range, not an accident",
       R"({"TimeoutSeconds":99999999999999999999999,"StartAt":"X","States":{"X":{"Type":"Succeed"}}})",
       "SCHEMA_VALIDATION_FAILED: Expected value of type [INTEGER] at /TimeoutSeconds"},
  };
  check(kCases, [](std::string_view text) { return std::string(text); });
}

TEST(ReadDefinition, MembersOfStates) {
  constexpr Case kCases[] = {
      {"a state is an object", "1", "SCHEMA_VALIDATION_FAILED: Expected value of type [OBJECT] at /States/X"},
      {"a state has a type", "{}",
       "SCHEMA_VALIDATION_FAILED: These fields are required: [Type] at /States/X"},
      {"there are eight types", R"({"Type":"Sleep"})",
       "SCHEMA_VALIDATION_FAILED: The field 'Type' should have one of these values: [Task, Wait, Pass, "
       "Succeed, "
       "Fail, Choice, Parallel, Map] at /States/X/Type"},
      {"Succeed goes nowhere", R"({"Type":"Succeed","Next":"X"})",
       "SCHEMA_VALIDATION_FAILED: Field 'Next' is not supported at /States/X"},
      {"Pass must go somewhere", R"({"Type":"Pass"})",
       "SCHEMA_VALIDATION_FAILED: One of these fields is required: [Next, End] at /States/X"},
      {"but not to two places", R"({"Type":"Pass","Next":"X","End":true})",
       "SCHEMA_VALIDATION_FAILED: Only one of these fields is allowed: [Next, End] at /States/X"},
      {"End false is no end", R"({"Type":"Pass","End":false})",
       "SCHEMA_VALIDATION_FAILED: One of these fields is required: [Next, End] at /States/X"},
      {"a member of the wrong type is named", R"({"Type":"Pass","End":"true"})",
       "SCHEMA_VALIDATION_FAILED: Expected value of type [BOOLEAN] at /States/X/End\n"
       "SCHEMA_VALIDATION_FAILED: One of these fields is required: [Next, End] at /States/X"},
      {"a member of the other language says so", R"({"Type":"Pass","Output":1,"End":true})",
       "SCHEMA_VALIDATION_FAILED: The QueryLanguage is set to 'JSONPath', but field 'Output' is only "
       "supported "
       "for the 'JSONata' QueryLanguage at /States/X"},
      {"and the other way round", R"({"Type":"Pass","QueryLanguage":"JSONata","InputPath":"$","End":true})",
       "SCHEMA_VALIDATION_FAILED: The QueryLanguage is set to 'JSONata', but field 'InputPath' is only "
       "supported for the 'JSONPath' QueryLanguage at /States/X"},
      {"twins exclude each other", R"({"Type":"Fail","Error":"E","ErrorPath":"$.e"})",
       "SCHEMA_VALIDATION_FAILED: Only one of these fields is allowed: [Error, ErrorPath] at /States/X"},
      {"a path is a path", R"({"Type":"Pass","InputPath":"a.b","End":true})",
       "SCHEMA_VALIDATION_FAILED: Value is not a valid JSONPath: JSONPath: '$' expected at byte 0 at "
       "/States/X/InputPath"},
      {"ResultPath names one place", R"({"Type":"Pass","ResultPath":"$.a[*]","End":true})",
       "SCHEMA_VALIDATION_FAILED: Value is not a Reference Path at /States/X/ResultPath"},
      {"and that in the input", R"({"Type":"Pass","ResultPath":"$$.a","End":true})",
       "SCHEMA_VALIDATION_FAILED: Value is not a Reference Path at /States/X/ResultPath"},
      {"null is a path that selects nothing",
       R"({"Type":"Pass","InputPath":null,"ResultPath":null,"End":true})", ""},
      {"Wait needs one of four", R"({"Type":"Wait","End":true})",
       "SCHEMA_VALIDATION_FAILED: Exactly one of these fields is required: [Seconds, SecondsPath, Timestamp, "
       "TimestampPath] at /States/X"},
      {"not two of them", R"({"Type":"Wait","Seconds":1,"TimestampPath":"$.t","End":true})",
       "SCHEMA_VALIDATION_FAILED: Exactly one of these fields is required: [Seconds, SecondsPath, Timestamp, "
       "TimestampPath] at /States/X"},
      {"a timestamp is RFC 3339", R"({"Type":"Wait","Timestamp":"2016-03-14 01:59:00","End":true})",
       "SCHEMA_VALIDATION_FAILED: String does not match RFC3339 timestamp at /States/X/Timestamp"},
      {"an expression is no timestamp in JSONPath mode",
       R"({"Type":"Wait","Timestamp":"{% '2016-03-14T01:59:00Z' %}","End":true})",
       "SCHEMA_VALIDATION_FAILED: String does not match RFC3339 timestamp at /States/X/Timestamp"},
      {"a variable is no word with blanks", R"({"Type":"Pass","Assign":{"a b":1},"End":true})",
       "SCHEMA_VALIDATION_FAILED: The variable name 'a b' is not a valid identifier at /States/X/Assign"},
      {"and states is taken", R"({"Type":"Pass","Assign":{"states":1},"End":true})",
       "SCHEMA_VALIDATION_FAILED: The variable name 'states' is reserved at /States/X/Assign"},
      {"a bad template key is told with the field around it",
       R"x({"Type":"Pass","Parameters":{"parsed.$":"States.Format('\\\"')"},"End":true})x",
       "SCHEMA_VALIDATION_FAILED: The value for the field 'parsed.$' must be a valid JSONPath or a valid "
       "intrinsic function call at /States/X/Parameters"},
  };
  check(kCases, [](std::string_view state) { return machine_of(state); });
}

TEST(ReadDefinition, Tasks) {
  constexpr Case kCases[] = {
      {"a Task calls something", R"({"Type":"Task","End":true})",
       "SCHEMA_VALIDATION_FAILED: These fields are required: [Resource] at /States/X"},
      {"what AWS does not know is refused",
       R"({"Type":"Task","Resource":"arn:aws:states:::dynamodb:query","End":true})",
       "SCHEMA_VALIDATION_FAILED: The resource provided arn:aws:states:::dynamodb:query is not recognized. "
       "The "
       "value is not a valid resource ARN, or the resource is not available in this region. at "
       "/States/X/Resource"},
      {"an API that answers at once cannot be waited for",
       R"({"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage.sync","End":true})",
       "SCHEMA_VALIDATION_FAILED: The resource provided arn:aws:states:::sqs:sendMessage.sync is not "
       "recognized. The value is not a valid resource ARN, or the resource is not available in this region. "
       "at "
       "/States/X/Resource"},
      {"functions, activities, SDK calls, other partitions are known",
       R"({"Type":"Task","Resource":"arn:aws-cn:states:::aws-sdk:batch:listJobs.waitForTaskToken","End":true})",
       ""},
      {"a role is required where credentials are", R"({"Type":"Task","Resource":
        "arn:aws:states:::lambda:invoke","Credentials":{"Other":1},"End":true})",
       "SCHEMA_VALIDATION_FAILED: The field 'RoleArn' is required but was missing at /States/X/Credentials"},
      {"heartbeats come before the end", R"({"Type":"Task","Resource":
        "arn:aws:states:us-east-1:123456789012:activity:a","TimeoutSeconds":5,"HeartbeatSeconds":5,"End":true})",
       "SCHEMA_VALIDATION_FAILED: HeartbeatSeconds must be smaller than TimeoutSeconds at "
       "/States/X/HeartbeatSeconds"},
      {"a wait for a job without a limit is worth a word",
       R"({"Type":"Task","Resource":"arn:aws:states:::batch:submitJob.sync","End":true})",
       "warning NO_TIMEOUT: The task waits for its work without a limit: TimeoutSeconds is missing. at "
       "/States/X"},
      {"States.ALL stands alone and last", R"({"Type":"Task","Resource":"arn:aws:states:::lambda:invoke",
        "Retry":[{"ErrorEquals":["States.ALL"]},{"ErrorEquals":["E"]}],
        "Catch":[{"ErrorEquals":["E","States.ALL"],"Next":"X"}],"End":true})",
       "SCHEMA_VALIDATION_FAILED: States.ALL must appear alone and at end of list at "
       "/States/X/Retry[0]/ErrorEquals\n"
       "SCHEMA_VALIDATION_FAILED: States.ALL must appear alone and at end of list at "
       "/States/X/Catch[0]/ErrorEquals"},
      {"every number of a retrier has its range", R"({"Type":"Task","Resource":
        "arn:aws:states:::lambda:invoke","Retry":[{"ErrorEquals":[],"IntervalSeconds":0,"MaxAttempts":-1,
        "BackoffRate":0.9,"MaxDelaySeconds":31622401,"JitterStrategy":"SOME"}],"End":true})",
       "SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States/X/Retry[0]/ErrorEquals\n"
       "SCHEMA_VALIDATION_FAILED: Value is out of range: it must be between 1 and 99999999 at "
       "/States/X/Retry[0]/IntervalSeconds\n"
       "SCHEMA_VALIDATION_FAILED: Value is out of range: it must be between 0 and 99999999 at "
       "/States/X/Retry[0]/MaxAttempts\n"
       "SCHEMA_VALIDATION_FAILED: Value is out of range: it must be at least 1.0 at "
       "/States/X/Retry[0]/BackoffRate\n"
       "SCHEMA_VALIDATION_FAILED: Value is out of range: it must be between 1 and 31622400 at "
       "/States/X/Retry[0]/MaxDelaySeconds\n"
       "SCHEMA_VALIDATION_FAILED: The field 'JitterStrategy' should have one of these values: [NONE, FULL] "
       "at "
       "/States/X/Retry[0]/JitterStrategy"},
  };
  check(kCases, [](std::string_view state) { return machine_of(state); });
}

TEST(ReadDefinition, ExpressMachinesDoNotWait) {
  const auto fault = [](std::string_view resource) {
    return faults_of(machine_of(R"({"Type":"Task","Resource":")" + std::string(resource) +
                                R"(","TimeoutSeconds":9,"End":true})"),
                     true);
  };
  EXPECT_EQ(fault("arn:aws:states:::states:startExecution.sync"),
            "SCHEMA_VALIDATION_FAILED: Express state machine does not support '.sync' service integration at "
            "/States/X/Resource");
  EXPECT_EQ(fault("arn:aws:states:::sns:publish.waitForTaskToken"),
            "SCHEMA_VALIDATION_FAILED: Express state machine does not support '.waitForTaskToken' service "
            "integration  at /States/X/Resource");
  EXPECT_EQ(fault("arn:aws:states:us-east-1:123456789012:activity:a"),
            "SCHEMA_VALIDATION_FAILED: Express state machine does not support Activity ARN at "
            "/States/X/Resource");
  EXPECT_EQ(fault("arn:aws:states:::batch:submitJob"), "");
}

TEST(ReadDefinition, TheGraph) {
  constexpr Case kCases[] = {
      {"StartAt is a state", R"({"StartAt":"Y","States":{"X":{"Type":"Succeed"}}})",
       "MISSING_TRANSITION_TARGET: Missing 'StartAt' target: Y at /StartAt"},
      {"every target is a state of the same machine",
       R"({"StartAt":"X","States":{"X":{"Type":"Choice","Default":"Z","Choices":[
        {"Variable":"$.a","IsPresent":true,"Next":"Y"}]}}})",
       "MISSING_TRANSITION_TARGET: Missing 'Next' target: Y at /States/X/Choices[0]/Next\n"
       "MISSING_TRANSITION_TARGET: Missing 'Default' target: Z at /States/X/Default"},
      {"a branch cannot leave its machine",
       R"({"StartAt":"X","States":{"X":{"Type":"Parallel","Next":"Y","Branches":[{"StartAt":"B","States":{
        "B":{"Type":"Pass","Next":"Y"}}}]},"Y":{"Type":"Succeed"}}})",
       "MISSING_TRANSITION_TARGET: Missing 'Next' target: Y at /States/X/Branches[0]/States/B/Next"},
      {"no state stands aside", R"({"StartAt":"X","States":{"X":{"Type":"Succeed"},"Y":{"Type":"Fail"}}})",
       "MISSING_TRANSITION_TARGET: State \"Y\" is not reachable. at /States/Y"},
      {"a catcher reaches, too",
       R"({"StartAt":"X","States":{"X":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true,
        "Catch":[{"ErrorEquals":["States.ALL"],"Next":"Y"}]},"Y":{"Type":"Fail"}}})",
       ""},
      {"it ends somewhere",
       R"({"StartAt":"X","States":{"X":{"Type":"Pass","Next":"Y"},"Y":{"Type":"Pass","Next":"X"}}})",
       "MISSING_END_STATE: Workflow has no terminal state at /"},
      {"names are unique in the whole document",
       R"({"StartAt":"X","States":{"X":{"Type":"Parallel","End":true,"Branches":[
        {"StartAt":"X","States":{"X":{"Type":"Succeed"}}}]}}})",
       "DUPLICATE_STATE_NAME: Duplicate State name: X at /States/X/Branches[0]/States/X"},
      {"a member given twice is an error", R"({"StartAt":"X","StartAt":"X"})",
       "INVALID_JSON_DESCRIPTION: Duplicate field 'StartAt'\n at [Source: (String)\"{\"StartAt\":\"X\","
       "\"StartAt\":\"X\"}\"; line: 1, column: 25] at [Source: "
       "(String)\"{\"StartAt\":\"X\",\"StartAt\":\"X\"}\"; "
       "line: 1, column: 25]"},
      {"languages only go up",
       R"({"StartAt":"X","QueryLanguage":"JSONata","States":{"X":{"Type":"Succeed","QueryLanguage":"JSONPath"}}})",
       "SCHEMA_VALIDATION_FAILED: 'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state "
       "machine at /States/X"},
  };
  check(kCases, [](std::string_view text) { return std::string(text); });
}

TEST(ReadDefinition, Variables) {
  const auto nested = [](std::string_view config, std::string_view assign) {
    return R"({"StartAt":"A","States":{"A":{"Type":"Pass","Assign":{"v.$":"$.x"},"Next":"M"},"M":{"Type":"Map",
               "Assign":{"w":1},"ItemProcessor":{)" +
           std::string(config) + R"("StartAt":"B","States":{"B":{"Type":"Pass","Assign":)" +
           std::string(assign) + R"(,"End":true}}},"End":true}}})";
  };
  EXPECT_EQ(faults_of(nested("", R"({"u":1})")), "");
  // What the Map itself assigns comes into being when its iterations are over.
  EXPECT_EQ(faults_of(nested("", R"({"v":1,"w.$":"$.x"})")),
            "SCHEMA_VALIDATION_FAILED: The variable 'v' is assigned in an outer scope already at "
            "/States/M/ItemProcessor/States/B/Assign");
  EXPECT_EQ(faults_of(nested(R"("ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"STANDARD"},)",
                             R"({"v":1})")),
            "");
}

TEST(ReadDefinition, StateNamesHaveUpTo80Characters) {
  const auto named = [](const std::string& name) {
    return R"({"StartAt":")" + name + R"(","States":{")" + name + R"(":{"Type":"Succeed"}}})";
  };
  std::string name;
  for (int i = 0; i < 80; ++i) name += "ü";
  EXPECT_EQ(faults_of(named(name)), "");
  EXPECT_EQ(faults_of(named(name + "!")),
            "INVALID_STATE_NAME: State names must have 1 to 80 characters at /States/" + name + "!");
}

TEST(ReadDefinition, Maps) {
  constexpr Case kCases[] = {
      {"a Map has a machine", R"({"Type":"Map","End":true})",
       "SCHEMA_VALIDATION_FAILED: These fields are required: [ItemProcessor] at /States/X"},
      {"the old names still work",
       R"({"Type":"Map","Parameters":{},"Iterator":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}},"End":true})",
       ""},
      {"but not beside the new ones",
       R"({"Type":"Map","Iterator":{},"ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}},
        "End":true})",
       "SCHEMA_VALIDATION_FAILED: Only one of these fields is allowed: [ItemProcessor, Iterator] at "
       "/States/X"},
      {"children of their own have a type",
       R"({"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED"},"StartAt":"I","States":{
        "I":{"Type":"Succeed"}}},"End":true})",
       "SCHEMA_VALIDATION_FAILED: These fields are required: [ExecutionType] at "
       "/States/X/ItemProcessor/ProcessorConfig"},
      {"express children cannot wait, though the machine around them can",
       R"({"Type":"Map","ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"EXPRESS"},
        "StartAt":"I","States":{"I":{"Type":"Task","TimeoutSeconds":1,"End":true,
        "Resource":"arn:aws:states:::batch:submitJob.sync"}}},"End":true})",
       "SCHEMA_VALIDATION_FAILED: Express state machine does not support '.sync' service integration at "
       "/States/X/ItemProcessor/States/I/Resource"},
      {"a label is short", R"({"Type":"Map","Label":"12345678901234567890123456789012345678901",
        "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}},"End":true})",
       "INVALID_LABEL_NAME: Label cannot exceed 40 characters at /States/X/Label"},
      {"and part of a name", R"({"Type":"Map","Label":"a b",
        "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}},"End":true})",
       "INVALID_LABEL_NAME: Label contains an invalid character at /States/X/Label"},
      {"batches have a size", R"({"Type":"Map","ItemBatcher":{},
        "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}},"End":true})",
       "SCHEMA_VALIDATION_FAILED: One of these fields is required: [MaxItemsPerBatch, MaxInputBytesPerBatch] "
       "at "
       "/States/X/ItemBatcher"},
      {"failures are tolerated up to 100 %", R"({"Type":"Map","ToleratedFailurePercentage":100.5,
        "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Succeed"}}},"End":true})",
       "SCHEMA_VALIDATION_FAILED: Value is out of range: it must be between 0 and 100 at "
       "/States/X/ToleratedFailurePercentage"},
      {"a branch has no language of its own", R"({"Type":"Parallel","End":true,"Branches":[
        {"QueryLanguage":"JSONata","StartAt":"I","States":{"I":{"Type":"Succeed"}}}]})",
       "SCHEMA_VALIDATION_FAILED: Field 'QueryLanguage' is not supported at /States/X/Branches[0]"},
      {"there is at least one branch", R"({"Type":"Parallel","End":true,"Branches":[]})",
       "SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States/X/Branches"},
  };
  check(kCases, [](std::string_view state) { return machine_of(state); });
}

TEST(ReadDefinition, Expressions) {
  constexpr Case kCases[] = {
      {"an expression that cannot be read is refused", R"({"Type":"Wait","Seconds":"{% ( %}","End":true})",
       "INVALID_JSONATA_EXPRESSION: Expected \")\" before end of expression at /States/X/Seconds"},
      {"the result is there in Output and Assign of what has one",
       R"({"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":"{% $states.result %}",
        "Output":"{% $states.result %}","Assign":{"a":"{% $states.result %}"},"End":true})",
       "UNSUPPORTED_JSONATA_EXPRESSION: Reference to '$states.result' is not supported in this field. at "
       "/States/X/Arguments"},
      {"a Pass has none", R"({"Type":"Pass","Output":{"a":["{% $states.result %}"]},"End":true})",
       "UNSUPPORTED_JSONATA_EXPRESSION: Reference to '$states.result' is not supported in this field. at "
       "/States/X/Output/a[0]"},
      {"only a catcher sees the error", R"({"Type":"Pass","Output":"{% $states.errorOutput %}","End":true})",
       "UNSUPPORTED_JSONATA_EXPRESSION: Reference to '$states.errorOutput' is not supported in this field. "
       "at "
       "/States/X/Output"},
      {"the input has a name", R"({"Type":"Wait","Seconds":"{% phone %}","End":true})",
       "UNSUPPORTED_JSONATA_EXPRESSION: Reference to 'phone' at the top level is not supported. at "
       "/States/X/Seconds"},
      {"in payloads, too", R"({"Type":"Pass","Output":{"a":"{% $$ %}"},"End":true})",
       "UNSUPPORTED_JSONATA_EXPRESSION: Reference to '$$' is not supported. at /States/X/Output/a"},
      {"a string is no number", R"({"Type":"Wait","Seconds":"5","End":true})",
       "SCHEMA_VALIDATION_FAILED: Expected value of type [INTEGER, JSONATA_EXPRESSION] at /States/X/Seconds\n"
       "SCHEMA_VALIDATION_FAILED: Exactly one of these fields is required: [Seconds, SecondsPath, Timestamp, "
       "TimestampPath] at /States/X"},
      {"a condition is an expression or a truth value",
       R"({"Type":"Choice","Default":"X","Choices":[{"Condition":"yes","Next":"X"}]})",
       "SCHEMA_VALIDATION_FAILED: Expected value of type [BOOLEAN, JSONATA_EXPRESSION] at "
       "/States/X/Choices[0]/Condition"},
  };
  check(kCases, [](std::string_view state) { return machine_of(state, "JSONata"); });
}

TEST(ReadDefinition, WarnsOfWhatIsProbablyNotMeant) {
  constexpr Case kCases[] = {
      {"a Result is taken as it is", R"({"Type":"Pass","Result":{"a.$":"$.b"},"End":true})",
       "warning PASS_RESULT_IS_STATIC: Attempt to use a path in the result of a pass state. at "
       "/States/X/Result"},
      {"a path without .$ is text", R"({"Type":"Pass","Parameters":{"a":[{"b":"$.c"}]},"End":true})",
       "warning NO_DOLLAR: No .$ on a field that appears to be a JSONPath or Intrinsic Function. at "
       "/States/X/Parameters/a[0]/b"},
      {"a path in Cause is text", R"({"Type":"Fail","Cause":"$.c"})",
       "warning NO_PATH: Field value looks like a path, but field name does not end with 'Path'. at "
       "/States/X/Cause"},
  };
  check(kCases, [](std::string_view state) { return machine_of(state); });
}

TEST(ReadDefinition, NestingIsBounded) {
  const auto nested = [](std::size_t levels) {
    std::string text, end;
    for (std::size_t i = 0; i < levels; ++i) {
      const std::string name = "S" + std::to_string(i);
      text += R"({"StartAt":")" + name + R"(","States":{")" + name +
              R"(":{"Type":"Parallel","End":true,"Branches":[)";
      end += "]}}}";
    }
    return text + R"({"StartAt":"Z","States":{"Z":{"Type":"Succeed"}}})" + end;
  };
  EXPECT_EQ(faults_of(nested(30)), "");
  EXPECT_THAT(faults_of(nested(31)), testing::StartsWith("TOO_DEEPLY_NESTED: Map and Parallel states"));
  EXPECT_THAT(faults_of(nested(1000)), testing::StartsWith("TOO_DEEPLY_NESTED: Document nesting depth"));
}

TEST(ReadDefinition, DiagnosticsAreBounded) {
  std::string text = R"({"StartAt":"X","States":{"X":{"Type":"Pass","End":true)";
  for (int i = 0; i < 3000; ++i) text += ",\"f" + std::to_string(i) + "\":1";
  const ReadDefinition read = read_definition(text + "}}}");
  EXPECT_EQ(read.diagnostics.size(), 1000u);
  EXPECT_EQ(read.definition, nullptr);

  const std::string long_name(100'000, 'x');
  for (const Diagnostic& found : read_definition(machine_of("{\"" + long_name + "\":1}")).diagnostics)
    EXPECT_LT(found.message.size() + found.location.size(), 5000u);
}

TEST(ReadDefinition, GivesTheModel) {
  const ReadDefinition read = read_definition(R"({"Comment":"c","TimeoutSeconds":60,"StartAt":"T","States":{
    "T":{"Type":"Task","Resource":"arn:aws:states:::batch:submitJob.sync","TimeoutSecondsPath":"$.limit",
      "InputPath":null,"ResultPath":"$.r","Next":"M","Retry":[{"ErrorEquals":["E"],"MaxAttempts":0,
      "BackoffRate":1,"MaxDelaySeconds":7,"JitterStrategy":"FULL"}],"Catch":[{"ErrorEquals":["States.ALL"],
      "Next":"F"}]},
    "M":{"Type":"Map","Label":"l","MaxConcurrency":3,"ItemsPath":"$.items","End":true,"ItemProcessor":{
      "ProcessorConfig":{"Mode":"DISTRIBUTED","ExecutionType":"EXPRESS"},"StartAt":"I","States":{
      "I":{"Type":"Wait","Seconds":0,"End":true}}}},
    "F":{"Type":"Fail","Error":"E"}}})");
  ASSERT_NE(read.definition, nullptr) << listed(read.diagnostics);
  EXPECT_EQ(read.definition->comment, "c");
  EXPECT_EQ(read.definition->timeout_s, 60);
  const Machine& machine = *read.definition->machine;
  EXPECT_EQ(machine.start_at, "T");
  const State& task = machine.states.at("T");
  EXPECT_EQ(task.next, "M");
  EXPECT_TRUE(task.input_path.nothing);
  EXPECT_EQ(task.result_path.path->text(), "$.r");
  EXPECT_FALSE(task.output_path.path.has_value());
  EXPECT_EQ(std::get<Path>(*std::get<Task>(task.kind).timeout_s).text(), "$.limit");
  ASSERT_EQ(task.retry.size(), 1u);
  EXPECT_EQ(task.retry[0].attempts_max, 0);
  EXPECT_EQ(task.retry[0].interval_s, 1);
  EXPECT_EQ(task.retry[0].delay_max_s, 7);
  EXPECT_TRUE(task.retry[0].full_jitter);
  EXPECT_EQ(task.catchers.at(0).next, "F");
  const auto& map = std::get<Map>(machine.states.at("M").kind);
  EXPECT_TRUE(map.distributed && map.express);
  EXPECT_EQ(map.label, "l");
  EXPECT_EQ(map.items_path->text(), "$.items");
  EXPECT_EQ(std::get<json::Value>(*map.concurrency_max), json::Value(3));
  EXPECT_EQ(type_name(map.processor->states.at("I").kind), "Wait");
  EXPECT_EQ(type_name(machine.states.at("F").kind), "Fail");
}

TEST(ReadLoneState, NeedsNoMachine) {
  const ReadState read = read_lone_state(R"({"Type":"Pass","Next":"Elsewhere"})", "StateName");
  ASSERT_NE(read.state, nullptr) << listed(read.diagnostics);
  EXPECT_EQ(read.state->next, "Elsewhere");
  EXPECT_NE(read_lone_state(R"({"Type":"Pass"})", "StateName").state, nullptr);
  EXPECT_EQ(
      listed(read_lone_state(R"({"Type":"Parallel","Branches":[],"End":true})", "StateName").diagnostics),
      "SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States/StateName/Branches");
  // The machines inside it are whole.
  EXPECT_EQ(listed(read_lone_state(R"({"Type":"Parallel","Branches":[{"StartAt":"A","States":{
              "A":{"Type":"Pass"}}}]})",
                                   "S")
                       .diagnostics),
            "SCHEMA_VALIDATION_FAILED: One of these fields is required: [Next, End] at "
            "/States/S/Branches[0]/States/A");
}

TEST(InvalidDefinitionMessage, JoinsErrorsAndLeavesWarningsOut) {
  EXPECT_EQ(
      invalid_definition_message({{true, "NO_PATH", "w", "/"},
                                  {false, "A", "first", "/States/X"},
                                  {false, "B", "second", ""},
                                  {false, "C", "third\n at [Source: 1]", "[Source: 1]"}}),
      "Invalid State Machine Definition: 'A: first at /States/X, B: second, C: third\n at [Source: 1]'");
}

}  // namespace
}  // namespace stoker::asl
