#include "core/provision/dues.h"

#include <algorithm>

#include "core/fleet/keep/move.h"
#include "core/fleet/market/offers.h"
#include "core/provision/nodes.h"
#include "core/provision/progress.h"
#include "core/provision/snapshot.h"
#include "core/schedule/preempt/move.h"
#include "core/schedule/preempt/victims.h"

namespace stoker::core {
namespace {

class LookAtDues {
 public:
  LookAtDues(World& world, const fleet::FleetPolicy& policy, const fleet::FleetState& state, Instant now)
      : world_(world), policy_(policy), state_(state), now_(now) {}

  void look_at(const LaunchedNode& launched) {
    const auto node = world_.state.nodes.find(launched.name);
    if (!launched.ready_at || node == world_.state.nodes.end()) return;
    // Where its machine is to be left, the replacement is chosen by the same rule.
    if (launched.rebalance || launched.draining || launched.retired) return;
    const bool spot = launched.pool.market == fleet::Market::Spot;
    for (const JobNo no : node->second.runs) {
      const Job& job = *world_.state.jobs.find(no);
      const auto due = due_of(job);
      if (!due || !job.started_at) continue;
      if (spot)
        look_at_run_on_spot(job, *due);
      else if (node->second.runs.size() == 1)  // alone: its machine goes when it goes
        look_at_run_on_demand(job, *due, launched);
    }
  }

  DuesSeen take() { return std::move(out_); }

 private:
  [[nodiscard]] Duration cold() const { return policy_.cold.total(); }

  void look_at_run_on_spot(const Job& job, const fleet::Due& due) {
    fleet::DueRun run{.on = fleet::Ground::Spot};
    run.worked = std::max(now_ - job.started_at, Duration{});
    if (moves_keeping_work(job) && job.spec->wishes.spot == SpotUse::First)
      run.move = lost_work(job, now_) + policy_.cold.pull;
    const fleet::DeadlineTask task = task_of(due, policy_.run_guess, cold());
    const fleet::DueChoice chosen = choose_for(task, due, run, true, now_);
    out_.texts[due] = chosen.text;
    look_again_at(now_ + fleet::kDueTick);
    if (chosen.choice.on == fleet::Ground::OnDemand)
      ask(job, fleet::SpotWish::Never, task.work - due.done - run.worked);
  }

  // When it has been there for a while, costs less on spot, move included, and would have time enough there
  // for an interruption: as if it waited now.
  void look_at_run_on_demand(const Job& job, const fleet::Due& due, const LaunchedNode& launched) {
    if (!moves_keeping_work(job) || job.spec->wishes.spot != SpotUse::First) return;
    if (const Instant rested = job.started_at + fleet::kMoveRest; now_ < rested) return look_again_at(rested);
    look_again_at(now_ + fleet::kDueTick);
    const auto stopped = due_if_stopped(job, now_);
    const fleet::DeadlineTask task = task_of(*stopped, policy_.run_guess, cold());
    const Duration left = task.work - stopped->done;
    const fleet::DueChoice chosen = choose_for(task, *stopped, {}, true, now_);
    if (chosen.choice.on != fleet::Ground::Spot) return;
    const auto price = spot_price(job, left);
    if (!price || cost_of(*price, left + cold()) >= cost_of(launched.price, left - lost_work(job, now_)))
      return;
    out_.texts[due] = "back to " + chosen.text;
    ask(job, fleet::SpotWish::Only, left);
  }

  // The least that a machine for it costs an hour on spot now.
  [[nodiscard]] std::optional<Money> spot_price(const Job& job, Duration left) const {
    const auto offers = find_offers(world_.settings.launching->catalogue, policy_, state_,
                                    demand_of(job, fleet::SpotWish::Only, left), now_);
    std::optional<Money> least;
    for (const fleet::Offer& offer : offers.spot)
      if (!offer.parked && !offer.avoided && (!least || offer.price < *least)) least = offer.price;
    return least;
  }

  [[nodiscard]] fleet::Demand demand_of(const Job& job, fleet::SpotWish market, Duration left) const {
    fleet::Demand demand;
    demand.need = need_of(world_.state, world_.state.shape(job.spec->shape));
    demand.need.spot = market;
    demand.jobs = 1;
    demand.asker = job.no.value;
    demand.run = std::max(left, seconds(1));
    demand.reserves = false;  // it runs
    return demand;
  }
  void ask(const Job& job, fleet::SpotWish market, Duration left) {
    out_.asks.push_back({job.no, demand_of(job, market, left)});
  }
  void look_again_at(Instant at) {
    if (!out_.look_again || at < *out_.look_again) out_.look_again = at;
  }

  World& world_;
  const fleet::FleetPolicy& policy_;
  const fleet::FleetState& state_;
  Instant now_;
  DuesSeen out_;
};

}  // namespace

DuesSeen look_at_dues(World& world, const std::string& environment, const fleet::FleetPolicy& policy,
                      const fleet::FleetState& state, Instant now) {
  if (policy.market.use != fleet::SpotUse::First) return {};
  LookAtDues look(world, policy, state, now);
  for (const LaunchedNode* launched : machines_of(world, environment)) look.look_at(*launched);
  return look.take();
}

Shape shape_for_deadline(const State& state, const Job& job, const fleet::FleetPolicy& policy, Instant now) {
  Shape shape = state.shape(job.spec->shape);
  const auto due = due_if_stopped(job, now);
  if (!due || policy.market.use != fleet::SpotUse::First || shape.spot != SpotUse::First) return shape;
  const fleet::DeadlineTask task = task_of(*due, policy.run_guess, policy.cold.total());
  if (choose_for(task, *due, {}, true, now).choice.on == fleet::Ground::OnDemand) shape.spot = SpotUse::Never;
  return shape;
}

}  // namespace stoker::core
