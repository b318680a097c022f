#include "core/schedule/preempt/plan.h"

#include <algorithm>

#include "core/placement/devices.h"
#include "core/placement/gpu_model.h"
#include "core/schedule/fit.h"
#include "core/schedule/kept.h"
#include "core/schedule/quota/uses.h"

namespace stoker::core {
namespace {

// Less than that is certainly not enough. Slices of a GPU are rounded up, so that the sum of those that are
// used may be a little more than the GPU.
bool may_cover(const Resources& free, const Resources& needs) {
  constexpr std::int64_t kRounding = Resources::kGpuMilli - 1;
  return needs.cpus_milli <= free.cpus_milli && needs.memory_mib <= free.memory_mib &&
         needs.all_gpu_milli() <= free.all_gpu_milli() + kRounding;
}

class Planner {
 public:
  Planner(const World& world, Prospect& prospect, const Job& job)
      : world_(world),
        prospect_(prospect),
        state_(world.state),
        job_(job),
        needs_(job.spec->container.resources),
        shares_(prospect.shares()),
        share_(shares_.at(job.spec->share)),
        shape_(state_.shape(job.spec->shape)),
        may_borrow_(is_preemptible(job)),
        owns_(may_start(prospect.view(), share_.name, needs_, false, QuotaRight::Own).ok),
        candidates_(prospect.candidates(share_, job.spec->scheduling_priority, owns_)) {}

  std::optional<PreemptionPlan> plan() {
    // 1. Whether it could start if all were stopped that could be.
    if (candidates_.victims.empty()) return std::nullopt;
    if (!may_start({shares_, candidates_.book}, share_.name, needs_, may_borrow_, QuotaRight::Borrow).ok)
      return std::nullopt;
    // 2. Where the job fits already, its share alone has to give.
    std::optional<Choice> best;
    for (std::uint32_t i = 0; i < prospect_.sites().size(); ++i) {
      const Prospect::Site& site = prospect_.sites()[i];
      if (!may_cover(site.free, needs_) || !is_target(*site.node) || !fit_node(*site.node, shape_).fits())
        continue;
      best = choose(i, Room::IsThere);
      break;
    }
    // 3. Else the node on which stopping costs least.
    if (!best && may_cover(candidates_.most_free_anywhere, needs_))
      for (std::uint32_t i = 0; i < prospect_.sites().size(); ++i) {
        if (candidates_.on_site[i].empty() || !may_cover(candidates_.most_free[i], needs_) ||
            !is_target(*prospect_.sites()[i].node))
          continue;
        auto choice = choose(i, Room::IsMade);
        if (choice && (!best || choice->cost < best->cost)) best = std::move(choice);
      }
    if (!best) return std::nullopt;
    return PreemptionPlan{.node = best->node, .victims = best->victims};
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

  [[nodiscard]] bool is_target(const Node& node) const {
    return !node.hold.job && !is_kept_for_another(world_, node, job_.no) && fit_node(node, shape_).ever == 0;
  }

  [[nodiscard]] QuotaUse use_on(const Node& node) const {
    const auto wanted = std::ranges::find_if(node.gpus, [&](const NodeGpu& gpu) {
      return shape_.gpu.models.empty() ||
             std::ranges::any_of(shape_.gpu.models,
                                 [&](const std::string& wish) { return is_model(gpu.model, wish); });
    });
    std::vector<std::string> devices;
    if (shape_.resources.all_gpu_milli() > 0 && wanted != node.gpus.end()) devices.push_back(wanted->uuid);
    return quota_use(node, needs_, devices);
  }

  [[nodiscard]] bool quota_allows(const Books& books) const {
    const QuotaView view{shares_, books.quota};
    const auto verdict = may_start(view, share_.name, needs_, may_borrow_, QuotaRight::Borrow);
    if (!verdict.ok) return false;
    const QuotaUse use = use_on(books.node);
    if (!verdict.gpu_models.empty() && std::ranges::none_of(verdict.gpu_models, [&](const auto& wish) {
          return is_model(use.gpu_model, wish);
        }))
      return false;
    return has_room(view, share_.name, needs_, use, may_borrow_, QuotaRight::Borrow);
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
  std::optional<Choice> choose(std::uint32_t site, Room room) const {
    const Node& node = *prospect_.sites()[site].node;
    Books books{ahead(state_, node), prospect_.view().book};
    std::vector<const Victim*> chosen;
    const auto take_victim = [&](const Victim& victim) {
      stop(victim, books);
      chosen.push_back(&victim);
    };
    // Room on the node,
    if (room == Room::IsMade)
      for (const std::uint32_t i : candidates_.on_site[site]) {
        if (fit_node(books.node, shape_).fits()) break;
        const Victim& victim = candidates_.victims[i];
        if (has_ground({shares_, books.quota}, share_, job_of(victim))) take_victim(victim);
      }
    // and quota, which only jobs of its own share free: on any node.
    for (const Victim& victim : candidates_.victims) {
      if (job_of(victim).spec->share != share_.name || std::ranges::find(chosen, &victim) != chosen.end())
        continue;
      if (quota_allows(books)) break;
      take_victim(victim);
    }
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

  const World& world_;
  const Prospect& prospect_;
  const State& state_;
  const Job& job_;
  const Resources& needs_;
  const QuotaShares& shares_;
  const QuotaShare& share_;
  const Shape& shape_;
  bool may_borrow_;
  bool owns_;  // it would be within the limits of its share
  const Prospect::Candidates& candidates_;
};

}  // namespace

std::optional<PreemptionPlan> plan_preemption(const World& world, Prospect& prospect, const Job& job) {
  return Planner(world, prospect, job).plan();
}

}  // namespace stoker::core
