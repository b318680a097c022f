#pragma once
// What a rule by the clock must be to mean something.
#include "core/fleet/window/warm_window.h"

namespace stoker::fleet {

// There is a minute at which it applies: begin and end differ, on some day.
inline bool ever_applies(const WindowRule& rule) {
  constexpr int kMidnight = 1440;  // the end of a day, and the begin of the next one
  return rule.days != 0 && rule.from_minute != rule.to_minute &&
         (rule.from_minute < kMidnight || rule.to_minute > 0);
}

}  // namespace stoker::fleet
