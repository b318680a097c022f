// The public face: bindings, outcomes, what an expression reads.
#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::aws_environment;

json::Value value_of(std::string_view text) {
  return *json::parse(text);
}

Outcome evaluate(std::string_view text, const Bindings& bindings) {
  const auto parsed = Expression::parse(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  auto result = parsed->evaluate(nullptr, bindings, aws_environment());
  EXPECT_TRUE(result.has_value()) << text << ": " << result.error().message;
  return *std::move(result);
}

TEST(ExpressionTest, ReadsVariablesByName) {
  const Bindings bindings = {
      {"order", std::make_shared<const json::Value>(value_of(R"({"id":7,"tags":["a"]})"))}};
  EXPECT_EQ(std::get<json::Value>(evaluate("$order.id + 1", bindings)), json::Value(8));
  EXPECT_EQ(std::get<json::Value>(evaluate("$order.tags", bindings)), value_of(R"(["a"])"));
  EXPECT_TRUE(std::holds_alternative<Undefined>(evaluate("$order.name", bindings)));
  EXPECT_TRUE(std::holds_alternative<Undefined>(evaluate("$unknown", bindings)));
  EXPECT_TRUE(std::holds_alternative<Function>(evaluate("$sum", bindings)));
  EXPECT_TRUE(std::holds_alternative<Function>(evaluate("{'f': function($x){$x}}", bindings)));
}

TEST(ExpressionTest, ComposesAVariableOfMembersThatLieElsewhere) {
  const json::Value input = value_of(R"({"a":{"b":[1,2]}})");
  Environment environment = aws_environment();
  environment.composed = {{"states", {{"input", &input}, {"result", nullptr}}}};
  const auto run = [&](std::string_view text) {
    return *Expression::parse(text)->evaluate(nullptr, {}, environment);
  };
  EXPECT_EQ(std::get<json::Value>(run("$states.input.a.b")), value_of("[1,2]"));
  EXPECT_EQ(std::get<json::Value>(run("$keys($states)")), value_of(R"("input")"));
  EXPECT_TRUE(std::holds_alternative<Undefined>(run("$states.result")));
}

TEST(ExpressionTest, PassesLargeIntegersThroughUnchanged) {
  const Bindings bindings = {
      {"x", std::make_shared<const json::Value>(value_of(R"({"id":9007199254740993})"))}};
  EXPECT_EQ(json::write(std::get<json::Value>(evaluate("{'copy': $x}", bindings))),
            R"({"copy":{"id":9007199254740993}})");
}

}  // namespace
}  // namespace stoker::jsonata
