#pragma once
// What an execution wants done. Effects are owed until news answers them: after a load, Execution::owed()
// gives them again. A host recognises a repeated one by its token or child index.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/workflow/run/document.h"
#include "core/workflow/run/records.h"
#include "core/workflow/run/token.h"

namespace stoker::asl {
struct Map;
}

namespace stoker::workflow {

// How a Task's resource is meant (amazon-states-language.md 6).
enum class TaskKind : std::uint8_t {
  Activity,  // arn:...:activity:NAME: a worker takes it
  Lambda,    // arn:...:lambda:...:function:NAME: the parameters are the payload, and so is the output
  Service,   // arn:aws:states:::SERVICE:API[.PATTERN]
};
enum class Pattern : std::uint8_t {
  RequestResponse,   // the API's answer is the output
  Sync,              // ".sync": the end of what was started is the end of the task
  Sync2,             // ".sync:2"
  WaitForTaskToken,  // SendTaskSuccess or SendTaskFailure ends it
};

struct StartTask {
  TaskToken token{};
  TaskKind kind = TaskKind::Service;
  Pattern pattern = Pattern::RequestResponse;
  std::string resource{};  // the whole ARN
  std::string service{};   // Service: "batch", "aws-sdk:sfn", "states"; Lambda: "lambda"
  std::string api{};       // Service: "submitJob"
  Document parameters{};   // effective: what the API, the function or the worker is given
  std::string role{};      // Credentials.RoleArn, evaluated; "": none
  std::string state{};     // name of the Task state
  bool submitted = false;  // TaskSubmitted was heard
  bool started = false;    // Activity: a worker has it
  bool again = false;      // after a load: it may have been started before
};
// The work is wanted no more: the execution was stopped or timed out, the task timed out, or a sibling
// failed. Best effort; no news is expected.
struct CancelTask {
  TaskToken token{};
  std::string resource{};
};

// An ItemReader. Answered by ItemsRead with the same token.
struct ReadItems {
  TaskToken token{};
  std::string resource{};
  json::Shared arguments{};    // {"Bucket", "Key" | "Prefix"}, evaluated; null: none
  const asl::Map* map;         // its reader has the format; valid as long as the program
  std::int64_t items_max = 0;  // 0: all
};
// A ResultWriter. Answered by ResultsWritten with the same token. The results are the MapResultRecords of the
// run; repeated, the same ones in the same order.
struct WriteResults {
  TaskToken token{};
  std::uint64_t run = 0;
  std::string map_run_arn{};
  std::string machine_arn{};  // of the children
  std::string resource{};
  json::Shared arguments{};  // {"Bucket", "Prefix"}, evaluated
  const asl::Map* map;       // its writer has the format
  // A run that failed: from this item on no child was started. Null: there are none.
  json::Shared items{};
  std::size_t first_pending = 0;
};

// Names one child of a map run.
struct ChildRef {
  std::uint64_t execution = 0;
  std::uint64_t run = 0;
  std::uint64_t index = 0;
  auto operator<=>(const ChildRef&) const = default;
};
// A child execution of a distributed Map: starts with ExecutionStart::map_state = state. Answered by
// ChildEnded.
struct StartChild {
  ChildRef child{};
  std::string name{};   // a UUID
  std::string state{};  // name of the Map state, whose processor it runs
  std::string arn{}, machine_arn{}, map_run_arn{};
  std::string input{};  // JSON text
  bool express = false;
  bool again = false;
};
struct StopChild {
  ChildRef child{};
  std::string name{};
};
// A child that ended without success goes on where it failed. Answered by ChildEnded. Express children
// start anew, with the same input.
struct RedriveChild {
  ChildRef child{};
  std::string name{};
  bool again = false;
};

// The execution is over; it asks for nothing more. Its status and output are in the Execution.
struct Ended {
  Status status{};
};

using Effect =
    std::variant<StartTask, CancelTask, ReadItems, WriteResults, StartChild, StopChild, RedriveChild, Ended>;
using Effects = std::vector<Effect>;

}  // namespace stoker::workflow
