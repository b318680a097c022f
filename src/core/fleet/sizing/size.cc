#include "core/fleet/sizing/size.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "core/fleet/demand/never.h"
#include "core/fleet/keep/consolidate.h"
#include "core/fleet/keep/exchange.h"
#include "core/fleet/keep/retire.h"
#include "core/fleet/market/offers.h"
#include "core/fleet/sizing/beyond_limits.h"
#include "core/fleet/sizing/mix.h"
#include "core/fleet/sizing/room_maker.h"
#include "core/fleet/sizing/spread.h"
#include "core/fleet/sizing/survey.h"

namespace stoker::fleet {
namespace {

// One planned machine, before equal ones are put together. The n-th is the survey's planned machine n.
struct Machine {
  Pool pool;
  LaunchReason reason;
  std::string text;
  std::uint64_t asker = 0;
};

// What one pass did not launch the next one does.
constexpr Duration kPassesApart = seconds(5);

void look_again_at(Plan& plan, Instant at) {
  if (!plan.look_again || at < *plan.look_again) plan.look_again = at;
}

// What the deadline rule says of runs that wait.
struct Verdict {
  std::optional<DeadlineChoice> deadline;
  SpotWish wish = SpotWish::First;  // of the demand as it came
  std::string text;
};

class Sizing {
 public:
  Sizing(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
         std::span<const Demand> demands, Instant now, Plan& plan)
      : catalogue_(catalogue),
        policy_(policy),
        state_(state),
        now_(now),
        plan_(plan),
        survey_(catalogue, policy, state, demands, now),
        mixer_(catalogue, policy.limits),
        spread_(catalogue, policy, survey_),
        room_(catalogue, policy, state, now) {}

  void serve(const Demand& demand, const Verdict& verdict, Fate& fate) {
    verdict_ = verdict;
    fate.due = verdict.text;
    if (verdict.deadline) look_again_at(plan_, now_ + kDueTick);
    // 1. What no type could hold is said so and launches nothing.
    if (auto never = never_runs(catalogue_, policy_.types, demand.need)) {
      hold(fate, demand.runs(), HoldKind::NeverFits, std::move(*never));
      return;
    }
    // 2. What is there or under way.
    const Taken taken = survey_.take(demand, demand.runs());
    fate.on_ready = taken.on_ready;
    fate.on_launching = taken.on_launching;
    std::int64_t left = demand.runs() - taken.on_ready - taken.on_launching;
    if (left == 0) return;
    // 3. What the limits could never hold, and who forbids.
    if (auto beyond = beyond_limits(catalogue_, policy_, demand))
      return hold(fate, left, HoldKind::BeyondLimits, std::move(*beyond));
    if (state_.budget.level >= BudgetLevel::StopLaunches)
      return hold(fate, left, HoldKind::Budget, state_.budget.text);
    if (!state_.enabled) return hold(fate, left, HoldKind::Disabled, "the environment is DISABLED");
    // 4. What the slots there are will get round to.
    const std::int64_t patient = runs_left_to_patience(demand, left);
    left -= patient;
    if (left > 0) left -= launch(demand, left, LaunchReason::Demand, fate);
    if (patient > 0 && fate.hold == HoldKind::None)
      hold(fate, patient, HoldKind::Patience, "the machines there are will get round to them",
           demand.waiting_since ? demand.waiting_since + policy_.patience_max : Instant{});
    else
      fate.held += patient;
  }

  // Machines until so many vCPUs are in service.
  void fill_to(std::int64_t vcpus, LaunchReason reason) {
    const std::int64_t missing = vcpus - survey_.vcpus_in_service();
    if (missing <= 0 || state_.budget.level >= BudgetLevel::StopLaunches) return;
    verdict_ = {};
    Fate fate;
    launch(demand_of_vcpus(missing), missing, reason, fate);
    if (fate.until) look_again_at(plan_, fate.until);
  }

  void keep_minimum_cheaply() {
    fill_to(policy_.limits.vcpus_min, LaunchReason::Minimum);
    const bool some_idle =
        std::ranges::any_of(state_.nodes, [](const FleetNode& node) { return !!node.idle_since; });
    if (policy_.limits.vcpus_min == 0 || !some_idle || state_.budget.level >= BudgetLevel::StopLaunches)
      return;
    verdict_ = {};
    Fate fate;
    auto usable = usable_for(demand_of_vcpus(1), 1, fate);
    if (!usable) return;
    Exchange exchange = exchange_dear(catalogue_, policy_, state_,
                                      {survey_, room_.leaving(), counted(), std::move(usable->offers)}, now_);
    if (exchange.look_again) look_again_at(plan_, *exchange.look_again);
    if (exchange.leaving.empty()) return;
    for (const auto& [node, why] : exchange.leaving) {
      survey_.leave(catalogue_, state_, node);
      room_.let_go(node, why);
    }
    fill_to(policy_.limits.vcpus_min, LaunchReason::Minimum);
  }

  [[nodiscard]] const Survey& survey() const { return survey_; }
  [[nodiscard]] const std::map<std::size_t, std::string>& leaving() const { return room_.leaving(); }

  // The planned machines, equal ones together.
  [[nodiscard]] std::vector<Launch> launches() const {
    std::vector<Launch> launches;
    for (std::size_t n = 0; n < machines_.size(); ++n) {
      const Machine& machine = machines_[n];
      Launch one{
          machine.pool,          1, machine.reason, machine.text, survey_.planned_runs(n), {machine.asker},
          survey_.planned_mig(n)};
      const auto same = [&](const Launch& launch) {
        return std::tie(launch.pool, launch.reason, launch.text, launch.runs, launch.mig) ==
               std::tie(one.pool, one.reason, one.text, one.runs, one.mig);
      };
      const auto found = std::ranges::find_if(launches, same);
      if (found == launches.end()) {
        launches.push_back(std::move(one));
        continue;
      }
      ++found->count;
      found->askers.push_back(machine.asker);
    }
    return launches;
  }

 private:
  void hold(Fate& fate, std::int64_t runs, HoldKind kind, std::string text, Instant until = {}) {
    fate.held += runs;
    fate.hold = kind;
    fate.text = std::move(text);
    fate.until = until;
    if (until > now_) look_again_at(plan_, until);
  }

  [[nodiscard]] Duration waited(const Demand& demand) const {
    return demand.waiting_since ? now_ - demand.waiting_since : Duration{};
  }

  // The most that may wait for the slots in service: with w waiting and s slots, n more slots are enough when
  // w - n <= K (s + n).
  [[nodiscard]] std::int64_t runs_left_to_patience(const Demand& demand, std::int64_t left) const {
    if (policy_.patience_milli <= 0 || demand.gang > 1 || waited(demand) >= policy_.patience_max) return 0;
    const std::int64_t slots = survey_.slots_in_all(catalogue_, demand.need);
    const Wide over = static_cast<Wide>(left) * 1000 - static_cast<Wide>(policy_.patience_milli) * slots;
    if (over <= 0) return left;
    const Wide each = 1000 + policy_.patience_milli;
    const auto launched = static_cast<std::int64_t>((over + each - 1) / each);
    return left - std::min(left, launched);
  }

  [[nodiscard]] CoverTerms terms(const Demand& demand) const {
    const Duration run = demand.run.ms > 0 ? demand.run : policy_.run_guess;
    return {policy_.cold.total() + run, policy_.cold.launch_fee};
  }

  [[nodiscard]] static Demand demand_of_vcpus(std::int64_t vcpus) {
    Demand demand;
    demand.need.cpus_milli = 1000;
    demand.jobs = vcpus;
    demand.run = days(1);  // they stay
    return demand;
  }

  struct Usable {
    std::vector<Offer> offers;  // some
    MarketRule rule;            // why of this market
  };
  // What could be launched now for them; nothing when they are held.
  std::optional<Usable> usable_for(const Demand& demand, std::int64_t runs, Fate& fate) {
    // 1. Which market.
    const Offers offers = find_offers(catalogue_, policy_, state_, demand, now_);
    MarketView view;
    view.wish = verdict_.wish;
    view.offer = offers.summary();
    view.on_demand_open = std::ranges::any_of(offers.on_demand, [](const Offer& one) { return !one.parked; });
    view.spot_failures = state_.pools.spot_failures(now_);
    view.waited = waited(demand);
    view.deadline = verdict_.deadline;
    const MarketChoice choice = choose_market(policy_.market, view);
    if (!choice.market) {
      hold_for_market(demand, offers, choice, runs, fate);
      return std::nullopt;
    }
    // 2. Which pools of it.
    std::vector<Offer> all = *choice.market == Market::Spot ? offers.spot : offers.on_demand;
    if (demand.gang <= 1) drop_avoided(all);  // a gang that lost a machine stays where the others are
    const std::vector<Offer> preferred = narrow(policy_.strategy, *choice.market, all);
    Usable usable{preferred, choice.rule};
    drop_parked(usable.offers);
    if (!usable.offers.empty()) return usable;
    const std::vector<Offer>& blocked = preferred.empty() ? all : preferred;
    if (blocked.empty())
      hold(fate, runs, HoldKind::NoPrice,
           "no price is known in " + policy_.region + " for what could hold them");
    else
      hold(fate, runs, HoldKind::NoCapacity, parked_text(blocked), first_unparked(blocked));
    return std::nullopt;
  }

  // Launches for as many of the runs as it can and says for how many; the others are held. The cheapest
  // machines inside the limits, gangs whole and in one zone.
  std::int64_t launch(const Demand& demand, std::int64_t runs, LaunchReason reason, Fate& fate) {
    const auto found = usable_for(demand, runs, fate);
    if (!found) return 0;
    const std::vector<Offer>& usable = found->offers;
    reason_ = reason;
    asker_ = demand.asker;
    text_ = name_of(found->rule);
    if (reason == LaunchReason::Demand) text_ = "runs of " + describe(demand.need) + "; " + text_;
    if (!verdict_.text.empty()) text_ += "; " + verdict_.text;
    const std::int64_t served =
        demand.gang > 1 ? launch_gangs(demand, runs, usable, fate) : launch_runs(demand, runs, usable, fate);
    if (served < runs) at_limit(demand, runs - served, usable, fate);
    return served;
  }

  // Against the limits: what there is, what is planned, and what is kept for those before.
  [[nodiscard]] Tally counted() const {
    Tally tally = survey_.tally();
    tally += kept_;
    return tally;
  }

  std::int64_t launch_runs(const Demand& demand, std::int64_t runs, const std::vector<Offer>& usable,
                           Fate& fate) {
    std::int64_t left = runs;
    while (left > 0) {
      std::vector<Offer> open = spread_.uncrowded(usable, left);
      std::vector<const Offer*> types = mixer_.types_within(open, counted());
      if (types.empty()) {  // a limit forbids the others
        open = usable;
        types = mixer_.types_within(open, counted());
      }
      if (types.empty()) break;
      // The next machine may come from a pool that is left out now.
      const bool one = open.size() < usable.size();
      left -= launch_mix(demand, Mixer::cheapest(types, left, terms(demand)), open, left, one);
    }
    fate.on_launches += runs - left;
    return runs - left;
  }

  // As much of it as is inside the limits, and until a pool is crowded, or one machine. For how many runs:
  // some, where one more machine of its types is allowed.
  std::int64_t launch_mix(const Demand& demand, const Mix& mix, const std::vector<Offer>& open,
                          std::int64_t runs, bool one) {
    std::int64_t left = runs;
    for (const auto& [offer, machines] : mix)
      for (std::int64_t i = 0; i < machines && left > 0; ++i) {
        const InstanceType& type = *catalogue_.find(offer->pool.type);
        if (!within(policy_.limits, counted(), type)) break;
        Pool pool = spread_.pick(open, type);
        if (left < runs && (one || spread_.is_crowded(pool))) return runs - left;  // perhaps others are not
        const std::int64_t count = std::min(left, offer->slots);
        plan_machine(type, std::move(pool), demand.need, count);
        left -= count;
      }
    return runs - left;
  }

  // Runs of gangs come in whole gangs.
  std::int64_t launch_gangs(const Demand& demand, std::int64_t runs, const std::vector<Offer>& usable,
                            Fate& fate) {
    std::int64_t served = 0;
    while (served < runs && launch_gang(demand, usable, fate)) served += demand.gang;
    return served;
  }

  // In one zone; across zones only where there is no other way inside the limits.
  bool launch_gang(const Demand& demand, const std::vector<Offer>& usable, Fate& fate) {
    // Perhaps on what the one before left of its machines.
    if (const Taken all = survey_.take(demand, demand.gang); all.runs() > 0) {
      fate.on_ready += all.on_ready;
      fate.on_launching += all.on_launching;
      return true;
    }
    const std::vector<std::string> zones = zones_for(demand, usable);
    for (const std::string& zone : zones)
      if (launch_rest(demand, zone, zone, usable, fate)) return true;
    return !demand.near && std::ranges::any_of(zones, [&](const std::string& zone) {
      return launch_rest(demand, "", zone, usable, fate);
    });
  }

  // What there is room for in the one zone ("": in all), and machines in the other for the rest of the gang.
  bool launch_rest(const Demand& demand, const std::string& there, const std::string& zone,
                   const std::vector<Offer>& usable, Fate& fate) {
    const std::int64_t part = demand.near ? 0 : survey_.room_in(there, demand.need);
    const std::vector<Offer> here = in_zone(usable, zone);
    const Mix mix = mix_within(demand, demand.gang - part, here);
    if (mix.empty()) return false;
    const Taken taken = survey_.take_in(there, demand.need, part);
    fate.on_ready += taken.on_ready;
    fate.on_launching += taken.on_launching;
    fate.on_launches += demand.gang - part;
    plan_mix(demand.need, mix, demand.gang - part);
    return true;
  }

  void plan_mix(const Need& need, const Mix& mix, std::int64_t runs) {
    for (const auto& [offer, count] : mix)
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t share = std::min(runs, offer->slots);
        plan_machine(*catalogue_.find(offer->pool.type), offer->pool, need, share);
        runs -= share;
      }
  }

  static std::vector<Offer> in_zone(std::vector<Offer> offers, const std::string& zone) {
    std::erase_if(offers, [&](const Offer& offer) { return offer.pool.zone != zone; });
    return offers;
  }

  [[nodiscard]] Mix mix_within(const Demand& demand, std::int64_t runs,
                               const std::vector<Offer>& usable) const {
    Tally tally = counted();
    // A gang of more machines than one pass launches is launched alone.
    if (survey_.tally().launches == 0) tally.launches = -kSlotsMax;
    return mixer_.best_within(usable, runs, terms(demand), tally);
  }

  void plan_machine(const InstanceType& type, Pool pool, const Need& need, std::int64_t runs) {
    // A minimum is counted in vCPUs; what will run there is not known.
    survey_.plan(type, pool, need, reason_ == LaunchReason::Demand ? runs : 0);
    machines_.push_back({std::move(pool), reason_, text_, asker_});
  }

  // Where most of the gang would find room first, then by price.
  [[nodiscard]] std::vector<std::string> zones_for(const Demand& demand,
                                                   const std::vector<Offer>& usable) const {
    std::vector<std::string> zones;
    for (const Offer& offer : usable)
      if (std::ranges::find(zones, offer.pool.zone) == zones.end()) zones.push_back(offer.pool.zone);
    if (!demand.near)
      std::ranges::stable_sort(zones, std::greater<>(),
                               [&](const std::string& zone) { return survey_.room_in(zone, demand.need); });
    return zones;
  }

  void hold_for_market(const Demand& demand, const Offers& offers, const MarketChoice& choice,
                       std::int64_t runs, Fate& fate) {
    if (choice.rule == MarketRule::Contradiction)
      return hold(fate, runs, HoldKind::NotForSpot,
                  demand.need.spot == SpotWish::Only
                      ? "they want spot only, which this environment does not use"
                      : "they refuse spot, and this environment uses nothing else");
    if (choice.rule == MarketRule::AheadOfDeadline)
      return hold(fate, runs, HoldKind::NoSpot, fate.due, now_ + kDueTick);
    if (!offers.spot.empty())
      return hold(fate, runs, HoldKind::NoCapacity, parked_text(offers.spot), first_unparked(offers.spot));
    std::string text = "no spot pool will do:";
    if (offers.spot_dear) text += " the price is above the limit;";
    if (offers.spot_unsteady) text += " interrupted too often;";
    if (!offers.spot_dear && !offers.spot_unsteady) text += " no price is known;";
    text.pop_back();
    hold(fate, runs, HoldKind::NoSpot, std::move(text));
  }

  // All of the offers are parked.
  std::string parked_text(const std::vector<Offer>& offers) const {
    const Offer& first = *std::ranges::min_element(offers, {}, &Offer::parked_until);
    return "no pool can be used now; " + describe(first.pool) + " is tried again first (" +
           std::string(name_of(state_.pools.parked(first.pool, now_)->why)) + ")";
  }

  static Instant first_unparked(const std::vector<Offer>& offers) {
    return std::ranges::min_element(offers, {}, &Offer::parked_until)->parked_until;
  }

  // ---- runs that a limit keeps waiting ----

  static constexpr const char* kRoomIsMade = "; machines that cannot hold them make room";

  // They keep what they are short of: those after them launch in what is left.
  void at_limit(const Demand& demand, std::int64_t runs, const std::vector<Offer>& usable, Fate& fate) {
    Tally others = counted();
    others.launches = -kSlotsMax;
    const std::vector<const Offer*> types = mixer_.types_within(usable, others);
    const std::int64_t part = demand.gang > 1 && !demand.near ? survey_.room_in("", demand.need) : 0;
    const bool of_the_pass =
        demand.gang > 1 ? !mixer_.leanest(types, demand.gang - part, others).empty() : !types.empty();
    if (of_the_pass) {
      look_again_at(plan_, now_ + kPassesApart);
      return hold(fate, runs, HoldKind::Limit,
                  "as many launches as one pass makes (" + std::to_string(policy_.limits.launches_max) + ")");
    }
    std::string text = limit_text();
    if (reason_ == LaunchReason::Demand && demand.reserves) text += make_room(demand, runs, usable);
    hold(fate, runs, HoldKind::Limit, std::move(text));
  }

  // Machines go that cannot hold them. How the text of the limit goes on.
  std::string make_room(const Demand& demand, std::int64_t runs, const std::vector<Offer>& usable) {
    const std::string why = "below a limit, for runs of " + describe(demand.need);
    room_.spare(demand.need);
    // What there is of the first gang stays for it.
    std::int64_t missing = std::max<std::int64_t>(1, demand.gang);
    if (demand.gang > 1 && !demand.near)
      missing -= survey_.take_in("", demand.need, survey_.room_in("", demand.need)).runs();
    const std::vector<const Offer*> types = mixer_.types_within(usable, Tally{});
    std::string text;
    for (bool first = true; runs > 0; first = false) {
      const Mix mix = mixer_.leanest(types, missing, Tally{.launches = -kSlotsMax});
      if (mix.empty()) break;  // in this market, by this strategy
      Tally wanted = counted();
      wanted += mixer_.tally_of(mix);
      const bool made = make_room_for(wanted, false, why);
      if (!made && !first) break;
      if (first)
        text = made ? kRoomIsMade : make_room_in_use(demand, runs, usable, types, *mix.front().first, why);
      kept_ += mixer_.tally_of(mix);
      runs -= demand.gang > 1 ? demand.gang : mix.front().first->slots;
      missing = std::max<std::int64_t>(1, demand.gang);
    }
    return text;
  }

  // No idle machine makes room. Where the machines that are there could hold them when they are empty, the
  // placement pass keeps them; else what is missing is launched, or machines in use are emptied for it. Only
  // for the first that waits, so that most go on. `lean`: what would be launched for the first of them.
  std::string make_room_in_use(const Demand& demand, std::int64_t runs, const std::vector<Offer>& usable,
                               const std::vector<const Offer*>& types, const Offer& lean,
                               const std::string& why) {
    if (std::exchange(made_in_use_, true)) return "";
    const std::int64_t gang = std::max<std::int64_t>(1, demand.gang);
    const std::int64_t there = demand.near ? 0 : survey_.slots_in_all(catalogue_, demand.need);
    if (there >= gang) {
      if (gang > 1) return "";
      const SlotsOfType instead{catalogue_.find(lean.pool.type), lean.slots};
      const auto node = room_.replace(demand.need, runs, instead, counted(), why);
      if (node) survey_.leave(catalogue_, state_, *node);
      return node ? "; a machine in use makes room for smaller ones" : "";
    }
    if (there > 0)
      for (const std::string& zone : zones_for(demand, usable)) {
        const std::vector<Offer> here = in_zone(usable, zone);
        const Mix rest = mix_within(demand, gang - there, here);
        if (rest.empty()) continue;
        plan_mix(demand.need, rest, gang - there);
        return "; what is missing is launched, the other machines for them are in use";
      }
    Tally wanted = counted();
    wanted += mixer_.tally_of(mixer_.leanest(types, gang - there, Tally{.launches = -kSlotsMax}));
    return make_room_for(wanted, true, why) ? kRoomIsMade : "";
  }

  bool make_room_for(const Tally& wanted, bool in_use, const std::string& why) {
    const auto chosen = room_.make(wanted, survey_, in_use, why);
    if (!chosen) return false;
    for (const std::size_t node : *chosen) survey_.leave(catalogue_, state_, node);
    return true;
  }

  [[nodiscard]] std::string limit_text() const {
    const Tally& tally = survey_.tally();
    std::string text;
    for (const Amount amount : kAmounts)
      if (const auto most = most_of(policy_.limits, amount))
        text += (text.empty() ? "the environment is at its limit: " : ", ") +
                std::to_string(tally.of(amount)) + " of " + std::to_string(*most) + " " +
                std::string(unit_of(amount));
    if (kept_.nodes > 0)
      text += "; " + std::to_string(kept_.vcpus) + " vCPU are kept for those that wait before them";
    return text;
  }

  const Catalogue& catalogue_;
  const FleetPolicy& policy_;
  const FleetState& state_;
  Instant now_;
  Plan& plan_;
  Survey survey_;
  Mixer mixer_;
  Spread spread_;
  RoomMaker room_;
  Tally kept_;                // for runs that a limit keeps waiting
  bool made_in_use_ = false;  // the first of them had the machines in use looked at
  std::vector<Machine> machines_;
  LaunchReason reason_ = LaunchReason::Demand;  // of the machines being planned
  std::uint64_t asker_ = 0;                     // of those
  Verdict verdict_;                             // on the runs being served
  std::string text_;
};

// Where spot comes first the deadline rule decides; those that need on-demand then count on nothing else.
Verdict judge_deadline(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                       Demand& demand, Instant now) {
  Verdict verdict{.deadline = {}, .wish = demand.need.spot, .text = {}};
  if (!demand.due) return verdict;
  const DeadlineTask task = task_of(*demand.due, policy.run_guess, policy.cold.total());
  demand.run = std::max(task.work - demand.due->done, seconds(1));
  // Where one market alone is wanted there is nothing to choose.
  if (policy.market.use != SpotUse::First || demand.need.spot != SpotWish::First) return verdict;
  const bool spot = find_offers(catalogue, policy, state, demand, now).summary().open;
  DueChoice chosen = choose_for(task, *demand.due, {}, spot, now);
  verdict.deadline = chosen.choice;
  verdict.text = std::move(chosen.text);
  if (chosen.choice.on == Ground::OnDemand) demand.need.spot = SpotWish::Never;
  return verdict;
}

// Runs that are about to lose their machine wait already, in a way: their replacement is launched now.
std::vector<Demand> with_lost_runs(const FleetState& state, std::span<const Demand> demands) {
  std::vector<Demand> all(demands.begin(), demands.end());
  for (const FleetNode& node : state.nodes) {
    if (!node.rebalance) continue;
    for (const NodeRuns& runs : node.runs) {
      if (!runs.movable || runs.runs <= 0) continue;
      Demand demand;
      demand.need = runs.need;
      demand.jobs = runs.runs;
      demand.due = runs.due;
      demand.asker = runs.asker;
      demand.reserves = false;  // they run
      all.push_back(demand);
    }
  }
  return all;
}

}  // namespace

Plan size_fleet(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                std::span<const Demand> demands, Instant now) {
  Plan plan;
  // 1. Waiting runs, in their order, and those that will wait soon.
  std::vector<Demand> all = with_lost_runs(state, demands);
  std::vector<Verdict> verdicts;
  for (Demand& demand : all) verdicts.push_back(judge_deadline(catalogue, policy, state, demand, now));
  Sizing sizing(catalogue, policy, state, all, now, plan);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Fate fate;
    sizing.serve(all[i], verdicts[i], fate);
    plan.fates.push_back(std::move(fate));
  }
  plan.fates.resize(demands.size());
  // 2. What is kept without demand. A DISABLED environment keeps its minimum, too.
  const std::int64_t desired = std::min(state.vcpus_desired, policy.limits.vcpus_max);
  sizing.keep_minimum_cheaply();
  if (state.enabled && desired > 0) {
    sizing.fill_to(desired, LaunchReason::Desired);
    plan.desired_reached = sizing.survey().vcpus_in_service() >= desired;
  }
  plan.launches = sizing.launches();
  // 3. What can go.
  std::vector<bool> wanted(state.nodes.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = sizing.survey().wanted(i);
  Retirements retired = retire_nodes(catalogue, policy, state, wanted, sizing.leaving(), now);
  plan.retirements = std::move(retired.retirements);
  if (retired.look_again) look_again_at(plan, *retired.look_again);
  // 4. What could be emptied: only in quiet times.
  const bool quiet = plan.launches.empty() && plan.retirements.empty() && demands.empty();
  if (quiet && policy.consolidate)
    if (auto emptied = consolidate(catalogue, policy, state, now))
      plan.retirements.push_back(std::move(*emptied));
  return plan;
}

}  // namespace stoker::fleet
