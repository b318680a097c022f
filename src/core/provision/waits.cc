#include "core/provision/waits.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "core/fleet/demand/never.h"
#include "core/fleet/sizing/beyond_limits.h"
#include "core/provision/fleet_policy.h"
#include "core/provision/snapshot.h"

namespace stoker::core {
namespace {

std::string time_of(Instant at) {
  return iso_time(at.ms / 1000 * 1000);
}

WaitReason wait(WaitKind kind, std::string text) {
  return {.kind = kind, .text = std::move(text), .behind = {}, .since = {}};
}

std::string of_environment(const Fleet& fleet) {
  return "compute environment " + fleet.environment;
}

// Machines on their way, pool by pool.
struct UnderWay {
  std::int64_t count = 0;
  Instant since;
};
using UnderWayByPool = std::map<fleet::Pool, UnderWay>;

std::map<std::string, UnderWayByPool> under_way_by_environment(const State& state) {
  std::map<std::string, UnderWayByPool> all;
  for (const auto& [name, launched] : state.launched) {
    if (launched.ready_at || launched.retired) continue;
    UnderWay& pool = all[launched.environment][launched.pool];
    if (pool.count++ == 0 || launched.asked_at < pool.since) pool.since = launched.asked_at;
  }
  return all;
}

// Of those that could hold it: "2 x g5.xlarge in us-east-1a, spot, since 2026-08-07T12:00:00Z; …"
std::string describe(const fleet::Catalogue& catalogue, const UnderWayByPool& pools,
                     const fleet::Need& need) {
  std::string text;
  for (const auto& [pool, under_way] : pools) {
    const fleet::InstanceType* type = catalogue.find(pool.type);
    if (type == nullptr || fleet::slots(fleet::room_of(*type, pool.market, need.mig_devices > 0), need) == 0)
      continue;
    text += (text.empty() ? "" : "; ") + std::to_string(under_way.count) + " x " + fleet::describe(pool) +
            ", since " + time_of(under_way.since);
  }
  return text;
}

WaitReason held(const Fleet& fleet, const fleet::Fate& fate) {
  const std::string where = of_environment(fleet);
  switch (fate.hold) {
    case fleet::HoldKind::None:
      break;
    case fleet::HoldKind::NeverFits:
      return wait(
          WaitKind::NeverFits,
          "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job resource requirement (vCPU/memory/GPU) is "
          "higher than that can be met by the CE(s) attached to the job queue. In " +
              where + ": " + fate.text);
    case fleet::HoldKind::BeyondLimits:
      return wait(WaitKind::NeverFits,
                  "MISCONFIGURATION:COMPUTE_ENVIRONMENT_MAX_RESOURCE - CE(s) associated with the job queue " +
                      fate.text + ", in " + where);
    case fleet::HoldKind::Disabled:
      break;
    case fleet::HoldKind::Budget:
      return wait(WaitKind::Budget, "Budget of " + where + " reached: " + fate.text);
    case fleet::HoldKind::Patience:
      return wait(WaitKind::Patience, "No machine is launched in " + where + " yet: " + fate.text);
    case fleet::HoldKind::Limit:
      return wait(WaitKind::Limit, "maxvCpus or another limit of " + where + " reached: " + fate.text);
    case fleet::HoldKind::NoCapacity:
      return wait(
          WaitKind::NoCapacity,
          "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY - Service cannot fulfill the capacity requested in " +
              where + ": " + fate.text + (fate.until ? ", at " + time_of(fate.until) : ""));
    case fleet::HoldKind::NoSpot:
    case fleet::HoldKind::NotForSpot:
    case fleet::HoldKind::NoPrice:
      return wait(WaitKind::Market, "In " + where + ": " + fate.text);
  }
  return {};
}

class Explainer {
 public:
  Explainer(World& world, const std::set<Fleet::Waits>& limited, Instant now)
      : world_(world), limited_(limited), now_(now), under_way_(under_way_by_environment(world.state)) {}

  void explain(const JobQueue& queue, const GroupKey& key, WaitingGroup& waiting) {
    WaitReason why = reason_for(queue, key, waiting.reason);
    why.since = why.kind == waiting.machine.kind ? waiting.machine.since : now_;
    if (why.kind == WaitKind::None) why = {};
    waiting.machine = std::move(why);
  }

 private:
  // Machines on their way; else what may change; that no type could ever hold it only if that is so
  // everywhere.
  WaitReason reason_for(const JobQueue& queue, const GroupKey& key, const WaitReason& pass) {
    WaitReason never;
    WaitReason other;
    bool asked = false;
    bool elsewhere = false;  // an environment whose machines we do not launch has nodes that could hold it
    const fleet::Demand demand = demand_for(world_.state, world_.state.shape(key.shape));
    for (const std::string& name : queue.environments_by_order()) {
      const auto found = world_.state.fleets.find(name);
      const auto environment = world_.state.environments.find(name);
      if (found == world_.state.fleets.end() || environment == world_.state.environments.end()) {
        elsewhere = elsewhere || pass.kind == WaitKind::Resources || pass.kind == WaitKind::Order;
        continue;
      }
      const Fleet& fleet = found->second;
      const auto fate = fleet.fates.find({queue.no, key});
      if (fate == fleet.fates.end()) continue;
      asked = true;
      if (!environment->second.enabled) continue;
      if (!fleet.complaint.empty()) {
        if (other.kind == WaitKind::None)
          other =
              wait(WaitKind::Invalid, "ACTION_REQUIRED - CE(s) associated with the job queue are invalid. " +
                                          of_environment(fleet) + ": " + fleet.complaint);
        continue;
      }
      if (!fleet.pending.empty()) {
        if (other.kind == WaitKind::None)
          other = wait(WaitKind::NoNodes,
                       "Nothing is launched in " + of_environment(fleet) + ": " + fleet.pending);
        continue;
      }
      if (fate->second.on_launching + fate->second.on_launches > 0)
        return wait(WaitKind::Launching, "Capacity is being launched in " + of_environment(fleet) + ": " +
                                             describe(world_.settings.launching->catalogue,
                                                      under_way_[fleet.environment], demand.need));
      WaitReason here = held(fleet, fate->second);
      if (here.kind == WaitKind::NeverFits)
        never = std::move(here);
      else if (other.kind == WaitKind::None)
        other = std::move(here);
      elsewhere = elsewhere || fate->second.on_ready > 0;
    }
    if (other.kind != WaitKind::None) return other;
    if (!asked && limited_.contains({queue.no, key}) && is_about_capacity(pass.kind))
      return not_asked_for(queue, demand);
    return elsewhere ? WaitReason{} : never;
  }

  // A limit left it no part in the last look. That the nodes there are could never hold it, as the pass may
  // say, tells nothing of machines that are not there.
  WaitReason not_asked_for(const JobQueue& queue, const fleet::Demand& demand) {
    const WaitReason behind = wait(
        WaitKind::Order,
        "No machine is launched for it now: other jobs take all that a limit they share with it allows at a "
        "time");
    WaitReason never = behind;
    for (const std::string& name : queue.environments_by_order()) {
      const auto fleet = world_.state.fleets.find(name);
      if (fleet == world_.state.fleets.end()) return behind;
      const ComputeEnvironment& environment = world_.state.environments.at(name);
      const auto policy = fleet_policy(world_.settings, environment, fleet->second);
      if (!policy) return behind;
      const fleet::Catalogue& catalogue = world_.settings.launching->catalogue;
      fleet::Fate fate;
      fate.hold = fleet::HoldKind::NeverFits;
      auto text = fleet::never_runs(catalogue, policy->types, demand.need);
      if (!text) {
        fate.hold = fleet::HoldKind::BeyondLimits;
        text = fleet::beyond_limits(catalogue, *policy, demand);
      }
      if (!text) return behind;
      fate.text = std::move(*text);
      never = held(fleet->second, fate);
    }
    return never;
  }

  World& world_;
  const std::set<Fleet::Waits>& limited_;
  Instant now_;
  std::map<std::string, UnderWayByPool> under_way_;
};

}  // namespace

void explain_waits(World& world, const std::set<Fleet::Waits>& limited, Instant now) {
  if (world.state.fleets.empty()) return;
  Explainer explainer(world, limited, now);
  for (auto& [no, waiting] : world.state.waiting) {
    const JobQueue& queue = world.state.queues.at(no);
    for (auto& [key, group] : waiting) explainer.explain(queue, key, group);
  }
}

}  // namespace stoker::core
