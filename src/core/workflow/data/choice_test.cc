#include "core/workflow/data/choice.h"

#include <gtest/gtest.h>

#include "core/workflow/data/string_pattern.h"

namespace stoker::asl {
namespace {

constexpr std::string_view kInput = R"({
  "text": "ab", "number": 5, "whole": 5.0, "yes": true, "no": false, "none": null, "list": [], "object": {},
  "time": "2026-03-01T12:00:00Z", "later": "2026-03-01T12:00:00.5Z", "elsewhere": "2026-03-01T13:00:00+01:00",
  "words": "2026-03-01 12:00:00Z", "other": "b", "big": 6, "items": [1]
})";

json::Value parse(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value{};
}

// "yes", "no", the cause of a fault, or what is wrong with the rule.
std::string decide(std::string_view rule) {
  std::vector<TemplateFault> faults;
  const auto condition = Condition::parse(parse(rule), faults);
  if (!condition) {
    std::string out;
    for (const TemplateFault& fault : faults) out += fault.where + ": " + fault.message + "; ";
    return out;
  }
  const json::Value input = parse(kInput);
  const json::Value context = parse(R"({"Limit":5})");
  const Variables variables{{"v", std::make_shared<const json::Value>(parse("5"))}};
  const auto holds = condition->holds({.input = &input, .context = &context, .variables = &variables});
  return holds ? *holds ? "yes" : "no" : holds.error().error + ": " + holds.error().cause;
}

std::string test(std::string_view variable, std::string_view op, std::string_view operand) {
  return decide(R"({"Variable":"$.)" + std::string(variable) + R"(",")" + std::string(op) +
                "\":" + std::string(operand) + R"(,"Next":"A","Comment":"c","Assign":{}})");
}

TEST(Choice, ComparesWhatIsOfTheSameType) {
  struct Case {
    std::string_view op, less, equal, greater;  // operands against which `variable` is so
    std::string_view variable;
  };
  constexpr Case kFamilies[] = {
      {"String", R"("b")", R"("ab")", R"("a")", "text"},
      {"Numeric", "6", "5.0", "4.5", "number"},
      {"Timestamp", R"("2026-03-01T12:00:01Z")", R"("2026-03-01T13:00:00+01:00")",
       R"("2026-03-01T11:59:59.9Z")", "time"},
  };
  for (const Case& c : kFamilies) {
    const std::string op(c.op);
    struct Relation {
      std::string_view name;
      std::string_view less, equal, greater;
    };
    for (const Relation& relation :
         {Relation{"Equals", "no", "yes", "no"}, Relation{"LessThan", "yes", "no", "no"},
          Relation{"GreaterThan", "no", "no", "yes"}, Relation{"LessThanEquals", "yes", "yes", "no"},
          Relation{"GreaterThanEquals", "no", "yes", "yes"}}) {
      const std::string name = op + std::string(relation.name);
      EXPECT_EQ(test(c.variable, name, c.less), relation.less) << name;
      EXPECT_EQ(test(c.variable, name, c.equal), relation.equal) << name;
      EXPECT_EQ(test(c.variable, name, c.greater), relation.greater) << name;
      for (const std::string_view other : {"yes", "none", "list", "object"})
        EXPECT_EQ(test(other, name, c.equal), "no") << name << other;
    }
  }
  EXPECT_EQ(test("words", "TimestampEquals", R"("2026-03-01T12:00:00Z")"), "no");
  EXPECT_EQ(test("whole", "NumericEquals", "5"), "yes");
  EXPECT_EQ(test("text", "NumericEquals", "5"), "no");
  EXPECT_EQ(test("number", "StringEquals", R"("5")"), "no");
  EXPECT_EQ(test("yes", "BooleanEquals", "true"), "yes");
  EXPECT_EQ(test("yes", "BooleanEquals", "false"), "no");
  EXPECT_EQ(test("no", "BooleanEquals", "false"), "yes");
  EXPECT_EQ(test("number", "BooleanEquals", "true"), "no");
  EXPECT_EQ(test("none", "BooleanEquals", "false"), "no");
}

TEST(Choice, TakesOperandsFromPaths) {
  EXPECT_EQ(test("text", "StringLessThanPath", R"("$.other")"), "yes");
  EXPECT_EQ(test("number", "NumericEqualsPath", R"("$.whole")"), "yes");
  EXPECT_EQ(test("number", "NumericEqualsPath", R"("$$.Limit")"), "yes");
  EXPECT_EQ(test("number", "NumericEqualsPath", R"("$v")"), "yes");
  EXPECT_EQ(test("number", "NumericLessThanPath", R"("$.big")"), "yes");
  EXPECT_EQ(test("yes", "BooleanEqualsPath", R"("$.no")"), "no");
  EXPECT_EQ(test("time", "TimestampEqualsPath", R"("$.elsewhere")"), "yes");
  EXPECT_EQ(test("time", "TimestampLessThanPath", R"("$.later")"), "yes");
  EXPECT_EQ(test("number", "NumericGreaterThanPath", R"("$.no")"), "no");
  EXPECT_EQ(test("number", "NumericGreaterThanPath", R"("$.items")"), "no");
  EXPECT_EQ(test("time", "TimestampEqualsPath", R"("$.words")"), "no");
}

TEST(Choice, TestsTypes) {
  struct Case {
    std::string_view op, those_that_are;
  };
  for (const Case& c :
       {Case{"IsNull", "none"}, Case{"IsNumeric", "number whole"}, Case{"IsString", "text words time"},
        Case{"IsBoolean", "yes no"}, Case{"IsTimestamp", "time"}}) {
    for (const std::string_view name :
         {"text", "number", "whole", "yes", "no", "none", "list", "object", "time", "words"}) {
      const bool is = (" " + std::string(c.those_that_are) + " ").find(" " + std::string(name) + " ") !=
                      std::string::npos;
      EXPECT_EQ(test(name, c.op, "true"), is ? "yes" : "no") << name << " " << c.op;
      EXPECT_EQ(test(name, c.op, "false"), is ? "no" : "yes") << name << " not " << c.op;
    }
  }
}

TEST(Choice, TestsPresence) {
  EXPECT_EQ(test("text", "IsPresent", "true"), "yes");
  EXPECT_EQ(test("none", "IsPresent", "true"), "yes");
  EXPECT_EQ(test("no", "IsPresent", "false"), "no");
  EXPECT_EQ(test("missing", "IsPresent", "true"), "no");
  EXPECT_EQ(test("missing.below", "IsPresent", "false"), "yes");
  EXPECT_EQ(test("items[0]", "IsPresent", "true"), "yes");
  EXPECT_EQ(test("list[0]", "IsPresent", "true"), "no");
  EXPECT_EQ(test("items[?(@ > 1)]", "IsPresent", "true"), "no");
  EXPECT_EQ(test("items[?(@ == 1)]", "IsPresent", "true"), "yes");
}

TEST(Choice, MatchesPatterns) {
  struct Case {
    std::string_view pattern, text;
    bool matches;
  };
  for (const Case& c : {
           Case{"*", "", true},
           Case{"*", "anything", true},
           Case{"", "", true},
           Case{"", "a", false},
           Case{"log-*.txt", "log-1.txt", true},
           Case{"log-*.txt", "log-.txt", true},
           Case{"log-*.txt", "log.txt", false},
           Case{"log-*.txt", "log-1.txt.gz", false},
           Case{"a*a", "a", false},
           Case{"a*a", "aa", true},
           Case{"*b*", "abc", true},
           Case{"*b*", "ac", false},
           Case{"a*b*c", "a-b-c", true},
           Case{"a*b*c", "ac", false},
           Case{"**", "x", true},
           Case{R"(\*)", "*", true},
           Case{R"(\*)", "a", false},
           Case{R"(\\*)", R"(\x)", true},
           Case{R"(a\*b*)", "a*bc", true},
           Case{"?", "a", false},
           Case{"A*", "ab", false},
       })
    EXPECT_EQ(StringPattern::parse(c.pattern)->matches(c.text), c.matches) << c.pattern << " " << c.text;
  EXPECT_FALSE(StringPattern::parse(R"(\)").has_value());
  EXPECT_FALSE(StringPattern::parse(R"(\a)").has_value());
  EXPECT_EQ(test("text", "StringMatches", R"("a*")"), "yes");
  EXPECT_EQ(test("number", "StringMatches", R"("*")"), "no");
}

TEST(Choice, CombinesRules) {
  const std::string yes = R"({"Variable":"$.yes","BooleanEquals":true})";
  const std::string no = R"({"Variable":"$.yes","BooleanEquals":false})";
  const std::string fails = R"({"Variable":"$.missing","BooleanEquals":true})";
  const std::string fault =
      "States.Runtime: Invalid path '$.missing': The choice state's condition path references an invalid "
      "value.";
  EXPECT_EQ(decide(R"({"And":[)" + yes + "," + yes + "]}"), "yes");
  EXPECT_EQ(decide(R"({"And":[)" + yes + "," + no + "]}"), "no");
  EXPECT_EQ(decide(R"({"Or":[)" + no + "," + yes + "]}"), "yes");
  EXPECT_EQ(decide(R"({"Or":[)" + no + "," + no + "]}"), "no");
  EXPECT_EQ(decide(R"({"Not":)" + no + "}"), "yes");
  EXPECT_EQ(decide(R"({"Not":{"Or":[)" + no + R"(,{"And":[)" + yes + "," + yes + "]}]}}"), "no");
  // The first part that decides is the last that is looked at.
  EXPECT_EQ(decide(R"({"And":[)" + no + "," + fails + "]}"), "no");
  EXPECT_EQ(decide(R"({"Or":[)" + yes + "," + fails + "]}"), "yes");
  EXPECT_EQ(decide(R"({"And":[)" + yes + "," + fails + "]}"), fault);
  EXPECT_EQ(decide(R"({"Not":)" + fails + "}"), fault);
}

TEST(Choice, FailsOnWhatIsNotThere) {
  const auto fault = [](std::string_view path) {
    return "States.Runtime: Invalid path '" + std::string(path) +
           "': The choice state's condition path references an invalid value.";
  };
  EXPECT_EQ(test("missing", "StringEquals", R"("a")"), fault("$.missing"));
  EXPECT_EQ(test("missing", "IsNull", "true"), fault("$.missing"));
  EXPECT_EQ(test("list[0]", "IsNull", "true"), fault("$.list[0]"));
  EXPECT_EQ(test("text", "StringEqualsPath", R"("$.missing")"), fault("$.missing"));
  EXPECT_EQ(test("text", "StringEqualsPath", R"("$unknown.a")"), fault("$unknown.a"));
}

TEST(Choice, RefusesWhatIsNoRule) {
  EXPECT_EQ(decide("5"), ": Expected value of type [OBJECT]; ");
  EXPECT_EQ(decide("{}"), ": A choice rule must have an operator; ");
  EXPECT_EQ(decide(R"({"StringEquals":"a"})"), ": These fields are required: [Variable]; ");
  EXPECT_EQ(test("a", "StringEquals", R"("a","StringMatches":"a")"),
            ": A choice rule has exactly one operator; ");
  EXPECT_EQ(test("a", "Unknown", "1"), "/Unknown: Field is not supported; ");
  EXPECT_EQ(test("a", "StringMatchesPath", R"("$.a")"), "/StringMatchesPath: Field is not supported; ");
  EXPECT_EQ(test("a", "StringEquals", "1"), "/StringEquals: Expected value of type [STRING]; ");
  EXPECT_EQ(test("a", "NumericEquals", R"("1")"), "/NumericEquals: Expected value of type [NUMBER]; ");
  EXPECT_EQ(test("a", "BooleanEquals", "1"), "/BooleanEquals: Expected value of type [BOOLEAN]; ");
  EXPECT_EQ(test("a", "IsNull", R"("x")"), "/IsNull: Expected value of type [BOOLEAN]; ");
  EXPECT_EQ(test("a", "TimestampEquals", R"("2026")"),
            "/TimestampEquals: String does not match RFC3339 timestamp; ");
  EXPECT_EQ(test("a", "StringEqualsPath", R"("x")"), "/StringEqualsPath: Value is not a valid JSONPath; ");
  EXPECT_EQ(test("a..", "StringEquals", R"("x")"), "/Variable: Value is not a valid JSONPath; ");
  EXPECT_EQ(test("a", "StringMatches", R"("\\a")"),
            "/StringMatches: A backslash must be followed by '*' or a backslash; ");
  EXPECT_EQ(decide(R"({"And":[]})"), "/And: Value cannot be empty; ");
  EXPECT_EQ(decide(R"({"Or":{}})"), "/Or: Expected value of type [ARRAY]; ");
  EXPECT_EQ(
      decide(R"({"And":[{"Not":{"Variable":"$.a","IsNull":1}},{}]})"),
      "/And[0]/Not/IsNull: Expected value of type [BOOLEAN]; /And[1]: A choice rule must have an operator; ");
  EXPECT_EQ(decide(R"({"Variable":"$.a","Not":{"Variable":"$.a","IsNull":true}})"),
            "/Variable: Field is not supported; ");
}

TEST(Choice, KnowsWhatItReads) {
  std::vector<TemplateFault> faults;
  const auto condition = Condition::parse(parse(R"({"Or":[{"Variable":"$.a","StringEqualsPath":"$b"},
      {"Not":{"Variable":"$$.c","IsNull":true}}]})"),
                                          faults);
  std::string seen;
  condition->visit_paths([&](const Path& path) { seen += std::string(path.text()) + " "; });
  EXPECT_EQ(seen, "$.a $b $$.c ");
}

}  // namespace
}  // namespace stoker::asl
