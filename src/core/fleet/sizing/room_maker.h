#pragma once
// At a limit: which machines go, so that others can be launched for what waits first. Idle ones go at once,
// whatever keeps them warm; where that is not enough, those in use take no new runs.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fleet/sizing/mix.h"
#include "core/fleet/sizing/survey.h"

namespace stoker::fleet {

class RoomMaker {
 public:
  RoomMaker(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state, Instant now);

  // Machines that can hold such runs go for nobody any more.
  void spare(const Need& need);
  // Lets machines go until `wanted` is inside the limits without them, as few as will do: idle ones that
  // waiting runs were not put on; where `in_use` also those that have runs, which end first. Those that go
  // already count. Which ones (index in FleetState::nodes); nothing when all would not be enough: then all
  // stay.
  std::optional<std::vector<std::size_t>> make(const Tally& wanted, const Survey& survey, bool in_use,
                                               const std::string& why);

  // A machine in use that holds such runs, but takes up the room of machines that hold at least twice as
  // many, of which those that wait would fill twice as many again: a large one that came for a large job
  // would otherwise stay as long as small ones use it. One at a time, and none that just came.
  std::optional<std::size_t> replace(const Need& need, std::int64_t waiting, const SlotsOfType& instead,
                                     const Tally& counted, const std::string& why);

  // For another reason. An idle machine.
  void let_go(std::size_t node, std::string why) { leaving_.emplace(node, std::move(why)); }

  // All of them, and why.
  [[nodiscard]] const std::map<std::size_t, std::string>& leaving() const { return leaving_; }

 private:
  [[nodiscard]] bool holds(std::size_t node, const Need& need) const;
  [[nodiscard]] bool fits(Tally wanted, const Tally& leaving) const;
  [[nodiscard]] std::int64_t slots_instead(const SlotsOfType& instead, const Tally& counted) const;

  const Catalogue& catalogue_;
  const FleetPolicy& policy_;
  const FleetState& state_;
  Instant now_;
  std::vector<std::size_t> idle_;  // that may go, the one idle longest first
  std::vector<std::size_t> busy_;  // the one that will be empty first before others
  Tally going_;                    // soon: nothing runs there
  Tally going_later_;
  std::map<std::size_t, std::string> leaving_;
};

}  // namespace stoker::fleet
