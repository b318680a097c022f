#pragma once
// The nodes of a pool as one shape sees them: where it fits, and where best. Only what changed since it last
// looked is looked at again; what differs in memory alone is scored once. Nodes that hold the run's image are
// ranked once more among themselves, with their bonus.
#include <array>
#include <cstdint>
#include <vector>

#include "core/model/shape.h"
#include "core/placement/census.h"
#include "core/placement/holders.h"

namespace stoker::core {

class View {
 public:
  // `holders`: of the shape's image; null when the policy does not ask who holds it, or there is none.
  View(const Census& census, const Policy& policy, const Shape& shape, Holders* holders);

  // Takes note of what changed. `shape` as ever. Before each of the questions below.
  void catch_up(const Shape& shape);

  // The best node; kNoNumber when the shape fits nowhere.
  SlotNo best();
  [[nodiscard]] bool fits(StateNo state) const { return !states_[state].never && states_[state].lack == 0; }
  [[nodiscard]] Candidate candidate(StateNo state) const;

  // What the nodes that could hold it when empty lack, one bit for each set of things.
  struct Shortage {
    Lack lack = 0;
    bool could_hold = false;  // there are any
  };
  [[nodiscard]] Shortage shortage() const;
  [[nodiscard]] bool could_hold(SlotNo slot) const;
  // The first that could, until it can no longer; null when none can.
  const Node* example();

 private:
  struct KnownKind {
    std::uint32_t generation = kNoNumber;
    Match match;
  };
  struct KnownFace {
    std::uint32_t generation = kNoNumber;
    Lack lack = 0;  // but for memory
    std::int64_t score = 0;
  };
  struct KnownState {
    std::uint32_t generation = kNoNumber;  // none: not looked at
    Lack lack = 0;
    bool never = false;  // none of its nodes could ever hold it
  };
  // A state that fits, by its first node of those that are ranked.
  struct Entry {
    std::int64_t score = 0;
    SlotNo first = 0;
    StateNo state = 0;
    std::uint32_t generation = 0;
  };
  // A heap; outdated entries are dropped when they come to the top.
  struct Ranking {
    Holders* among = nullptr;  // null: all nodes
    std::int64_t bonus = 0;
    std::vector<Entry> heap = {};
  };
  struct IsWorse {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.score != b.score ? a.score < b.score : a.first > b.first;
    }
  };

  void look_at(const Shape& shape, StateNo number);
  const Match& match(const Shape& shape, KindNo number);
  const KnownFace& face(const Shape& shape, FaceNo number);
  void catch_up_with_holders();
  [[nodiscard]] SlotNo first(const Ranking& ranking, StateNo number) const;
  void push(Ranking& ranking, StateNo number);
  void tidy(Ranking& ranking);
  [[nodiscard]] bool is_current(const Ranking& ranking, const Entry& entry) const;
  const Entry* top(Ranking& ranking);

  const Census* census_;
  const Policy* policy_;
  Ask ask_;
  std::vector<KnownKind> kinds_;
  std::vector<KnownFace> faces_;
  std::vector<KnownState> states_;
  Ranking all_;
  Ranking warm_;                                    // of nobody when it is among all
  std::array<std::size_t, kLackSets> with_lack_{};  // states that could hold it, by what they lack
  std::uint64_t seen_ = 0;                          // the log entries below are accounted for
  std::uint64_t seen_holders_ = 0;                  // the same of theirs
  bool fresh_ = true;
  SlotNo example_ = kNoNumber;  // of a node that could hold the shape when empty
};

}  // namespace stoker::core
