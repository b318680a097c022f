#include "core/provision/snapshot.h"

#include <algorithm>

#include "core/provision/nodes.h"
#include "core/provision/progress.h"
#include "core/provision/spending.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/preempt/move.h"
#include "core/schedule/preempt/victims.h"

namespace stoker::core {
namespace {

fleet::SpotWish spot_wish(SpotUse use) {
  switch (use) {
    case SpotUse::Only:
      return fleet::SpotWish::Only;
    case SpotUse::Never:
      return fleet::SpotWish::Never;
    case SpotUse::First:
      break;
  }
  return fleet::SpotWish::First;
}

// One run in the terms of sizing.
fleet::NodeRuns run_on(const State& state, const Job& job, const LaunchedNode& launched,
                       const fleet::FleetPolicy& policy, Instant now) {
  fleet::NodeRuns run{.need = need_of(state, state.shape(job.spec->shape)), .runs = 1};
  const Job& whole = whole_job(state, job);
  // With a notice every run is about to lose its machine; an advice is for those that can go on elsewhere.
  const bool taken_back = launched.rebalance && launched.draining && launched.deadline && !is_moving(job);
  run.movable = taken_back || (launched.rebalance ? moves_keeping_work(job) : moves_to_save(job, now));
  run.redone = lost_work(whole, now) + policy.cold.pull;
  run.left = expected_rest(whole, policy.run_guess, now);
  run.due = due_if_stopped(whole, now);
  run.asker = job.no.value;
  return run;
}

// Those that ask for the same thing and may be moved alike together.
std::vector<fleet::NodeRuns> runs_on(const State& state, const Node& node, const LaunchedNode& launched,
                                     const fleet::FleetPolicy& policy, Instant now) {
  std::vector<fleet::NodeRuns> runs;
  std::map<std::pair<ShapeNo, bool>, std::size_t> known;
  for (const JobNo no : node.runs) {
    const Job& job = *state.jobs.find(no);
    fleet::NodeRuns run = run_on(state, job, launched, policy, now);
    if (run.due) {
      runs.push_back(std::move(run));
      continue;
    }
    const auto [at, fresh] = known.emplace(std::pair(job.spec->shape, run.movable), runs.size());
    if (fresh) {
      runs.push_back(std::move(run));
      continue;
    }
    fleet::NodeRuns& entry = runs[at->second];
    ++entry.runs;
    entry.redone = entry.redone + run.redone;
    entry.left = std::max(entry.left, run.left);
  }
  return runs;
}

// As the catalogue has the machine, less what runs there and GPUs that are not well. Where its node has less
// than the catalogue says, nothing is launched in its place: the next one would have no more.
fleet::Room free_room(const fleet::InstanceType& type, const LaunchedNode& launched, const Node& node,
                      const std::vector<fleet::NodeRuns>& runs) {
  fleet::Room room = fleet::room_of(type, launched.pool.market, launched.mig);
  for (std::size_t i = 0; i < std::min(room.gpus_free.size(), node.gpus.size()); ++i)
    if (!node.gpus[i].usable()) room.gpus_free[i] = 0;
  for (const fleet::NodeRuns& entry : runs) fleet::take(room, entry.need, entry.runs);
  return room;
}

bool is_underused(const fleet::InstanceType& type, const fleet::Room& free) {
  std::int64_t gpus_free = 0;
  for (const std::int64_t milli : free.gpus_free) gpus_free += milli;
  const std::int64_t gpus = type.gpus * type.gpu_milli;
  return gpus > 0 ? gpus_free * 2 >= gpus : free.cpus_milli * 2 >= type.vcpus * 1000;
}

// `node`: null until it has said hello.
fleet::FleetNode seen(World& world, LaunchedNode& launched, const Node* node,
                      const fleet::FleetPolicy& policy, Instant now) {
  fleet::FleetNode out;
  out.id = launched.name;
  out.pool = launched.pool;
  out.launched_at = launched.asked_at;
  out.ready_at = launched.ready_at;
  out.idle_since = launched.idle_since;
  out.rebalance = launched.rebalance;
  out.mig = launched.mig;
  out.runs = launched.runs;
  const bool leaving = launched.draining || launched.retired;
  out.phase = leaving             ? fleet::NodePhase::Draining
              : launched.ready_at ? fleet::NodePhase::Ready
                                  : fleet::NodePhase::Launching;
  if (!launched.ready_at) return out;
  if (node == nullptr || !node->connected) {
    if (!launched.heard_at) launched.heard_at = now;  // a restart: it has not said hello again
    out.heard_at = launched.heard_at;
  } else {
    out.heard_at = now;
  }
  if (node == nullptr) return out;
  out.runs = runs_on(world.state, *node, launched, policy, now);
  const fleet::InstanceType* type = world.settings.launching->catalogue.find(launched.pool.type);
  if (type == nullptr) return out;
  out.free = free_room(*type, launched, *node, out.runs);
  if (const NodeHold& hold = node->hold; hold.job) {  // somebody is on the way there
    fleet::take(out.free,
                need_of(world.state, world.state.shape(world.state.jobs.find(hold.job)->spec->shape)), 1);
    out.idle_since = {};
  }
  if (!is_underused(*type, out.free) || node->runs.empty())
    launched.underused_since = {};
  else if (!launched.underused_since)
    launched.underused_since = now;
  out.underused_since = launched.underused_since;
  return out;
}

fleet::Need need_of_run(const Shape& shape) {
  fleet::Need need;
  need.cpus_milli = shape.resources.cpus_milli;
  need.memory_mib = shape.resources.memory_mib;
  if (shape.gpu.mig.empty()) {
    need.gpus = shape.resources.gpus;
    need.gpu_milli = shape.resources.gpu_milli;
  } else {
    need.mig = shape.gpu.mig;
    need.mig_devices = shape.gpu.mig_devices;
  }
  need.gpu_memory_min_mib = shape.gpu.memory_mib_min;
  need.gpu_models = shape.gpu.models;
  need.instance_types = shape.instance_types;
  need.spot = spot_wish(shape.spot);
  return need;
}

// As many of them on one machine. Shares of a GPU are counted as the whole GPUs that they lie on.
fleet::Need together(fleet::Need need, std::int64_t nodes) {
  need.cpus_milli *= nodes;
  need.memory_mib *= nodes;
  need.gpus *= nodes;
  need.mig_devices *= nodes;
  if (need.gpu_milli > 0) {
    const std::int64_t on_one = Resources::kGpuMilli / need.gpu_milli;
    need.gpus = (nodes + on_one - 1) / on_one;
    need.gpu_milli = 0;
  }
  return need;
}

}  // namespace

fleet::Need need_of(const State& state, const Shape& shape) {
  if (!shape.is_gang()) return need_of_run(shape);
  fleet::Need most = need_of_run(state.shape(shape.gang.front()));
  for (const ShapeNo number : shape.gang) {
    const fleet::Need need = need_of_run(state.shape(number));
    most.cpus_milli = std::max(most.cpus_milli, need.cpus_milli);
    most.memory_mib = std::max(most.memory_mib, need.memory_mib);
    most.gpus = std::max(most.gpus, need.gpus);
    most.gpu_milli = most.gpus > 0 ? 0 : std::max(most.gpu_milli, need.gpu_milli);
    if (most.mig.empty()) most.mig = need.mig;
    most.mig_devices = std::max(most.mig_devices, need.mig_devices);
    if (most.gpu_models.empty()) most.gpu_models = need.gpu_models;
    most.gpu_memory_min_mib = std::max(most.gpu_memory_min_mib, need.gpu_memory_min_mib);
  }
  return most;
}

fleet::Demand demand_for(const State& state, const Shape& shape) {
  fleet::Demand demand;
  demand.need = need_of(state, shape);
  demand.jobs = 1;
  if (!shape.is_gang()) return demand;
  const auto nodes = static_cast<std::int64_t>(shape.gang.size());
  if (shape.nearness == Nearness::Node) {
    demand.need = together(std::move(demand.need), nodes);
  } else {
    demand.gang = nodes;
    demand.near = shape.nearness == Nearness::Rack;
  }
  return demand;
}

fleet::FleetState snapshot_of(World& world, const ComputeEnvironment& environment, Fleet& fleet,
                              const fleet::FleetPolicy& policy, Instant now) {
  fleet::FleetState state;
  state.enabled = environment.enabled;
  const std::vector<LaunchedNode*> machines = machines_of(world, environment.name);
  struct Machine {
    LaunchedNode* launched;
    const Node* node;
  };
  std::vector<Machine> in_order;
  in_order.reserve(machines.size());
  // Both are sorted by name: a walk beside each other is cheaper than as many searches.
  auto node = world.state.nodes.begin();
  for (LaunchedNode* launched : machines) {
    while (node != world.state.nodes.end() && node->first < launched->name) ++node;
    const bool is_there = node != world.state.nodes.end() && node->first == launched->name;
    in_order.push_back({launched, is_there ? &node->second : nullptr});
  }
  // In the order of their launches: names sort otherwise from the tenth on.
  std::ranges::sort(in_order, {}, [](const Machine& machine) {
    const LaunchedNode& launched = *machine.launched;
    return std::tuple(launched.asked_at, launched.name.size(), std::string_view(launched.name));
  });
  state.nodes.reserve(in_order.size());
  for (const Machine& machine : in_order)
    state.nodes.push_back(seen(world, *machine.launched, machine.node, policy, now));
  state.pools = fleet.pools;
  state.gaps = fleet.gaps;
  state.quotes = world.state.spot_quotes;
  state.vcpus_desired = fleet.vcpus_desired;
  fleet.budget = judge_budget(policy.budget, fleet, machines, now);
  state.budget = fleet.budget;
  return state;
}

}  // namespace stoker::core
