#include "core/provision/look.h"

#include <algorithm>

#include "core/fleet/sizing/size.h"
#include "core/provision/accounts.h"
#include "core/provision/fleet_policy.h"
#include "core/provision/nodes.h"
#include "core/provision/snapshot.h"
#include "core/provision/spending.h"
#include "core/provision/waits.h"

namespace stoker::core {
namespace {

// An engine that did not hear of a launch or an end hears of it again.
constexpr Duration kTellAgain = minutes(10);
constexpr Duration kBudgetLooksApart = minutes(1);
constexpr Duration kAskSubnetsAgain = minutes(1);

// One environment in a look.
struct Site {
  ComputeEnvironment* environment = nullptr;
  Fleet* fleet = nullptr;
  fleet::FleetPolicy policy;
  fleet::FleetState state;
  std::vector<Fleet::Waits> waits;  // of each demand
  std::vector<fleet::Demand> demands;
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
    explain_waits(world_, now_);
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
    if (!fleet.complaint.empty()) {  // nothing more is launched, what is there may go
      site.state.enabled = false;
      site.policy.limits.vcpus_min = 0;
    }
    if (!fleet.pending.empty()) site.state.enabled = false;
    sites_.emplace(environment.name, std::move(site));
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

  void serve_queues() {
    std::vector<const JobQueue*> queues;
    for (const auto& [no, waiting] : world_.state.waiting)
      if (!waiting.empty()) queues.push_back(&world_.state.queues.at(no));
    std::ranges::sort(queues, [](const JobQueue* a, const JobQueue* b) {
      return a->priority != b->priority ? a->priority > b->priority : a->name < b->name;
    });
    struct Bid {
      std::vector<Site*> sites;  // still to be asked, the next one last
      WaitingDemand demand;
      Site* at = nullptr;
      std::size_t index = 0;  // there
    };
    std::vector<Bid> bids;
    for (const JobQueue* queue : queues) {
      std::vector<Site*> sites;
      for (const std::string& name : queue->environments_by_order())
        if (const auto site = sites_.find(name); site != sites_.end()) sites.push_back(&site->second);
      if (sites.empty()) continue;
      std::ranges::reverse(sites);
      for (WaitingDemand& demand : demands_of(world_, *queue, now_))
        bids.push_back({sites, std::move(demand)});
    }
    while (!bids.empty()) {
      // Each goes to its next environment; then those are planned, with all that came to them so far.
      for (Bid& bid : bids) {
        bid.at = bid.sites.back();
        bid.sites.pop_back();
        bid.index = bid.at->demands.size();
        bid.at->demands.push_back(bid.demand.demand);
        bid.at->waits.push_back(bid.demand.waits);
        bid.at->planned = false;
      }
      for (auto& [name, site] : sites_)
        if (!site.planned && !site.demands.empty()) plan(site);
      std::vector<Bid> left;
      for (Bid& bid : bids) {
        const std::int64_t held = bid.at->plan.fates[bid.index].held;
        if (held == 0 || bid.sites.empty()) continue;
        // A gang is held as a whole.
        bid.demand.demand.jobs = held / std::max<std::int64_t>(1, bid.demand.demand.gang);
        left.push_back(std::move(bid));
      }
      bids = std::move(left);
    }
  }

  void plan(Site& site) {
    site.planned = true;
    site.plan =
        fleet::size_fleet(world_.settings.launching->catalogue, site.policy, site.state, site.demands, now_);
  }

  void carry_out(Site& site) {
    Fleet& fleet = *site.fleet;
    for (std::size_t i = 0; i < site.waits.size(); ++i) fleet.fates[site.waits[i]] = site.plan.fates[i];
    busy_ = busy_ || !site.demands.empty() || !site.state.nodes.empty() || !site.plan.launches.empty();
    for (const fleet::Launch& launch : site.plan.launches) carry_out(site, launch);
    for (const fleet::Retire& retire : site.plan.retirements) carry_out(retire);
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
      if (node.heard_at && node.heard_at < now_ && node.phase == fleet::NodePhase::Ready)
        look_again_at(node.heard_at + site.policy.silent_max);
  }

  void carry_out(const Site& site, const fleet::Launch& launch) {
    Fleet& fleet = *site.fleet;
    LaunchNodes action{
        site.environment->name, launch.pool, subnet_in(fleet, launch.pool.zone), {}, launch.text};
    for (std::int64_t i = 0; i < launch.count; ++i) {
      LaunchedNode launched;
      launched.name = mint_name(*site.environment, fleet);
      launched.environment = site.environment->name;
      launched.pool = launch.pool;
      launched.price = price_of(site.policy, launch.pool);
      if (const auto* type = world_.settings.launching->catalogue.find(launch.pool.type))
        launched.total = {
            .cpus_milli = type->vcpus * 1000, .memory_mib = type->memory_offered_mib(), .gpus = type->gpus};
      launched.reason = launch.reason;
      launched.asked_at = now_;
      launched.told_at = now_;
      launched.runs = launch.runs;
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
    std::map<std::pair<std::string, fleet::Pool>, LaunchNodes> launches;
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
      LaunchNodes& action = launches[{launched.environment, launched.pool}];
      action.environment = launched.environment;
      action.pool = launched.pool;
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
  bool busy_ = false;
};

}  // namespace

void look_at_fleets(World& world, Instant now, Actions& out) {
  ProvisionWork& work = world.provision;
  settle_idle_nodes(world, now);
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
  if (work.look_due && world.settings.launching && (!next || work.last_look + kLooksApart < *next))
    next = work.last_look + kLooksApart;
  return next;
}

}  // namespace stoker::core
