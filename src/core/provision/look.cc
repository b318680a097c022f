#include "core/provision/look.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/fleet/keep/move.h"
#include "core/fleet/keep/retire.h"
#include "core/fleet/sizing/size.h"
#include "core/provision/accounts.h"
#include "core/provision/demands.h"
#include "core/provision/dues.h"
#include "core/provision/fleet_policy.h"
#include "core/provision/nodes.h"
#include "core/provision/progress.h"
#include "core/provision/snapshot.h"
#include "core/provision/spending.h"
#include "core/provision/waits.h"
#include "core/schedule/order.h"
#include "core/schedule/preempt/move.h"

namespace stoker::core {
namespace {

// An engine that did not hear of a launch or an end hears of it again.
constexpr Duration kTellAgain = minutes(10);
constexpr Duration kBudgetLooksApart = minutes(1);
constexpr Duration kAskSubnetsAgain = minutes(1);
// So often a look tries others in place of those for whom no machines can be had.
constexpr int kRoundsMax = 32;

// One environment in a look.
struct Site {
  ComputeEnvironment* environment = nullptr;
  Fleet* fleet = nullptr;
  fleet::FleetPolicy policy;
  fleet::FleetState state;
  std::vector<fleet::Demand> demands;
  // Of each demand: who waits, or which run is to go to another machine.
  struct Asks {
    std::optional<Fleet::Waits> waits;
    JobNo moves;
  };
  std::vector<Asks> asks;
  std::size_t moves = 0;  // the first so many of those are about runs
  // What became of those that cannot be served now, and so stand back for others.
  std::vector<std::pair<DemandKey, fleet::Fate>> held;
  fleet::Plan plan;
  bool planned = false;
};

class Look {
 public:
  Look(World& world, Instant now, Actions& out) : world_(world), now_(now), out_(out) {}

  // True when there was something to decide about.
  bool run() {
    // 1. Environments whose machines we launch, and what they say.
    for (auto& [name, environment] : world_.state.environments)
      if (is_launching(world_.settings, environment)) open_site(environment);
    // 2. What waits goes to the first environment of its queue; what that one cannot serve to the next.
    serve_queues();
    // 3. What sizing decided is done.
    for (auto& [name, site] : sites_) {
      if (!site.planned) plan(site);
      carry_out(site);
    }
    // 4. Reasons for those who wait.
    explain_waits(world_, limited_, now_);
    // 5. What is owed since a restart, or since long.
    repeat_what_is_owed();
    return busy_;
  }

 private:
  void open_site(ComputeEnvironment& environment) {
    const auto [at, fresh] = world_.state.fleets.try_emplace(environment.name);
    Fleet& fleet = at->second;
    if (fresh) {
      fleet.environment = environment.name;
      note(fleet);
    }
    Site site;
    site.environment = &environment;
    site.fleet = &fleet;
    fleet.fates.clear();
    fleet.dues.clear();
    fleet.complaint.clear();
    fleet.pending.clear();
    if (begin_month(fleet, now_)) note(fleet);
    read_desired(environment, fleet);
    find_subnets(environment, fleet);
    auto policy = fleet_policy(world_.settings, environment, fleet);
    fleet.complaint = policy ? fleet.fault : policy.error().message;
    if (policy && policy->zones.empty()) fleet.pending = "it is not known yet in which zones its subnets lie";
    site.policy = std::move(policy).value_or(fleet::FleetPolicy{});
    fleet.one_run = site.policy.one_run;
    site.state = snapshot_of(world_, environment, fleet, site.policy, now_);
    note_never_joined(site);
    if (!fleet.complaint.empty()) {  // nothing more is launched, what is there may go
      site.state.enabled = false;
      site.policy.limits.vcpus_min = 0;
    }
    if (!fleet.pending.empty()) site.state.enabled = false;
    look_at_deadlines(site);
    site.moves = site.demands.size();
    sites_.emplace(environment.name, std::move(site));
  }

  // Before it is decided where the next ones come from. They are given up in this look.
  void note_never_joined(Site& site) {
    for (const fleet::FleetNode& node : site.state.nodes) {
      if (fleet::of_no_use(site.policy, node, now_) != fleet::RetireReason::NeverJoined) continue;
      site.fleet->pools.failed(node.pool, fleet::LaunchFailure::NeverJoined, now_);
      site.state.pools = site.fleet->pools;
      note(*site.fleet);
    }
  }

  // desiredvCpus is a wish for once: each new value is one.
  void read_desired(const ComputeEnvironment& environment, Fleet& fleet) {
    const json::Value* resources = json::find(*environment.document, "computeResources");
    const std::int64_t desired = resources == nullptr ? -1 : json::get_int(*resources, "desiredvCpus", -1);
    if (desired == fleet.desired_seen) return;
    fleet.desired_seen = desired;
    fleet.vcpus_desired = std::max<std::int64_t>(0, desired);
    note(fleet);
  }

  // Asks the engine as long as some zone is not known.
  void find_subnets(const ComputeEnvironment& environment, Fleet& fleet) {
    if (world_.settings.launching->policies.contains(environment.name)) return;
    std::vector<std::string> unknown = unknown_subnets(environment, fleet);
    if (unknown.empty()) return;
    if (!fleet.subnets_asked_at || now_ - fleet.subnets_asked_at >= kAskSubnetsAgain) {
      fleet.subnets_asked_at = now_;
      out_.push_back(FindSubnets{environment.name, std::move(unknown)});
    }
    look_again_at(fleet.subnets_asked_at + kAskSubnetsAgain);
  }

  // One demand on its way through the environments of its queue.
  struct Bid {
    std::vector<Site*> sites;  // still to be asked, the next one last
    WaitingDemand demand;
    std::vector<std::pair<Site*, std::size_t>> asked;  // and the demand's index there
    std::int64_t held = 0;                             // jobs, by the last one asked
  };
  using Reserving = std::map<std::pair<DemandKey, QuotaPlace>, Site*>;

  // Who cannot be served anywhere draws on no limit that it shares with others: then they are asked for,
  // until all can be served or nobody else may start. But whom only a limit of an environment keeps waiting
  // keeps its turn: room is made for it there.
  void serve_queues() {
    Served served;
    Reserving reserving;
    for (int round = 1;; ++round) {
      Demands demands(world_, served, now_);
      std::vector<Bid> bids = bids_of(demands);
      ask_sites(bids, reserving);
      limited_ = demands.limited();
      if (round == kRoundsMax) return;
      const bool reserves = reserve(bids, reserving);
      const bool stands_back = !limited_.empty() && std::ranges::any_of(bids, stands_aside);
      if (!reserves && !stands_back) return;
      if (!reserves) stand_back(bids, served);
      ask_anew();
    }
  }

  static const fleet::Fate& fate_of(const std::pair<Site*, std::size_t>& asked) {
    return asked.first->plan.fates[asked.second];
  }
  static bool is_at_limit(const std::pair<Site*, std::size_t>& asked) {
    return fate_of(asked).hold == fleet::HoldKind::Limit;
  }
  static bool stands_aside(const Bid& bid) {
    return bid.held > 0 && std::ranges::none_of(bid.asked, is_at_limit);
  }

  // Of those whom no environment can serve and several were asked: where they wait for room, the first that
  // could hold them. True when somebody waits there from now on.
  static bool reserve(const std::vector<Bid>& bids, Reserving& reserving) {
    bool more = false;
    for (const Bid& bid : bids) {
      if (bid.held == 0 || bid.asked.size() < 2) continue;
      const auto at_limit = std::ranges::find_if(bid.asked, is_at_limit);
      if (at_limit == bid.asked.end()) continue;
      more = reserving.emplace(std::pair(bid.demand.key, bid.demand.place), at_limit->first).second || more;
    }
    return more;
  }

  std::vector<Bid> bids_of(Demands& demands) {
    std::vector<Bid> bids;
    for (const JobQueue* queue : queues_in_order(world_.state, now_)) {
      std::vector<Site*> sites;
      for (const std::string& name : queue->environments_by_order())
        if (const auto site = sites_.find(name); site != sites_.end()) sites.push_back(&site->second);
      if (sites.empty()) continue;
      OfferedTypes types;
      for (const Site* site : sites) add_offers(*site, types);
      std::ranges::reverse(sites);
      for (WaitingDemand& demand : demands.of(*queue, types)) bids.push_back({sites, std::move(demand), {}});
    }
    return bids;
  }

  void ask_sites(std::vector<Bid>& bids, const Reserving& reserving) {
    const auto waits = [](const Bid& bid) {
      return !bid.sites.empty() && (bid.asked.empty() || bid.held > 0);
    };
    while (std::ranges::any_of(bids, waits)) {
      // Each goes to its next environment; then those are planned, with all that came to them so far.
      for (Bid& bid : bids) {
        if (!waits(bid)) continue;
        Site& site = *bid.sites.back();
        const bool is_only = bid.sites.size() == 1 && bid.asked.empty();
        const auto waits_at = reserving.find({bid.demand.key, bid.demand.place});
        bid.sites.pop_back();
        bid.asked.emplace_back(&site, site.demands.size());
        site.demands.push_back(bid.demand.demand);
        if (bid.asked.size() > 1) site.demands.back().jobs = bid.held;
        site.demands.back().reserves = is_only || (waits_at != reserving.end() && waits_at->second == &site);
        site.asks.push_back({bid.demand.key.waits, {}});
        site.planned = false;
      }
      for (auto& [name, site] : sites_)
        if (!site.planned && !site.demands.empty()) plan(site);
      for (Bid& bid : bids) {
        const auto& [site, index] = bid.asked.back();
        // A gang is held as a whole.
        bid.held = site->plan.fates[index].held / std::max<std::int64_t>(1, bid.demand.demand.gang);
      }
    }
  }

  // What is held of the bids stands back in the next round.
  static void stand_back(const std::vector<Bid>& bids, Served& served) {
    // Some ask twice: on their own rights, and for what others lend.
    std::map<std::pair<DemandKey, QuotaPlace>, std::int64_t> sums;
    for (const Bid& bid : bids) sums[{bid.demand.key, bid.demand.place}] += bid.demand.demand.jobs - bid.held;
    for (const Bid& bid : bids) {
      if (!stands_aside(bid)) continue;
      served[bid.demand.key][bid.demand.place] = sums.at({bid.demand.key, bid.demand.place});
      for (const auto& asked : bid.asked) {
        const fleet::Fate& fate = fate_of(asked);
        asked.first->held.emplace_back(bid.demand.key, fleet::Fate{.held = bid.held * bid.demand.demand.gang,
                                                                   .hold = fate.hold,
                                                                   .text = fate.text,
                                                                   .due = fate.due,
                                                                   .until = fate.until});
      }
    }
  }

  void ask_anew() {
    for (auto& [name, site] : sites_) {
      if (site.planned && site.plan.look_again) look_again_at(*site.plan.look_again);
      site.demands.resize(site.moves);
      site.asks.resize(site.moves);
      site.planned = false;
    }
  }

  void add_offers(const Site& site, OfferedTypes& types) const {
    const fleet::SpotUse use = site.policy.market.use;
    for (const std::string& type : site.policy.types) {
      Money& least = types[type];
      for (const std::string& zone : site.policy.zones)
        for (const auto market : {fleet::Market::OnDemand, fleet::Market::Spot}) {
          if (use == (market == fleet::Market::Spot ? fleet::SpotUse::Never : fleet::SpotUse::Only)) continue;
          const fleet::Pool pool{.type = type, .zone = zone, .market = market};
          const Money price = price_of(site.policy, pool);
          if (price == Money{} || site.state.pools.parked(pool, now_)) continue;
          if (least == Money{} || price < least) least = price;
        }
    }
  }

  void plan(Site& site) {
    site.planned = true;
    site.plan =
        fleet::size_fleet(world_.settings.launching->catalogue, site.policy, site.state, site.demands, now_);
  }

  void carry_out(Site& site) {
    Fleet& fleet = *site.fleet;
    for (std::size_t i = 0; i < site.asks.size(); ++i) {
      const fleet::Fate& fate = site.plan.fates[i];
      if (site.demands[i].due) fleet.dues[*site.demands[i].due] = fate.due;
      if (site.asks[i].waits) add_fate(fleet, *site.asks[i].waits, fate);
    }
    for (const auto& [key, fate] : site.held) {
      if (key.due) fleet.dues[*key.due] = fate.due;
      add_fate(fleet, key.waits, fate);
    }
    busy_ = busy_ || !site.demands.empty() || !site.held.empty() || !site.state.nodes.empty() ||
            !site.plan.launches.empty();
    for (const fleet::Launch& launch : site.plan.launches) carry_out(site, launch);
    for (std::size_t i = 0; i < site.asks.size(); ++i)
      if (site.asks[i].moves && site.plan.fates[i].on_ready > 0)
        go_to_other_market(site.asks[i].moves, site.demands[i].need.spot);
    for (const fleet::Retire& retire : site.plan.retirements) carry_out(retire);
    note_minimum(site);
    move_from_left_machines(site);
    move_from_emptied_machines(site);
    if (site.plan.desired_reached && fleet.vcpus_desired != 0) {
      fleet.vcpus_desired = 0;
      note(fleet);
    }
    end_overdue(site.environment->name);
    if (site.plan.look_again) look_again_at(*site.plan.look_again);
    watch(site);
  }

  // What the passing of time changes and sizing does not foresee.
  void watch(const Site& site) {
    if (site.policy.budget.limit > Money{} && !site.state.nodes.empty())
      look_again_at(now_ + kBudgetLooksApart);
    if (site.state.budget.level >= fleet::BudgetLevel::StopLaunches) look_again_at(next_month(now_));
    account_long_ones(world_, site.environment->name, now_);
    for (const fleet::FleetNode& node : site.state.nodes)
      if (site.policy.consolidate && node.underused_since &&
          now_ < node.underused_since + site.policy.consolidate_after)
        look_again_at(node.underused_since + site.policy.consolidate_after);
    if (!site.state.nodes.empty()) look_again_at(day_of(now_) + days(1));
    for (const fleet::FleetNode& node : site.state.nodes)
      if (node.heard_at && node.heard_at < now_ && node.phase == fleet::NodePhase::Ready)
        look_again_at(node.heard_at + site.policy.silent_max);
  }

  void carry_out(const Site& site, const fleet::Launch& launch) {
    Fleet& fleet = *site.fleet;
    LaunchNodes action{
        site.environment->name, launch.pool, subnet_in(fleet, launch.pool.zone), {}, launch.text, launch.mig};
    for (std::int64_t i = 0; i < launch.count; ++i) {
      LaunchedNode launched;
      launched.name = mint_name(*site.environment, fleet);
      launched.environment = site.environment->name;
      launched.pool = launch.pool;
      launched.price = price_of(site.policy, launch.pool);
      if (launch.pool.market == fleet::Market::Spot)
        launched.on_demand =
            world_.settings.launching->catalogue.on_demand(launch.pool.type, site.policy.region)
                .value_or(Money{});
      if (const auto* type = world_.settings.launching->catalogue.find(launch.pool.type))
        launched.total = {
            .cpus_milli = type->vcpus * 1000, .memory_mib = type->memory_offered_mib(), .gpus = type->gpus};
      launched.reason = launch.reason;
      launched.asked_at = now_;
      launched.told_at = now_;
      launched.runs = launch.runs;
      launched.asked_for = JobNo{launch.askers[static_cast<std::size_t>(i)]};
      if (const Job* job = world_.state.jobs.find(launched.asked_for))
        launched.asked_by = payer_of(world_.state, *job);
      launched.mig = launch.mig;
      launched.why = launch.text;
      if (launch.reason == fleet::LaunchReason::Demand) {
        launched.claimed = true;
        fleet.gaps.wanted(now_);
      }
      action.nodes.push_back(launched.name);
      note(launched);
      world_.state.launched.emplace(launched.name, std::move(launched));
    }
    note(fleet);
    out_.push_back(std::move(action));
  }

  void carry_out(const fleet::Retire& retire) {
    LaunchedNode& launched = world_.state.launched.at(retire.node);
    if (launched.retired) return;
    const std::string why = std::string(fleet::name_of(retire.reason)) + ": " + retire.text;
    if (!retire.drain)
      retire_node(world_, launched, now_, why, out_);
    else if (!launched.draining)
      drain_node(world_, launched, retire.deadline, why);
    if (retire.reason == fleet::RetireReason::Consolidate && retire.move) empty(launched);
  }

  // Which machines the environment pays for while they idle.
  void note_minimum(const Site& site) {
    if (site.policy.limits.vcpus_min == 0) {
      for (LaunchedNode* launched : machines_of(world_, site.environment->name)) note_kept(*launched, false);
      return;
    }
    const std::vector<bool> kept =
        fleet::kept_by_minimum(world_.settings.launching->catalogue, site.policy, site.state);
    for (std::size_t i = 0; i < kept.size(); ++i)
      note_kept(world_.state.launched.at(site.state.nodes[i].id), kept[i]);
  }
  // Those that leave stay as they were: whoever kept them pays for their end, too.
  void note_kept(LaunchedNode& launched, bool kept) {
    if (launched.draining || launched.retired) return;
    if (cost::note_span(launched.kept, kept, now_)) note(launched);
  }

  // What waits for one reason alone counts together; why it is held the first of it says.
  static void add_fate(Fleet& fleet, const Fleet::Waits& waits, const fleet::Fate& fate) {
    const auto [at, fresh] = fleet.fates.emplace(waits, fate);
    if (fresh) return;
    fleet::Fate& sum = at->second;
    if (sum.held == 0 && fate.held > 0) {
      sum.hold = fate.hold;
      sum.text = fate.text;
      sum.until = fate.until;
    }
    sum.on_ready += fate.on_ready;
    sum.on_launching += fate.on_launching;
    sum.on_launches += fate.on_launches;
    sum.held += fate.held;
  }

  // ---- runs that go elsewhere ----

  [[nodiscard]] std::vector<Job*> runs_on(const LaunchedNode& launched) {
    std::vector<Job*> jobs;
    const auto node = world_.state.nodes.find(launched.name);
    if (node == world_.state.nodes.end()) return jobs;
    for (const JobNo no : node->second.runs) jobs.push_back(world_.state.jobs.find(no));
    return jobs;
  }

  void move(Job& job, const Shape& shape, const std::string& why) {
    busy_ = move_run(world_, job, shape, why, now_, out_) || busy_;
  }

  void look_at_deadlines(Site& site) {
    DuesSeen seen = look_at_dues(world_, site.environment->name, site.policy, site.state, now_);
    for (auto& [due, text] : seen.texts) site.fleet->dues[due] = std::move(text);
    for (DueAsk& ask : seen.asks) {
      site.demands.push_back(std::move(ask.demand));
      site.asks.push_back({{}, ask.job});
    }
    if (seen.look_again) look_again_at(*seen.look_again);
  }
  void go_to_other_market(JobNo no, fleet::SpotWish market) {
    Job& job = *world_.state.jobs.find(no);
    Shape shape = world_.state.shape(job.spec->shape);
    shape.spot = market == fleet::SpotWish::Only ? SpotUse::Only : SpotUse::Never;
    move(job, shape, deadline_text(world_.state, job));
  }

  void empty(const LaunchedNode& launched) {
    for (Job* job : runs_on(launched))
      if (moves_to_save(*job, now_))
        move(*job, world_.state.shape(job->spec->shape),
             "node " + launched.name + " is to go, its runs fit elsewhere");
  }
  // A node keeps room for one job at a time, so a machine that is being emptied is looked at again, as long
  // as that pays.
  void move_from_emptied_machines(const Site& site) {
    if (!site.policy.consolidate || site.policy.one_run) return;
    for (const fleet::FleetNode& node : site.state.nodes) {
      if (node.phase != fleet::NodePhase::Draining || node.rebalance || node.runs.empty()) continue;
      const LaunchedNode& launched = world_.state.launched.at(node.id);
      if (!launched.retired && !launched.deadline && fleet::pays_to_move(node.runs)) empty(launched);
    }
  }

  // Machines that EC2 advises to leave: who can go on elsewhere goes as soon as there is room. It loses no
  // more than an interruption would take, and no boot.
  void move_from_left_machines(const Site& site) {
    for (const LaunchedNode* launched : machines_of(world_, site.environment->name)) {
      // With a notice it has two minutes, and its agent has told its jobs.
      if (!launched->rebalance || launched->deadline || !launched->ready_at || launched->retired) continue;
      for (Job* job : runs_on(*launched))
        if (moves_keeping_work(*job))
          move(*job, shape_for_deadline(world_.state, *job, site.policy, now_),
               "EC2 advises to leave node " + launched->name);
    }
  }
  // Draining machines whose time is up.
  void end_overdue(const std::string& environment) {
    for (LaunchedNode* launched : machines_of(world_, environment)) {
      if (!launched->draining || launched->retired || !launched->deadline) continue;
      if (launched->deadline <= now_)
        retire_node(world_, *launched, now_, launched->why, out_);
      else
        look_again_at(launched->deadline);
    }
  }

  void repeat_what_is_owed() {
    std::map<std::tuple<std::string, fleet::Pool, bool>, LaunchNodes> launches;
    for (auto& [name, launched] : world_.state.launched) {
      const bool launching = !launched.retired && launched.instance.empty() && !launched.ready_at;
      if (!launching && !launched.retired) continue;
      if (launched.told_at && now_ - launched.told_at < kTellAgain) {
        look_again_at(launched.told_at + kTellAgain);
        continue;
      }
      launched.told_at = now_;
      look_again_at(now_ + kTellAgain);
      if (launched.retired) {
        out_.push_back(RetireNode{launched.name, launched.instance, launched.why});
        continue;
      }
      LaunchNodes& action = launches[{launched.environment, launched.pool, launched.mig}];
      action.environment = launched.environment;
      action.pool = launched.pool;
      action.mig = launched.mig;
      action.why = launched.why;
      const auto fleet = world_.state.fleets.find(launched.environment);
      if (fleet != world_.state.fleets.end()) action.subnet = subnet_in(fleet->second, launched.pool.zone);
      action.nodes.push_back(launched.name);
    }
    for (auto& [key, action] : launches) out_.push_back(std::move(action));
  }

  static std::string mint_name(const ComputeEnvironment& environment, Fleet& fleet) {
    return name_prefix(environment) + std::to_string(++fleet.launches);
  }

  static std::string subnet_in(const Fleet& fleet, const std::string& zone) {
    for (const auto& [subnet, where] : fleet.zones)
      if (where == zone) return subnet;
    return {};
  }

  [[nodiscard]] Money price_of(const fleet::FleetPolicy& policy, const fleet::Pool& pool) const {
    const fleet::Catalogue& catalogue = world_.settings.launching->catalogue;
    if (pool.market == fleet::Market::OnDemand)
      return catalogue.on_demand(pool.type, policy.region).value_or(Money{});
    const auto quote = world_.state.spot_quotes.find({pool.type, pool.zone});
    if (quote != world_.state.spot_quotes.end()) return quote->second.price;
    return catalogue.typical_spot(pool.type, policy.region).value_or(Money{});
  }

  void look_again_at(Instant at) {
    if (at <= now_) at = now_ + milliseconds(1);
    auto& next = world_.provision.look_at;
    if (!next || at < *next) next = at;
  }
  void note(const Fleet& fleet) { world_.changes.document(DocumentKind::Fleet, fleet.environment); }
  void note(const LaunchedNode& node) { world_.changes.document(DocumentKind::LaunchedNode, node.name); }

  World& world_;
  Instant now_;
  Actions& out_;
  std::map<std::string, Site> sites_;
  std::set<Fleet::Waits> limited_;
  bool busy_ = false;
};

}  // namespace

void look_at_fleets(World& world, Instant now, Actions& out) {
  ProvisionWork& work = world.provision;
  settle_idle_nodes(world, now);
  account_owned(world, now);
  if (!world.settings.launching) return;
  const bool foreseen = work.look_at && *work.look_at <= now;
  if (!work.look_due && !foreseen) return;
  const Instant next = work.last_look + kLooksApart;
  // A clock that was set back does not stop the looks.
  if (!foreseen && work.last_look && now < next && now >= work.last_look) return;
  work.look_due = false;
  work.look_at.reset();
  if (Look(world, now, out).run()) work.last_look = now;
}

std::optional<Instant> next_look(const World& world) {
  const ProvisionWork& work = world.provision;
  std::optional<Instant> next = work.look_at;
  if (work.owned_due && (!next || *work.owned_due < *next)) next = work.owned_due;
  if (work.look_due && world.settings.launching && (!next || work.last_look + kLooksApart < *next))
    next = work.last_look + kLooksApart;
  return next;
}

}  // namespace stoker::core
