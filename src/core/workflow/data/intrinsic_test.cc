#include <gtest/gtest.h>

#include "core/workflow/data/payload.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace {

constexpr std::string_view kInput = R"({
  "name": "train", "n": 7, "f": 1.25, "yes": true, "none": null, "list": [1, 2, 3, 4, 5], "empty": [],
  "object": {"a": {"x": 1}, "b": [2, "z"]}, "other": {"a": {"y": 2}, "c": 3}, "template": "{} of {}",
  "pairs": [{"k": 1, "v": 2}, {"v": 2, "k": 1}], "mixed": [1, 1.0, "1", null, null, [1], [1], {"a": 1}, true],
  "text": "{\"a\":[1, 2]}", "euro": "5€"
})";

json::Value parse(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value{};
}

Evaluated<json::Value> evaluate(std::string_view text, const json::Value& input) {
  const json::Value context = parse(R"({"Execution":{"Name":"run-7"},"State":{"RetryCount":2}})");
  const Variables variables{{"v", std::make_shared<const json::Value>(parse(R"({"x":[9]})"))}};
  std::uint64_t next = 0;
  const Scope scope{.input = &input, .context = &context, .variables = &variables, .random = [&next] {
                      return ++next * 1000;
                    }};
  const auto call = Intrinsic::parse(text);
  if (!call) return std::unexpected(Fault{.error = "refused", .cause = call.error().message});
  return call->evaluate(scope);
}

std::string result(std::string_view text) {
  const auto value = evaluate(text, parse(kInput));
  return value ? json::write(*value) : value.error().error + ": " + value.error().cause;
}

struct Case {
  std::string_view what, call, expected;
};

TEST(Intrinsic, WorksOnText) {
  const Case kCases[] = {
      {"arguments in turn", "States.Format('{} has {} of {}', $.name, $.n, $.f)", R"("train has 7 of 1.25")"},
      {"no arguments", "States.Format('plain')", R"("plain")"},
      {"null and booleans", "States.Format('{} {} {}', null, true, $.none)", R"("null true null")"},
      {"numbers as written in JSON", "States.Format('{} {}', 1.10, -0.5)", R"("1.1 -0.5")"},
      {"collections as Java has them", "States.Format('{}', $.object)", R"("{a={x=1}, b=[2, z]}")"},
      {"escaped braces and quotes", R"(States.Format('\{\} \'{}\' \\', 1))", R"("{} '1' \\")"},
      {"a template from the input", "States.Format($.template, 1, 2)", R"("1 of 2")"},
      {"the context", "States.Format('{}-{}', $$.Execution.Name, $$.State.RetryCount)", R"("run-7-2")"},
      {"a variable", "States.Format('{}', $v.x[0])", R"("9")"},
      {"blanks anywhere", " States.Format ( '{}' ,\n 1 ) ", R"("1")"},
      {"JSON in a text", "States.StringToJson($.text)", R"({"a":[1,2]})"},
      {"JSON in a literal", R"(States.StringToJson('\{"a":1\}'))", R"({"a":1})"},
      {"nothing is null", "States.StringToJson('')", "null"},
      {"blanks are null", "States.StringToJson('  ')", "null"},
      {"minus nought", "States.StringToJson('-0')", "0"},
      {"compact JSON in the order of its members", "States.JsonToString($.object)",
       R"("{\"a\":{\"x\":1},\"b\":[2,\"z\"]}")"},
      {"a text is quoted", "States.JsonToString('a')", R"("\"a\"")"},
      {"pieces", "States.StringSplit('1,2,3', ',')", R"(["1","2","3"])"},
      {"every character of the second", "States.StringSplit('This.is+a,test', '.+,')",
       R"(["This","is","a","test"])"},
      {"empty pieces are left out", "States.StringSplit(',,a,,', ',')", R"(["a"])"},
      {"blanks are kept", "States.StringSplit(' , ', ',')", R"([" "," "])"},
      {"no delimiter", "States.StringSplit('ab', '')", R"(["ab"])"},
      {"a character of several bytes", "States.StringSplit('1€2', '€')", R"(["1","2"])"},
      {"half of its bytes is no delimiter", "States.StringSplit('ä', 'ö')", R"(["ä"])"},
      {"base 64", "States.Base64Encode('Data to encode')", R"("RGF0YSB0byBlbmNvZGU=")"},
      {"base 64 of UTF-8", "States.Base64Encode($.euro)", R"("NeKCrA==")"},
      {"and back", "States.Base64Decode('NeKCrA==')", R"("5€")"},
      {"line breaks and missing padding", "States.Base64Decode('NeK\nCrA')", R"("5€")"},
      {"bytes that are no text", "States.Base64Decode('/w==')", "\"\xef\xbf\xbd\""},
      {"a digest", "States.Hash('input data', 'MD5')", R"("812f45842bc6d66ee14572ce20db8e86")"},
      {"another", "States.Hash('input data', 'SHA-1')", R"("aaff4a450a104cd177d28d18d74485e8cae074b7")"},
      {"a digest of JSON", "States.Hash($.empty, 'MD5')", R"("d751713988987e9331980363e24189ce")"},
      {"a version 4 UUID", "States.UUID()", R"("00000000-0000-43e8-8000-0000000007d0")"},
  };
  for (const Case& c : kCases) EXPECT_EQ(result(c.call), c.expected) << c.what << ": " << c.call;
}

TEST(Intrinsic, WorksOnArraysAndObjects) {
  const Case kCases[] = {
      {"no items", "States.Array()", "[]"},
      {"items of all kinds", "States.Array('a', 1, $.list, null, true)", R"(["a",1,[1,2,3,4,5],null,true])"},
      {"chunks", "States.ArrayPartition($.list, 2)", "[[1,2],[3,4],[5]]"},
      {"a chunk larger than the array", "States.ArrayPartition($.list, 9)", "[[1,2,3,4,5]]"},
      {"a fraction is cut", "States.ArrayPartition($.list, 2.9)", "[[1,2],[3,4],[5]]"},
      {"chunks of nothing", "States.ArrayPartition($.empty, 3)", "[]"},
      {"a value that is in", "States.ArrayContains($.list, 3)", "true"},
      {"a value that is not", "States.ArrayContains($.list, '3')", "false"},
      {"deep equality", "States.ArrayContains(States.Array($.list), $.list)", "true"},
      {"members in another order are another value",
       "States.ArrayContains(States.Array($.pairs[0]), $.pairs[1])", "false"},
      {"both ends are in", "States.ArrayRange(1, 9, 2)", "[1,3,5,7,9]"},
      {"the end may be missed", "States.ArrayRange(0, 10, 3)", "[0,3,6,9]"},
      {"downwards", "States.ArrayRange(3, 1, -1)", "[3,2,1]"},
      {"fractions are cut", "States.ArrayRange(1.9, 3.9, 1.9)", "[1,2,3]"},
      {"away from the end", "States.ArrayRange(1, 3, -1)", "[]"},
      {"an item", "States.ArrayGetItem($.list, 4)", "5"},
      {"an item of nothing", "States.ArrayGetItem($.empty, 0)", "null"},
      {"a length", "States.ArrayLength($.list)", "5"},
      {"the first of equals", "States.ArrayUnique($.mixed)", R"([1,"1",null,[1],{"a":1},true])"},
      {"members of the second win wholly", "States.JsonMerge($.object, $.other, false)",
       R"({"a":{"y":2},"b":[2,"z"],"c":3})"},
      {"nested calls",
       "States.ArrayGetItem(States.StringSplit('a-b-c', '-'), States.MathAdd(States.ArrayLength("
       "States.StringSplit('a-b-c', '-')), -1))",
       R"("c")"},
      {"an indefinite path is an array", "States.ArrayLength($.list[?(@ > 2)])", "3"},
      {"of nothing too", "States.ArrayLength($.list[*].no)", "0"},
      {"a comma and a parenthesis in a path", "States.ArrayLength($['list'][0,1])", "2"},
  };
  for (const Case& c : kCases) EXPECT_EQ(result(c.call), c.expected) << c.what << ": " << c.call;
}

TEST(Intrinsic, WorksOnNumbers) {
  const Case kCases[] = {
      {"a sum", "States.MathAdd(111, -1)", "110"},
      {"halves go up", "States.MathAdd(1.5, 0)", "2"},
      {"also below zero", "States.MathAdd(-1.5, 0)", "-1"},
      {"each is rounded before", "States.MathAdd(1.49, 1.5)", "3"},
      {"the least", "States.MathAdd(-2147483648, 0)", "-2147483648"},
      {"a random number", "States.MathRandom(1, 999)", "3"},  // 1 + 1000 % 998
      {"fractions are rounded", "States.MathRandom(1.4, 2.4)", "1"},
  };
  for (const Case& c : kCases) EXPECT_EQ(result(c.call), c.expected) << c.what << ": " << c.call;
  EXPECT_EQ(result("States.MathRandom(0, 1000000, 42)"), result("States.MathRandom(0, 1000000, 42)"));
  EXPECT_NE(result("States.MathRandom(0, 1000000, 42)"), result("States.MathRandom(0, 1000000, 43)"));
}

TEST(Intrinsic, FailsOnArgumentsThatDoNotFit) {
  for (const std::string_view call : {"States.Format($.list, 1)",
                                      "States.StringToJson($.list)",
                                      "States.StringToJson('{')",
                                      "States.StringSplit('a', 1)",
                                      "States.Base64Encode(1)",
                                      "States.Base64Decode($.list)",
                                      "States.Hash('a', 'MD4')",
                                      "States.Hash('a', 1)",
                                      "States.ArrayPartition($.list, 0)",
                                      "States.ArrayPartition('a', 1)",
                                      "States.ArrayContains($.object, 1)",
                                      "States.ArrayRange(1, 9, 0)",
                                      "States.ArrayRange(0, 1000, 1)",
                                      "States.ArrayRange('a', 9, 1)",
                                      "States.ArrayGetItem($.list, 5)",
                                      "States.ArrayGetItem($.list, -1)",
                                      "States.ArrayGetItem($.list, '0')",
                                      "States.ArrayLength($.object)",
                                      "States.ArrayUnique('a')",
                                      "States.JsonMerge($.object, $.other, true)",
                                      "States.JsonMerge($.list, $.other, false)",
                                      "States.JsonMerge($.object, null, false)",
                                      "States.MathAdd(2147483647, 1)",
                                      "States.MathAdd(1e300, 1)",
                                      "States.MathAdd('1', 1)",
                                      "States.MathRandom(2, 2)",
                                      "States.MathRandom(3, 2)",
                                      "States.MathRandom(1, 2, 'a')"}) {
    const std::string name(call.substr(0, call.find('(')));
    EXPECT_EQ(result(call), "States.Runtime: There was an error while evaluating the intrinsic function: " +
                                std::string(call) + ". Invalid arguments in " + name);
  }
}

TEST(Intrinsic, SaysWhatIsWrongWithATemplate) {
  EXPECT_EQ(result("States.Format('{}')"),
            "States.Runtime: There was an error while evaluating the intrinsic function: "
            "States.Format('{}'). Invalid "
            "arguments in States.Format: number of arguments do not match the occurrences of {}.");
  EXPECT_EQ(result("States.Format('{}', 1, 2)"),
            "States.Runtime: There was an error while evaluating the intrinsic function: States.Format('{}', "
            "1, 2). "
            "Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.");
  EXPECT_EQ(
      result("States.Format('{a}', 1)"),
      "States.Runtime: There was an error while evaluating the intrinsic function: States.Format('{a}', 1). "
      "Invalid template in States.Format: matching '}' not found for '{'.");
}

TEST(Intrinsic, NamesTheArgumentThatIsMissing) {
  const json::Value input = parse(R"({"other":1,"items":[1]})");
  const auto cause = [&](std::string_view call) { return evaluate(call, input).error().cause; };
  EXPECT_EQ(
      cause("States.Format('{}',States.Format('{}', $.no))"),
      "The function 'States.Format('{}',States.Format('{}', $.no))' had the following error: The JsonPath "
      "argument for the field '$.no' could not be found in the input '{\"other\":1,\"items\":[1]}'");
  EXPECT_EQ(
      cause("States.Array($.items[5])"),
      "The function 'States.Array($.items[5])' had the following error: The JsonPath argument for the field "
      "'$.items[5]' could not be found in the input '{\"other\":1,\"items\":[1]}'");
  EXPECT_EQ(cause("States.Array($$.Task.Token)"),
            "The function 'States.Array($$.Task.Token)' had the following error: The JsonPath argument for "
            "the field "
            "'$.Task.Token' could not be found in the input '{\"other\":1,\"items\":[1]}'");
  EXPECT_EQ(
      cause("States.Array($.other[0])"),
      "The function 'States.Array($.other[0])' had the following error: Filter: [0] can only be applied to "
      "arrays. Current context is: 1");
}

TEST(Intrinsic, RefusesWhatIsNoCall) {
  for (const std::string_view text : {"",
                                      "States",
                                      "States.Format",
                                      "States.Format(",
                                      "States.Format()",
                                      "States.format('a')",
                                      "States.No(1)",
                                      "States.Array(1,)",
                                      "States.Array(,1)",
                                      "States.Array(1 2)",
                                      "States.Array(1) x",
                                      "States.Array('a)",
                                      R"(States.Array('\n'))",
                                      R"(States.Array('\))",
                                      "States.Array(a)",
                                      "States.Array(\"a\")",
                                      "States.Array([1])",
                                      "States.Array(1e999)",
                                      "States.Array($.a b)",
                                      "States.Array($.)",
                                      "States.UUID(1)",
                                      "States.MathAdd(1)",
                                      "States.MathRandom(1,2,3,4)",
                                      "$.a",
                                      "States.Array(tru)"})
    EXPECT_FALSE(Intrinsic::parse(text).has_value()) << text;
}

std::string nested(int calls) {
  std::string out;
  for (int i = 0; i < calls; ++i) out += "States.Array(";
  return out + "1" + std::string(static_cast<std::size_t>(calls), ')');
}

TEST(Intrinsic, IsBounded) {
  EXPECT_TRUE(Intrinsic::parse(nested(10)).has_value());
  EXPECT_FALSE(Intrinsic::parse(nested(11)).has_value());
  EXPECT_FALSE(Intrinsic::parse(nested(50'000)).has_value());

  const json::Value big = json::Value(std::string(200'000, 'x'));
  EXPECT_EQ(evaluate("States.Base64Encode($)", big).error().error, kRuntime);
  EXPECT_EQ(evaluate("States.Hash($, 'MD5')", big).error().error, kRuntime);
  std::string many = "States.Array($";
  for (int i = 0; i < 100; ++i) many += ",$";
  EXPECT_EQ(evaluate(many + ")", big).error().error, kDataLimitExceeded);
}

TEST(Intrinsic, KnowsWhatItReads) {
  const auto call = *Intrinsic::parse("States.Format('{} {}', $.a, States.ArrayLength($$.b))");
  EXPECT_EQ(call.text(), "States.Format('{} {}', $.a, States.ArrayLength($$.b))");
  EXPECT_EQ(call.function(), "States.Format");
  ASSERT_EQ(call.paths().size(), 2U);
  EXPECT_EQ(call.paths()[0]->text(), "$.a");
  EXPECT_EQ(call.paths()[1]->text(), "$$.b");
}

}  // namespace
}  // namespace stoker::asl
