#include "core/schedule/preempt/gang_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/job/life.h"
#include "core/placement/devices.h"
#include "core/schedule/estimate.h"
#include "core/schedule/gang_place.h"
#include "core/schedule/kept.h"
#include "core/schedule/places.h"
#include "core/schedule/quota/uses.h"

namespace stoker::core {
namespace {

bool cuts_gpus(const Node& node) {
  return std::ranges::any_of(node.gpus, [](const NodeGpu& gpu) { return gpu.mig != MigMode::Off; });
}

class GangPlanner {
 public:
  GangPlanner(const World& world, Prospect& prospect, const Contender& contender)
      : world_(world),
        prospect_(prospect),
        contender_(contender),
        shares_(prospect.shares()),
        share_(shares_.at(contender.group.share)) {}

  std::optional<PreemptionPlan> plan() {
    for (const std::string& environment : contender_.turn.environments) {
      if (!world_.state.environments.at(environment).enabled) continue;
      if (auto plan = plan_in(environment)) return plan;
    }
    return std::nullopt;
  }

 private:
  using Nodes = std::vector<const Node*>;
  using Needs = std::vector<PlacedNeeds>;

  [[nodiscard]] const Job& job(JobNo no) const { return *world_.state.jobs.find(no); }
  [[nodiscard]] const Attempt& attempt(JobNo no) const { return job(no).extra->attempts.back(); }

  std::optional<PreemptionPlan> plan_in(const std::string& environment) {
    const std::vector<JobNo> victims = look_at(environment);
    if (victims.empty() || places_on(nodes_)) return std::nullopt;
    // 1. As few of the first of those who may be stopped as do.
    std::size_t gone = 0;
    const auto stop_first = [&](std::size_t count) {
      while (gone < count) stop(victims[gone++]);
      while (gone > count) leave(victims[--gone]);
    };
    std::size_t too_few = 0, enough = victims.size();
    stop_first(enough);
    if (!places_on(nodes_)) return std::nullopt;
    while (too_few + 1 < enough) {
      const std::size_t middle = too_few + (enough - too_few) / 2;
      stop_first(middle);
      (places_on(nodes_) ? enough : too_few) = middle;
    }
    stop_first(enough);
    const std::optional<GangChoice> choice = places_on(nodes_);
    if (!choice) return std::nullopt;
    // 2. None that is not needed for its places.
    std::set<std::string> names;
    for (const GangPlace& place : choice->places) names.insert(place.node);
    Nodes used;
    for (const Node* node : nodes_)
      if (names.contains(node->name)) used.push_back(node);
    const std::vector<JobNo> first(victims.begin(), victims.begin() + static_cast<std::ptrdiff_t>(enough));
    std::vector<JobNo> needed = leave_unneeded(first, *choice);
    // 3. With less room places are found in another way, and then perhaps not for all.
    if (!places_on(used)) {
      needed = stop_where_used(first, {needed.begin(), needed.end()}, names);
      if (!places_on(used)) return std::nullopt;
    }
    return PreemptionPlan{.node = "",
                          .victims = needed,
                          .environment = environment,
                          .keep = keep(used, {needed.begin(), needed.end()})};
  }

  // Those who may be stopped, in the order in which they are taken, each with a ground as the books are when
  // those before it are gone: on nodes of the environment, and where they free quota of the share. The books
  // and copies of the nodes as they will be when what is being stopped has ended.
  std::vector<JobNo> look_at(const std::string& environment) {
    book_ = prospect_.view().book;
    nodes_.clear();
    copies_.clear();
    copy_of_.clear();
    std::set<std::string> names;
    // None where another waits for room, or it is being made for another.
    for (const Node* node : open_nodes(world_, environment)) {
      if (node->hold.job || is_kept_for_another(world_, *node, contender_.job)) continue;
      nodes_.push_back(node);
      names.insert(node->name);
    }
    std::vector<JobNo> victims;
    std::set<std::string> change;
    const Resources& needs = contender_.shape.resources;
    const bool owns = may_start(prospect_.view(), share_.name, needs, false, QuotaRight::Own).ok;
    QuotaBook book = book_;
    for (const auto& one : prospect_.candidates(share_, contender_.group.priority, owns).victims) {
      const Job& run = job(one.job);
      const std::string& node = attempt(one.job).node;
      if (!names.contains(node) && run.spec->share != share_.name) continue;
      if (!has_ground({shares_, book}, share_, run)) continue;
      book.remove(*run.spec, attempt(one.job).quota);
      victims.push_back(one.job);
      change.insert(node);
    }
    if (!victims.empty()) copy_nodes(change);
    return victims;
  }

  // Those that will differ.
  void copy_nodes(const std::set<std::string>& change) {
    copies_.reserve(nodes_.size());
    for (const Node*& node : nodes_) {
      if (!change.contains(node->name) &&
          std::ranges::none_of(node->runs, [&](JobNo no) { return is_being_stopped(job(no)); }))
        continue;
      Node& copy = copies_.emplace_back(ahead(world_.state, *node));
      copy_of_.emplace(copy.name, &copy);
      node = &copy;
    }
  }

  void stop(JobNo no) {
    book_.remove(*job(no).spec, attempt(no).quota);
    if (const auto node = copy_of_.find(attempt(no).node); node != copy_of_.end())
      give_back(*node->second, no, job(no).spec->container.resources);
  }
  void leave(JobNo no) {
    book_.add(*job(no).spec, attempt(no).quota);
    if (const auto node = copy_of_.find(attempt(no).node); node != copy_of_.end())
      take(*node->second, no, job(no).spec->container.resources, attempt(no).gpus);
  }

  // Where its nodes would be as things are then, if there is room for all of them, and quota.
  std::optional<GangChoice> places_on(const Nodes& nodes) {
    const QuotaVerdict verdict = may_start({shares_, book_}, share_.name, contender_.shape.resources,
                                           may_borrow(), QuotaRight::Borrow);
    if (!verdict.ok) return std::nullopt;
    ask_ = gang_ask(world_.state, contender_.shape, verdict);
    GangChoice choice = choose_gang(nodes, ask_, world_.settings.placement, world_.workload);
    if (!choice.whole() || !has_quota(needs_of(choice))) return std::nullopt;
    return choice;
  }

  // What its nodes would take of the share; those that count as the same, together.
  [[nodiscard]] Needs needs_of(const GangChoice& choice) const {
    std::map<std::tuple<std::string, std::string>, PlacedNeeds> by_use;
    const std::span<const Job> runs = job(contender_.job).children();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const GangPlace& place = choice.places[i];
      const Resources& resources = runs[i].spec->container.resources;
      const QuotaUse use = quota_use(world_.state.nodes.at(place.node), resources, place.gpus);
      PlacedNeeds& needs = by_use[{use.gpu_model, use.instance_type}];
      needs.resources += resources;
      const std::int64_t parts = needs.use.instance_milli + use.instance_milli;
      needs.use = use;
      needs.use.instance_milli = parts;
    }
    Needs needs;
    for (const auto& [use, sum] : by_use) needs.push_back(sum);
    return needs;
  }

  [[nodiscard]] bool may_borrow() const { return !contender_.group.stays; }
  [[nodiscard]] bool has_quota(const Needs& needs) const {
    const QuotaView view{shares_, book_};
    return may_start(view, share_.name, contender_.shape.resources, may_borrow(), QuotaRight::Borrow).ok &&
           has_room(view, share_.name, needs, may_borrow(), QuotaRight::Borrow);
  }

  // Whether those of its nodes still have room there.
  [[nodiscard]] bool holds(const Node& node, const GangAsk& part) const {
    Resources needs;
    for (const Shape& run : part.runs) needs += run.resources;
    const Resources free = node.total - node.used;
    if (needs.cpus_milli > free.cpus_milli || needs.memory_mib > free.memory_mib ||
        (!cuts_gpus(node) && needs.all_gpu_milli() > free.all_gpu_milli()))
      return false;
    const Node* only = &node;
    return choose_gang({&only, 1}, part, world_.settings.placement, world_.workload).whole();
  }

  // The last first. What one leaves is looked at on its node alone.
  std::vector<JobNo> leave_unneeded(const std::vector<JobNo>& victims, const GangChoice& choice) {
    std::map<std::string, GangAsk> parts;
    for (std::size_t i = 0; i < ask_.runs.size(); ++i) {
      GangAsk& part = parts[choice.places[i].node];
      part.nearness = Nearness::Node;
      part.runs.push_back(ask_.runs[i]);
    }
    const Needs needs = needs_of(choice);
    std::vector<JobNo> needed;
    for (std::size_t i = victims.size(); i-- > 0;) {
      leave(victims[i]);
      const auto part = parts.find(attempt(victims[i]).node);
      if ((part == parts.end() || holds(*copy_of_.at(part->first), part->second)) && has_quota(needs))
        continue;
      stop(victims[i]);
      needed.push_back(victims[i]);
    }
    std::ranges::reverse(needed);
    return needed;
  }

  std::vector<JobNo> stop_where_used(const std::vector<JobNo>& victims, const std::set<JobNo>& stopped,
                                     const std::set<std::string>& used) {
    std::vector<JobNo> all;
    for (const JobNo no : victims) {
      if (!stopped.contains(no)) {
        if (!used.contains(attempt(no).node)) continue;
        stop(no);
      }
      all.push_back(no);
    }
    return all;
  }

  [[nodiscard]] KeptPlace keep(const Nodes& used, const std::set<JobNo>& victims) const {
    KeptPlace kept;
    for (const Node* copy : used) {
      const Node& node = world_.state.nodes.at(copy->name);
      kept.nodes.insert(node.name);
      for (const auto& run : runs_of(world_, node))
        if (is_being_stopped(job(run.first)) || victims.contains(run.first)) kept.in_the_way.push_back(run);
    }
    std::ranges::sort(kept.in_the_way);
    return kept;
  }

  const World& world_;
  Prospect& prospect_;
  const Contender& contender_;
  const QuotaShares& shares_;
  const QuotaShare& share_;
  // As they would be.
  QuotaBook book_;
  Nodes nodes_;
  std::vector<Node> copies_;
  std::map<std::string, Node*> copy_of_;
  GangAsk ask_;  // what was asked of them last
};

}  // namespace

std::optional<PreemptionPlan> plan_gang_preemption(const World& world, Prospect& prospect,
                                                   const Contender& contender) {
  return GangPlanner(world, prospect, contender).plan();
}

}  // namespace stoker::core
