#include "core/workflow/data/payload.h"

#include <gtest/gtest.h>

#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace {

json::Value parse(std::string_view text) {
  auto value = json::parse(text, {.depth_max = 1000});
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value{};
}

std::string faults_of(std::string_view text, Language language) {
  std::vector<TemplateFault> faults;
  EXPECT_FALSE(Payload::parse(parse(text), language, faults).has_value()) << text;
  std::string out;
  for (const TemplateFault& fault : faults)
    out += fault.where + " " + fault.code + ": " + fault.message + "; ";
  return out;
}

class PayloadTest : public testing::Test {
 protected:
  std::string evaluate(std::string_view text, Language language, std::string_view field = "Output") {
    std::vector<TemplateFault> faults;
    const auto payload = Payload::parse(parse(text), language, faults);
    if (!payload) return "refused: " + (faults.empty() ? "" : faults.front().message);
    const auto value = payload->evaluate(field, scope());
    if (value) return json::write(*value);
    fault_ = value.error();
    return fault_.error + ": " + fault_.cause;
  }
  std::string by_path(std::string_view text) { return evaluate(text, Language::JsonPath, "Parameters"); }
  std::string by_jsonata(std::string_view text) { return evaluate(text, Language::Jsonata); }

  Scope scope() {
    return {.input = &input_,
            .context = &context_,
            .variables = &variables_,
            .states_input = &input_,
            .states_result = &result_,
            .now = Instant{1'700'000'000'000},
            .random = [this] { return ++randoms_; }};
  }

  json::Value input_ = parse(R"({"name":"n1","items":[1,2],"none":null,"object":{"a":1}})");
  json::Value context_ = parse(R"({"State":{"Name":"S"}})");
  json::Value result_ = parse(R"({"code":7})");
  Variables variables_ = {{"v", std::make_shared<const json::Value>(parse(R"({"x":[5]})"))},
                          {"list", std::make_shared<const json::Value>(parse("[4,5,6]"))}};
  std::uint64_t randoms_ = 0;
  Fault fault_;
};

TEST_F(PayloadTest, KeepsWhatIsLiteral) {
  for (const std::string_view text : {"5", R"("$.name")", "null", R"(["$.name",{"a":"$.name"}])",
                                      R"x({"a":"States.UUID()","b":{"c":[]},"d":"{% 1 %}"})x", "{}"})
    EXPECT_EQ(by_path(text), text);
}

TEST_F(PayloadTest, ComputesKeysThatEndSo) {
  EXPECT_EQ(by_path(R"({"a.$":"$.name","b":1,"c.$":"$$.State.Name","d.$":"$v.x[0]"})"),
            R"({"a":"n1","b":1,"c":"S","d":5})");
  EXPECT_EQ(by_path(R"({"a":{"b":[1,{"c.$":"$.items"},"x"]}})"), R"({"a":{"b":[1,{"c":[1,2]},"x"]}})");
  EXPECT_EQ(by_path(R"x({"a.$":"States.Format('{}!', $.name)"})x"), R"({"a":"n1!"})");
  EXPECT_EQ(by_path(R"({".$":"$.name"})"), R"({"":"n1"})");
  EXPECT_EQ(by_path(R"({"a.$":"$.items[*]","b.$":"$.no[*]"})"), R"({"a":[1,2],"b":[]})");
  EXPECT_EQ(by_path(R"({"a.$":"$.none"})"), R"({"a":null})");
  EXPECT_EQ(by_path(R"({"a.$":"$.items[2]"})"), R"({"a":null})");
}

TEST_F(PayloadTest, NamesTheKeyWhosePathFindsNothing) {
  EXPECT_EQ(
      by_path(R"({"a":[{"b.$":"$.no"}]})"),
      R"(States.Runtime: The JSONPath '$.no' specified for the field 'b.$' could not be found in the input )"
      R"('{"name":"n1","items":[1,2],"none":null,"object":{"a":1}}')");
  EXPECT_EQ(
      by_path(R"({"a.$":"$$.Task.Token"})"),
      R"(States.Runtime: The JSONPath '$$.Task.Token' specified for the field 'a.$' could not be found in the )"
      R"(input '{"State":{"Name":"S"}}')");
  EXPECT_EQ(by_path(R"({"a.$":"$.name[0]"})"),
            R"(States.Runtime: Filter: [0] can only be applied to arrays. Current context is: "n1")");
  EXPECT_EQ(fault_.location, "");
}

TEST_F(PayloadTest, RefusesTemplatesThatCannotBeComputed) {
  const std::string must = "' must be a valid JSONPath or a valid intrinsic function call; ";
  EXPECT_EQ(faults_of(R"({"a.$":"x","b":{"c.$":5},"d":[{"e.$":"$.["}]})", Language::JsonPath),
            " SCHEMA_VALIDATION_FAILED: The value for the field 'a.$" + must +
                "/b SCHEMA_VALIDATION_FAILED: The value for the field 'c.$" + must +
                "/d[0] SCHEMA_VALIDATION_FAILED: The value for the field 'e.$" + must);
  EXPECT_EQ(faults_of(R"({"a":1,"a.$":"$.b"})", Language::JsonPath),
            " SCHEMA_VALIDATION_FAILED: The fields 'a' and 'a.$' cannot both be present; ");
}

TEST_F(PayloadTest, ReportsSomeOfManyFaultsAndRefusesForAnyOfThem) {
  std::string items = "[";
  for (std::size_t i = 0; i < kTemplateFaultsMax + 10; ++i) items += R"({"x.$":"no path"},)";
  items.back() = ']';
  std::vector<TemplateFault> faults;
  EXPECT_FALSE(Payload::parse(parse(R"({"long key":)" + items + "}"), Language::JsonPath, faults));
  ASSERT_EQ(faults.size(), kTemplateFaultsMax);
  EXPECT_EQ(faults.back().where, "/long key[199]");
  EXPECT_FALSE(Payload::parse(parse(R"({"x.$":"no path"})"), Language::JsonPath, faults)) << "told or not";
}

TEST_F(PayloadTest, ComputesExpressions) {
  EXPECT_EQ(by_jsonata(R"("{% $states.input.name & '!' %}")"), R"("n1!")");
  EXPECT_EQ(
      by_jsonata(R"({"a":"{%$states.result.code%}","b":["{% $v.x[0] + 1 %}"," {% 1 %}"],"c.$":"$.name"})"),
      R"({"a":7,"b":[6," {% 1 %}"],"c.$":"$.name"})");
  EXPECT_EQ(by_jsonata(R"({"a":"{% $states.context.State.Name %}","b":"{% null %}"})"),
            R"({"a":"S","b":null})");
  EXPECT_EQ(by_jsonata(R"("{% $millis() %}")"), "1700000000000");
  EXPECT_EQ(by_jsonata(R"(["$.name","{% %","%}"])"), R"(["$.name","{% %","%}"])");
}

TEST_F(PayloadTest, NamesTheFieldWhoseExpressionFails) {
  const std::string start = "States.QueryEvaluationError: The JSONata expression '";
  EXPECT_EQ(by_jsonata(R"({"a":{"b":[1,"{% $nothing %}"]}})"),
            start + "$nothing' specified for the field 'Output/a/b[1]' returned nothing (undefined).");
  EXPECT_EQ(fault_.location, "Output/a/b[1]");
  EXPECT_EQ(by_jsonata(R"("{% $nothing %}")"),
            start + "$nothing' specified for the field 'Output' returned nothing (undefined).");
  EXPECT_EQ(by_jsonata(R"(["{%   $fn := function($x){$x} %}"])"),
            start +
                "$fn := function($x){$x}' specified for the field 'Output[0]' returned an unsupported result "
                "type.");
  EXPECT_EQ(by_jsonata(R"("{% $noFunction(1) %}")"),
            start +
                "$noFunction(1)' specified for the field 'Output' threw an error during evaluation. T1006: "
                "Attempted to invoke a non-function");
  EXPECT_EQ(
      by_jsonata(R"("{% 'a' + 1 %}")"),
      start +
          "'a' + 1' specified for the field 'Output' threw an error during evaluation. T2001: The left side "
          "of the \"+\" operator must evaluate to a number");
  EXPECT_EQ(by_jsonata(R"("{% $states.errorOutput %}")"),
            start + "$states.errorOutput' specified for the field 'Output' returned nothing (undefined).");
}

TEST_F(PayloadTest, RefusesExpressionsThatCannotBeEvaluated) {
  EXPECT_TRUE(faults_of(R"({"a":["{% 1 + %}"]})", Language::Jsonata)
                  .starts_with("/a[0] INVALID_JSONATA_EXPRESSION: "));
  EXPECT_EQ(faults_of(R"({"a":"{% phone %}"})", Language::Jsonata),
            "/a UNSUPPORTED_JSONATA_EXPRESSION: Reference to 'phone' at the top level is not supported.; ");
}

TEST_F(PayloadTest, ReadsItselfOut) {
  std::vector<TemplateFault> faults;
  std::string seen;
  const auto by_paths = Payload::parse(parse(R"x({"a.$":"$.x","b":[{"c.$":"States.Array($v.y, $$.z)"}]})x"),
                                       Language::JsonPath, faults);
  by_paths->visit_paths([&](const Path& path) { seen += std::string(path.text()) + " "; });
  EXPECT_EQ(seen, "$.x $v.y $$.z ");
  seen.clear();
  const auto by_expressions =
      Payload::parse(parse(R"({"a":"{% $x %}","b":[1,"{% $y %}"]})"), Language::Jsonata, faults);
  by_expressions->visit_expressions([&](const jsonata::Expression& expression, const Spot& where) {
    seen += where.text() + "=" + std::string(expression.text()) + " ";
  });
  EXPECT_EQ(seen, "/a=$x /b[1]=$y ");
}

TEST_F(PayloadTest, IsBounded) {
  input_ = json::Value(std::string(200'000, 'x'));
  std::string many = R"({"a.$":"$")";
  for (int i = 0; i < 100; ++i) many += ",\"k" + std::to_string(i) + R"(.$":"$")";
  EXPECT_TRUE(by_path(many + "}").starts_with("States.DataLimitExceeded: "));

  input_ = parse(std::string(kValueDepthMax, '[') + std::string(kValueDepthMax, ']'));
  EXPECT_EQ(by_path(R"({"a.$":"$"})"),
            "States.DataLimitExceeded: The value of the field 'Parameters' nests more than 128 deep");
}

TEST(JsonataMarks, AreExact) {
  EXPECT_TRUE(is_jsonata("{%%}"));
  EXPECT_TRUE(is_jsonata("{% $a %}"));
  for (const std::string_view text : {"", "{%}", " {% 1 %}", "{% 1 %} ", "{ % 1 % }", "{{% 1 %}"})
    EXPECT_FALSE(is_jsonata(text)) << text;
  EXPECT_EQ(jsonata_source("{%  $a + 1\n%}"), "$a + 1");
}

}  // namespace
}  // namespace stoker::asl
