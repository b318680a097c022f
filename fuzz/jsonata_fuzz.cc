// An expression, a line "----", and its input as JSON. Whatever comes, there is an answer within small
// bounds, and the same one again.
#include "base/assert.h"
#include "base/rng.h"
#include "base/text.h"
#include "core/workflow/jsonata/jsonata.h"
#include "fuzz.h"

namespace {

using namespace stoker;
using namespace stoker::jsonata;

std::string answer(const Expression& expression, const json::Value* input, bool aws) {
  Rng rng(1);
  Environment environment;
  environment.now = {1772368245678};
  environment.random = [&rng] { return rng.next(); };
  environment.aws = aws;
  environment.limits = {.depth = 100, .steps = 20'000, .bytes = 300'000};
  const auto result = expression.evaluate(input, {}, environment);
  if (!result) {
    ASSERT(!result.error().code.empty() && !result.error().message.empty(), result.error().code);
    return result.error().code + result.error().message;
  }
  if (const auto* value = std::get_if<json::Value>(&*result)) return json::write(*value);
  return std::to_string(result->index());
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  constexpr std::string_view kLine = "\n----\n";
  const std::size_t cut = std::min(bytes.find(kLine), bytes.size());
  const auto expression = Expression::parse(bytes.substr(0, cut));
  if (!expression) {
    ASSERT(!expression.error().message.empty(), expression.error().code);
    ASSERT(expression.error().position <= cut);
    return;
  }
  const auto input = json::parse(bytes.substr(std::min(bytes.size(), cut + kLine.size())));
  const json::Value* given = input ? &*input : nullptr;
  for (const bool aws : {false, true})
    ASSERT(answer(*expression, given, aws) == answer(*expression, given, aws), bytes.substr(0, cut));
}
