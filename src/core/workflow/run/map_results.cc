#include "core/workflow/run/expressions.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/map_run.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

std::int64_t& count_of(MapRunCounts& counts, ChildStatus status) {
  switch (status) {
    case ChildStatus::Running:
      return counts.running;
    case ChildStatus::Succeeded:
      return counts.succeeded;
    case ChildStatus::Failed:
      return counts.failed;
    case ChildStatus::TimedOut:
      return counts.timed_out;
    case ChildStatus::PendingRedrive:
      return counts.pending_redrive;
    default:
      return counts.aborted;
  }
}

// Transformation NONE: the output with what is known of its execution.
std::string with_metadata(const ExecutionState& state, const MapRun& run, const MapChild& child) {
  return ObjectText()
      .add("ExecutionArn", map_child_arn(state.start.arn, run.label, child.name))
      .add("Name", child.name)
      .add("Output", child.output)
      .add_json("OutputDetails", R"({"Included":true})")
      .add("StartDate", iso_instant(child.started_at))
      .add("StateMachineArn", map_machine_arn(state.start.arn, run.label))
      .add("Status", name(status_of(child.status)))
      .add("StopDate", iso_instant(child.stopped_at))
      .take();
}

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlanks)));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}
bool is_array(std::string_view json) {
  return trimmed(json).starts_with('[');
}
// Of the text of an array: what is between its brackets.
std::string_view inside(std::string_view json) {
  json = trimmed(json);
  return trimmed(json.substr(1, json.size() - 2));
}

}  // namespace

ChildStatus child_status(Status status) {
  switch (status) {
    case Status::Running:
      return ChildStatus::Running;
    case Status::Succeeded:
      return ChildStatus::Succeeded;
    case Status::Failed:
      return ChildStatus::Failed;
    case Status::TimedOut:
      return ChildStatus::TimedOut;
    case Status::PendingRedrive:
      return ChildStatus::PendingRedrive;
    default:
      return ChildStatus::Aborted;
  }
}

Status status_of(ChildStatus status) {
  switch (status) {
    case ChildStatus::Running:
      return Status::Running;
    case ChildStatus::Succeeded:
      return Status::Succeeded;
    case ChildStatus::Failed:
      return Status::Failed;
    case ChildStatus::TimedOut:
      return Status::TimedOut;
    case ChildStatus::PendingRedrive:
      return Status::PendingRedrive;
    default:
      return Status::Aborted;
  }
}

void add_running_child(MapRun& run, std::size_t items) {
  ++run.child_counts.running;
  ++run.child_counts.total;
  run.item_counts.pending -= static_cast<std::int64_t>(items);
  run.item_counts.running += static_cast<std::int64_t>(items);
}

void move_child(MapRun& run, MapChild& child, ChildStatus to) {
  const auto items = static_cast<std::int64_t>(child.count);
  --count_of(run.child_counts, child.status);
  count_of(run.item_counts, child.status) -= items;
  child.status = to;
  ++count_of(run.child_counts, to);
  count_of(run.item_counts, to) += items;
}

Evaluated<Document> inline_result(const ExecutionState& state, const MapRun& run) {
  const auto& writer = std::get<asl::Map>(run.state->kind).writer;
  const std::string_view transformation = writer ? std::string_view(writer->transformation) : "";
  std::string text = "[";
  const auto add = [&](std::string_view value) {
    if (text.size() > 1) text += ',';
    text += value;
  };
  const auto too_large = [&] { return text.size() > state.limits.payload_bytes_max; };
  for (const MapChild& child : run.children) {
    // Tolerated failures are left out.
    if (child.status != ChildStatus::Succeeded) continue;
    if (transformation == "NONE") {
      add(with_metadata(state, run, child));
    } else if (transformation == "FLATTEN" && is_array(child.output)) {
      if (const std::string_view elements = inside(child.output); !elements.empty()) add(elements);
    } else {
      add(child.output);
    }
    if (too_large()) break;
  }
  text += ']';
  if (too_large()) return std::unexpected(size_fault(run.state->name));
  auto result = Document::parse(std::move(text));
  if (!result)
    return std::unexpected(
        runtime_fault("The outputs of the children are no JSON: " + result.error().message));
  return *std::move(result);
}

std::string map_run_arn(const ExecutionState& state, const MapRun& run) {
  return map_run_arn(state.start.arn, run.label, run.uuid);
}

StartChild start_child(const ExecutionState& state, const MapRun& run, std::size_t index) {
  const MapChild& child = run.children[index];
  return {.child = {state.start.no, run.no, index},
          .name = child.name,
          .state = run.state->name,
          .arn = map_child_arn(state.start.arn, run.label, child.name),
          .machine_arn = map_machine_arn(state.start.arn, run.label),
          .map_run_arn = map_run_arn(state, run),
          .input = child.input,
          .express = std::get<asl::Map>(run.state->kind).express};
}

ReadItems read_items(const MapRun& run) {
  const auto& map = std::get<asl::Map>(run.state->kind);
  return {.token = run.token,
          .resource = map.reader->resource,
          .arguments = run.arguments,
          .map = &map,
          .items_max = run.items_max};
}

WriteResults write_results(const ExecutionState& state, const MapRun& run) {
  const auto& map = std::get<asl::Map>(run.state->kind);
  return {.token = run.token,
          .run = run.no,
          .map_run_arn = map_run_arn(state, run),
          .resource = map.writer->resource,
          .arguments = run.arguments,
          .map = &map};
}

}  // namespace stoker::workflow
