#pragma once
// Which seeds a walk takes: STOKER_WALK_SEEDS is "500", for 1 to 500, or "665-665", for those that failed.
#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace stoker::core::testing {

struct WalkSeeds {
  std::int64_t first = 1, last = 0;
};
inline WalkSeeds walk_seeds(std::int64_t usual) {
  const char* const asked = std::getenv("STOKER_WALK_SEEDS");
  const std::string_view text = asked == nullptr ? "" : asked;
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return {.first = 1, .last = parse_int(text).value_or(usual)};
  return {.first = parse_int(text.substr(0, dash)).value_or(1),
          .last = parse_int(text.substr(dash + 1)).value_or(usual)};
}

}  // namespace stoker::core::testing
