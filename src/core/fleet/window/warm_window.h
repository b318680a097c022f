#pragma once
// How long an idle machine is kept for the next job: fixed, by the clock, or learnt from the gaps seen so
// far. AWS Batch knows minScaleDownDelayMinutes (0 or 20 and more); here it is any time from 0.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/money.h"
#include "core/fleet/window/gap_book.h"

namespace stoker::fleet {

inline constexpr Duration kWindowMax = days(7);
inline constexpr std::size_t kWindowRulesMax = 64;

enum class WindowKind : std::uint8_t { Fixed, Schedule, Learnt };

// Between two times of day on some days of the week the window is this long.
struct WindowRule {
  std::uint8_t days = 0x7f;  // bit 0 is Monday
  int from_minute = 0;       // of the day, 0 to 1439
  int to_minute = 1440;      // exclusive; below from_minute: until then on the next day
  Duration window;
  bool operator==(const WindowRule&) const = default;
};

struct WarmWindow {
  WindowKind kind = WindowKind::Fixed;
  Duration fixed;                 // Fixed; Schedule: where no rule applies; Learnt: not used
  std::vector<WindowRule> rules;  // Schedule: the first that applies
  int utc_offset_minutes = 0;     // of the times of day in `rules`
  Duration most = hours(4);       // Learnt: never longer, whatever was learnt
  bool operator==(const WarmWindow&) const = default;
};

// What an idle machine costs, and what it saves when it is still there for the next job.
struct WarmTerms {
  Money per_hour;         // price of the machine
  Duration cold;          // boot and image pull that the next job would have to wait for
  Money launch_fee;       // what a launch costs besides (traffic of a pull)
  Money wait_per_minute;  // what a minute of waiting is worth to those who wait; 0: only money spent counts
};

// The break-even window: as long as the idle time costs as much as the cold start that it may save. Without
// knowledge of the future this never costs more than twice the best choice in hindsight (ski rental).
//   W* = c (1 + 60 v / p) + fee / p;  `most` where the machine costs nothing.
Duration break_even(const WarmTerms& terms, Duration most = kWindowMax);

// The window that would have cost least over the gaps seen; break_even() until kGapsToLearn are known.
Duration learnt_window(const WarmTerms& terms, const GapBook& gaps, Duration most);

struct WindowNow {
  Duration window;
  std::string_view rule;              // "fixed", "schedule", "learnt", "break-even"
  std::optional<Instant> changes_at;  // Schedule: when another rule may apply
};
WindowNow window_now(const WarmWindow& setting, const WarmTerms& terms, const GapBook& gaps, Instant now);

}  // namespace stoker::fleet
