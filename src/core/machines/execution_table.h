#pragma once
// All executions that are remembered. Running ones have their interpreter in memory; of ended ones only what
// lists show: the rest is in the store, until somebody asks.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/machines/arns.h"
#include "core/machines/machine.h"
#include "core/workflow/run/effects.h"

namespace stoker::workflow {
class Execution;
}

namespace stoker::core {

using ExecutionNo = Number<struct ExecutionNoTag>;  // in the order of their start; never used again

// The task that started an execution.
struct Invoker {
  workflow::TaskToken token;
  bool waits = false;   // .sync and .sync:2: it ends with the execution
  bool parsed = false;  // .sync:2: input and output are given as JSON, not as text
  bool operator==(const Invoker&) const = default;
};

// The clientToken of a RedriveExecution.
struct RedriveToken {
  std::string token;
  Instant at;
  bool operator==(const RedriveToken&) const = default;
};

struct ExecutionInfo {
  ExecutionNo no;
  RevisionRef revision;
  std::string machine;  // NAME; children of a map run: NAME/LABEL
  std::string name;
  std::string run_id;  // express: tells executions of one name apart; "" = standard
  int version = 0;     // started through it or the alias; 0 = neither
  std::string alias;   // "" = none
  std::string map_run_arn;
  std::optional<workflow::ChildRef> child;  // of a map run
  std::vector<std::string> own_map_runs;    // ARNs
  std::optional<Invoker> invoker;

  workflow::Status status = workflow::Status::Running;
  Instant started_at;
  Instant stopped_at;   // 0: it runs
  Instant redriven_at;  // 0: never
  std::int64_t redrive_count = 0;
  std::vector<RedriveToken> redrive_tokens;  // of the last redrives, oldest first

  std::unique_ptr<workflow::Execution> live;  // null once its end is recorded
  Instant due;                                // its entry among the timers; 0: none
  bool changed = false;                       // since take_changes()

  ExecutionInfo();
  ~ExecutionInfo();
  ExecutionInfo(ExecutionInfo&&) noexcept;

  [[nodiscard]] bool express() const { return !run_id.empty(); }
  [[nodiscard]] std::string arn(const Place& place) const;
};

struct MapRunOwner {
  ExecutionNo execution;
  std::uint64_t run = 0;
};

struct ExecutionTable {
  std::map<ExecutionNo, ExecutionInfo> all;
  std::map<std::string, ExecutionNo, std::less<>> names;  // "MACHINE:NAME"; express ones have no entry
  std::map<std::string, std::set<ExecutionNo>, std::less<>>
      of_machine;                                            // by name; no children, no express ones
  std::map<MachineNo, std::uint64_t> running;                // how many of a machine run
  std::map<std::string, MapRunOwner, std::less<>> map_runs;  // by ARN
  std::map<std::string, std::set<ExecutionNo>, std::less<>> of_map_run;  // children, by the ARN of the run
  std::map<workflow::ChildRef, ExecutionNo> children;                    // of map runs; express ones too

  // Null when absent.
  [[nodiscard]] const ExecutionInfo* find(ExecutionNo no) const;
  [[nodiscard]] ExecutionInfo* find(ExecutionNo no);
  // ExecutionDoesNotExist, InvalidArn.
  [[nodiscard]] Result<const ExecutionInfo*> at(std::string_view arn) const;
  // ResourceNotFound, InvalidArn.
  [[nodiscard]] Result<MapRunOwner> map_run_at(std::string_view arn) const;

  void add_to_indexes(const ExecutionInfo& info);
  void remove_from_indexes(const ExecutionInfo& info);
};

}  // namespace stoker::core
