#include "core/resources/fleet_tags.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "core/fleet/window/window_rule.h"
#include "core/resources/tag_values.h"

namespace stoker::core {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr std::int64_t kAmountMax = 1'000'000'000;

using fleet::FleetPolicy;

template <Duration FleetPolicy::* member>
bool read_time(std::string_view value, FleetPolicy& into) {
  const auto time = read_duration(value);
  into.*member = time.value_or(Duration{});
  return time.has_value();
}

template <std::int64_t fleet::FleetLimits::* member>
bool read_limit(std::string_view value, FleetPolicy& into) {
  const auto count = read_count(value, 100'000);
  into.limits.*member = count.value_or(0);
  return count.has_value();
}

// 0 is legal: never.
template <int fleet::Budget::* member>
bool read_percent(std::string_view value, FleetPolicy& into) {
  const auto percent = parse_int(value);
  if (!percent || *percent < 0 || *percent > 10'000) return false;
  into.budget.*member = static_cast<int>(*percent);
  return true;
}

std::optional<Money> read_amount(std::string_view value) {
  const auto money = parse_money(value);
  if (!money || *money < Money{} || *money > dollars(kAmountMax)) return std::nullopt;
  return money;
}

bool read_budget(std::string_view value, FleetPolicy& into) {
  const auto limit = read_amount(value);
  into.budget.limit = limit.value_or(Money{});
  return limit && *limit > Money{};
}

bool read_wait_value(std::string_view value, FleetPolicy& into) {
  const auto amount = read_amount(value);
  into.wait_per_minute = amount.value_or(Money{});
  return amount.has_value();
}

bool read_consolidate(std::string_view value, FleetPolicy& into) {
  into.consolidate = true;
  return read_time<&FleetPolicy::consolidate_after>(value, into);
}

bool read_cold_start(std::string_view value, FleetPolicy& into) {
  const auto time = read_duration(value);
  into.cold.boot = time.value_or(Duration{});
  into.cold.pull = {};
  return time.has_value();
}

bool read_one_run(std::string_view value, FleetPolicy& into) {
  into.one_run = value == "true";
  return into.one_run || value == "false";
}

// Thousandths, read as money is.
bool read_patience(std::string_view value, FleetPolicy& into) {
  const auto factor = parse_money(value);
  if (!factor || *factor < Money{} || *factor > dollars(1000)) return false;
  into.patience_milli = factor->micros / 1000;
  return true;
}

bool read_spot(std::string_view value, FleetPolicy& into) {
  into.market.use = value == "only"    ? fleet::SpotUse::Only
                    : value == "never" ? fleet::SpotUse::Never
                                       : fleet::SpotUse::First;
  return value == "only" || value == "never" || value == "first";
}

bool read_spot_failures(std::string_view value, FleetPolicy& into) {
  const auto count = parse_int(value);
  if (!count || *count < 0 || *count > 1000) return false;
  into.market.failures_max = static_cast<int>(*count);
  return true;
}

bool read_spot_wait(std::string_view value, FleetPolicy& into) {
  const auto time = read_duration(value);
  into.market.wait_max = time.value_or(Duration{});
  return time.has_value();
}

bool read_pool_share(std::string_view value, FleetPolicy& into) {
  const auto percent = read_count(value, 100);
  into.market.pool_share_percent_max = static_cast<int>(percent.value_or(50));
  return percent.has_value();
}

// ---- the warm window ----

// "0" or a time.
std::optional<Duration> read_window_time(std::string_view text) {
  const auto time = text == "0" ? Duration{} : read_duration(text);
  return time && *time <= fleet::kWindowMax ? time : std::nullopt;
}

// "mon", "mon-fri", "fri-mon".
std::optional<std::uint8_t> read_days(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = std::ranges::find(kDays, text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : std::ranges::find(kDays, text.substr(dash + 1));
  if (first == kDays.end() || last == kDays.end()) return std::nullopt;
  unsigned days = 0;
  for (auto day = first - kDays.begin();; day = (day + 1) % 7) {
    days |= 1U << day;
    if (day == last - kDays.begin()) break;
  }
  return static_cast<std::uint8_t>(days);
}

// "09:30", as minutes of the day.
std::optional<int> read_time_of_day(std::string_view text) {
  const auto hour = text.size() == 5 && text[2] == ':' ? parse_int(text.substr(0, 2)) : std::nullopt;
  const auto minute = hour ? parse_int(text.substr(3)) : std::nullopt;
  if (!minute || *hour < 0 || *minute < 0 || *minute > 59 || *hour * 60 + *minute > 1440) return std::nullopt;
  return static_cast<int>(*hour * 60 + *minute);
}

// "mon-fri 09:00-17:30 30m"
bool read_window_rule(const std::vector<std::string_view>& words, fleet::WarmWindow& into) {
  if (words.size() != 3 || words[1].size() != 11 || words[1][5] != '-') return false;
  const auto days = read_days(words[0]);
  const auto from = read_time_of_day(words[1].substr(0, 5));
  const auto to = read_time_of_day(words[1].substr(6));
  const auto window = read_window_time(words[2]);
  if (!days || !from || !to || !window) return false;
  into.rules.push_back({.days = *days, .from_minute = *from, .to_minute = *to, .window = *window});
  return fleet::ever_applies(into.rules.back());
}

// "UTC+02:00"
bool read_offset(std::string_view text, int& minutes_east) {
  if (text.size() != 9 || !text.starts_with("UTC") || (text[3] != '+' && text[3] != '-')) return false;
  const auto offset = read_time_of_day(text.substr(4));
  if (!offset || *offset > 14 * 60) return false;
  minutes_east = text[3] == '-' ? -*offset : *offset;
  return true;
}

// "learnt", "learnt 4h": never longer than that.
bool read_learnt(const std::vector<std::string_view>& words, fleet::WarmWindow& into) {
  into.kind = fleet::WindowKind::Learnt;
  if (words.size() == 1) return true;
  const auto most = words.size() == 2 ? read_window_time(words[1]) : std::nullopt;
  into.most = most.value_or(Duration{});
  return into.most > Duration{};
}

// Times by the clock; the window outside of them and the offset are said once at most.
struct ClockParts {
  fleet::WarmWindow window;
  bool fixed = false;
  bool offset = false;
};
bool read_clock_part(const std::vector<std::string_view>& words, ClockParts& into) {
  if (words.size() != 1) {
    into.window.kind = fleet::WindowKind::Schedule;
    return into.window.rules.size() < fleet::kWindowRulesMax && read_window_rule(words, into.window);
  }
  if (read_offset(words[0], into.window.utc_offset_minutes)) return !std::exchange(into.offset, true);
  const auto fixed = read_window_time(words[0]);
  into.window.fixed = fixed.value_or(Duration{});
  return fixed && !std::exchange(into.fixed, true);
}

bool read_window(std::string_view value, FleetPolicy& into) {
  std::vector<std::vector<std::string_view>> parts;
  for (const std::string_view part : split(value, '/'))
    std::erase(parts.emplace_back(split(trim(part), ' ')), std::string_view{});
  if (parts.size() == 1 && !parts[0].empty() && parts[0][0] == "learnt") {
    fleet::WarmWindow window;
    if (!read_learnt(parts[0], window)) return false;
    into.window = std::move(window);
    return true;
  }
  ClockParts clock;
  for (const auto& words : parts)
    if (!read_clock_part(words, clock)) return false;
  if (clock.offset && clock.window.rules.empty()) return false;  // of no times
  into.window = std::move(clock.window);
  return true;
}

// It is about accounts, not about sizing: spreads_idle_cost().
constexpr std::string_view kIdleCost = "stoker:idle-cost";
constexpr std::string_view kProportional = "proportional";
bool read_idle_cost(std::string_view value, FleetPolicy&) {
  return value == kProportional || value == "environment";
}

constexpr std::string_view kTime = "a time such as 90s, 20m, 48h or 2d";
constexpr std::string_view kPercent = "a whole number of percent, 0 for never";
constexpr std::string_view kCount = "a whole number from 1 to 100000";

constexpr std::array<FleetTagRule, 21> kRules = {{
    {"stoker:age-max", kTime, read_time<&FleetPolicy::age_max>},
    {"stoker:boot-max", kTime, read_time<&FleetPolicy::boot_max>},
    {"stoker:budget", "dollars for a calendar month, such as 1500 or 99.50", read_budget},
    {"stoker:budget-stop-fleet", kPercent, read_percent<&fleet::Budget::stop_fleet_percent>},
    {"stoker:budget-stop-launches", kPercent, read_percent<&fleet::Budget::stop_launches_percent>},
    {"stoker:budget-warn", kPercent, read_percent<&fleet::Budget::warn_percent>},
    {"stoker:cold-start", kTime, read_cold_start},
    {"stoker:consolidate-after", kTime, read_consolidate},
    {"stoker:gpus-max", kCount, read_limit<&fleet::FleetLimits::gpus_max>},
    {kIdleCost, "environment or proportional", read_idle_cost},
    {"stoker:nodes-max", kCount, read_limit<&fleet::FleetLimits::nodes_max>},
    {"stoker:one-run", "true or false", read_one_run},
    {"stoker:patience", "a number from 0 to 1000", read_patience},
    {"stoker:silent-max", kTime, read_time<&FleetPolicy::silent_max>},
    {"stoker:spot", "first, only or never", read_spot},
    {"stoker:spot-failures-max", "a whole number from 0 to 1000", read_spot_failures},
    {"stoker:spot-pool-share-max", "a whole number of percent from 1 to 100", read_pool_share},
    {"stoker:spot-wait-max", kTime, read_spot_wait},
    {"stoker:stop-grace", kTime, read_time<&FleetPolicy::stop_grace>},
    {"stoker:wait-per-minute", "dollars that a minute of waiting is worth, such as 0.10", read_wait_value},
    {"stoker:warm-window",
     "a time such as 0, 90s or 20m, learnt, learnt 4h, or times by the clock, each with a begin and another "
     "end, "
     "such as mon-fri 09:00-17:30 30m / UTC+02:00 / 5m",
     read_window},
}};

}  // namespace

std::span<const FleetTagRule> fleet_tag_rules() {
  return kRules;
}

bool spreads_idle_cost(const Tags& tags) {
  const auto tag = tags.find(std::string(kIdleCost));
  return tag != tags.end() && tag->second == kProportional;
}

void apply_fleet_tags(const Tags& tags, fleet::FleetPolicy& policy) {
  for (const auto& [key, value] : tags) {
    const auto rule = std::ranges::find(kRules, key, &FleetTagRule::key);
    if (rule == kRules.end()) continue;
    const FleetPolicy before = policy;
    if (!rule->read(value, policy)) policy = before;
  }
}

}  // namespace stoker::core
