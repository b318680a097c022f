#pragma once
// Where machines come from: one type in one zone in one market. A pool that had none to give is left alone
// for a while, longer each time.
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/json.h"

namespace stoker::fleet {

enum class Market : std::uint8_t { OnDemand, Spot };
constexpr std::string_view name_of(Market market) {
  return market == Market::Spot ? "spot" : "on-demand";
}

struct Pool {
  std::string type;
  std::string zone;
  Market market = Market::OnDemand;
  auto operator<=>(const Pool&) const = default;
};
// "g5.xlarge in us-east-1a, spot"
std::string describe(const Pool& pool);

// Why a launch brought nothing, as an engine reads it out of EC2's error codes.
enum class LaunchFailure : std::uint8_t {
  Capacity,  // this type in this zone and market is sold out
  Price,     // spot asks more than may be paid, or too many spot requests: the market of the whole family
  Quota,     // the account's limit for the family and market: waiting does not help soon
  Zone,      // no addresses left in the zone's subnet: any type
  SpotForbidden,  // the account may not use spot
  NeverJoined,    // the machine came, its agent never said hello
};
std::string_view name_of(LaunchFailure failure);

// Failures of spot count that long, and at least that long after the pool could be tried again, or they would
// be forgotten before the next try.
inline constexpr Duration kSpotFailureLife = minutes(10);
inline constexpr Duration kSpotTryTime = minutes(5);
// After their life one more failure is enough to have them all back, so that a try costs one launch; after
// that long they are forgotten.
inline constexpr Duration kSpotFailureMemory = days(1);
inline constexpr std::size_t kParkedMax = 10'000;

struct Parked {
  Instant until;
  LaunchFailure why = LaunchFailure::Capacity;
  int failures = 0;  // in a row
  bool operator==(const Parked&) const = default;
};

class PoolBook {
 public:
  // Parks what the failure is about: 3 minutes for capacity (as Karpenter does), 10 for price and quota, an
  // hour where spot is forbidden, 20 minutes where nobody said hello; doubled for each failure in a row, up
  // to an hour, of the last kind up to four.
  void failed(const Pool& pool, LaunchFailure why, Instant now);
  void succeeded(const Pool& pool);
  // What kept agents from saying hello may have been put right.
  void joins_may_be_right();
  // A machine of it is taken back: others are preferred for three minutes. Where there are none it is used
  // all the same, since that it has none to give is not known.
  void interrupted(const Pool& pool, Instant now);

  // The entry that keeps the pool from being used now, the one that lasts longest.
  [[nodiscard]] std::optional<Parked> parked(const Pool& pool, Instant now) const;
  [[nodiscard]] bool avoided(const Pool& pool, Instant now) const;
  // Launches on spot that failed since one succeeded; 0 once that is so long ago that spot is tried again.
  [[nodiscard]] int spot_failures(Instant now) const;
  bool operator==(const PoolBook&) const = default;

  // For the record of a fleet; what is odd in one is left out.
  [[nodiscard]] json::Value write() const;
  static PoolBook read(const json::Value& value);

 private:
  void park(const Pool& pool, LaunchFailure why, Instant now);
  void forget_old(Instant now);

  std::map<Pool, Parked> entries_;   // an empty type or zone stands for all; "g5." for a family
  std::map<Pool, Instant> avoided_;  // until then
  int spot_failures_ = 0;
  Instant spot_counts_until_;
};

}  // namespace stoker::fleet
