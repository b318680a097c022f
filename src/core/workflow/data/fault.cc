#include "core/workflow/data/fault.h"

#include "core/workflow/data/values.h"

namespace stoker::asl {

Fault runtime_fault(std::string_view cause) {
  return {.error = std::string(kRuntime), .cause = std::string(clip(cause, kCauseBytesMax))};
}

Fault query_fault(std::string_view cause, std::string_view location) {
  return {.error = std::string(kQueryEvaluationError),
          .cause = std::string(clip(cause, kCauseBytesMax)),
          .location = std::string(location)};
}

}  // namespace stoker::asl
