#include "core/workflow/definition/variable_references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/workflow/definition/read.h"

namespace stoker::asl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

auto references_of(std::string_view text) {
  const ReadDefinition read = read_definition(text);
  EXPECT_NE(read.definition, nullptr) << invalid_definition_message(read.diagnostics);
  return read.definition == nullptr ? std::map<std::string, std::vector<std::string>>()
                                    : variable_references(*read.definition);
}

TEST(VariableReferences, EveryFieldOfAStateCounts) {
  EXPECT_THAT(
      references_of(R"x({"StartAt":"A","States":{
      "A":{"Type":"Pass","Assign":{"a":1,"b.$":"$.x"},"Parameters":{"p":"$text"},"Next":"B"},
      "B":{"Type":"Pass","InputPath":"$in","OutputPath":"$out.a[0]","Parameters":{"p.$":
        "States.Format('{}{}', $f.g, States.JsonToString($h))"},"Assign":{"c.$":"$in"},"Next":"C"},
      "C":{"Type":"Choice","Choices":[{"And":[{"Variable":"$guess","StringEqualsPath":"$answer"},
        {"Variable":"$.x","IsNull":true}],"Next":"D"}],"Default":"E"},
      "D":{"Type":"Wait","SecondsPath":"$seconds","Next":"E"},
      "E":{"Type":"Fail","ErrorPath":"$error","CausePath":"States.Format('{}', $cause)"}}})x"),
      ElementsAre(Pair("B", ElementsAre("f", "h", "in", "out")), Pair("C", ElementsAre("answer", "guess")),
                  Pair("D", ElementsAre("seconds")), Pair("E", ElementsAre("cause", "error"))));
}

TEST(VariableReferences, StatesInsideOthersCountForThemselves) {
  EXPECT_THAT(
      references_of(R"({"StartAt":"M","States":{"M":{"Type":"Map","ItemsPath":"$items","MaxConcurrencyPath":
      "$concurrency","ItemSelector":{"s.$":"$selected"},"ItemReader":{"Resource":"arn:aws:states:::s3:getObject",
      "ReaderConfig":{"InputType":"JSON","MaxItemsPath":"$read"}},"ToleratedFailureCountPath":"$count","End":true,
      "ItemProcessor":{"StartAt":"I","States":{"I":{"Type":"Parallel","End":true,"Branches":[
      {"StartAt":"P","States":{"P":{"Type":"Pass","Parameters":{"a.$":"$inner"},"End":true}}}]}}}}}})"),
      ElementsAre(Pair("M", ElementsAre("concurrency", "count", "items", "read", "selected")),
                  Pair("P", ElementsAre("inner"))));
}

TEST(VariableReferences, OfExpressionsWithoutStatesAndFunctions) {
  EXPECT_THAT(
      references_of(R"({"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Pass","Output":{
      "a":"{% $sum($numbers) + $states.input.x %}","b":["{% ($own := $outer.member; $own) %}"]},"Next":"B"},
      "B":{"Type":"Succeed"}}})"),
      ElementsAre(Pair("A", ElementsAre("numbers", "outer"))));
}

TEST(VariableReferences, NoneIsNone) {
  EXPECT_THAT(
      references_of(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"a.$":"$b"},"End":true}}})"),
      IsEmpty());
}

}  // namespace
}  // namespace stoker::asl
