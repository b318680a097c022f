#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text.h"
#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/sizing/policy.h"
#include "core/fleet/window/window_rule.h"

namespace stoker::fleet {
namespace {

constexpr std::int64_t kSecondsMax = 365 * 86'400;
constexpr std::int64_t kCountMax = 1'000'000'000;
constexpr std::size_t kZonesMax = 64;
constexpr std::size_t kTextMax = 64;

std::unexpected<Error> complain(std::string_view member, const std::string& rule) {
  return fail(Code::InvalidArgument, std::string(member) + ": " + rule);
}

// The members of one object. Every read member is noted, so that what is left over can be named.
class Members {
 public:
  explicit Members(const json::Value& value) : value_(value) {}

  const json::Value* find(std::string_view name) {
    known_.insert(name);
    return json::find(value_, name);
  }
  Result<void> whole(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t& out) {
    const json::Value* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_int64() || value->get_int64() < least || value->get_int64() > most)
      return complain(name,
                      "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    out = value->get_int64();
    return {};
  }
  Result<void> whole(std::string_view name, std::int64_t least, std::int64_t most, int& out) {
    std::int64_t wide = out;
    TRY(whole(name, least, most, wide));
    out = static_cast<int>(wide);
    return {};
  }
  Result<void> time(std::string_view name, Duration& out) {
    std::int64_t count = out.ms / 1000;
    TRY(whole(name, 0, kSecondsMax, count));
    out = seconds(count);
    return {};
  }
  Result<void> money(std::string_view name, Money& out) {
    const json::Value* value = find(name);
    if (value == nullptr) return {};
    std::optional<Money> money;
    if (value->is_string()) money = parse_money(json::text(*value));
    if (value->is_int64() && value->get_int64() >= 0 && value->get_int64() <= kCountMax)
      money = dollars(value->get_int64());
    if (value->is_double() && std::abs(value->get_double()) < 1e9)
      money = Money{std::llround(value->get_double() * 1e6)};
    if (!money || *money < Money{}) return complain(name, "must be an amount of dollars, not negative");
    out = *money;
    return {};
  }
  Result<void> texts(std::string_view name, std::size_t most, std::vector<std::string>& out) {
    const json::Value* value = find(name);
    if (value == nullptr || !value->is_array() || value->get_array().empty() ||
        value->get_array().size() > most)
      return complain(name, "must be a list of 1 to " + std::to_string(most) + " texts");
    for (const json::Value& entry : value->get_array()) {
      const std::string_view text = json::text(entry);
      if (text.empty() || text.size() > kTextMax) return complain(name, "has an entry that is no short text");
      out.emplace_back(text);
    }
    return {};
  }
  // Names what nobody asked for.
  Result<void> nothing_else() {
    if (!value_.is_object()) return fail(Code::InvalidArgument, "must be an object");
    for (const auto& entry : value_.get_object())
      if (!known_.contains(std::string_view(entry.key().data(), entry.key().size())))
        return complain(std::string_view(entry.key().data(), entry.key().size()), "is not known");
    return {};
  }

 private:
  const json::Value& value_;
  std::set<std::string_view> known_;
};

template <class Read>
Result<void> within(Members& outer, std::string_view name, Read read) {
  const json::Value* value = outer.find(name);
  if (value == nullptr) return {};
  Members inner(*value);
  Result<void> done = read(inner);
  if (done) done = inner.nothing_else();
  if (!done) return std::unexpected(std::move(done).error().within(std::string(name)));
  return {};
}

Result<void> read_strategy(Members& members, Strategy& strategy) {
  const json::Value* value = members.find("strategy");
  if (value == nullptr) return {};
  for (const Strategy one :
       {Strategy::BestFit, Strategy::BestFitProgressive, Strategy::BestFitProgressiveOrdered,
        Strategy::SpotCapacityOptimized, Strategy::SpotPriceCapacityOptimized,
        Strategy::SpotCapacityOptimizedPrioritized})
    if (json::text(*value) == name_of(one)) {
      strategy = one;
      return {};
    }
  return complain("strategy", "is none of AWS Batch's allocation strategies");
}

Result<void> read_spot(Members& spot, MarketPolicy& market) {
  if (const json::Value* use = spot.find("use")) {
    const std::string_view text = json::text(*use);
    if (text == "first")
      market.use = SpotUse::First;
    else if (text == "only")
      market.use = SpotUse::Only;
    else if (text == "never")
      market.use = SpotUse::Never;
    else
      return complain("use", "must be first, only or never");
  }
  TRY(spot.whole("pricePercentMax", 1, 1000, market.price_percent_max));
  TRY(spot.whole("failuresMax", 0, 1000, market.failures_max));
  TRY(spot.time("waitMaxSeconds", market.wait_max));
  return spot.whole("poolSharePercentMax", 1, 100, market.pool_share_percent_max);
}

Result<int> time_of_day(const json::Value* value, std::string_view name) {
  const std::string_view text = value == nullptr ? std::string_view{} : json::text(*value);
  const auto hour = text.size() == 5 && text[2] == ':' ? parse_int(text.substr(0, 2)) : std::nullopt;
  const auto minute = hour ? parse_int(text.substr(3)) : std::nullopt;
  const bool valid = minute && *hour >= 0 && *minute >= 0 && *minute < 60 && *hour * 60 + *minute <= 1440;
  if (!valid) return complain(name, "must be a time of day, 00:00 to 24:00");
  return static_cast<int>(*hour * 60 + *minute);
}

Result<WindowRule> read_rule(const json::Value& value) {
  constexpr std::array<std::string_view, 7> kDays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  Members members(value);
  WindowRule rule;
  if (const json::Value* day_list = members.find("days")) {
    rule.days = 0;
    if (!day_list->is_array()) return complain("days", "must be a list");
    for (const json::Value& day : day_list->get_array()) {
      const auto found = std::ranges::find(kDays, json::text(day));
      if (found == kDays.end()) return complain("days", "are mon, tue, wed, thu, fri, sat and sun");
      rule.days = static_cast<std::uint8_t>(rule.days | (1U << (found - kDays.begin())));
    }
  }
  rule.from_minute = TRY(time_of_day(members.find("from"), "from"));
  rule.to_minute = TRY(time_of_day(members.find("to"), "to"));
  TRY(members.time("seconds", rule.window));
  TRY(members.nothing_else());
  if (!ever_applies(rule)) return complain("to", "must be another time than from, on some day");
  return rule;
}

Result<void> read_rules(Members& members, WarmWindow& window) {
  const json::Value* rules = members.find("rules");
  if (rules == nullptr) return {};
  if (!rules->is_array() || rules->get_array().empty() || rules->get_array().size() > kWindowRulesMax)
    return complain("rules", "must be a list of 1 to " + std::to_string(kWindowRulesMax));
  for (const json::Value& value : rules->get_array()) {
    Result<WindowRule> rule = read_rule(value);
    if (!rule) return std::unexpected(std::move(rule).error().within("rules"));
    window.rules.push_back(*rule);
  }
  return {};
}

// What would have no effect on a window of this kind is not there; what gives it one is.
Result<void> check_kind(Members& members, WindowKind kind, std::string_view kind_name) {
  struct Belongs {
    std::string_view member;
    bool has_effect;
  };
  const bool schedule = kind == WindowKind::Schedule;
  for (const auto& [member, has_effect] :
       {Belongs{"seconds", kind != WindowKind::Learnt}, Belongs{"mostSeconds", kind == WindowKind::Learnt},
        Belongs{"utcOffsetMinutes", schedule}, Belongs{"rules", schedule}})
    if (!has_effect && members.find(member) != nullptr)
      return complain(member, "has no effect on a window of kind " + std::string(kind_name));
  if (schedule && members.find("rules") == nullptr)
    return complain("rules", "must be given for a window of kind schedule");
  return {};
}

Result<void> read_window(Members& members, WarmWindow& window) {
  const json::Value* kind = members.find("kind");
  const std::string_view text = kind == nullptr ? "fixed" : json::text(*kind);
  if (text == "fixed")
    window.kind = WindowKind::Fixed;
  else if (text == "schedule")
    window.kind = WindowKind::Schedule;
  else if (text == "learnt")
    window.kind = WindowKind::Learnt;
  else
    return complain("kind", "must be fixed, schedule or learnt");
  TRY(members.time("seconds", window.fixed));
  TRY(members.time("mostSeconds", window.most));
  if (window.fixed > kWindowMax || window.most > kWindowMax)
    return complain("seconds", "must be at most 7 days");
  if (window.most == Duration{}) return complain("mostSeconds", "must be more than 0");
  TRY(members.whole("utcOffsetMinutes", -14 * 60, 14 * 60, window.utc_offset_minutes));
  TRY(read_rules(members, window));
  return check_kind(members, window.kind, text);
}

Result<void> read_limits(Members& members, FleetLimits& limits) {
  TRY(members.whole("vcpusMin", 0, kCountMax, limits.vcpus_min));
  TRY(members.whole("vcpusMax", 1, kCountMax, limits.vcpus_max));
  TRY(members.whole("gpusMax", 0, kCountMax, limits.gpus_max));
  TRY(members.whole("nodesMax", 1, 100'000, limits.nodes_max));
  TRY(members.whole("launchesMax", 1, 10'000, limits.launches_max));
  if (limits.vcpus_min > limits.vcpus_max) return complain("vcpusMin", "must not be above vcpusMax");
  return {};
}

Result<void> read_patience(Members& members, FleetPolicy& policy) {
  TRY(members.time("patienceMaxSeconds", policy.patience_max));
  const json::Value* value = members.find("patience");
  if (value == nullptr) return {};
  const double factor = value->is_int64()    ? static_cast<double>(value->get_int64())
                        : value->is_double() ? value->get_double()
                                             : -1;
  if (!(factor >= 0 && factor <= 1000)) return complain("patience", "must be a number from 0 to 1000");
  policy.patience_milli = std::llround(factor * 1000);
  return {};
}

Result<void> read_cold(Members& members, ColdStart& cold) {
  TRY(members.time("bootSeconds", cold.boot));
  TRY(members.time("pullSeconds", cold.pull));
  return members.money("launchFee", cold.launch_fee);
}

Result<void> read_budget(Members& members, Budget& budget) {
  TRY(members.money("limit", budget.limit));
  TRY(members.whole("warnPercent", 0, 10'000, budget.warn_percent));
  TRY(members.whole("stopLaunchesPercent", 0, 10'000, budget.stop_launches_percent));
  return members.whole("stopFleetPercent", 0, 10'000, budget.stop_fleet_percent);
}

Result<void> read_parts(Members& members, FleetPolicy& policy) {
  TRY(within(members, "spot", [&](Members& inner) { return read_spot(inner, policy.market); }));
  TRY(within(members, "limits", [&](Members& inner) { return read_limits(inner, policy.limits); }));
  TRY(within(members, "cold", [&](Members& inner) { return read_cold(inner, policy.cold); }));
  TRY(within(members, "window", [&](Members& inner) { return read_window(inner, policy.window); }));
  TRY(within(members, "consolidate", [&](Members& inner) {
    policy.consolidate = true;
    return inner.time("afterSeconds", policy.consolidate_after);
  }));
  return within(members, "budget", [&](Members& inner) { return read_budget(inner, policy.budget); });
}

}  // namespace

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::BestFit:
      return "BEST_FIT";
    case Strategy::BestFitProgressive:
      return "BEST_FIT_PROGRESSIVE";
    case Strategy::BestFitProgressiveOrdered:
      return "BEST_FIT_PROGRESSIVE_ORDERED";
    case Strategy::SpotCapacityOptimized:
      return "SPOT_CAPACITY_OPTIMIZED";
    case Strategy::SpotPriceCapacityOptimized:
      return "SPOT_PRICE_CAPACITY_OPTIMIZED";
    case Strategy::SpotCapacityOptimizedPrioritized:
      return "SPOT_CAPACITY_OPTIMIZED_PRIORITIZED";
  }
  return "";
}

Result<FleetPolicy> read_fleet_policy(const json::Value& value, const Catalogue& catalogue) {
  Members members(value);
  FleetPolicy policy;
  if (const json::Value* region = members.find("region")) {
    if (json::text(*region).empty()) return complain("region", "must be text");
    policy.region = json::text(*region).substr(0, kTextMax);
  }
  TRY(members.texts("zones", kZonesMax, policy.zones));
  std::vector<std::string> types;
  TRY(members.texts("types", kTypesMax, types));
  policy.types = TRY(expand_types(catalogue, types, policy.region));
  TRY(read_strategy(members, policy.strategy));
  TRY(read_parts(members, policy));
  TRY(members.money("waitPerMinute", policy.wait_per_minute));
  TRY(read_patience(members, policy));
  TRY(members.time("runGuessSeconds", policy.run_guess));
  TRY(members.time("bootMaxSeconds", policy.boot_max));
  TRY(members.time("silentMaxSeconds", policy.silent_max));
  TRY(members.time("ageMaxSeconds", policy.age_max));
  TRY(members.time("stopGraceSeconds", policy.stop_grace));
  TRY(members.nothing_else());
  return policy;
}

}  // namespace stoker::fleet
