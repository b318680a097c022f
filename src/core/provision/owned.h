#pragma once
// Machines that were not launched but have a price (Settings::node_price): those of UNMANAGED environments.
// They have the accounts of launched ones, by a record that begins with the first hello and ends when the
// node is lost or its price goes. Time without the server is theirs, too: idle, or of what runs on.
#include "core/world.h"

namespace stoker::core {

// The node said hello: its record is made, brought up to date, or ended.
void meter_node(World& world, Node& node, Instant now);

}  // namespace stoker::core
