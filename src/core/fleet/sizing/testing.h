#pragma once
// Builders for tests of sizing: a test names only what it is about.
#include <utility>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/demand/room.h"
#include "core/fleet/sizing/policy.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet::testing {

inline constexpr Instant kNow{1'767'571'200'000};  // a Monday, midnight in UTC

inline const Catalogue& catalogue() {
  static const Catalogue kCatalogue = Catalogue::builtin();
  return kCatalogue;
}

inline FleetPolicy a_policy(std::vector<std::string> types = {"g5.xlarge", "g5.12xlarge"}) {
  FleetPolicy policy;
  policy.zones = {"a", "b"};
  policy.types = std::move(types);
  return policy;
}

inline Demand gpu_jobs(std::int64_t jobs, std::int64_t gpus = 1) {
  Demand demand;
  demand.need.cpus_milli = 1000;
  demand.need.memory_mib = 1000;
  demand.need.gpus = gpus;
  demand.jobs = jobs;
  demand.waiting_since = kNow;
  return demand;
}

class NodeBuilder {
 public:
  NodeBuilder(std::string id, std::string type) {
    node_.id = std::move(id);
    node_.pool = {std::move(type), "a", Market::OnDemand};
    node_.launched_at = kNow - hours(1);
    node_.phase = NodePhase::Ready;
    node_.ready_at = node_.heard_at = kNow;
    node_.free = room_of(*catalogue().find(node_.pool.type));
  }
  NodeBuilder& spot(std::string zone = "a") {
    node_.pool.market = Market::Spot;
    node_.pool.zone = std::move(zone);
    return *this;
  }
  NodeBuilder& launching(Duration since = {}) {
    node_.phase = NodePhase::Launching;
    node_.launched_at = kNow - since;
    node_.ready_at = node_.heard_at = node_.idle_since = {};
    return *this;
  }
  NodeBuilder& idle(Duration since) {
    node_.idle_since = kNow - since;
    return *this;
  }
  // `left`, `redone`: what moving all of them would save and cost.
  NodeBuilder& runs(const Demand& demand, bool movable = false, Duration left = hours(8),
                    Duration redone = minutes(10)) {
    const std::int64_t taken = take(node_.free, demand.need, demand.jobs);
    node_.runs.push_back(
        {.need = demand.need, .runs = taken, .movable = movable, .redone = redone, .left = left, .due = {}});
    return *this;
  }
  NodeBuilder& underused(Duration since) {
    node_.underused_since = kNow - since;
    return *this;
  }
  NodeBuilder& rebalance() {
    node_.rebalance = true;
    return *this;
  }
  NodeBuilder& draining() {
    node_.phase = NodePhase::Draining;
    return *this;
  }
  NodeBuilder& heard(Duration ago) {
    node_.heard_at = kNow - ago;
    return *this;
  }
  operator FleetNode() const { return node_; }

 private:
  FleetNode node_;
};
inline NodeBuilder a_node(std::string id, std::string type = "g5.xlarge") {
  return {std::move(id), std::move(type)};
}

}  // namespace stoker::fleet::testing
