#pragma once
// Machines of the simulation: they boot, hold images, serve runs, are taken back or let go, and are paid for.
#include "sim/run/world.h"

namespace stoker::sim {

// Those that are there from the beginning.
void add_static_machines(World& world, std::size_t environment);

// ---- what the core wants ----

void on_launch(World& world, const core::LaunchNodes& launch);
// Some are forgotten: they are paid for and are in the way, until somebody remembers them.
void on_retire(World& world, const core::RetireNode& retire);

// ---- what was foreseen ----

void on_ready(World& world, std::size_t machine);
// An image is there now.
void on_pulled(World& world, std::size_t machine);
void on_launch_fails(World& world, std::size_t machine);
void on_advised(World& world, std::size_t machine);
void on_noticed(World& world, std::size_t machine);
void on_reclaimed(World& world, std::size_t machine);
// The next loss of the environment's recorded history: which of our machines go.
void on_spot_losses(World& world, std::size_t environment);
void foresee_losses(World& world, std::size_t environment);
// The next price of the environment's series: machines on spot cost that from now on.
void on_spot_price(World& world, std::size_t environment);
void foresee_price(World& world, std::size_t environment);
// What spot costs in its zones from now on, in percent of on-demand.
void quote_spot(World& world, std::size_t environment, int percent);
void on_remembered(World& world, std::size_t machine);

// What the core decided in this turn about who pays for idle machines: which of them a minimum keeps.
void note_kept(World& world);

}  // namespace stoker::sim
