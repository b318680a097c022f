#include "core/schedule/preempt/gang_plan.h"

#include <algorithm>
#include <set>

#include "core/job/life.h"
#include "core/placement/devices.h"
#include "core/schedule/estimate.h"
#include "core/schedule/gang_place.h"
#include "core/schedule/quota/uses.h"

namespace stoker::core {
namespace {

class GangPlanner {
 public:
  GangPlanner(World& world, Prospect& prospect, const Contender& contender)
      : world_(world),
        prospect_(prospect),
        contender_(contender),
        shares_(prospect.shares()),
        share_(shares_.at(contender.group.share)),
        ask_(gang_ask(world, contender)) {}

  std::optional<GangPlan> plan() {
    for (const std::string& environment : contender_.turn.environments) {
      const auto kept = world_.kept_nodes.find(environment);
      if (kept == world_.kept_nodes.end() || kept->second.job != contender_.job) continue;
      if (auto plan = plan_in(environment)) return plan;
    }
    return std::nullopt;
  }

 private:
  using Nodes = std::vector<const Node*>;

  [[nodiscard]] const Job& job(JobNo no) const { return *world_.state.jobs.find(no); }

  std::optional<GangPlan> plan_in(const std::string& environment) {
    const Nodes all = nodes_of(environment);
    going_.clear();
    for (const Node* node : all)
      for (const JobNo no : node->runs)
        if (is_being_stopped(job(no))) going_.insert(no);
    // 1. As few of the first of those who may be stopped as do.
    std::vector<JobNo> victims = takeable(all);
    if (victims.empty() || !places(victims, all) || places({}, all)) return std::nullopt;
    std::size_t enough = victims.size();
    for (std::size_t less = 0; less < enough;) {
      const std::size_t middle = (less + enough) / 2;
      if (places({victims.begin(), victims.begin() + static_cast<std::ptrdiff_t>(middle)}, all))
        enough = middle;
      else
        less = middle + 1;
    }
    victims.resize(enough);
    // 2. Only where its nodes would be, but for quota of its own share; and none that is not needed.
    Nodes used;
    const GangChoice choice = *places(victims, all);
    for (const Node* node : all)
      if (std::ranges::find(choice.places, node->name, &GangPlace::node) != choice.places.end())
        used.push_back(node);
    std::erase_if(victims, [&](JobNo no) {
      return job(no).spec->share != share_.name && std::ranges::none_of(used, [&](const Node* node) {
               return node->name == job(no).extra->attempts.back().node;
             });
    });
    if (!places(victims, used)) return std::nullopt;
    for (std::size_t i = victims.size(); i-- > 0;) {
      std::vector<JobNo> fewer = victims;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (places(fewer, used)) victims = std::move(fewer);
    }
    // 3. When it starts, places are looked for among all machines: more choice can mean other places.
    if (victims.empty() || !places(victims, all)) return std::nullopt;
    GangPlan plan{.stop = {.node = "", .victims = victims}, .environment = environment, .keep = {}};
    plan.keep.job = contender_.job;
    for (const Node* node : used) {
      plan.keep.nodes.push_back(node->name);
      for (const auto& run : runs_of(world_, *node))
        if (going_.contains(run.first) || std::ranges::find(victims, run.first) != victims.end())
          plan.keep.in_the_way.push_back(run);
    }
    std::ranges::sort(plan.keep.in_the_way);
    return plan;
  }

  // None where room is being made for another.
  [[nodiscard]] Nodes nodes_of(const std::string& environment) const {
    Nodes nodes;
    for (const auto& [name, node] : world_.state.nodes)
      if (node.environment == environment && node.open() && !node.hold.job) nodes.push_back(&node);
    return nodes;
  }

  // In the order in which they are taken, each with a ground as the books are when those before it are gone.
  std::vector<JobNo> takeable(const Nodes& nodes) {
    std::set<std::string> names;
    for (const Node* node : nodes) names.insert(node->name);
    const Resources& needs = contender_.shape.resources;
    const bool owns = may_start(prospect_.view(), share_.name, needs, false, QuotaRight::Own).ok;
    QuotaBook book = prospect_.view().book;
    std::vector<JobNo> victims;
    for (const auto& one : prospect_.candidates(share_, contender_.group.priority, owns).victims) {
      const Job& run = job(one.job);
      const Attempt& attempt = run.extra->attempts.back();
      if (!names.contains(attempt.node)) continue;
      if (run.spec->share != share_.name && !is_over({shares_, book}, shares_.at(run.spec->share))) continue;
      book.remove(*run.spec, attempt.quota);
      victims.push_back(one.job);
    }
    return victims;
  }

  // Where its nodes would be when those have ended, if there is room for all of them, and quota.
  [[nodiscard]] std::optional<GangChoice> places(const std::vector<JobNo>& victims,
                                                 const Nodes& among) const {
    QuotaBook book = prospect_.view().book;
    std::set<JobNo> gone = going_;
    for (const JobNo no : victims) {
      gone.insert(no);
      book.remove(*job(no).spec, job(no).extra->attempts.back().quota);
    }
    const bool may_borrow = !contender_.group.stays;
    const QuotaView view{shares_, book};
    if (!may_start(view, share_.name, contender_.shape.resources, may_borrow, QuotaRight::Borrow).ok)
      return std::nullopt;
    std::vector<Node> later;
    later.reserve(among.size());
    Nodes nodes;
    for (const Node* node : among) {
      if (std::ranges::none_of(node->runs, [&](JobNo no) { return gone.contains(no); })) {
        nodes.push_back(node);
        continue;
      }
      Node& copy = later.emplace_back(*node);
      for (const JobNo no : node->runs)
        if (gone.contains(no)) give_back(copy, no, job(no).spec->container.resources);
      nodes.push_back(&copy);
    }
    GangChoice choice = choose_gang(nodes, ask_, world_.settings.placement, world_.workload);
    if (!choice.whole()) return std::nullopt;
    const std::span<const Job> runs = job(contender_.job).children();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const GangPlace& place = choice.places[i];
      const Resources& needs = runs[i].spec->container.resources;
      const QuotaUse use = quota_use(world_.state.nodes.at(place.node), needs, place.gpus);
      if (!has_room(view, share_.name, needs, use, may_borrow, QuotaRight::Borrow)) return std::nullopt;
      book.add(*runs[i].spec, use);
    }
    return choice;
  }

  World& world_;
  Prospect& prospect_;
  const Contender& contender_;
  const QuotaShares& shares_;
  const QuotaShare& share_;
  GangAsk ask_;
  std::set<JobNo> going_;  // runs of the environment that are being stopped already
};

}  // namespace

std::optional<GangPlan> plan_gang_preemption(World& world, Prospect& prospect, const Contender& contender) {
  return GangPlanner(world, prospect, contender).plan();
}

}  // namespace stoker::core
