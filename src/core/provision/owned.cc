#include "core/provision/owned.h"

#include "core/provision/accounts.h"

namespace stoker::core {
namespace {

LaunchedNode& begin(World& world, const Node& node, Instant now) {
  LaunchedNode& owned = world.state.launched[node.name];
  owned.name = node.name;
  owned.reason = fleet::LaunchReason::Owned;
  owned.asked_at = owned.started_at = owned.ready_at = now;
  // What runs there from before it had a price counts from now.
  if (const auto known = world.state.nodes.find(node.name); known != world.state.nodes.end())
    for (const JobNo no : known->second.runs) note_served(world, *world.state.jobs.find(no));
  world.provision.touched.push_back(owned.name);
  return owned;
}

}  // namespace

void meter_node(World& world, Node& node, Instant now) {
  const auto found = world.state.launched.find(node.name);
  const Money price = world.settings.node_price;
  if (found == world.state.launched.end() && price <= Money{}) return;
  LaunchedNode& owned = found == world.state.launched.end() ? begin(world, node, now) : found->second;
  const fleet::Pool pool{node.instance_type, {}, fleet::Market::OnDemand};
  if (owned.environment != node.environment || owned.pool != pool || !(owned.total == node.total) ||
      owned.price != price) {
    account_until(world, owned, now);
    owned.environment = node.environment;
    owned.pool = pool;
    owned.total = node.total;
    owned.price = price;
  }
  const Instant due = day_of(now) + days(1);
  world.provision.owned_due = std::min(world.provision.owned_due.value_or(due), due);
  if (price > Money{}) {
    node.price_micros_per_hour = price.micros;
    world.changes.document(DocumentKind::LaunchedNode, owned.name);
    return;
  }
  world.changes.removed_document(DocumentKind::LaunchedNode, node.name);
  world.state.launched.erase(node.name);
}

}  // namespace stoker::core
