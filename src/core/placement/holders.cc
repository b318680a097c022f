#include "core/placement/holders.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace stoker::core {
namespace {

// How much the log may outgrow what it is about before it is cut.
constexpr std::size_t kSlack = 1024;

}  // namespace

Holders::Holders(const Census& census, std::string full_name)
    : census_(&census), image_(std::move(full_name)) {}

void Holders::catch_up() {
  const std::vector<Census::Move>& moves = census_->moves();
  const auto slots = static_cast<SlotNo>(census_->slots().size());
  state_of_.resize(slots, kNotHeld);
  shares_.resize(census_->states().size());
  const bool behind = fresh_ || seen_ < census_->moves_start();
  if (!behind) {
    for (std::size_t i = seen_ - census_->moves_start(); i < moves.size(); ++i) look_at(moves[i]);
  } else if (!fresh_ && told_ == census_->told()) {
    for (const SlotNo slot : holders_) look_at({slot});
  } else {
    for (SlotNo slot = 0; slot < slots; ++slot) look_at({slot, true});
  }
  if (behind || log_.size() > 4 * holders_.size() + kSlack) cut_log();
  fresh_ = false;
  seen_ = census_->moves_start() + moves.size();
  told_ = census_->told();
}

void Holders::look_at(Census::Move move) {
  StateNo& state = state_of_[move.slot];
  const Census::Slot& slot = census_->slots()[move.slot];
  const bool was_held = state != kNotHeld;
  const bool is_held = move.told ? slot.node != nullptr && holds(slot.node->images, image_) : was_held;
  if (!was_held && !is_held) return;
  if (!was_held) holders_.insert(move.slot);
  if (!is_held) holders_.erase(move.slot);
  const StateNo before = std::exchange(state, is_held ? slot.state : kNotHeld);
  if (was_held && before != kNoNumber && --shares_[before].holders == 0) shares_[before].from = kNoNumber;
  if (!is_held || state == kNoNumber) return;
  Share& share = shares_[state];
  ++share.holders;
  // The number may have become that of another state since, to which all of its nodes have moved.
  const std::uint32_t generation = census_->states()[state].generation;
  if (move.slot >= share.from && share.generation == generation) return;
  share.from = std::min(share.from, move.slot);
  share.generation = generation;
  log_.push_back(state);
}

SlotNo Holders::first(StateNo state) {
  Share& share = shares_[state];
  if (share.holders == 0) return kNoNumber;
  // Among the nodes of the state, or among all that hold the image: the fewer.
  const std::set<SlotNo>& there = census_->states()[state].slots;
  const std::set<SlotNo>& among = there.size() < holders_.size() ? there : holders_;
  auto at = among.lower_bound(share.from);
  while (at != among.end() && state_of_[*at] != state) ++at;
  ASSERT(at != among.end(), "the holders of a state are counted");
  share.from = *at;
  return share.from;
}

// What is left begins with all that there is.
void Holders::cut_log() {
  log_start_ += log_.size();
  log_.clear();
  for (StateNo state = 0; state < shares_.size(); ++state)
    if (shares_[state].holders > 0) log_.push_back(state);
}

}  // namespace stoker::core
