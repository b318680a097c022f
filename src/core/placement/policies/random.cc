// Any node where the run fits.
#include "core/placement/policies/policies.h"

namespace stoker::core {
namespace {

class Random : public Policy {
 public:
  [[nodiscard]] std::int64_t score(const Candidate&) const override { return 0; }
  [[nodiscard]] bool by_chance() const override { return true; }
};

}  // namespace

std::unique_ptr<Policy> make_random() {
  return std::make_unique<Random>();
}

}  // namespace stoker::core
