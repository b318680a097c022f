#pragma once
// The nodes of a pool that hold one image, by the states they are in. Which images a node holds is part of
// neither its kind nor its state: nodes that differ in that alone are still scored once, and a run's image
// only says which nodes of a state come first. What nobody asks for costs nothing: each image catches up when
// a shape with it is asked about.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/placement/census.h"

namespace stoker::core {

class Holders {
 public:
  Holders(const Census& census, std::string full_name);

  // Takes note of what changed. Before each of the questions below.
  void catch_up();

  // The first node of a state that holds the image; kNoNumber: none does.
  SlotNo first(StateNo state);

  // States that got a first holder, or an earlier one, in the order in which it happened. Entry number
  // log_start() of all times is the first that is left; what is left names every state that has a holder.
  [[nodiscard]] const std::vector<StateNo>& log() const { return log_; }
  [[nodiscard]] std::uint64_t log_start() const { return log_start_; }

 private:
  static constexpr StateNo kNotHeld = kNoNumber - 1;
  struct Share {  // of the nodes of one state
    std::size_t holders = 0;
    SlotNo from = kNoNumber;  // none of them comes before it
    std::uint32_t generation = 0;
  };

  void look_at(Census::Move move);
  void cut_log();

  const Census* census_;
  std::string image_;
  std::set<SlotNo> holders_;       // in a state or not
  std::vector<StateNo> state_of_;  // by slot: kNotHeld, or the state of a holder (none: kNoNumber)
  std::vector<Share> shares_;      // by state
  std::vector<StateNo> log_;
  std::uint64_t log_start_ = 0;
  std::uint64_t seen_ = 0;  // the moves below are accounted for
  std::uint64_t told_ = 0;  // as the census counted them then
  bool fresh_ = true;
};

}  // namespace stoker::core
