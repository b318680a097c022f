// TestState: a definition, a line "----", its input, a line "----", and the result that mocks its work.
// Whatever comes, there is an answer within small bounds, the same one again, and all that it says is JSON.
#include "base/assert.h"
#include "base/rng.h"
#include "base/text.h"
#include "core/workflow/test_state/test_state.h"
#include "fuzz.h"

namespace {

using namespace stoker;
using namespace stoker::workflow;

std::string_view next_part(std::string_view& rest) {
  constexpr std::string_view kLine = "\n----\n";
  const std::size_t cut = std::min(rest.find(kLine), rest.size());
  const std::string_view part = rest.substr(0, cut);
  rest = rest.substr(std::min(rest.size(), cut + kLine.size()));
  return part;
}

std::string answer(const TestStateRequest& request) {
  Rng rng(1);
  const TestStateWorld world{.now = {1772368245678},
                             .random = [&rng] { return rng.next(); },
                             .partition = "aws",
                             .region = "us-east-1",
                             .account = "000000000000",
                             .check_response = {}};
  const auto result = test_state(request, world);
  if (!result) {
    ASSERT(!result.error().message.empty());
    return result.error().message;
  }
  std::string all;
  const Inspection& seen = result->inspection;
  for (const auto& text :
       {result->output, seen.variables, seen.after_input_path, seen.after_parameters, seen.after_arguments,
        seen.result, seen.after_result_selector, seen.after_result_path, seen.after_items_path,
        seen.after_item_selector, seen.after_item_batcher}) {
    if (!text) continue;
    ASSERT(json::parse(*text, {.depth_max = 1000, .bytes_max = 64u << 20}).has_value(), *text);
    all += *text;
  }
  for (const auto& text : {result->error, result->cause})
    if (text) {
      ASSERT(is_valid_utf8(*text), *text);
      all += *text;
    }
  return all + result->next_state + std::to_string(static_cast<int>(result->status));
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  TestStateRequest request;
  request.definition = next_part(bytes);
  request.role_arn = "arn:aws:iam::000000000000:role/any";
  request.input = std::string(next_part(bytes));
  request.variables = R"({"v":[1,{"b":2}]})";
  if (!is_valid_utf8(request.definition) || !is_valid_utf8(*request.input) || !is_valid_utf8(bytes)) return;
  ASSERT(answer(request) == answer(request), request.definition);
  request.mock = Mock{.result = std::string(bytes), .error_output = {}, .strictness = Strictness::None};
  ASSERT(answer(request) == answer(request), request.definition);
  request.mock = Mock{.result = {},
                      .error_output = Mock::ErrorOutput{"E", std::string(bytes)},
                      .strictness = Strictness::None};
  (void)answer(request);
}
