#include "core/provision/snapshot.h"

#include <algorithm>

#include "core/provision/nodes.h"
#include "core/provision/spending.h"
#include "core/schedule/order.h"

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

// Runs that ask for the same thing together.
std::vector<fleet::NodeRuns> runs_on(const State& state, const Node& node, bool interrupted) {
  std::vector<fleet::NodeRuns> runs;
  std::map<ShapeNo, std::size_t> known;
  for (const JobNo no : node.runs) {
    const JobSpec& spec = *state.jobs.find(no)->spec;
    const bool movable = interrupted || spec.wishes.checkpoint != Checkpoint::None;
    const auto [at, fresh] = known.emplace(spec.shape, runs.size());
    if (fresh) runs.push_back({need_of(state, state.shape(spec.shape)), 0, movable});
    fleet::NodeRuns& entry = runs[at->second];
    ++entry.runs;
    entry.movable = entry.movable && movable;
  }
  return runs;
}

// As the catalogue has the machine, less what runs there and GPUs that are not well. Where its node has less
// than the catalogue says, nothing is launched in its place: the next one would have no more.
fleet::Room free_room(const fleet::InstanceType& type, fleet::Market market, const Node& node,
                      const std::vector<fleet::NodeRuns>& runs) {
  fleet::Room room = fleet::room_of(type, market);
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

fleet::FleetNode seen(World& world, LaunchedNode& launched, Instant now) {
  fleet::FleetNode out;
  out.id = launched.name;
  out.pool = launched.pool;
  out.launched_at = launched.asked_at;
  out.ready_at = launched.ready_at;
  out.idle_since = launched.idle_since;
  out.rebalance = launched.rebalance;
  out.runs = launched.runs;
  const bool leaving = launched.draining || launched.retired;
  out.phase = leaving             ? fleet::NodePhase::Draining
              : launched.ready_at ? fleet::NodePhase::Ready
                                  : fleet::NodePhase::Launching;
  if (!launched.ready_at) return out;
  const auto node = world.state.nodes.find(launched.name);
  if (node == world.state.nodes.end() || !node->second.connected) {
    if (!launched.heard_at) launched.heard_at = now;  // a restart: it has not said hello again
    out.heard_at = launched.heard_at;
  } else {
    out.heard_at = now;
  }
  if (node == world.state.nodes.end()) return out;
  out.runs = runs_on(world.state, node->second, leaving && launched.rebalance);
  const fleet::InstanceType* type = world.settings.launching->catalogue.find(launched.pool.type);
  if (type == nullptr) return out;
  out.free = free_room(*type, launched.pool.market, node->second, out.runs);
  if (!is_underused(*type, out.free) || node->second.runs.empty())
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
  need.gpus = shape.resources.gpus;
  need.gpu_milli = shape.resources.gpu_milli;
  if (need.gpu_milli >= Resources::kGpuMilli) {  // MIG devices of several GPUs
    need.gpus = (need.gpu_milli + Resources::kGpuMilli - 1) / Resources::kGpuMilli;
    need.gpu_milli = 0;
  }
  need.gpu_memory_min_mib = shape.gpu.mig.empty() ? shape.gpu.memory_mib_min : 0;
  need.gpu_models = shape.gpu.models;
  need.spot = spot_wish(shape.spot);
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
    if (most.gpu_models.empty()) most.gpu_models = need.gpu_models;
    most.gpu_memory_min_mib = std::max(most.gpu_memory_min_mib, need.gpu_memory_min_mib);
  }
  return most;
}

fleet::FleetState snapshot_of(World& world, const ComputeEnvironment& environment, Fleet& fleet,
                              const fleet::FleetPolicy& policy, Instant now) {
  fleet::FleetState state;
  state.enabled = environment.enabled;
  const std::vector<LaunchedNode*> machines = machines_of(world, environment.name);
  for (LaunchedNode* launched : machines) state.nodes.push_back(seen(world, *launched, now));
  // In the order of their launches: names sort otherwise from the tenth on.
  std::ranges::stable_sort(state.nodes, {}, [](const fleet::FleetNode& node) {
    return std::tuple(node.launched_at, node.id.size(), node.id);
  });
  state.pools = fleet.pools;
  state.gaps = fleet.gaps;
  state.quotes = world.state.spot_quotes;
  state.vcpus_desired = fleet.vcpus_desired;
  fleet.budget = judge_budget(policy.budget, fleet, machines, now);
  state.budget = fleet.budget;
  return state;
}

std::vector<WaitingDemand> demands_of(const World& world, const JobQueue& queue, Instant now) {
  std::vector<WaitingDemand> demands;
  const State& state = world.state;
  const auto waiting = state.waiting.find(queue.no);
  if (waiting == state.waiting.end()) return demands;
  Order order(state, queue, now);
  for (auto next = order.next(); next; next = order.next()) {
    const GroupKey& key = *next->group;
    const WaitingGroup& group = waiting->second.at(key);
    if (is_about_capacity(group.reason.kind)) {
      const Job& first = *state.jobs.find(next->job);
      const Wishes& wishes = first.spec->wishes;
      WaitingDemand out{{queue.no, key}, {}};
      const Shape& shape = state.shape(key.shape);
      out.demand.need = need_of(state, shape);
      if (shape.is_gang()) out.demand.gang = static_cast<std::int64_t>(shape.gang.size());
      out.demand.jobs = static_cast<std::int64_t>(group.jobs.size());
      out.demand.waiting_since = first.runnable_at;
      out.demand.deadline = wishes.deadline_at;
      if (wishes.deadline_after.ms > 0) out.demand.deadline = first.created_at + wishes.deadline_after;
      if (first.spec->timeout) out.demand.run = *first.spec->timeout;
      demands.push_back(std::move(out));
    }
    order.pass_over();
  }
  return demands;
}

}  // namespace stoker::core
