#include "core/schedule/gang_place.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/schedule/fit.h"
#include "core/schedule/place.h"
#include "core/schedule/places.h"
#include "core/schedule/quota/gate.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kMigDevicesMax = 7;  // of one GPU

// What was found out about one environment.
struct Site {
  const ComputeEnvironment* environment = nullptr;
  Pool* pool = nullptr;          // null: nothing connected, or DISABLED
  const Shape* never = nullptr;  // a node of the job that no machine of it could hold
  std::size_t at_most = 0;       // so many of its nodes could the machines hold, were they empty, or fewer
  std::size_t placed = 0;        // nodes that have a place at once now
  std::size_t empty = 0;         // and would if the machines were empty, as far as that was worked out
  JobNo behind = {};             // it would fit, but machines are kept for this job
};

// How many runs an empty machine could hold, by amounts alone, or fewer.
std::size_t most_runs(const Node& node, const Shape& run) {
  const Resources& needs = run.resources;
  std::int64_t most = static_cast<std::int64_t>(kGangRunsMax);
  const auto bound = [&](std::int64_t has, std::int64_t needed) {
    if (needed > 0) most = std::min(most, has / needed);
  };
  bound(node.total.cpus_milli, needs.cpus_milli);
  bound(node.total.memory_mib, needs.memory_mib);
  const auto gpus = static_cast<std::int64_t>(node.gpus.size());
  if (run.gpu.mig_devices > 0)
    bound(gpus * kMigDevicesMax, run.gpu.mig_devices);
  else if (needs.gpus > 0)
    bound(gpus, needs.gpus);
  else if (needs.gpu_milli > 0)
    bound(gpus * (Resources::kGpuMilli / needs.gpu_milli), 1);
  return static_cast<std::size_t>(most);
}

// Nodes of an environment that are kept: of all those for the job alone, or none that is kept for another,
// or all the same.
enum class Among : std::uint8_t { Own, Free, All };

class Search {
 public:
  Search(World& world, Kept& kept, const Contender& contender)
      : world_(world),
        kept_(kept),
        contender_(contender),
        claims_(world.state.claims.contains(contender.job)),
        ask_(gang_ask(world.state, contender.shape, quota_verdict(world.state, contender))) {
    const std::set<ShapeNo> kinds(contender.shape.gang.begin(), contender.shape.gang.end());
    for (const ShapeNo kind : kinds) kinds_.push_back(narrowed_shape(world, contender, kind));
  }

  GangSearch run() {
    for (const std::string& name : contender_.turn.environments) {
      Site room{.environment = &world_.state.environments.at(name)};
      if (room.environment->enabled) room.pool = find_pool(world_, name);
      if (room.pool == nullptr) {
        rooms_.push_back(room);
        continue;
      }
      if (claims_)
        if (const GangChoice choice = choose(name, Among::Own); choice.whole()) return within_share(choice);
      const GangChoice choice = choose(name, Among::Free);
      if (choice.whole()) return within_share(choice);
      room.placed = choice.placed;
      room.never = find_never(room);
      room.at_most = held_at_most(room);
      room.behind = find_behind(name);
      rooms_.push_back(room);
    }
    // Only a job that runs nowhere has something kept for it.
    for (Site& room : rooms_)
      if (!claims_ && is_possible(room) && !kept_.has_first(room.environment->name))
        room.empty = kept_.keep_for_gang(room.environment->name, *room.pool, contender_, ask_);
    return {.places = {}, .hold = describe()};
  }

  void keep_for_claim() {
    std::vector<std::string> names = contender_.turn.environments;
    std::ranges::stable_partition(names, [&](const std::string& name) {
      const auto kept = world_.kept_nodes.find(name);
      return kept != world_.kept_nodes.end() && kept->second.contains(contender_.job);
    });
    for (const std::string& name : names) {
      Pool* pool = world_.state.environments.at(name).enabled ? find_pool(world_, name) : nullptr;
      if (pool != nullptr && kept_.keep_for_claim(name, *pool, contender_, ask_)) return;
    }
  }

 private:
  // Jobs with claims go first: what is kept for others is what was kept in the pass before.
  [[nodiscard]] JobNo kept_job(const Node& node) const {
    if (claims_) return kept_for(world_, node);
    const auto kept = kept_.find(node.environment);
    const auto found = std::ranges::find(kept, &node, &KeptNode::node);
    return found == kept.end() ? JobNo{} : found->job;
  }

  [[nodiscard]] GangChoice choose(const std::string& environment, Among among) const {
    std::vector<const Node*> nodes;
    for (const Node* node : open_nodes(world_, environment)) {
      const JobNo job = among == Among::All ? JobNo{} : kept_job(*node);
      if (job == contender_.job || (!job && among != Among::Own)) nodes.push_back(node);
    }
    return choose_gang(nodes, ask_, world_.settings.placement, world_.workload);
  }

  // Whom it waits for where it would fit if no machines were kept.
  [[nodiscard]] JobNo find_behind(const std::string& environment) const {
    if (kept_.find(environment).empty()) return {};
    const GangChoice choice = choose(environment, Among::All);
    if (!choice.whole()) return {};
    for (const GangPlace& place : choice.places)
      if (const JobNo job = kept_job(world_.state.nodes.at(place.node)); job && job != contender_.job)
        return job;
    return {};
  }

  GangSearch within_share(const GangChoice& choice) const {
    GangSearch found;
    for (const GangPlace& place : choice.places)
      found.places.push_back({&world_.state.nodes.at(place.node), place.gpus});
    const Job& gang = *world_.state.jobs.find(contender_.job);
    if (const Node* node = first_beyond_share(world_.state, contender_, gang, found.places))
      return {.places = {}, .hold = part_of_machine_text(contender_, *node)};
    return found;
  }

  [[nodiscard]] bool is_possible(const Site& room) const {
    return room.pool != nullptr && room.never == nullptr && room.at_most >= ask_.runs.size();
  }

  // Where others may come, there is no bound.
  [[nodiscard]] std::size_t held_at_most(const Site& room) const {
    if (world_.nodes_back_by || world_.state.fleets.contains(room.environment->name)) return kGangRunsMax;
    std::map<Shape, std::size_t> wanted;
    for (const Shape& run : ask_.runs) ++wanted[run];
    std::size_t lacking = 0;
    for (const auto& [run, count] : wanted) {
      std::map<std::string, std::size_t> near;  // by what they have to be near each other
      for (const Node* node : open_nodes(world_, room.environment->name)) {
        std::string place;
        if (ask_.nearness == Nearness::Rack) place = node->rack.empty() ? "node " + node->name : node->rack;
        if (ask_.nearness == Nearness::Node) place = node->name;
        near[place] += most_runs(*node, run);
      }
      std::size_t most = 0;
      for (const auto& [place, runs] : near) most = std::max(most, runs);
      lacking = std::max(lacking, count - std::min(count, most));
    }
    return ask_.runs.size() - lacking;
  }

  // Null when each of its nodes could have a place on some empty machine.
  const Shape* find_never(const Site& room) const {
    const auto kept = kept_.find(room.environment->name);
    for (const ShapeNo number : kinds_) {
      const Shape& shape = world_.state.shape(number);
      const bool some =
          !room.pool->could_hold(number, shape, 1).empty() ||
          std::ranges::any_of(kept, [&](const KeptNode& one) { return Kept::fit(one, shape).ever == 0; });
      if (!some) return &shape;
    }
    return nullptr;
  }

  [[nodiscard]] Hold describe() const {
    const State& state = world_.state;
    const auto possible = [this](const Site& room) { return is_possible(room); };
    const auto behind = std::ranges::find_if(rooms_, [](const Site& room) { return !!room.behind; });
    if (behind != rooms_.end())
      return {.kind = WaitKind::Order,
              .text = "Waits behind job " + state.jobs.find(behind->behind)->public_id() +
                      ", for which machines of compute environment " + behind->environment->name +
                      " are kept",
              .behind = behind->behind,
              .for_machines = true};
    // The last one is where it would go when the others are full for long.
    const auto room = std::ranges::find_if(rooms_.rbegin(), rooms_.rend(), possible);
    if (room == rooms_.rend()) return describe_hopeless();
    return {.kind = WaitKind::Resources, .text = shortage_text(*room), .behind = {}};
  }

  // As for any job; that nothing could ever hold it is told of the node for which that is so.
  [[nodiscard]] Hold describe_hopeless() const {
    const auto small = std::ranges::find_if(
        rooms_, [](const Site& room) { return room.pool != nullptr && room.never == nullptr; });
    if (small != rooms_.end())
      return {.kind = WaitKind::NeverFits,
              .text = "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job asks " +
                      std::to_string(ask_.runs.size()) + " nodes at once" + nearness_text(*small) + ", " +
                      each_text() + "; the machines of compute environment " + small->environment->name +
                      " hold at most " + std::to_string(small->at_most) + " of them, even when empty",
              .behind = {}};
    std::vector<Finding> findings;
    const Shape* never = &contender_.shape;
    for (const Site& room : rooms_) {
      findings.push_back({.environment = room.environment, .nodes = room.pool != nullptr});
      if (room.never != nullptr) never = room.never;
    }
    return describe_findings(world_.state, contender_, *never, findings);
  }

  // A machine that does not tell its rack is near no other.
  [[nodiscard]] std::string racks_text(const Site& room) const {
    for (const auto& [name, node] : world_.state.nodes)
      if (node.connected && node.environment == room.environment->name && !node.rack.empty()) return "";
    return " (no machine tells its rack)";
  }

  [[nodiscard]] std::string each_text() const {
    return kinds_.size() == 1 ? "each asks " + stoker::core::describe(ask_.runs.front())
                              : "together they ask " + stoker::core::describe(contender_.shape.resources);
  }
  [[nodiscard]] std::string nearness_text(const Site& room) const {
    if (ask_.nearness == Nearness::Rack) return ", in one rack or placement group" + racks_text(room);
    return ask_.nearness == Nearness::Node ? ", on one machine" : "";
  }

  [[nodiscard]] std::string shortage_text(const Site& room) const {
    const std::string count = std::to_string(ask_.runs.size());
    std::string text = "Waits for room for all " + count + " nodes at once in compute environment " +
                       room.environment->name + nearness_text(room);
    text += ": " + std::to_string(room.placed) + " of " + count + " would find it now; " + each_text();
    if (room.empty > 0 && room.empty < ask_.runs.size())
      text += "; its connected machines hold " + std::to_string(room.empty) + " even when empty";
    return text;
  }

  World& world_;
  Kept& kept_;
  const Contender& contender_;
  bool claims_;
  GangAsk ask_;
  std::vector<ShapeNo> kinds_;  // of its nodes, each once
  std::vector<Site> rooms_;
};

}  // namespace

GangAsk gang_ask(const State& state, const Shape& gang, const QuotaVerdict& verdict) {
  GangAsk ask{.runs = {}, .nearness = gang.nearness};
  for (const ShapeNo run : gang.gang) ask.runs.push_back(narrowed(verdict, state.shape(run)));
  return ask;
}

GangSearch find_gang_places(World& world, Kept& kept, const Contender& contender) {
  return Search(world, kept, contender).run();
}

void keep_for_claim(World& world, Kept& kept, const Contender& contender) {
  Search(world, kept, contender).keep_for_claim();
}

}  // namespace stoker::core
