#pragma once
// How many of those that wait could start if there were machines for them: what limits keep waiting is no
// demand. The pass decides who starts; this counts ahead with the same predicates, on top of what runs. Costs
// by groups, not by jobs. Quota shares, which choose among machines as well: quota_demand.h.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "core/schedule/caps.h"
#include "core/schedule/gate.h"

namespace stoker::core {

// One walk over all that waits, in the order of the pass.
class Ahead {
 public:
  explicit Ahead(const World& world) : world_(world) {}

  // How many jobs like the contender may start besides those that were counted, by what runs at a time and by
  // what its queue keeps free.
  [[nodiscard]] std::int64_t allowed(const Contender& contender) const;
  // The same by the units of consumable resources.
  [[nodiscard]] std::int64_t units(const Contender& contender) const;

  // They are counted as started.
  void start(const Contender& contender, std::int64_t jobs);
  // It lacks units, and so keeps later ones from them.
  void await_units(const Contender& contender);

 private:
  using CapKey = std::tuple<CapOf, std::uint64_t, std::string>;
  static CapKey key_of(CapOf of, const Contender& contender);
  [[nodiscard]] std::int64_t units_left(const std::string& resource) const;

  const World& world_;
  std::map<CapKey, std::int64_t> starts_;
  std::map<QueueNo, Resources> used_;
  std::map<std::string, std::int64_t> units_;
  std::set<std::string> awaited_;
};

}  // namespace stoker::core
