#pragma once
// What an execution is told. News may come late, twice or in any order: what does not fit is refused and
// changes nothing.
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/workflow/run/effects.h"
#include "core/workflow/run/token.h"

namespace stoker::workflow {

// next_due() has come.
struct TimerDue {};

// A worker took an activity's task. The other kinds count as started when they are asked for.
struct TaskStarted {
  TaskToken token{};
  std::optional<std::string> worker{};
};
// The API of a .sync or .waitForTaskToken task accepted the request; this is its answer.
struct TaskSubmitted {
  TaskToken token{};
  Document output{};
};
struct TaskSucceeded {
  TaskToken token{};
  Document output{};
};
struct TaskFailed {
  TaskToken token{};
  std::optional<std::string> error{};
  std::optional<std::string> cause{};
  // Run: the work failed (TaskFailed). Submit: the API of a .sync or .waitForTaskToken task refused
  // (TaskSubmitFailed). Data: no event of its own and never retried or caught: the parameters have the wrong
  // shape, or the resource is not there (States.Runtime; the cause gets the usual sentence before it).
  enum class Stage : std::uint8_t { Run, Submit, Data } stage = Stage::Run;
};
struct TaskHeartbeat {
  TaskToken token{};
};

struct ItemsRead {
  TaskToken token{};
  json::Shared items{};                // an array
  std::vector<std::string> keys{};     // when they are the values of an object
  std::optional<std::string> fault{};  // cause of a States.ItemReaderFailed
  std::string source{};                // "S3://bucket/key" for Map.Item.Source; "": none
};
struct ResultsWritten {
  TaskToken token{};
  json::Shared output{};               // "ResultWriterDetails": {"Bucket", "Key"}
  std::optional<std::string> fault{};  // cause of a States.ResultWriterFailed
};
struct ChildEnded {
  ChildRef child{};
  Status status{};
  std::string output{};  // JSON text, when it succeeded
  std::optional<std::string> error{}, cause{};
  Instant started_at{};
};
// UpdateMapRun.
struct UpdateMapRun {
  std::uint64_t run = 0;
  std::optional<std::int64_t> concurrency_max{};
  std::optional<double> tolerated_failure_percentage{};
  std::optional<std::int64_t> tolerated_failure_count{};
};

struct Stop {
  std::optional<std::string> error{}, cause{};
};
// It cannot go on, for a reason that lies outside of it: it fails with States.Runtime and this cause.
struct GiveUp {
  std::string cause;
};
// Allowed when redrive_refusal() says nothing.
struct Redrive {};

using News = std::variant<TimerDue, TaskStarted, TaskSubmitted, TaskSucceeded, TaskFailed, TaskHeartbeat,
                          ItemsRead, ResultsWritten, ChildEnded, UpdateMapRun, Stop, GiveUp, Redrive>;

// What became of the news.
enum class Heard : std::uint8_t {
  Taken,
  Stale,  // the task, child or run it speaks of is over, or was never there; or the execution is over
};

}  // namespace stoker::workflow
