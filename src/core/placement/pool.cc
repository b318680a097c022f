#include "core/placement/pool.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/assert.h"
#include "base/rng.h"
#include "core/placement/devices.h"

namespace stoker::core {
namespace {

using KindNo = std::uint32_t;
using StateNo = std::uint32_t;
using SlotNo = std::uint32_t;
constexpr std::uint32_t kNone = UINT32_MAX;

// Shapes whose view of the pool is kept. When there are more, all are made anew as they are asked about.
constexpr std::size_t kViewsMax = 4096;
// How much the notes may outgrow what they are about before they are tidied.
constexpr std::size_t kSlack = 1024;

struct Slot {
  Node* node = nullptr;
  KindNo kind = kNone;
  StateNo state = kNone;  // none: not connected, or set aside
  bool aside = false;
};

struct Kind {
  const NodeKind* kind = nullptr;  // the key in kind_numbers
  Room empty;
  KindFit fit;
  std::size_t nodes = 0;
  std::uint32_t generation = 0;  // counts how often the number was used
};

// Nodes of one kind with the same room.
struct State {
  KindNo kind = kNone;
  Room room;
  std::size_t hash = 0;
  Unusable unusable;
  std::set<SlotNo> slots;        // empty: the number is free
  std::uint32_t generation = 0;  // counts how often the number was used
};

struct KnownMatch {
  std::uint32_t generation = kNone;
  Match match;
};
struct KnownState {
  std::uint32_t generation = kNone;  // none: not looked at
  Lack lack = 0;
  bool never = false;  // no node of the kind could ever hold it
  std::int64_t score = 0;
};
// A state that fits, by its first node. Outdated ones are dropped when they come to the top.
struct Entry {
  std::int64_t score = 0;
  SlotNo first = 0;
  StateNo state = 0;
  std::uint32_t generation = 0;
};
struct IsWorse {
  bool operator()(const Entry& a, const Entry& b) const {
    return a.score != b.score ? a.score < b.score : a.first > b.first;
  }
};

// The states as one shape sees them.
struct View {
  Ask ask;
  std::vector<KnownMatch> matches;  // by kind
  std::vector<KnownState> states;
  std::vector<Entry> heap;
  std::array<std::size_t, kLackSets> with_lack{};  // states that could hold it, by what they lack
  std::uint64_t seen = 0;                          // the log entries below are accounted for
  SlotNo example = kNone;                          // of a node that could hold the shape when empty
};

}  // namespace

struct Pool::Impl {
  explicit Impl(PolicyName name, std::uint64_t seed) : policy(make_policy(name)), rng(seed) {}

  std::unique_ptr<Policy> policy;
  Rng rng;
  Workload workload;
  Supply supply;                   // when the workload was set
  std::size_t connected_then = 0;  // when the workload was set
  std::size_t connected = 0;
  std::size_t aside = 0;
  std::vector<Slot> slots;  // in the order of put(); gaps where nodes were removed
  std::size_t gaps = 0;
  std::vector<Kind> kinds;
  std::map<NodeKind, KindNo> kind_numbers;
  std::vector<KindNo> free_kinds;
  std::vector<State> states;
  std::unordered_multimap<std::size_t, StateNo> states_by_hash;
  std::vector<StateNo> free_states;
  // States that appeared, vanished or got an earlier first node, in the order in which it happened; log[0] is
  // entry number log_start of all times.
  std::vector<StateNo> log;
  std::uint64_t log_start = 0;
  std::map<ShapeNo, View> views;

  // ---- kinds ----

  KindNo hold_kind(const Node& node) {
    const auto [at, fresh] = kind_numbers.emplace(kind_of(node), kNone);
    if (fresh) {
      if (free_kinds.empty()) {
        free_kinds.push_back(static_cast<KindNo>(kinds.size()));
        kinds.emplace_back();
      }
      at->second = free_kinds.back();
      free_kinds.pop_back();
      Kind& kind = kinds[at->second];
      kind.kind = &at->first;
      kind.empty = empty_room_of(node, at->first);
      if (policy->measures()) kind.fit = fit_of(workload, supply, at->first);
      ++kind.generation;
    }
    ++kinds[at->second].nodes;
    return at->second;
  }

  void release_kind(KindNo number) {
    Kind& kind = kinds[number];
    if (--kind.nodes > 0) return;
    const NodeKind gone = *kind.kind;
    kind_numbers.erase(gone);
    kind.kind = nullptr;
    free_kinds.push_back(number);
  }

  // ---- states ----

  [[nodiscard]] StateNo find_state(KindNo kind, const Room& room, std::size_t hash) const {
    const auto [begin, end] = states_by_hash.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
      const State& state = states[at->second];
      if (state.kind == kind && state.room == room) return at->second;
    }
    return kNone;
  }

  StateNo make_state(KindNo kind, Room room, std::size_t hash) {
    if (free_states.empty()) {
      free_states.push_back(static_cast<StateNo>(states.size()));
      states.emplace_back();
    }
    const StateNo number = free_states.back();
    free_states.pop_back();
    State& state = states[number];
    state.kind = kind;
    state.hash = hash;
    state.room = std::move(room);
    state.unusable = policy->measure(kinds[kind].fit, *kinds[kind].kind, state.room);
    ++state.generation;
    states_by_hash.emplace(hash, number);
    return number;
  }

  void drop_state(StateNo number) {
    State& state = states[number];
    const auto [begin, end] = states_by_hash.equal_range(state.hash);
    for (auto at = begin; at != end; ++at) {
      if (at->second != number) continue;
      states_by_hash.erase(at);
      break;
    }
    ++state.generation;
    free_states.push_back(number);
    log.push_back(number);
  }

  void enter(SlotNo slot) {
    Slot& entry = slots[slot];
    Room room = room_of(*entry.node, *kinds[entry.kind].kind);
    const std::size_t hash = hash_of(room);
    StateNo number = find_state(entry.kind, room, hash);
    if (number == kNone) number = make_state(entry.kind, std::move(room), hash);
    State& state = states[number];
    state.slots.insert(slot);
    entry.state = number;
    if (*state.slots.begin() == slot) log.push_back(number);
    ++connected;
  }

  void leave(SlotNo slot) {
    const StateNo number = std::exchange(slots[slot].state, kNone);
    if (number == kNone) return;
    --connected;
    states[number].slots.erase(slot);
    if (states[number].slots.empty()) drop_state(number);
  }

  // Gaps and old notes go when they outweigh what there is.
  void tidy() {
    if (log.size() > 2 * states.size() + kSlack) {
      log_start += log.size();
      log.clear();
    }
    if (gaps <= slots.size() / 2 + kSlack) return;
    views.clear();
    std::vector<Slot> dense;
    for (const Slot& slot : std::exchange(slots, {})) {
      if (slot.node == nullptr) continue;
      slot.node->pool_slot = static_cast<SlotNo>(dense.size());
      dense.push_back(slot);
    }
    slots = std::move(dense);
    gaps = 0;
    for (State& state : states) state.slots.clear();
    for (SlotNo slot = 0; slot < slots.size(); ++slot)
      if (slots[slot].state != kNone) states[slots[slot].state].slots.insert(slot);
  }

  // ---- views ----

  View& view_of(ShapeNo no, const Shape& shape) {
    if (views.size() >= kViewsMax && !views.contains(no)) views.clear();
    const auto [at, fresh] = views.try_emplace(no);
    View& view = at->second;
    if (fresh) view.ask = ask_of(shape);
    if (fresh || view.seen < log_start) {
      view.states.assign(states.size(), {});
      view.heap.clear();
      view.with_lack = {};
      for (StateNo state = 0; state < states.size(); ++state) look_at(view, shape, state);
    } else {
      view.states.resize(states.size());
      for (std::size_t i = view.seen - log_start; i < log.size(); ++i) look_at(view, shape, log[i]);
    }
    view.seen = log_start + log.size();
    return view;
  }

  void look_at(View& view, const Shape& shape, StateNo number) {
    KnownState& known = view.states[number];
    const State& state = states[number];
    if (known.generation != state.generation) {
      if (known.generation != kNone && !known.never) --view.with_lack[known.lack];
      known = {};
      if (state.slots.empty()) return;
      known.generation = state.generation;
      const Kind& kind = kinds[state.kind];
      const Match& fits = match(view, shape, state.kind);
      known.never = fits.ever != 0;
      known.lack = known.never ? fits.ever : lack_of(*kind.kind, state.room, view.ask, fits);
      if (known.never) return;
      ++view.with_lack[known.lack];
      if (known.lack == 0) known.score = policy->score(candidate(view, number));
    }
    if (known.lack == 0 && !state.slots.empty()) push(view, number);
  }

  void push(View& view, StateNo number) const {
    const State& state = states[number];
    // Outdated entries are many when a state keeps getting earlier nodes.
    if (view.heap.size() > 4 * states.size() + kSlack) {
      std::erase_if(view.heap, [&](const Entry& entry) { return !is_current(entry); });
      std::ranges::make_heap(view.heap, IsWorse{});
    }
    view.heap.push_back({view.states[number].score, *state.slots.begin(), number, state.generation});
    std::ranges::push_heap(view.heap, IsWorse{});
  }

  [[nodiscard]] bool is_current(const Entry& entry) const {
    const State& state = states[entry.state];
    return state.generation == entry.generation && !state.slots.empty() &&
           *state.slots.begin() == entry.first;
  }

  const Match& match(View& view, const Shape& shape, KindNo number) const {
    if (view.matches.size() <= number) view.matches.resize(kinds.size());
    KnownMatch& known = view.matches[number];
    if (known.generation != kinds[number].generation) {
      known.generation = kinds[number].generation;
      known.match = match_of(*kinds[number].kind, shape, kinds[number].empty);
    }
    return known.match;
  }

  [[nodiscard]] Candidate candidate(const View& view, StateNo number) const {
    const State& state = states[number];
    const Kind& kind = kinds[state.kind];
    return {.kind = *kind.kind,
            .room = state.room,
            .ask = view.ask,
            .match = view.matches[state.kind].match,
            .unusable = state.unusable,
            .fit = policy->measures() ? &kind.fit : nullptr};
  }

  // The state whose first node is best; none when the shape fits nowhere.
  [[nodiscard]] StateNo best(View& view) const {
    while (!view.heap.empty()) {
      const Entry top = view.heap.front();
      if (is_current(top)) return top.state;
      std::ranges::pop_heap(view.heap, IsWorse{});
      view.heap.pop_back();
      // The same state with a later first node.
      if (states[top.state].generation == top.generation && !states[top.state].slots.empty())
        push(view, top.state);
    }
    return kNone;
  }

  [[nodiscard]] bool could_hold(const View& view, SlotNo slot) const {
    return slot < slots.size() && slots[slot].state != kNone && !view.states[slots[slot].state].never;
  }

  // The first that could, until it can no longer.
  const Node* example(View& view) const {
    if (!could_hold(view, view.example)) {
      view.example = 0;
      while (view.example < slots.size() && !could_hold(view, view.example)) ++view.example;
    }
    return view.example < slots.size() ? slots[view.example].node : nullptr;
  }

  Node* by_chance(const View& view) {
    std::vector<Node*> fitting;
    for (const Slot& slot : slots) {
      if (slot.node == nullptr || slot.state == kNone) continue;
      const KnownState& known = view.states[slot.state];
      if (!known.never && known.lack == 0) fitting.push_back(slot.node);
    }
    return fitting.empty() ? nullptr : fitting[rng.below(fitting.size())];
  }
};

Pool::Pool(PolicyName policy, std::uint64_t seed) : impl_(std::make_unique<Impl>(policy, seed)) {}
Pool::Pool(Pool&&) noexcept = default;
Pool& Pool::operator=(Pool&&) noexcept = default;
Pool::~Pool() = default;

void Pool::put(Node& node) {
  Impl& impl = *impl_;
  if (node.pool_slot == Node::kNoPoolSlot) {
    node.pool_slot = static_cast<SlotNo>(impl.slots.size());
    impl.slots.push_back({.node = &node});
  }
  const SlotNo slot = node.pool_slot;
  ASSERT(impl.slots[slot].node == &node, "a node of another pool");
  impl.leave(slot);
  const KindNo old = impl.slots[slot].kind;
  impl.slots[slot].kind = impl.hold_kind(node);
  if (old != kNone) impl.release_kind(old);
  if (node.open() && !impl.slots[slot].aside) impl.enter(slot);
  impl.tidy();
}

void Pool::update(Node& node) {
  if (node.pool_slot == Node::kNoPoolSlot || impl_->slots[node.pool_slot].state == kNone) return;
  impl_->leave(node.pool_slot);
  impl_->enter(node.pool_slot);
  impl_->tidy();
}

void Pool::remove(Node& node) {
  if (node.pool_slot == Node::kNoPoolSlot) return;
  Slot& slot = impl_->slots[node.pool_slot];
  impl_->leave(node.pool_slot);
  impl_->release_kind(slot.kind);
  slot = {};
  node.pool_slot = Node::kNoPoolSlot;
  ++impl_->gaps;
  impl_->tidy();
}

void Pool::set_aside(Node& node) {
  Slot& slot = impl_->slots[node.pool_slot];
  ASSERT(!slot.aside && slot.state != kNone, "a node that can be chosen");
  impl_->leave(node.pool_slot);
  slot.aside = true;
  ++impl_->aside;
}

void Pool::take_back(Node& node) {
  Slot& slot = impl_->slots[node.pool_slot];
  ASSERT(slot.aside, "a node that was set aside");
  slot.aside = false;
  --impl_->aside;
  if (node.open()) impl_->enter(node.pool_slot);
  impl_->tidy();
}

bool Pool::empty() const {
  return impl_->connected + impl_->aside == 0;
}

Node* Pool::choose(ShapeNo no, const Shape& shape) {
  View& view = impl_->view_of(no, shape);
  if (impl_->policy->by_chance()) return impl_->by_chance(view);
  const StateNo state = impl_->best(view);
  return state == kNone ? nullptr : impl_->slots[*impl_->states[state].slots.begin()].node;
}

std::vector<std::string> Pool::devices(const Node& node, ShapeNo no, const Shape& shape) {
  const View& view = impl_->view_of(no, shape);
  const StateNo state = impl_->slots[node.pool_slot].state;
  ASSERT(state != kNone && view.states[state].lack == 0, "devices of a node where the run does not fit");
  return choose_devices(node, impl_->candidate(view, state), *impl_->policy, impl_->rng);
}

Pool::Shortage Pool::shortage(ShapeNo no, const Shape& shape) {
  View& view = impl_->view_of(no, shape);
  Shortage shortage;
  for (std::size_t lack = 0; lack < view.with_lack.size(); ++lack) {
    if (view.with_lack[lack] == 0) continue;
    shortage.could_hold = true;
    shortage.lack |= static_cast<Lack>(lack);
  }
  if (shortage.could_hold) shortage.node = impl_->example(view);
  return shortage;
}

std::vector<Node*> Pool::could_hold(ShapeNo no, const Shape& shape, std::size_t most) {
  const View& view = impl_->view_of(no, shape);
  std::vector<Node*> nodes;
  for (SlotNo slot = 0; slot < impl_->slots.size() && nodes.size() < most; ++slot)
    if (impl_->could_hold(view, slot)) nodes.push_back(impl_->slots[slot].node);
  return nodes;
}

bool Pool::has_outgrown_workload() const {
  const std::size_t now = impl_->connected + impl_->aside;
  const std::size_t then = impl_->connected_then;
  return (now > then ? now - then : then - now) * 4 > then;
}

void Pool::set_workload(Workload workload) {
  Impl& impl = *impl_;
  impl.workload = std::move(workload);
  impl.connected_then = impl.connected;
  if (!impl.policy->measures()) return;
  impl.views.clear();
  impl.supply.clear();
  for (const Kind& kind : impl.kinds)
    if (kind.kind != nullptr)
      for (const GpuSeat& gpu : kind.kind->gpus)
        if (gpu.type < kGpuTypesMax)
          impl.supply[kind.kind->types[gpu.type]] += static_cast<std::int64_t>(kind.nodes);
  for (Kind& kind : impl.kinds)
    if (kind.kind != nullptr) kind.fit = fit_of(impl.workload, impl.supply, *kind.kind);
  for (State& state : impl.states)
    if (!state.slots.empty())
      state.unusable =
          impl.policy->measure(impl.kinds[state.kind].fit, *impl.kinds[state.kind].kind, state.room);
}

}  // namespace stoker::core
