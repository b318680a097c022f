#include "core/placement/view.h"

#include <algorithm>

namespace stoker::core {
namespace {

// How much outdated entries may outgrow the states before they are dropped.
constexpr std::size_t kSlack = 1024;

}  // namespace

View::View(const Census& census, const Policy& policy, const Shape& shape, Holders* holders)
    : census_(&census),
      policy_(&policy),
      ask_(ask_of(shape)),
      warm_{.among = holders, .bonus = policy.warm_bonus()} {}

void View::catch_up(const Shape& shape) {
  const std::vector<StateNo>& log = census_->log();
  const std::size_t states = census_->states().size();
  if (fresh_ || seen_ < census_->log_start()) {
    states_.assign(states, {});
    all_.heap.clear();
    with_lack_ = {};
    fresh_ = false;
    for (StateNo state = 0; state < states; ++state) look_at(shape, state);
  } else {
    states_.resize(states);
    for (std::size_t i = seen_ - census_->log_start(); i < log.size(); ++i) look_at(shape, log[i]);
  }
  seen_ = census_->log_start() + log.size();
  if (warm_.among != nullptr) catch_up_with_holders();
}

void View::catch_up_with_holders() {
  Holders& holders = *warm_.among;
  holders.catch_up();
  if (seen_holders_ < holders.log_start()) {
    warm_.heap.clear();
    seen_holders_ = holders.log_start();
  }
  const std::vector<StateNo>& log = holders.log();
  for (std::size_t i = seen_holders_ - holders.log_start(); i < log.size(); ++i)
    if (holders.first(log[i]) != kNoNumber && fits(log[i])) push(warm_, log[i]);
  seen_holders_ = holders.log_start() + log.size();
}

void View::look_at(const Shape& shape, StateNo number) {
  KnownState& known = states_[number];
  const Census::State& state = census_->states()[number];
  if (known.generation != state.generation) {
    if (known.generation != kNoNumber && !known.never) --with_lack_[known.lack];
    known = {};
    if (state.slots.empty()) return;
    known.generation = state.generation;
    const Match& fits = match(shape, census_->faces()[state.face].kind);
    known.never = fits.ever != 0 || state.memory_mib < ask_.memory_mib;
    if (known.never) return;
    known.lack = face(shape, state.face).lack;
    if (state.free_memory_mib < ask_.memory_mib) known.lack |= kLackMemory;
    ++with_lack_[known.lack];
  }
  if (!known.never && known.lack == 0 && !state.slots.empty()) push(all_, number);
}

const Match& View::match(const Shape& shape, KindNo number) {
  if (kinds_.size() <= number) kinds_.resize(census_->kinds().size());
  const Census::Kind& kind = census_->kinds()[number];
  KnownKind& known = kinds_[number];
  if (known.generation != kind.generation) known = {kind.generation, match_of(*kind.kind, shape, kind.empty)};
  return known.match;
}

const View::KnownFace& View::face(const Shape& shape, FaceNo number) {
  if (faces_.size() <= number) faces_.resize(census_->faces().size());
  const Census::Face& face = census_->faces()[number];
  KnownFace& known = faces_[number];
  if (known.generation == face.generation) return known;
  const Census::Kind& kind = census_->kinds()[face.kind];
  const Match& fits = match(shape, face.kind);
  known = {.generation = face.generation, .lack = lack_of(*kind.kind, face.room, ask_, fits)};
  if (known.lack == 0)
    known.score = policy_->score({.kind = *kind.kind,
                                  .room = face.room,
                                  .ask = ask_,
                                  .match = fits,
                                  .unusable = face.unusable,
                                  .fit = policy_->measures() ? &kind.fit : nullptr});
  return known;
}

SlotNo View::first(const Ranking& ranking, StateNo number) const {
  if (ranking.among != nullptr) return ranking.among->first(number);
  const std::set<SlotNo>& slots = census_->states()[number].slots;
  return slots.empty() ? kNoNumber : *slots.begin();
}

void View::push(Ranking& ranking, StateNo number) {
  const Census::State& state = census_->states()[number];
  std::vector<Entry>& heap = ranking.heap;
  // Outdated entries are many when a state keeps getting earlier nodes.
  if (heap.size() > 4 * census_->states().size() + kSlack) tidy(ranking);
  heap.push_back(
      {faces_[state.face].score + ranking.bonus, first(ranking, number), number, state.generation});
  std::ranges::push_heap(heap, IsWorse{});
}

// One entry for each state that has one and is still there, by its first node as it is now.
void View::tidy(Ranking& ranking) {
  std::vector<Entry>& heap = ranking.heap;
  for (Entry& entry : heap) entry.first = first(ranking, entry.state);
  std::erase_if(heap, [&](const Entry& entry) { return !is_current(ranking, entry); });
  std::ranges::sort(heap, {}, &Entry::state);
  const auto repeated = std::ranges::unique(heap, {}, &Entry::state);
  heap.erase(repeated.begin(), repeated.end());
  std::ranges::make_heap(heap, IsWorse{});
}

bool View::is_current(const Ranking& ranking, const Entry& entry) const {
  return census_->states()[entry.state].generation == entry.generation && entry.first != kNoNumber &&
         entry.first == first(ranking, entry.state);
}

const View::Entry* View::top(Ranking& ranking) {
  std::vector<Entry>& heap = ranking.heap;
  while (!heap.empty()) {
    if (is_current(ranking, heap.front())) return &heap.front();
    std::ranges::pop_heap(heap, IsWorse{});
    const Entry outdated = heap.back();
    heap.pop_back();
    // The same state with a later first node.
    if (census_->states()[outdated.state].generation == outdated.generation &&
        first(ranking, outdated.state) != kNoNumber)
      push(ranking, outdated.state);
  }
  return nullptr;
}

// A node that holds the image may be first of its state among all, too: its entry with the bonus is better.
SlotNo View::best() {
  const Entry* any = top(all_);
  if (any == nullptr) return kNoNumber;
  const Entry* warm = warm_.among == nullptr ? nullptr : top(warm_);
  return (warm == nullptr || IsWorse{}(*warm, *any) ? any : warm)->first;
}

Candidate View::candidate(StateNo number) const {
  const Census::Face& face = census_->face_of(number);
  const Census::Kind& kind = census_->kinds()[face.kind];
  return {.kind = *kind.kind,
          .room = face.room,
          .ask = ask_,
          .match = kinds_[face.kind].match,
          .unusable = face.unusable,
          .fit = policy_->measures() ? &kind.fit : nullptr};
}

View::Shortage View::shortage() const {
  Shortage shortage;
  for (std::size_t lack = 0; lack < with_lack_.size(); ++lack) {
    if (with_lack_[lack] == 0) continue;
    shortage.could_hold = true;
    shortage.lack |= static_cast<Lack>(lack);
  }
  return shortage;
}

bool View::could_hold(SlotNo slot) const {
  const auto& slots = census_->slots();
  return slot < slots.size() && slots[slot].state != kNoNumber && !states_[slots[slot].state].never;
}

const Node* View::example() {
  const auto& slots = census_->slots();
  if (!could_hold(example_)) {
    example_ = 0;
    while (example_ < slots.size() && !could_hold(example_)) ++example_;
  }
  return example_ < slots.size() ? slots[example_].node : nullptr;
}

}  // namespace stoker::core
