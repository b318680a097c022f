#pragma once
// The nodes of a pool, those that are alike together. Three steps, each coarser than the one before:
//
//   state  nodes that are alike for every shape
//   face   states that differ only in memory: what a policy scores. Memory decides whether a run fits, never
//          where it fits best, and machines of one type rarely report the same memory to the MiB
//   kind   faces of nodes that differ only in what runs there
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "core/placement/policy.h"
#include "core/placement/room.h"
#include "core/placement/workload.h"

namespace stoker::core {

using KindNo = std::uint32_t;
using FaceNo = std::uint32_t;
using StateNo = std::uint32_t;
using SlotNo = std::uint32_t;
inline constexpr std::uint32_t kNoNumber = UINT32_MAX;

// Numbers of kinds, faces and states are used again: a note about one is about another when the generation,
// which counts how often the number was used, is another.
class Census {
 public:
  explicit Census(const Policy& policy) : policy_(&policy) {}

  struct Slot {
    Node* node = nullptr;  // null: a gap, where a node was removed
    KindNo kind = kNoNumber;
    StateNo state = kNoNumber;  // none: not open, or set aside
    bool aside = false;
  };
  struct Kind {
    const NodeKind* kind = nullptr;  // without its memory. Null: the number is free
    Room empty;                      // as Face::room
    KindFit fit;
    std::size_t nodes = 0;
    std::uint32_t generation = 0;
  };
  struct Face {
    KindNo kind = kNoNumber;
    Room room;  // whose memory is without end
    std::size_t hash = 0;
    Unusable unusable;
    std::size_t states = 0;  // 0: the number is free
    std::uint32_t generation = 0;
  };
  struct State {
    FaceNo face = kNoNumber;
    std::int64_t memory_mib = 0;  // of the whole node
    std::int64_t free_memory_mib = 0;
    std::set<SlotNo> slots;  // empty: the number is free
    std::uint32_t generation = 0;
  };

  void put(Node& node);
  void update(Node& node);
  void remove(Node& node);
  void note_images(Node& node);
  void set_aside(Node& node);
  void take_back(Node& node);
  // Measures every kind and face anew.
  void set_workload(Workload workload);

  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }  // in the order of put(), with gaps
  [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }
  [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }
  [[nodiscard]] const std::vector<State>& states() const { return states_; }
  [[nodiscard]] const Face& face_of(StateNo state) const { return faces_[states_[state].face]; }

  // States that appeared, vanished or got an earlier first node, in the order in which it happened. The log
  // is cut at times: entry number log_start() of all times is the first that is left.
  [[nodiscard]] const std::vector<StateNo>& log() const { return log_; }
  [[nodiscard]] std::uint64_t log_start() const { return log_start_; }
  // Slots that moved from state to state, or whose images may be others than before, in the order in which it
  // happened. Cut as the log is.
  struct Move {
    SlotNo slot = kNoNumber;
    bool told = false;  // its images may be others
  };
  [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
  [[nodiscard]] std::uint64_t moves_start() const { return moves_start_; }
  [[nodiscard]] std::uint64_t told() const { return told_; }  // of all moves, those with news of images
  // Counts how often the slots were numbered anew, and scores became void: nothing noted before is true.
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

  [[nodiscard]] std::size_t in_use() const { return open_ + aside_; }
  // Nodes came or went since set_workload(), by a quarter or more.
  [[nodiscard]] bool has_outgrown_workload() const;

 private:
  KindNo hold_kind(const Node& node);
  void release_kind(KindNo number);
  FaceNo find_or_make_face(KindNo kind, Room room);
  void release_face(FaceNo number);
  void enter(SlotNo slot);
  void leave(SlotNo slot);
  void note_told(SlotNo slot);
  void tidy();

  const Policy* policy_;
  Workload workload_;
  Supply supply_;                // when the workload was set
  std::size_t in_use_then_ = 0;  // when the workload was set
  std::size_t open_ = 0;
  std::size_t aside_ = 0;
  std::size_t gaps_ = 0;
  std::vector<Slot> slots_;
  std::vector<Kind> kinds_;
  std::map<NodeKind, KindNo> kind_numbers_;
  std::vector<KindNo> free_kinds_;
  std::vector<Face> faces_;
  std::unordered_multimap<std::size_t, FaceNo> faces_by_hash_;
  std::vector<FaceNo> free_faces_;
  std::vector<State> states_;
  struct StateKey {
    FaceNo face;
    std::int64_t memory_mib;
    std::int64_t free_memory_mib;
    bool operator==(const StateKey&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const StateKey& key) const;
  };
  std::unordered_map<StateKey, StateNo, HashOfKey> state_numbers_;
  std::vector<StateNo> free_states_;
  std::vector<StateNo> log_;
  std::uint64_t log_start_ = 0;
  std::vector<Move> moves_;
  std::uint64_t moves_start_ = 0;
  std::uint64_t told_ = 0;
  std::uint64_t epoch_ = 0;
};

}  // namespace stoker::core
