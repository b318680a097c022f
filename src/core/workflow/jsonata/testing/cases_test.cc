#include "core/workflow/jsonata/testing/cases.h"

#include <gtest/gtest.h>

namespace stoker::jsonata::testing {

Environment plain_environment() {
  Environment out;
  out.now = {1772368245678};
  out.random = [count = std::uint64_t{0}]() mutable { return count++ * 0x9e3779b97f4a7c15U; };
  out.aws = false;
  return out;
}

Environment aws_environment() {
  Environment out = plain_environment();
  out.aws = true;
  return out;
}

std::string result_of(std::string_view expression, std::string_view input, const Environment& environment) {
  const auto parsed = Expression::parse(expression);
  if (!parsed) return parsed.error().code + ": " + parsed.error().message;
  const auto value = json::parse(input.empty() ? "null" : input);
  if (!value) return "input: " + value.error().message;
  const auto result = parsed->evaluate(input.empty() ? nullptr : &*value, {}, environment);
  if (!result) return result.error().code + ": " + result.error().message;
  if (std::holds_alternative<Undefined>(*result)) return "undefined";
  if (std::holds_alternative<Function>(*result)) return "function";
  return json::write(std::get<json::Value>(*result));
}

void check(const std::vector<Case>& cases, std::string_view input, const Environment& environment) {
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.rule));
    EXPECT_EQ(result_of(one.expression, input, environment), one.result) << one.expression;
  }
}

}  // namespace stoker::jsonata::testing
