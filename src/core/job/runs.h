#pragma once
// What nodes tell about runs. News may come twice, late and in any order: what does not fit the job's current
// attempt changes nothing, and the node may forget that run.
#include "core/action.h"
#include "core/world.h"

namespace stoker::core {

void on_node_connected(World& world, const NodeConnected& event, Instant now, Actions& out);
// Decides where runs go, not whether they can: no pass is due.
void on_node_images_changed(World& world, const NodeImagesChanged& event);
void on_node_disconnected(World& world, const NodeDisconnected& event, Instant now);
void on_node_lost(World& world, const NodeLost& event, Instant now, Actions& out);
void on_run_started(World& world, const RunStarted& event, Actions& out);
void on_run_progressed(World& world, const RunProgressed& event);
void on_run_ended(World& world, const RunEnded& event, Instant now, Actions& out);

// The action that starts the job's current attempt; the same again each time it is asked for.
StartRun start_run(const World& world, const Job& job);

}  // namespace stoker::core
