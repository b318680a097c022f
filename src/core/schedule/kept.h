#pragma once
// What later jobs of a pass may not take, because an earlier one waits for it.
#include <map>
#include <string>

#include "core/placement/ask.h"
#include "core/schedule/gate.h"

namespace stoker::core {

// So a large job is not starved by small ones: what it lacks is kept together until it is enough. Shared by
// all queues of an environment, in order of their priority.
class Kept {
 public:
  struct Block {
    Lack lack = 0;  // what may not be taken; 0: nothing
    JobNo behind;   // for whom it is kept
  };
  // What of `wanted` is kept in the environment.
  [[nodiscard]] Block block(const std::string& environment, Lack wanted) const;
  void keep(const std::string& environment, Lack lack, JobNo job);

  // Units are taken together with the node's resources, so whoever lacks some keeps later jobs from them.
  std::optional<Hold> hold_for_units(const State& state, const Contender& contender);

 private:
  std::map<std::string, Block> environments_;
  std::map<std::string, JobNo> units_;  // by consumable resource
};

}  // namespace stoker::core
