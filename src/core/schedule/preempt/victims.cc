#include "core/schedule/preempt/victims.h"

#include <algorithm>
#include <set>

#include "core/job/life.h"
#include "core/placement/devices.h"
#include "core/placement/gpu_model.h"
#include "core/schedule/fit.h"
#include "core/schedule/preempt/claims.h"
#include "core/schedule/quota/rights.h"
#include "core/schedule/quota/uses.h"

namespace stoker::core {
namespace {

class Planner {
 public:
  Planner(const State& state, const Job& job, const std::set<std::string>& kept, Instant now)
      : state_(state),
        job_(job),
        kept_(kept),
        now_(now),
        queue_(state.queues.at(job.queue)),
        shares_(state.quota_shares.at(job.queue)),
        share_(shares_.at(job.spec->share)),
        shape_(state.shape(job.spec->shape)),
        may_borrow_(is_preemptible(job)) {}

  std::optional<PreemptionPlan> plan() {
    // 1. Who could be stopped at all, as the books will be when everything under way is done.
    for (const std::string& name : queue_.environments)
      if (state_.environments.at(name).enabled) environments_.insert(name);
    look_ahead();
    for (const auto& [name, node] : state_.nodes)
      for (const JobNo no : node.runs) consider(*state_.jobs.find(no));
    if (victims_.empty()) return std::nullopt;
    std::ranges::sort(victims_, goes_before);
    // 2. Where the job fits already, its share alone has to give.
    std::optional<Choice> best;
    for (const auto& [name, node] : state_.nodes)
      if (is_target(node) && fit_node(node, shape_).fits()) {
        best = choose(node, Room::IsThere);
        break;
      }
    // 3. Else the node on which stopping costs least.
    if (!best)
      for (const auto& [name, node] : state_.nodes) {
        if (!victim_nodes_.contains(name) || !is_target(node)) continue;
        auto choice = choose(node, Room::IsMade);
        if (choice && (!best || choice->cost < best->cost)) best = std::move(choice);
      }
    if (!best) return std::nullopt;
    return PreemptionPlan{best->node, best->victims};
  }

 private:
  enum class Room : std::uint8_t { IsThere, IsMade };
  struct Cost {
    int priority = 0;  // the highest that is stopped
    Duration lost;
    std::size_t jobs = 0;
    auto operator<=>(const Cost&) const = default;
  };
  struct Choice {
    std::string node;
    std::vector<JobNo> victims;
    Cost cost;
  };
  // The books as they would be.
  struct Books {
    Node node;
    QuotaBook quota;
  };

  [[nodiscard]] const Job& job_of(const Victim& victim) const { return *state_.jobs.find(victim.job); }

  // What is being stopped is gone, and for whom that is done has started.
  void look_ahead() {
    if (const auto found = state_.quota_books.find(job_.queue); found != state_.quota_books.end())
      book_ = found->second;
    for (const auto& [name, node] : state_.nodes)
      for (const JobNo no : node.runs)
        if (const Job& run = *state_.jobs.find(no);
            run.queue == job_.queue && !run.spec->share.empty() && is_being_stopped(run))
          book_.remove(*run.spec, run.extra->attempts.back().quota);
    for (const auto& [no, claim] : state_.claims)
      if (const Job& claimer = *state_.jobs.find(no); claimer.queue == job_.queue)
        book_.add(*claimer.spec, {});
    owns_ =
        may_start({shares_, book_}, share_.name, job_.spec->container.resources, false, QuotaRight::Own).ok;
  }
  // The node as it will be.
  [[nodiscard]] Node ahead(const Node& node) const {
    Node later = node;
    for (const JobNo no : node.runs)
      if (const Job& run = *state_.jobs.find(no); is_being_stopped(run))
        give_back(later, no, run.spec->container.resources);
    return later;
  }

  // Of a node, its multi-node job.
  [[nodiscard]] const Job& whole(const Job& run) const {
    return run.is_node() ? state_.jobs.parent_of(run) : run;
  }

  void consider(const Job& other) {
    if (other.queue != job_.queue || other.spec->share.empty() || is_being_stopped(other) ||
        !is_preemptible(whole(other)) || !may_take_from(other, book_))
      return;
    victims_.push_back({.job = other.no,
                        .priority = other.spec->scheduling_priority,
                        .lost = lost_work(other, now_),
                        .since = other.extra->attempts.back().placed_at});
    victim_nodes_.insert(other.extra->attempts.back().node);
  }

  // The ground on which this job may stop that one, as the books are.
  [[nodiscard]] bool may_take_from(const Job& other, const QuotaBook& book) const {
    if (other.spec->share == share_.name)
      return share_.preempts_inside && other.spec->scheduling_priority < job_.spec->scheduling_priority;
    const auto theirs = shares_.find(other.spec->share);
    return owns_ && theirs != shares_.end() && is_over({shares_, book}, theirs->second);
  }

  [[nodiscard]] bool is_target(const Node& node) const {
    return node.open() && !node.hold.job && environments_.contains(node.environment) &&
           !kept_.contains(node.name) && fit_node(node, shape_).ever == 0;
  }

  [[nodiscard]] QuotaUse use_on(const Node& node) const {
    const auto wanted = std::ranges::find_if(node.gpus, [&](const NodeGpu& gpu) {
      return shape_.gpu.models.empty() ||
             std::ranges::any_of(shape_.gpu.models,
                                 [&](const std::string& wish) { return is_model(gpu.model, wish); });
    });
    std::vector<std::string> devices;
    if (shape_.resources.all_gpu_milli() > 0 && wanted != node.gpus.end()) devices.push_back(wanted->uuid);
    return quota_use(node, job_.spec->container.resources, devices);
  }

  [[nodiscard]] bool quota_allows(const Books& books) const {
    const ContainerSpec& container = job_.spec->container;
    const QuotaView view{shares_, books.quota};
    const auto verdict = may_start(view, share_.name, container.resources, may_borrow_, QuotaRight::Borrow);
    if (!verdict.ok) return false;
    const QuotaUse use = use_on(books.node);
    if (!verdict.gpu_models.empty() && std::ranges::none_of(verdict.gpu_models, [&](const auto& wish) {
          return is_model(use.gpu_model, wish);
        }))
      return false;
    return has_room(view, share_.name, container.resources, use, may_borrow_, QuotaRight::Borrow);
  }
  [[nodiscard]] bool starts(const Books& books) const {
    return fit_node(books.node, shape_).fits() && quota_allows(books);
  }

  void stop(const Victim& victim, Books& books) const {
    const Job& job = job_of(victim);
    const Attempt& attempt = job.extra->attempts.back();
    books.quota.remove(*job.spec, attempt.quota);
    if (attempt.node == books.node.name) give_back(books.node, job.no, job.spec->container.resources);
  }
  void leave(const Victim& victim, Books& books) const {
    const Job& job = job_of(victim);
    const Attempt& attempt = job.extra->attempts.back();
    books.quota.add(*job.spec, attempt.quota);
    if (attempt.node == books.node.name)
      take(books.node, job.no, job.spec->container.resources, attempt.gpus);
  }

  // Takes victims until the job would start there, then leaves those that were not needed.
  std::optional<Choice> choose(const Node& node, Room room) const {
    Books books{ahead(node), book_};
    std::vector<const Victim*> chosen;
    const auto take_from = [&](bool on_this_node) {
      for (const Victim& victim : victims_) {
        if (on_this_node ? fit_node(books.node, shape_).fits() : quota_allows(books)) return;
        const Job& job = job_of(victim);
        const bool here = job.extra->attempts.back().node == node.name;
        if (here != on_this_node && on_this_node) continue;
        if (std::ranges::find(chosen, &victim) != chosen.end() || !may_take_from(job, books.quota)) continue;
        if (!on_this_node && job.spec->share != share_.name) continue;  // frees no room here, and no quota
        stop(victim, books);
        chosen.push_back(&victim);
      }
    };
    if (room == Room::IsMade) take_from(true);
    take_from(false);
    if (!starts(books)) return std::nullopt;
    for (std::size_t i = chosen.size(); i-- > 0;) {
      leave(*chosen[i], books);
      if (starts(books))
        chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
      else
        stop(*chosen[i], books);
    }
    if (chosen.empty()) return std::nullopt;  // it would start as things are: another rule keeps it waiting
    Choice choice{.node = room == Room::IsMade ? node.name : "",
                  .victims = {},
                  .cost = {.priority = 0, .lost = {}, .jobs = chosen.size()}};
    for (const Victim* victim : chosen) {
      choice.victims.push_back(victim->job);
      choice.cost.priority = std::max(choice.cost.priority, victim->priority);
      choice.cost.lost.ms += victim->lost.ms;
    }
    return choice;
  }

  const State& state_;
  const Job& job_;
  const std::set<std::string>& kept_;
  Instant now_;
  const JobQueue& queue_;
  const QuotaShares& shares_;
  const QuotaShare& share_;
  QuotaBook book_;
  const Shape& shape_;
  bool may_borrow_;
  bool owns_ = false;                   // it would be within the limits of its share
  std::set<std::string> environments_;  // enabled ones of the queue
  std::vector<Victim> victims_;         // in the order in which they are taken
  std::set<std::string> victim_nodes_;
};

}  // namespace

bool goes_before(const Victim& a, const Victim& b) {
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.lost != b.lost) return a.lost < b.lost;
  return a.since != b.since ? a.since > b.since : a.job > b.job;
}

Duration lost_work(const Job& job, Instant now) {
  if (job.status != JobStatus::Running || now < job.started_at) return {};
  const Duration done = now - job.started_at;
  const Wishes& wishes = job.spec->wishes;
  if (wishes.checkpoint == Checkpoint::Signal) return {};
  if (wishes.checkpoint == Checkpoint::Periodic && wishes.checkpoint_every.ms > 0)
    return milliseconds(done.ms % wishes.checkpoint_every.ms);
  return done;
}

bool is_preemptible(const Job& job) {
  return job.spec->wishes.preemptible.value_or(true) && preemptions(job) < kPreemptionsMax;
}

std::optional<PreemptionPlan> plan_preemption(const State& state, const Job& job,
                                              const std::set<std::string>& kept, Instant now) {
  const auto shares = state.quota_shares.find(job.queue);
  if (shares == state.quota_shares.end() || !shares->second.contains(job.spec->share)) return std::nullopt;
  return Planner(state, job, kept, now).plan();
}

}  // namespace stoker::core
