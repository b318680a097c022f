#include "core/schedule/preempt/prospect.h"

#include <algorithm>
#include <set>

#include "core/job/life.h"
#include "core/placement/devices.h"
#include "core/schedule/preempt/plan.h"

namespace stoker::core {
namespace {

// Of MIG nodes the GPUs may not be among the resources of the node; the slices are.
Resources most_of(const Node& node) {
  Resources total = node.total;
  total.gpus = std::max(total.gpus, static_cast<std::int64_t>(node.gpus.size()));
  return total;
}

// Of a node, its multi-node job.
const Job& whole(const State& state, const Job& run) {
  return run.is_node() ? state.jobs.parent_of(run) : run;
}

Resources greatest(const Resources& a, const Resources& b) {
  return {.cpus_milli = std::max(a.cpus_milli, b.cpus_milli),
          .memory_mib = std::max(a.memory_mib, b.memory_mib),
          .gpus = 0,
          .gpu_milli = std::max(a.all_gpu_milli(), b.all_gpu_milli())};
}

}  // namespace

Prospect::Prospect(const State& state, const JobQueue& queue, Instant now)
    : state_(state), shares_(state.quota_shares.at(queue.no)) {
  if (const auto book = state.quota_books.find(queue.no); book != state.quota_books.end())
    book_ = book->second;
  std::set<std::string> environments;
  for (const std::string& name : queue.environments)
    if (state.environments.at(name).enabled) environments.insert(name);
  for (const auto& [name, node] : state.nodes) {
    std::uint32_t site = Candidate::kNoSite;
    if (node.open() && environments.contains(node.environment)) {
      site = static_cast<std::uint32_t>(sites_.size());
      sites_.push_back({&node, most_of(node) - node.used});
    }
    for (const JobNo no : node.runs) {
      const Job& run = *state.jobs.find(no);
      if (is_being_stopped(run)) {
        leaves(run, site);
        if (run.queue == queue.no && !run.spec->share.empty())
          book_.remove(*run.spec, run.extra->attempts.back().quota);
      } else if (run.queue == queue.no && !run.spec->share.empty() && is_preemptible(whole(state, run))) {
        by_share_[run.spec->share].push_back({victim_of(run, now), site});
      }
    }
  }
  for (auto& [share, runs] : by_share_) std::ranges::sort(runs, goes_before);
  for (const auto& [no, claim] : state.claims)
    if (const Job& claimer = *state.jobs.find(no); claimer.queue == queue.no) book_.add(*claimer.spec, {});
}

void Prospect::leaves(const Job& run, std::uint32_t site) {
  if (site != Candidate::kNoSite) sites_[site].free += run.spec->container.resources;
}

const Prospect::Candidates& Prospect::candidates(const QuotaShare& share, int priority, bool owns) {
  std::size_t inside = 0;
  if (const auto own = by_share_.find(share.name); share.preempts_inside && own != by_share_.end()) {
    const auto end = std::ranges::partition_point(
        own->second, [&](const Candidate& one) { return one.priority < priority; });
    inside = static_cast<std::size_t>(end - own->second.begin());
  }
  Grounds grounds(share.name, inside, owns);
  const auto known = made_.find(grounds);
  if (known != made_.end()) return known->second;
  Candidates made = make_candidates(grounds);
  return made_.emplace(std::move(grounds), std::move(made)).first->second;
}

Prospect::Candidates Prospect::make_candidates(const Grounds& grounds) const {
  const auto& [name, inside, owns] = grounds;
  Candidates made;
  for (const auto& [share, runs] : by_share_) {
    if (share == name) {
      made.victims.insert(made.victims.end(), runs.begin(),
                          runs.begin() + static_cast<std::ptrdiff_t>(inside));
    } else if (const auto theirs = shares_.find(share);
               owns && theirs != shares_.end() && is_over(view(), theirs->second)) {
      made.victims.insert(made.victims.end(), runs.begin(), runs.end());
    }
  }
  if (made.victims.empty()) return made;
  std::ranges::sort(made.victims, goes_before);
  made.on_site.resize(sites_.size());
  for (const Site& site : sites_) made.most_free.push_back(site.free);
  made.book = book_;
  for (std::uint32_t i = 0; i < made.victims.size(); ++i) {
    const Candidate& one = made.victims[i];
    const Job& job = *state_.jobs.find(one.job);
    made.book.remove(*job.spec, job.extra->attempts.back().quota);
    if (one.site == Candidate::kNoSite) continue;
    made.on_site[one.site].push_back(i);
    made.most_free[one.site] += job.spec->container.resources;
  }
  for (std::size_t i = 0; i < sites_.size(); ++i)
    if (!made.on_site[i].empty())
      made.most_free_anywhere = greatest(made.most_free_anywhere, made.most_free[i]);
  return made;
}

void Prospect::note(const Job& job, const PreemptionPlan& plan) {
  made_.clear();
  for (const JobNo no : plan.victims) {
    const Job& victim = *state_.jobs.find(no);
    auto& runs = by_share_.at(victim.spec->share);
    const auto at = std::ranges::find(runs, no, &Candidate::job);
    leaves(victim, at->site);
    runs.erase(at);
    book_.remove(*victim.spec, victim.extra->attempts.back().quota);
  }
  book_.add(*job.spec, {});
}

bool has_ground(const QuotaView& view, const QuotaShare& share, const Job& candidate) {
  const std::string& theirs = candidate.spec->share;
  return theirs == share.name || is_over(view, view.shares.at(theirs));
}

Node ahead(const State& state, const Node& node) {
  Node later = node;
  for (const JobNo no : node.runs)
    if (const Job& run = *state.jobs.find(no); is_being_stopped(run))
      give_back(later, no, run.spec->container.resources);
  return later;
}

}  // namespace stoker::core
