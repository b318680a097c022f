#include "core/placement/census.h"

#include <utility>

#include "base/assert.h"

namespace stoker::core {
namespace {

// How much the notes may outgrow what they are about before they are tidied.
constexpr std::size_t kSlack = 1024;
constexpr std::int64_t kMemoryWithoutEnd = INT64_MAX;

// A number that is free, or a new one.
template <typename Entry>
std::uint32_t new_number(std::vector<std::uint32_t>& free, std::vector<Entry>& entries) {
  if (free.empty()) {
    entries.emplace_back();
    return static_cast<std::uint32_t>(entries.size() - 1);
  }
  const std::uint32_t number = free.back();
  free.pop_back();
  return number;
}

}  // namespace

std::size_t Census::HashOfKey::operator()(const StateKey& key) const {
  std::uint64_t hash = key.face;
  for (const std::int64_t part : {key.memory_mib, key.free_memory_mib}) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

// ---- kinds ----

KindNo Census::hold_kind(const Node& node) {
  NodeKind alike = kind_of(node);
  alike.total.memory_mib = 0;
  const auto [at, fresh] = kind_numbers_.emplace(std::move(alike), kNoNumber);
  if (fresh) {
    at->second = new_number(free_kinds_, kinds_);
    Kind& kind = kinds_[at->second];
    kind.kind = &at->first;
    kind.empty = empty_room_of(node, at->first);
    kind.empty.memory_mib = kMemoryWithoutEnd;
    if (policy_->measures()) kind.fit = fit_of(workload_, supply_, at->first);
    ++kind.generation;
  }
  ++kinds_[at->second].nodes;
  return at->second;
}

void Census::release_kind(KindNo number) {
  Kind& kind = kinds_[number];
  if (--kind.nodes > 0) return;
  kind_numbers_.erase(kind_numbers_.find(*kind.kind));
  kind.kind = nullptr;
  free_kinds_.push_back(number);
}

// ---- faces ----

FaceNo Census::find_or_make_face(KindNo kind, Room room) {
  room.memory_mib = kMemoryWithoutEnd;
  const std::size_t hash = hash_of(room);
  const auto [begin, end] = faces_by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Face& face = faces_[at->second];
    if (face.kind == kind && face.room == room) return at->second;
  }
  const FaceNo number = new_number(free_faces_, faces_);
  Face& face = faces_[number];
  face.kind = kind;
  face.hash = hash;
  face.room = std::move(room);
  face.unusable = policy_->measure(kinds_[kind].fit, *kinds_[kind].kind, face.room);
  ++face.generation;
  faces_by_hash_.emplace(hash, number);
  return number;
}

void Census::release_face(FaceNo number) {
  Face& face = faces_[number];
  if (--face.states > 0) return;
  const auto [begin, end] = faces_by_hash_.equal_range(face.hash);
  for (auto at = begin; at != end; ++at) {
    if (at->second != number) continue;
    faces_by_hash_.erase(at);
    break;
  }
  free_faces_.push_back(number);
}

// ---- states ----

void Census::enter(SlotNo slot) {
  Slot& entry = slots_[slot];
  Room room = room_of(*entry.node, *kinds_[entry.kind].kind);
  const std::int64_t free_memory = room.memory_mib;
  const FaceNo face = find_or_make_face(entry.kind, std::move(room));
  const auto [at, fresh] =
      state_numbers_.emplace(StateKey{face, entry.node->total.memory_mib, free_memory}, kNoNumber);
  if (fresh) {
    at->second = new_number(free_states_, states_);
    State& state = states_[at->second];
    state.face = face;
    state.memory_mib = at->first.memory_mib;
    state.free_memory_mib = free_memory;
    ++state.generation;
    ++faces_[face].states;
  }
  State& state = states_[at->second];
  state.slots.insert(slot);
  entry.state = at->second;
  if (*state.slots.begin() == slot) log_.push_back(entry.state);
  ++open_;
}

void Census::leave(SlotNo slot) {
  const StateNo number = std::exchange(slots_[slot].state, kNoNumber);
  if (number == kNoNumber) return;
  --open_;
  State& state = states_[number];
  state.slots.erase(slot);
  if (!state.slots.empty()) return;
  state_numbers_.erase({state.face, state.memory_mib, state.free_memory_mib});
  ++state.generation;
  release_face(state.face);
  free_states_.push_back(number);
  log_.push_back(number);
}

void Census::note_told(SlotNo slot) {
  moves_.push_back({slot, true});
  ++told_;
}

// Gaps and old notes go when they outweigh what there is.
void Census::tidy() {
  if (log_.size() > 2 * states_.size() + kSlack) {
    log_start_ += log_.size();
    log_.clear();
  }
  if (moves_.size() > 2 * slots_.size() + kSlack) {
    moves_start_ += moves_.size();
    moves_.clear();
  }
  if (gaps_ <= slots_.size() / 2 + kSlack) return;
  ++epoch_;
  std::vector<Slot> dense;
  for (const Slot& slot : std::exchange(slots_, {})) {
    if (slot.node == nullptr) continue;
    slot.node->pool_slot = static_cast<SlotNo>(dense.size());
    dense.push_back(slot);
  }
  slots_ = std::move(dense);
  gaps_ = 0;
  for (State& state : states_) state.slots.clear();
  for (SlotNo slot = 0; slot < slots_.size(); ++slot)
    if (slots_[slot].state != kNoNumber) states_[slots_[slot].state].slots.insert(slot);
}

// ---- nodes ----

void Census::put(Node& node) {
  if (node.pool_slot == Node::kNoPoolSlot) {
    node.pool_slot = static_cast<SlotNo>(slots_.size());
    slots_.push_back({.node = &node});
  }
  const SlotNo slot = node.pool_slot;
  ASSERT(slots_[slot].node == &node, "a node of another pool");
  leave(slot);
  const KindNo old = slots_[slot].kind;
  slots_[slot].kind = hold_kind(node);
  if (old != kNoNumber) release_kind(old);
  if (node.open() && !slots_[slot].aside) enter(slot);
  note_told(slot);
  tidy();
}

void Census::update(Node& node) {
  if (node.pool_slot == Node::kNoPoolSlot || slots_[node.pool_slot].state == kNoNumber) return;
  leave(node.pool_slot);
  enter(node.pool_slot);
  moves_.push_back({node.pool_slot});
  tidy();
}

void Census::note_images(Node& node) {
  if (node.pool_slot == Node::kNoPoolSlot) return;
  note_told(node.pool_slot);
  tidy();
}

void Census::remove(Node& node) {
  if (node.pool_slot == Node::kNoPoolSlot) return;
  Slot& slot = slots_[node.pool_slot];
  leave(node.pool_slot);
  note_told(node.pool_slot);
  release_kind(slot.kind);
  slot = {};
  node.pool_slot = Node::kNoPoolSlot;
  ++gaps_;
  tidy();
}

void Census::set_aside(Node& node) {
  Slot& slot = slots_[node.pool_slot];
  ASSERT(!slot.aside && slot.state != kNoNumber, "a node that can be chosen");
  leave(node.pool_slot);
  moves_.push_back({node.pool_slot});
  slot.aside = true;
  ++aside_;
}

void Census::take_back(Node& node) {
  Slot& slot = slots_[node.pool_slot];
  ASSERT(slot.aside, "a node that was set aside");
  slot.aside = false;
  --aside_;
  if (node.open()) enter(node.pool_slot);
  moves_.push_back({node.pool_slot});
  tidy();
}

// ---- the workload ----

bool Census::has_outgrown_workload() const {
  const std::size_t now = in_use();
  return (now > in_use_then_ ? now - in_use_then_ : in_use_then_ - now) * 4 > in_use_then_;
}

void Census::set_workload(Workload workload) {
  workload_ = std::move(workload);
  in_use_then_ = in_use();
  if (!policy_->measures()) return;
  ++epoch_;
  supply_.clear();
  for (const Kind& kind : kinds_)
    if (kind.kind != nullptr)
      for (const GpuSeat& gpu : kind.kind->gpus)
        if (gpu.type < kGpuTypesMax)
          supply_[kind.kind->types[gpu.type]] += static_cast<std::int64_t>(kind.nodes);
  for (Kind& kind : kinds_)
    if (kind.kind != nullptr) kind.fit = fit_of(workload_, supply_, *kind.kind);
  for (Face& face : faces_)
    if (face.states > 0)
      face.unusable = policy_->measure(kinds_[face.kind].fit, *kinds_[face.kind].kind, face.room);
}

}  // namespace stoker::core
