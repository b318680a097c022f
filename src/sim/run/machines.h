#pragma once
// Machines of the simulation: they boot, hold images, serve runs, are taken back or let go, and are paid for.
#include "sim/run/world.h"

namespace stoker::sim {

// On its way from now on; its index.
std::size_t add_machine(World& world, std::size_t environment, const fleet::Pool& pool);
// On purpose. Some are forgotten: the core knows nothing of them any more, they are paid for and are in the
// way.
void let_go(World& world, std::size_t machine);

// ---- what was foreseen ----

void on_ready(World& world, std::size_t machine);
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

// ---- runs on it ----

void take_room(World& world, Machine& machine, std::size_t job);
void give_room(World& world, Machine& machine, std::size_t job);
// Machines that came or became free in this turn and got nothing in its pass are idle.
void count_idle(World& world);

}  // namespace stoker::sim
