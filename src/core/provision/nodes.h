#pragma once
// The life of a launched machine, as news tell it:
//
//   asked → launching → launched (it costs) → ready (its agent said hello) → retired → gone
//
// with ways to gone from everywhere. News may come twice, late and in any order: what does not fit changes
// nothing.
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

void on_subnets_found(World& world, const SubnetsFound& event);
void on_node_launching(World& world, const NodeLaunching& event);
void on_node_launched(World& world, const NodeLaunched& event, Instant now);
void on_launch_failed(World& world, const LaunchFailed& event, Instant now);
void on_rebalance_advised(World& world, const RebalanceAdvised& event);
void on_interruption_notice(World& world, const InterruptionNotice& event, Instant now);
void on_spot_quoted(World& world, const SpotQuoted& event);

// An agent said hello: sets what only we know of its node. A machine with a name of ours that is in no record
// is nobody's: it gets no runs and is ended.
void greet_node(World& world, Node& node, Instant now, Actions& out);
void note_disconnected(World& world, const std::string& node, Instant now);
void note_gone(World& world, const std::string& node, Instant now, bool reclaimed);

// Runs came to a node, or one ended there.
void note_runs_changed(World& world, const Node& node);
void note_run_ended(World& world, Node& node);
// At the end of a turn: machines on which nothing runs any more are idle from now.
void settle_idle_nodes(World& world, Instant now);

// No new runs on it; the running ones may end until the deadline (0: as long as they take).
void drain_node(World& world, LaunchedNode& launched, Instant deadline, const std::string& why);
// To be ended, with what runs on it.
void retire_node(World& world, LaunchedNode& launched, Instant now, const std::string& why, Actions& out);

// The environment was updated: what was at fault may be right now. Deleted: its machines are ended.
void environment_updated(World& world, const std::string& name);
void environment_deleted(World& world, const std::string& name, Instant now, Actions& out);

// Its machines, by name.
std::vector<LaunchedNode*> machines_of(World& world, const std::string& environment);

}  // namespace stoker::core
