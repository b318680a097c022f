#pragma once
// What callers ask of the Step Functions API. Things are named by their ARNs as they were sent: errors repeat
// them.
#include <optional>
#include <string>
#include <vector>

#include "core/model/types.h"
#include "core/workflow/run/token.h"
#include "json/json.h"

namespace stoker::core {

// ---- state machines ----
struct CreateStateMachine {
  std::string name;
  std::string definition;
  std::string role_arn;
  bool express = false;
  json::Shared logging;     // as sent; null: not sent
  json::Shared tracing;     // the same
  json::Shared encryption;  // the same
  Tags tags;
  bool publish = false;
  std::string version_description;
};
struct UpdateStateMachine {
  std::string arn;
  std::optional<std::string> definition;
  std::optional<std::string> role_arn;
  json::Shared logging;
  json::Shared tracing;
  json::Shared encryption;
  bool publish = false;
  std::string version_description;
  std::string revision_id;  // minted by the caller, for the case that something changes
};
struct DeleteStateMachine {
  std::string arn;
};

// ---- versions and aliases ----
struct PublishStateMachineVersion {
  std::string arn;
  std::string revision_id;  // "": the current one, whichever it is
  std::string description;
};
struct DeleteStateMachineVersion {
  std::string arn;
};
struct AliasRoute {
  std::string version_arn;
  int weight = 0;
};
struct CreateStateMachineAlias {
  std::string name;
  std::string description;
  std::vector<AliasRoute> routes;
};
struct UpdateStateMachineAlias {
  std::string arn;
  std::optional<std::string> description;
  std::optional<std::vector<AliasRoute>> routes;
};
struct DeleteStateMachineAlias {
  std::string arn;
};

// ---- activities and tags ----
struct CreateActivity {
  std::string name;
  json::Shared encryption;
  Tags tags;
};
struct DeleteActivity {
  std::string arn;
};
struct TagMachineResource {
  std::string arn;
  Tags tags;
};
struct UntagMachineResource {
  std::string arn;
  std::vector<std::string> keys;
};

// ---- executions ----
struct StartExecution {
  std::string arn;   // of a state machine, version or alias
  std::string name;  // "": the id as text
  std::string input;
  std::string trace_header;
  Uuid id;                            // minted by the caller
  std::uint64_t seed = 0, seed2 = 0;  // from the caller's entropy
  bool sync = false;                  // StartSyncExecution: answered when it ends
  std::optional<workflow::TaskToken> task =
      {};  // started on behalf of that task: repeating it starts nothing
};
struct StopExecution {
  std::string arn;
  std::optional<std::string> error, cause;
};
struct RedriveExecution {
  std::string arn;
  std::string client_token = {};  // "": each request is one of its own
};
struct ChangeMapRun {
  std::string arn;
  std::optional<std::int64_t> concurrency_max;
  std::optional<double> tolerated_failure_percentage;
  std::optional<std::int64_t> tolerated_failure_count;
};

// ---- tasks ----
struct GetActivityTask {
  std::string arn;
  std::optional<std::string> worker;
};
struct SendTaskSuccess {
  std::string token;
  std::string output;
};
struct SendTaskFailure {
  std::string token;
  std::optional<std::string> error, cause;
};
struct SendTaskHeartbeat {
  std::string token;
};

// ---- answers ----
struct ExecutionStarted {
  std::string arn;
  Instant at;
};
struct ExecutionStopped {
  Instant at;
};
struct ExecutionRedriven {
  Instant at;
};
struct SyncExecutionEnded {
  std::string arn, machine_arn, name;
  Instant started_at, stopped_at;
  std::string status;  // "SUCCEEDED", ...
  std::string input;
  std::optional<std::string> output, error, cause;
  std::string trace_header;
};
struct ActivityTaskGiven {
  std::string token;  // "": none came in time
  std::string input;
};
struct ArnCreated {
  std::string arn;
  Instant at;
  std::string version_arn;  // "" = none was published
};
struct StateMachineUpdated {
  Instant at;
  std::string revision_id;  // "" = as created
  std::string version_arn;  // "" = none was published
};

}  // namespace stoker::core
