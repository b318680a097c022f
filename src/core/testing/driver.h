#pragma once
// Drives a core in tests as the server does, with a store that is a map and nodes that do as they are told.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "core/core.h"

namespace stoker::core::testing {

// The durable records as a store keeps them.
class RecordMap {
 public:
  void commit(const Records& changes);
  // As a store loads them.
  [[nodiscard]] Records all() const;
  [[nodiscard]] std::optional<workflow::Snapshot> execution(std::uint64_t no) const;
  [[nodiscard]] std::vector<workflow::HistoryEvent> history(std::uint64_t execution) const;

 private:
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  std::map<std::uint64_t, ExecutionRow> executions_;
  std::map<Pair, workflow::PayloadRecord> payloads_;
  std::map<Pair, workflow::ThreadRecord> threads_;
  std::map<Pair, workflow::MapRunRecord> map_runs_;
  std::map<std::pair<Pair, std::uint64_t>, workflow::MapChildRecord> map_children_;
  std::map<std::pair<Pair, std::uint64_t>, workflow::MapResultRecord> map_results_;
  std::map<Pair, workflow::HistoryEvent> history_;
  std::map<std::uint64_t, JobRecord> jobs_;
  std::map<std::pair<DocumentKind, std::string>, DocumentRecord> documents_;
};

class Driver {
 public:
  explicit Driver(Settings settings = {});

  // Applies one event, makes a pass, commits. Answers and actions are kept until they are taken.
  void event(Event event);
  Result<Answer> ask(Request request);
  // For requests that may be answered later.
  RequestId ask_later(Request request);
  [[nodiscard]] const Result<Answer>* answer_of(RequestId id) const;
  void advance(Duration by);  // with TimerFired for everything that falls due
  // As after SIGKILL: a new core from the records, nothing else.
  void crash();
  // Aborts when the invariants do not hold or the records do not give the state back.
  void check() const;

  // ---- words for tests ----
  void connect(const std::string& node, Resources total, std::vector<KnownRun> runs = {},
               bool containers = true);
  // As the node says of itself; connect() above has GPUs of type T4.
  void connect(Node node, std::vector<KnownRun> runs = {});
  static Node a_node(const std::string& name, Resources total, const std::string& model = "T4",
                     std::int64_t gpu_memory_mib = 16'384);
  // A definition `name` of image host. `gpu_value` in place of what `needs` says of GPUs: "2g.20gb".
  std::string define(const std::string& name, Resources needs, const std::string& more_json = "",
                     std::string gpu_value = "");
  // The same of a container image.
  std::string define_boxed(const std::string& name, const std::string& image, Resources needs);
  // A multi-node definition whose nodes, as many as its submission says (`nodes` when it does not), need that
  // each; all but the main one `workers`, when given.
  std::string define_gang(const std::string& name, int nodes, Resources needs,
                          const std::string& more_json = "", std::optional<Resources> workers = {});
  Uuid submit(const std::string& name, const std::string& definition, int array_size = 0,
              std::vector<Dependency> depends_on = {}, const std::string& overrides = "",
              const std::string& queue = "default");
  [[nodiscard]] const Job& job(const Uuid& id, int index = -1) const;
  [[nodiscard]] std::string status(const Uuid& id, int index = -1) const;
  [[nodiscard]] RunToken token(const Uuid& id, int index = -1) const;
  void start(const Uuid& id, int index = -1);
  void finish(const Uuid& id, int exit_code, int index = -1, const std::string& reason = "");

  Core& core() { return *core_; }
  [[nodiscard]] const RecordMap& store() const { return store_; }
  RecordMap& store() { return store_; }  // to write what another program would have written
  [[nodiscard]] const State& state() const { return core_->state(); }
  Instant now{1'000'000};
  std::vector<StartRun> starts;  // since they were last cleared
  std::vector<StopRun> stops;
  std::vector<ForgetRun> forgets;
  std::vector<LaunchNodes> launches;
  std::vector<RetireNode> retirements;
  std::vector<FindSubnets> searches;
  std::vector<CallService> calls;
  std::vector<DescribeEndedJob> descriptions;
  Rng ids{7};

 private:
  void turn();

  Settings settings_;
  std::unique_ptr<Core> core_;
  RecordMap store_;
  Actions actions_;
  std::map<RequestId, Result<Answer>> answers_;
  std::uint64_t next_request_ = 1;
};

Dependency on(const Uuid& job, DependencyType type = DependencyType::Whole, int index = -1);

}  // namespace stoker::core::testing
