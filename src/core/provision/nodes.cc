#include "core/provision/nodes.h"

#include <algorithm>

#include "core/provision/accounts.h"
#include "core/provision/fleet_policy.h"
#include "core/provision/owned.h"
#include "core/provision/spending.h"
#include "core/schedule/places.h"

namespace stoker::core {
namespace {

LaunchedNode* find_launched(World& world, const std::string& name) {
  const auto found = world.state.launched.find(name);
  return found == world.state.launched.end() ? nullptr : &found->second;
}

Fleet* find_fleet(World& world, const std::string& environment) {
  const auto found = world.state.fleets.find(environment);
  return found == world.state.fleets.end() ? nullptr : &found->second;
}

void record(World& world, const LaunchedNode& launched) {
  world.changes.document(DocumentKind::LaunchedNode, launched.name);
}
// What sizing decides by has changed, too.
void note(World& world, const LaunchedNode& launched) {
  record(world, launched);
  world.provision.look_due = true;
}

void note(World& world, const Fleet& fleet) {
  world.changes.document(DocumentKind::Fleet, fleet.environment);
  world.provision.look_due = true;
}

void set_draining(World& world, const LaunchedNode& launched) {
  const auto node = world.state.nodes.find(launched.name);
  if (node == world.state.nodes.end() || node->second.draining) return;
  node->second.draining = true;
  put_place(world, node->second);
  world.pass_due = true;
}

// It counts no longer: neither for the limits nor for the bill.
void forget(World& world, LaunchedNode& launched, Instant now, bool reclaimed) {
  if (Fleet* fleet = find_fleet(world, launched.environment)) {
    charge_ended(*fleet, launched, now);
    if (reclaimed && !launched.rebalance) fleet->pools.interrupted(launched.pool, now);
    note(world, *fleet);
  }
  account_end(world, launched, now, reclaimed);
  world.changes.removed_document(DocumentKind::LaunchedNode, launched.name);
  world.provision.look_due = true;
  world.state.launched.erase(launched.name);
}

void warn(World& world, Job& job, Instant now) {
  Instant& warned_at = job.extra->attempts.back().warned_at;
  if (warned_at) return;
  warned_at = now;
  world.changes.job(job);
}
// The agent tells the programs on the machine to save; what is told to one node of a job is told to the job.
void warn_runs(World& world, const std::string& name, Instant now) {
  const auto node = world.state.nodes.find(name);
  if (node == world.state.nodes.end()) return;
  for (const JobNo no : node->second.runs) {
    Job& job = *world.state.jobs.find(no);
    warn(world, job, now);
    if (job.is_node()) warn(world, world.state.jobs.parent_of(job), now);
  }
}

}  // namespace

void on_subnets_found(World& world, const SubnetsFound& event) {
  Fleet* fleet = find_fleet(world, event.environment);
  if (fleet == nullptr) return;
  const auto before = fleet->zones;
  for (const auto& [subnet, zone] : event.zones) fleet->zones[subnet] = zone;
  if (fleet->zones != before) note(world, *fleet);
}

void on_node_launching(World& world, const NodeLaunching& event) {
  LaunchedNode* launched = find_launched(world, event.node);
  if (launched == nullptr || launched->instance == event.instance || launched->started_at) return;
  launched->instance = event.instance;
  record(world, *launched);
}

void on_node_launched(World& world, const NodeLaunched& event, Instant now) {
  LaunchedNode* launched = find_launched(world, event.node);
  if (launched == nullptr || launched->started_at) return;
  launched->instance = event.instance;
  launched->started_at =
      std::clamp(event.at ? event.at : now, launched->asked_at, std::max(launched->asked_at, now));
  record(world, *launched);
}

void on_launch_failed(World& world, const LaunchFailed& event, Instant now) {
  LaunchedNode* launched = find_launched(world, event.node);
  // One that said hello was launched, whatever this says; its end is told by NodeLost.
  if (launched == nullptr || launched->ready_at) return;
  if (Fleet* fleet = find_fleet(world, launched->environment)) {
    if (event.failure)
      fleet->pools.failed(launched->pool, *event.failure, now);
    else
      fleet->fault = event.text.empty() ? "CLIENT_ERROR - The launch was refused" : event.text;
  }
  launched->started_at = {};  // it never was
  forget(world, *launched, now, false);
}

void on_rebalance_advised(World& world, const RebalanceAdvised& event) {
  LaunchedNode* launched = find_launched(world, event.node);
  if (launched == nullptr || launched->rebalance) return;
  launched->rebalance = true;
  note(world, *launched);
}

void on_interruption_notice(World& world, const InterruptionNotice& event, Instant now) {
  LaunchedNode* launched = find_launched(world, event.node);
  if (launched == nullptr || launched->retired) return;
  if (launched->draining && launched->rebalance && launched->deadline == event.deadline) return;
  if (Fleet* fleet = find_fleet(world, launched->environment); fleet != nullptr && !launched->rebalance) {
    fleet->pools.interrupted(launched->pool, now);
    note(world, *fleet);
  }
  launched->rebalance = true;
  warn_runs(world, event.node, now);
  drain_node(world, *launched, event.deadline, "EC2 takes it back");
}

void on_spot_quoted(World& world, const SpotQuoted& event) {
  for (const auto& [pool, quote] : event.quotes) world.state.spot_quotes[pool] = quote;
  world.provision.look_due = true;
}

void greet_node(World& world, Node& node, Instant now, Actions& out) {
  LaunchedNode* launched = find_launched(world, node.name);
  if (launched != nullptr && launched->reason == fleet::LaunchReason::Owned)
    return meter_node(world, node, now);
  if (launched == nullptr) {
    const auto environment = world.state.environments.find(node.environment);
    if (environment == world.state.environments.end() || !is_launching(world.settings, environment->second))
      return meter_node(world, node, now);
    if (!node.name.starts_with(name_prefix(environment->second))) return;  // somebody else's machine
    node.draining = true;
    out.push_back(RetireNode{node.name, {}, "no record of its launch"});
    return;
  }
  node.environment = launched->environment;
  node.instance_type = launched->pool.type;
  node.spot = launched->pool.market == fleet::Market::Spot;
  node.price_micros_per_hour = launched->price.micros;
  node.draining = launched->draining || launched->retired;
  launched->heard_at = {};
  world.provision.look_due = true;
  if (launched->retired) out.push_back(RetireNode{launched->name, launched->instance, launched->why});
  if (launched->ready_at) return;
  launched->ready_at = now;
  if (!launched->started_at) launched->started_at = now;  // it runs, though nobody told us
  launched->runs.clear();
  if (Fleet* fleet = find_fleet(world, launched->environment)) {
    fleet->pools.succeeded(launched->pool);
    note(world, *fleet);
  }
  note(world, *launched);
  world.provision.touched.push_back(launched->name);
}

void note_disconnected(World& world, const std::string& node, Instant now) {
  LaunchedNode* launched = find_launched(world, node);
  if (launched != nullptr && !launched->heard_at) launched->heard_at = now;
  if (launched != nullptr) world.provision.look_due = true;
}

void note_gone(World& world, const std::string& node, Instant now, bool reclaimed) {
  if (LaunchedNode* launched = find_launched(world, node)) forget(world, *launched, now, reclaimed);
}

void note_runs_changed(World& world, const Node& node) {
  if (world.state.launched.empty()) return;
  if (world.state.launched.contains(node.name)) world.provision.touched.push_back(node.name);
}

void note_run_ended(World& world, Node& node) {
  note_runs_changed(world, node);
  if (node.draining) return;
  LaunchedNode* launched = find_launched(world, node.name);
  const Fleet* fleet = launched == nullptr ? nullptr : find_fleet(world, launched->environment);
  if (fleet != nullptr && fleet->one_run)
    drain_node(world, *launched, {}, "a machine of this environment serves once");
}

void settle_idle_nodes(World& world, Instant now) {
  std::vector<std::string> touched = std::exchange(world.provision.touched, {});
  if (touched.empty()) return;
  world.provision.look_due = true;
  std::ranges::sort(touched);
  const auto repeated = std::ranges::unique(touched);
  touched.erase(repeated.begin(), repeated.end());
  std::vector<LaunchedNode*> idle;
  for (const std::string& name : touched) {
    LaunchedNode* launched = find_launched(world, name);
    const auto node = world.state.nodes.find(name);
    if (launched == nullptr || node == world.state.nodes.end() || !launched->ready_at) continue;
    const bool busy = !node->second.runs.empty();
    if (!busy && !launched->idle_since) idle.push_back(launched);
    if (!busy || (!launched->idle_since && !launched->claimed)) continue;
    Fleet* fleet = find_fleet(world, launched->environment);
    if (launched->idle_since && !launched->claimed && fleet != nullptr) {
      fleet->gaps.wanted(now);
      note(world, *fleet);
    }
    launched->claimed = false;
    launched->idle_since = {};
    note(world, *launched);
  }
  for (LaunchedNode* launched : idle) {
    launched->idle_since = now;
    launched->claimed = false;
    note(world, *launched);
    Fleet* fleet = find_fleet(world, launched->environment);
    if (launched->draining || launched->retired || fleet == nullptr) continue;
    fleet->gaps.became_idle(now);
    note(world, *fleet);
  }
}

void drain_node(World& world, LaunchedNode& launched, Instant deadline, const std::string& why) {
  launched.draining = true;
  launched.deadline = deadline;
  launched.why = why;
  note(world, launched);
  set_draining(world, launched);
}

void retire_node(World& world, LaunchedNode& launched, Instant now, const std::string& why, Actions& out) {
  if (launched.retired) return;
  launched.retired = true;
  launched.why = why;
  launched.told_at = now;
  note(world, launched);
  set_draining(world, launched);
  out.push_back(RetireNode{launched.name, launched.instance, why});
}

void environment_updated(World& world, const std::string& name) {
  world.provision.look_due = true;
  Fleet* fleet = find_fleet(world, name);
  if (fleet == nullptr) return;
  fleet->fault.clear();
  fleet->pools.joins_may_be_right();
  note(world, *fleet);
}

void environment_deleted(World& world, const std::string& name, Instant now, Actions& out) {
  for (LaunchedNode* launched : machines_of(world, name))
    if (launched->reason != fleet::LaunchReason::Owned)
      retire_node(world, *launched, now, "its compute environment was deleted", out);
  if (world.state.fleets.erase(name) > 0) world.changes.removed_document(DocumentKind::Fleet, name);
}

std::vector<LaunchedNode*> machines_of(World& world, const std::string& environment) {
  std::vector<LaunchedNode*> machines;
  for (auto& [name, launched] : world.state.launched)
    if (launched.environment == environment) machines.push_back(&launched);
  return machines;
}

}  // namespace stoker::core
