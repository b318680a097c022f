#include "core/machines/json_text.h"

#include "core/workflow/definition/json_fault.h"

namespace stoker::core {

std::string why_not_json(std::string_view text, std::string_view otherwise) {
  constexpr std::size_t kDepthMax = 1'000;
  const auto fault = asl::find_json_fault(text, kDepthMax);
  return fault ? fault->message : std::string(otherwise);
}

}  // namespace stoker::core
