// The default of stoker: fragmentation gradient descent, and what else a node is worth.
#include "core/placement/policies/policies.h"

namespace stoker::core {

std::unique_ptr<Policy> make_stoker() {
  return make_fgd();
}

}  // namespace stoker::core
