#include "core/fleet/market/pool.h"

#include <algorithm>

namespace stoker::fleet {
namespace {

constexpr Duration kParkMax = hours(1);
constexpr Duration kParkMaxNeverJoined = hours(4);  // each try costs a machine for a while
// A pool that was quiet that long after it was free again starts anew.
constexpr Duration kForget = hours(1);
constexpr Duration kAvoid = minutes(3);
constexpr int kDoublingsMax = 10;

std::string family_of(const std::string& type) {
  return type.substr(0, type.find('.')) + ".";
}

Pool scope_of(const Pool& pool, LaunchFailure why) {
  switch (why) {
    case LaunchFailure::Capacity:
    case LaunchFailure::NeverJoined:
      return pool;
    case LaunchFailure::Price:
    case LaunchFailure::Quota:
      return {family_of(pool.type), "", pool.market};
    case LaunchFailure::Zone:
      return {"", pool.zone, Market::OnDemand};
    case LaunchFailure::SpotForbidden:
      return {"", "", Market::Spot};
  }
  return pool;
}

Duration first_park(LaunchFailure why) {
  switch (why) {
    case LaunchFailure::Capacity:
      return minutes(3);
    case LaunchFailure::NeverJoined:
      return minutes(20);
    case LaunchFailure::Zone:
    case LaunchFailure::Price:
    case LaunchFailure::Quota:
      return minutes(10);
    case LaunchFailure::SpotForbidden:
      return hours(1);
  }
  return minutes(3);
}

Pool read_pool(const json::Value& entry) {
  return {std::string(json::get_string(entry, "type")), std::string(json::get_string(entry, "zone")),
          json::get_bool(entry, "spot") ? Market::Spot : Market::OnDemand};
}

}  // namespace

std::string describe(const Pool& pool) {
  return pool.type + " in " + pool.zone + ", " + std::string(name_of(pool.market));
}

std::string_view name_of(LaunchFailure failure) {
  switch (failure) {
    case LaunchFailure::Capacity:
      return "no capacity";
    case LaunchFailure::Price:
      return "price too high";
    case LaunchFailure::Quota:
      return "account quota";
    case LaunchFailure::Zone:
      return "no addresses left in the zone";
    case LaunchFailure::SpotForbidden:
      return "spot is forbidden";
    case LaunchFailure::NeverJoined:
      return "no agent said hello from its machines";
  }
  return "";
}

void PoolBook::failed(const Pool& pool, LaunchFailure why, Instant now) {
  park(pool, why, now);
  if (pool.market != Market::Spot) return;
  if (now - spot_counts_until_ >= kSpotFailureMemory) spot_failures_ = 0;
  ++spot_failures_;
  const auto until = parked(pool, now);
  spot_counts_until_ = std::max(spot_counts_until_, now + kSpotFailureLife);
  if (until) spot_counts_until_ = std::max(spot_counts_until_, until->until + kSpotTryTime);
}

void PoolBook::park(const Pool& pool, LaunchFailure why, Instant now) {
  const Pool scope = scope_of(pool, why);
  if (entries_.size() >= kParkedMax && !entries_.contains(scope)) forget_old(now);
  if (entries_.size() >= kParkedMax && !entries_.contains(scope)) return;
  Parked& entry = entries_[scope];
  if (now > entry.until + kForget) entry.failures = 0;
  // Many launches at once bring many refusals: one step for all that was asked before it was parked.
  if (now < entry.until && entry.failures > 0) return;
  const int doublings = std::min(entry.failures, kDoublingsMax);
  ++entry.failures;
  entry.why = why;
  const Duration most = why == LaunchFailure::NeverJoined ? kParkMaxNeverJoined : kParkMax;
  entry.until = now + std::min(most, first_park(why) * (std::int64_t{1} << doublings));
}

void PoolBook::succeeded(const Pool& pool) {
  if (pool.market == Market::Spot) spot_failures_ = 0;
  avoided_.erase(pool);
  for (const LaunchFailure why :
       {LaunchFailure::Capacity, LaunchFailure::Quota, LaunchFailure::Zone, LaunchFailure::SpotForbidden}) {
    const Pool scope = scope_of(pool, why);
    if (scope.market == pool.market || why == LaunchFailure::Zone) entries_.erase(scope);
  }
}

void PoolBook::joins_may_be_right() {
  std::erase_if(entries_, [](const auto& entry) { return entry.second.why == LaunchFailure::NeverJoined; });
}

void PoolBook::interrupted(const Pool& pool, Instant now) {
  std::erase_if(avoided_, [&](const auto& entry) { return entry.second <= now; });
  if (avoided_.size() < kParkedMax) avoided_[pool] = now + kAvoid;
}

bool PoolBook::avoided(const Pool& pool, Instant now) const {
  const auto entry = avoided_.find(pool);
  return entry != avoided_.end() && now < entry->second;
}

std::optional<Parked> PoolBook::parked(const Pool& pool, Instant now) const {
  std::optional<Parked> longest;
  for (const LaunchFailure why :
       {LaunchFailure::Capacity, LaunchFailure::Quota, LaunchFailure::Zone, LaunchFailure::SpotForbidden}) {
    const Pool scope = scope_of(pool, why);
    if (why == LaunchFailure::SpotForbidden && pool.market != Market::Spot) continue;
    const auto entry = entries_.find(scope);
    if (entry == entries_.end() || entry->second.until <= now) continue;
    if (!longest || entry->second.until > longest->until) longest = entry->second;
  }
  return longest;
}

int PoolBook::spot_failures(Instant now) const {
  return now < spot_counts_until_ ? spot_failures_ : 0;
}

json::Value PoolBook::write() const {
  json::Array parked;
  for (const auto& [pool, entry] : entries_)
    parked.push_back(json::Object{{"type", pool.type},
                                  {"zone", pool.zone},
                                  {"spot", pool.market == Market::Spot},
                                  {"until", entry.until.ms},
                                  {"why", static_cast<int>(entry.why)},
                                  {"failures", entry.failures}});
  json::Array avoided;
  for (const auto& [pool, until] : avoided_)
    avoided.push_back(json::Object{{"type", pool.type},
                                   {"zone", pool.zone},
                                   {"spot", pool.market == Market::Spot},
                                   {"until", until.ms}});
  return json::Object{{"parked", std::move(parked)},
                      {"avoided", std::move(avoided)},
                      {"spotFailures", spot_failures_},
                      {"spotCountsUntil", spot_counts_until_.ms}};
}

PoolBook PoolBook::read(const json::Value& value) {
  PoolBook book;
  book.spot_failures_ = static_cast<int>(json::get_int(value, "spotFailures"));
  book.spot_counts_until_ = {json::get_int(value, "spotCountsUntil")};
  for (const json::Value& entry : json::get_array(value, "parked")) {
    const std::int64_t why = json::get_int(entry, "why");
    if (why < 0 || why > static_cast<int>(LaunchFailure::NeverJoined)) continue;
    book.entries_[read_pool(entry)] = {{json::get_int(entry, "until")},
                                       static_cast<LaunchFailure>(why),
                                       static_cast<int>(json::get_int(entry, "failures"))};
  }
  for (const json::Value& entry : json::get_array(value, "avoided"))
    book.avoided_[read_pool(entry)] = {json::get_int(entry, "until")};
  return book;
}

void PoolBook::forget_old(Instant now) {
  std::erase_if(entries_, [&](const auto& entry) { return now > entry.second.until + kForget; });
}

}  // namespace stoker::fleet
