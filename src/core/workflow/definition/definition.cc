#include "core/workflow/definition/definition.h"

namespace stoker::asl {

std::string_view type_name(const Kind& kind) {
  constexpr std::string_view kNames[] = {"Task",    "Pass", "Wait",     "Choice",
                                         "Succeed", "Fail", "Parallel", "Map"};
  static_assert(std::size(kNames) == std::variant_size_v<Kind>);
  return kNames[kind.index()];
}

}  // namespace stoker::asl
