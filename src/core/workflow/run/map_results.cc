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

std::string_view transformation_of(const MapRun& run) {
  const auto& writer = std::get<asl::Map>(run.state->kind).writer;
  return writer ? std::string_view(writer->transformation) : "";
}

dataset::ChildResult result_of(const ExecutionState& state, const MapRun& run, const MapChild& child) {
  return {.arn = map_child_arn(state.start.arn, run.label, child.name),
          .name = child.name,
          .status = std::string(name(status_of(child.status))),
          .express = std::get<asl::Map>(run.state->kind).express,
          .input = child.input,
          .output = child.output,
          .error = child.error,
          .cause = child.cause,
          .started_at = child.started_at,
          .stopped_at = child.stopped_at,
          .redrive_count = child.redriven ? run.redrive_count : 0};
}

// What a child adds to the result of the state.
std::string part_of_result(const ExecutionState& state, const MapRun& run, const MapChild& child) {
  const std::string_view transformation = transformation_of(run);
  if (transformation == "NONE")
    return dataset::with_metadata(result_of(state, run, child), map_machine_arn(state.start.arn, run.label));
  const auto elements = transformation == "FLATTEN" ? dataset::elements_of(child.output) : std::nullopt;
  return std::string(elements.value_or(child.output));
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

bool exports(const MapRun& run) {
  const auto& writer = std::get<asl::Map>(run.state->kind).writer;
  return writer && !writer->resource.empty();
}

void keep_output(const Limits& limits, MapRun& run, MapChild& child, std::string output) {
  if (run.outputs_too_large) return;
  child.output = std::move(output);
  count_output(run, child);
  run.outputs_too_large = !exports(run) && run.output_bytes > limits.payload_bytes_max;
}

void count_output(MapRun& run, const MapChild& child) {
  // Of FLATTEN, the brackets and the comma of an empty array are no part of the result.
  const auto elements =
      transformation_of(run) == "FLATTEN" ? dataset::elements_of(child.output) : std::nullopt;
  run.output_bytes += elements ? elements->size() : child.output.size();
}

void release(std::string& text) {
  std::string().swap(text);
}

std::optional<MapResultRecord> take_map_result(const ExecutionState& state, MapRun& run, std::size_t index) {
  MapChild& child = run.children[index];
  if (!exports(run) || child.status == ChildStatus::Running || child.status == ChildStatus::PendingRedrive)
    return std::nullopt;
  const dataset::ChildResult result = result_of(state, run, child);
  ObjectText body;
  body.add("arn", result.arn)
      .add("name", result.name)
      .add("status", result.status)
      .add_unless("express", result.express, false)
      .add_unless_empty("input", result.input)
      .add_unless_empty("output", result.output)
      .add_if("error", result.error)
      .add_if("cause", result.cause)
      .add("started_at", result.started_at.ms)
      .add("stopped_at", result.stopped_at.ms)
      .add_unless("redrive_count", result.redrive_count, 0);
  // A redrive needs the input: express children start with it, and the next result has it again.
  if (child.status == ChildStatus::Succeeded) release(child.input);
  release(child.output);
  child.error.reset();
  child.cause.reset();
  return MapResultRecord{.execution = state.start.no, .run = run.no, .index = index, .body = body.take()};
}

Result<dataset::ChildResult> read_map_result(const MapResultRecord& record) {
  constexpr json::ParseLimits kLimits = {.depth_max = 8, .bytes_max = std::size_t{1} << 30};
  const json::Value body = TRY(json::parse(record.body, kLimits));
  const auto text = [&](std::string_view key) { return std::string(json::get_string(body, key)); };
  const auto optional = [&](std::string_view key) {
    return json::find(body, key) == nullptr ? std::nullopt : std::optional(text(key));
  };
  return dataset::ChildResult{.arn = text("arn"),
                              .name = text("name"),
                              .status = text("status"),
                              .express = json::get_bool(body, "express"),
                              .input = text("input"),
                              .output = text("output"),
                              .error = optional("error"),
                              .cause = optional("cause"),
                              .started_at = {json::get_int(body, "started_at")},
                              .stopped_at = {json::get_int(body, "stopped_at")},
                              .redrive_count = json::get_int(body, "redrive_count")};
}

Evaluated<Document> inline_result(const ExecutionState& state, const MapRun& run) {
  std::string text = "[";
  const auto too_large = [&] {
    return run.outputs_too_large || text.size() > state.limits.payload_bytes_max;
  };
  for (const MapChild& child : run.children) {
    // Tolerated failures are left out.
    if (child.status != ChildStatus::Succeeded) continue;
    const std::string part = part_of_result(state, run, child);
    if (!part.empty() && text.size() > 1) text += ',';
    text += part;
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
  const bool pending = run.items && run.next_item < run.items->get_array().size();
  return {.token = run.token,
          .run = run.no,
          .map_run_arn = map_run_arn(state, run),
          .machine_arn = map_machine_arn(state.start.arn, run.label),
          .resource = map.writer->resource,
          .arguments = run.arguments,
          .map = &map,
          .items = pending ? run.items : nullptr,
          .first_pending = run.next_item};
}

}  // namespace stoker::workflow
