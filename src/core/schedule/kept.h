#pragma once
// What later jobs of a pass may not take, because an earlier one waits for it: docs/decisions/035. The first
// job of an environment that finds no place there keeps one node, the one where it can start first. Others go
// everywhere else; onto that node only when they do not make it wait longer. A multi-node job keeps all the
// nodes on which it can start first: docs/decisions/065. Besides, multi-node jobs for which others are being
// stopped keep those on which they will start then: docs/decisions/082. No node is kept for two.
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/placement/gang.h"
#include "core/placement/pool.h"
#include "core/placement/room.h"
#include "core/schedule/fit.h"
#include "core/schedule/gang_outlook.h"
#include "core/schedule/gate.h"

namespace stoker::core {

// A node of an environment that is kept, as found out in this pass.
struct KeptNode {
  Node* node = nullptr;
  Pool* pool = nullptr;
  JobNo job;                      // for whom
  std::optional<Instant> start;   // when it can start there at the latest; nothing: not known
  Resources spare;                // what nobody needs even then
  std::vector<bool> wanted = {};  // by GPU: whether it could be one of those that are kept
  NodeKind kind = {};             // the node as placement sees it
  Room empty = {};
  Room room = {};
  bool lends_gpus = false;  // of the wanted ones it does not matter which are kept
};

// For whom the node is kept from one pass to the next; 0: for nobody.
JobNo kept_for(const World& world, const Node& node);
bool is_kept_for_another(const World& world, const Node& node, JobNo job);
// The job starts, or will do so elsewhere.
void keep_no_more(World& world, JobNo job);
// Aborts when a node is kept for two. For tests.
void check_kept(const World& world);

// Units of a consumable resource that nobody holds; not negative.
std::int64_t free_units(const State& state, const std::string& resource);
// More units than there are: it can never start, as long as nobody changes that.
std::optional<Hold> find_never_units(const State& state, const Contender& contender);

// One pass. Kept nodes stand outside their pools while it lasts.
class Kept {
 public:
  Kept(World& world, Instant now) : world_(world), now_(now) {}
  ~Kept();
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  // The nodes of the environment that are kept.
  [[nodiscard]] std::span<const KeptNode> find(const std::string& environment) const;
  // Something is kept there for the first that finds no place.
  [[nodiscard]] bool has_first(const std::string& environment) const { return first_.contains(environment); }
  // The first that finds no place keeps a node: the same as in the pass before when it is the same job.
  void keep(const std::string& environment, Pool& pool, const Contender& contender);
  // The same for a gang and several nodes. Says how many of its runs would have a place at once if the
  // connected nodes were empty. Where that is not all of them, nodes are kept only while others are on their
  // way.
  std::size_t keep_for_gang(const std::string& environment, Pool& pool, const Contender& contender,
                            const GangAsk& ask);
  // A gang with a claim keeps the nodes where it can start when those have ended that are being stopped: the
  // same as in the pass before as long as they will do. False: there are none.
  bool keep_for_claim(const std::string& environment, Pool& pool, const Contender& contender,
                      const GangAsk& ask);
  // Whether the node could take the job if it were not kept.
  static NodeFit fit(const KeptNode& kept, const Shape& shape);
  // Whether the job, if it fits there now, would not make the other wait longer.
  [[nodiscard]] bool may_use(const KeptNode& kept, const Contender& contender) const;
  // What it may have of what is idle there.
  [[nodiscard]] Resources free_for(const KeptNode& kept, const Contender& contender) const;
  // Gives it the room there: the pool has the node until the call of lent().
  void lend(const Node& node, const Contender& contender);
  void lent(const Node& node);

  // Something else is kept on nodes now (NodeHold).
  void look_again();
  // Nothing is kept for the job any more, until something is again.
  void give_up(JobNo job);

  // A job that is larger than what its queue's computeReservation leaves starts when the queue holds nothing,
  // so later jobs of the queue that ask for that wait until it has started.
  void note_reservation(const Contender& contender);
  [[nodiscard]] std::optional<Hold> hold_for_reservation(const Contender& contender) const;

  // Units are taken together with the node's resources, so whoever lacks some keeps later jobs from them.
  std::optional<Hold> hold_for_units(const Contender& contender);

 private:
  [[nodiscard]] bool ends_before(const KeptNode& kept, const Contender& contender) const;
  // A GPU that is kept could be one that it would get.
  [[nodiscard]] static bool wants_the_same(const KeptNode& kept, const Shape& shape);
  [[nodiscard]] bool is_kept(const Node& node) const;
  // Null when it is gone, takes no runs now, or is kept in this pass.
  [[nodiscard]] Node* find_open(const std::string& name, const std::string& environment) const;
  // What was kept there for it in the pass before.
  [[nodiscard]] KeptPlace before(const std::string& environment, JobNo job) const;
  [[nodiscard]] std::vector<Node*> open_among(const KeptPlace& place, const std::string& environment) const;
  // Until the next pass. For the first of the environment, nothing is for those that were first.
  void note(const std::string& environment, JobNo job, KeptPlace place);
  // `shape`: what is kept there for the job.
  void add(const std::string& environment, const Shape& shape, KeptNode kept);
  void add(Pool& pool, const Contender& contender, const GangOutlook& outlook, const Runs& in_the_way,
           std::optional<Instant> start);
  KeptNode& kept_at(const Node& node);

  World& world_;
  Instant now_;
  std::map<std::string, std::vector<KeptNode>> nodes_;  // by environment
  std::map<std::string, JobNo> first_;                  // by environment: who keeps without a claim
  std::map<std::string, JobNo> units_;                  // by consumable resource
  struct Emptying {
    JobNo job;
    bool cpus = false;  // of these it asks more than is left
    bool gpus = false;
  };
  std::map<QueueNo, Emptying> emptying_;
};

}  // namespace stoker::core
