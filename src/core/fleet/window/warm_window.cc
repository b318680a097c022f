#include "core/fleet/window/warm_window.h"

#include <algorithm>

namespace stoker::fleet {
namespace {

constexpr std::int64_t kMinutesPerDay = 1440;

// 1970-01-01 was a Thursday, the fourth day of a week that begins on Monday.
struct WeekMinute {
  int day;     // 0 is Monday
  int minute;  // of the day
};
WeekMinute week_minute(Instant now, int utc_offset_minutes) {
  const std::int64_t minutes = now.ms / 60'000 + utc_offset_minutes;
  const std::int64_t day =
      minutes >= 0 ? minutes / kMinutesPerDay : (minutes - kMinutesPerDay + 1) / kMinutesPerDay;
  return {static_cast<int>(((day + 3) % 7 + 7) % 7), static_cast<int>(minutes - day * kMinutesPerDay)};
}

bool applies(const WindowRule& rule, WeekMinute at) {
  const auto on = [&](int day) { return ((rule.days >> day) & 1) != 0; };
  if (rule.from_minute <= rule.to_minute)
    return on(at.day) && at.minute >= rule.from_minute && at.minute < rule.to_minute;
  if (at.minute >= rule.from_minute) return on(at.day);
  return at.minute < rule.to_minute && on((at.day + 6) % 7);  // began the day before
}

Wide idle_cost(const WarmTerms& terms, Duration idle) {
  return static_cast<Wide>(terms.per_hour.micros) * idle.ms;
}

// What it costs, in the unit of idle_cost(), to have let a machine go that is wanted again.
Wide cold_cost(const WarmTerms& terms) {
  constexpr Wide kHour = 3'600'000;
  constexpr Wide kMinutesPerHour = 60;
  return static_cast<Wide>(terms.per_hour.micros) * terms.cold.ms +
         kMinutesPerHour * terms.wait_per_minute.micros * terms.cold.ms + kHour * terms.launch_fee.micros;
}

// When the rule that applies may change: the next edge of any rule, within a day.
Instant next_edge(const WarmWindow& setting, Instant now) {
  const int minute = week_minute(now, setting.utc_offset_minutes).minute;
  std::int64_t nearest = kMinutesPerDay - minute;  // midnight: another day of the week
  for (const WindowRule& rule : setting.rules)
    for (const int edge : {rule.from_minute, rule.to_minute})
      if (edge > minute) nearest = std::min<std::int64_t>(nearest, edge - minute);
  return Instant{now.ms - now.ms % 60'000} + minutes(nearest);
}

}  // namespace

Duration break_even(const WarmTerms& terms, Duration most) {
  if (terms.per_hour.micros <= 0) return most;
  const Wide window = cold_cost(terms) / terms.per_hour.micros;
  return window > most.ms ? most : Duration{static_cast<std::int64_t>(window)};
}

Duration learnt_window(const WarmTerms& terms, const GapBook& gaps, Duration most) {
  if (terms.per_hour.micros <= 0) return most;
  if (gaps.gaps().size() < kGapsToLearn) return break_even(terms, most);
  std::vector<Duration> sorted = gaps.gaps();
  std::ranges::sort(sorted);
  // Candidates are 0 and each gap itself: a window between two gaps only idles longer. With window =
  // sorted[i], the gaps up to i are bridged, the others idle for the window and then cost a cold start.
  const Wide cold = cold_cost(terms);
  const auto count = static_cast<std::int64_t>(sorted.size());
  Wide best = cold * count;
  Duration window{};
  Wide bridged = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const Duration gap = sorted[static_cast<std::size_t>(i)];
    if (gap > most) break;
    bridged += idle_cost(terms, gap);
    const std::int64_t longer = count - i - 1;
    const Wide total = bridged + (idle_cost(terms, gap) + cold) * longer;
    if (total < best) {
      best = total;
      window = std::min(most, gap + seconds(1));  // so that a gap of just this length is bridged
    }
  }
  return window;
}

WindowNow window_now(const WarmWindow& setting, const WarmTerms& terms, const GapBook& gaps, Instant now) {
  if (setting.kind == WindowKind::Fixed) return {setting.fixed, "fixed", std::nullopt};
  if (setting.kind == WindowKind::Learnt) {
    const bool known = gaps.gaps().size() >= kGapsToLearn;
    return {learnt_window(terms, gaps, setting.most), known ? "learnt" : "break-even", std::nullopt};
  }
  const WeekMinute at = week_minute(now, setting.utc_offset_minutes);
  const auto rule = std::ranges::find_if(setting.rules, [&](const WindowRule& r) { return applies(r, at); });
  return {rule == setting.rules.end() ? setting.fixed : rule->window, "schedule", next_edge(setting, now)};
}

}  // namespace stoker::fleet
