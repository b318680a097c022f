#pragma once
// What lets a core launch machines. Without it MANAGED compute environments stay empty, and jobs say so.
#include <map>
#include <string>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/sizing/policy.h"

namespace stoker::core {

struct Launching {
  fleet::Catalogue catalogue = fleet::Catalogue::builtin();
  // By environment, in place of what its document and tags say: simulations can say more.
  std::map<std::string, fleet::FleetPolicy> policies = {};
};

}  // namespace stoker::core
