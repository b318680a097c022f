#pragma once
// Where runs can go: the nodes that have connected, by compute environment, with one pool (core/placement)
// each. The only way in which scheduling finds nodes.
#include <string>
#include <vector>

#include "core/world.h"

namespace stoker::core {

// A node connected or disconnected, or told something new of itself.
void put_place(World& world, Node& node);
// Its runs changed.
void update_place(World& world, Node& node);
// It holds other images.
void note_images(World& world, Node& node);
// It is forgotten, or moves to another environment.
void remove_place(World& world, Node& node);

// The nodes of an environment that get new runs now, by name.
std::vector<Node*> open_nodes(const World& world, const std::string& environment);

// The pool of an environment; null when no node of it is connected.
Pool* find_pool(World& world, const std::string& environment);

// What the connected nodes of an environment have in all. Costs by nodes.
Resources connected_resources(const World& world, const std::string& environment);

// Tells the pools what is usually asked for, when that may have changed much since the last time. Called once
// a pass.
void refresh_workload(World& world);

}  // namespace stoker::core
