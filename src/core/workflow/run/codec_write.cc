#include <charconv>

#include "core/workflow/run/codec.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

std::string array_of(const std::vector<std::int64_t>& numbers) {
  std::string text = "[";
  for (const std::int64_t number : numbers) {
    if (text.size() > 1) text += ',';
    text += std::to_string(number);
  }
  return text + "]";
}
std::string array_of(const std::vector<std::string>& strings) {
  std::string text = "[";
  for (const std::string& string : strings) {
    if (text.size() > 1) text += ',';
    json::write_string(text, string);
  }
  return text + "]";
}
std::string counts_text(const MapRunCounts& c) {
  return array_of(std::vector<std::int64_t>{c.pending, c.running, c.succeeded, c.failed, c.timed_out,
                                            c.aborted, c.total, c.results_written, c.failures_not_redrivable,
                                            c.pending_redrive});
}

std::string task_text(const RunningTask& task) {
  return ObjectText()
      .add("token", task.token.str())
      .add("parameters", task.parameters.text())
      .add_unless_empty("role", task.role)
      .add_unless("started", task.started, false)
      .add_unless("submitted", task.submitted, false)
      .add_unless("timeout_at", task.timeout_at.ms, 0)
      .add_unless("heartbeat_at", task.heartbeat_at.ms, 0)
      .add_unless("heartbeat_s", task.heartbeat_s, 0)
      .take();
}

std::string children_text(const Children& children) {
  ObjectText text;
  text.add("total", children.total).add("concurrency", children.concurrency);
  if (children.items) {
    text.add_json("items", json::write(*children.items));
    if (!children.keys.empty()) text.add_json("keys", array_of(children.keys));
    text.add("effective", children.effective.text());
  }
  return text.take();
}

std::string variables_text(const asl::Variables& variables) {
  ObjectText text;
  for (const auto& [name, value] : variables) text.add_json(name, json::write(*value));
  return text.take();
}

}  // namespace

ExecutionRecord execution_record(const ExecutionState& state) {
  const ExecutionStart& start = state.start;
  ObjectText body;
  body.add("v", 1)
      .add_unless_empty("machine_name", start.machine_name)
      .add_unless_empty("version_arn", start.version_arn)
      .add_unless_empty("alias_arn", start.alias_arn)
      .add_unless_empty("role_arn", start.role_arn)
      .add("seed", std::to_string(start.seed))
      .add("seed2", std::to_string(start.seed2))
      .add_unless("express", start.express, false)
      .add_unless_empty("map_state", start.map_state)
      .add_unless_empty("trace_header", start.trace_header);
  if (start.child)
    body.add_json("child", ObjectText()
                               .add("execution", start.child->execution)
                               .add("run", start.child->run)
                               .add("index", start.child->index)
                               .take());
  if (start.time_max) body.add("time_max", start.time_max->ms);
  body.add_unless("timeout_at", state.timeout_at.ms, 0)
      .add("next_event", state.next_event)
      .add_unless("last_event", state.last_event, 0)
      .add_unless("random_count", state.random_count, 0)
      .add("next_thread", state.next_thread)
      .add("next_run", state.next_run)
      .add("cursor", state.cursor)
      .add_if("error", state.error)
      .add_if("cause", state.cause);
  if (state.output) body.add("output", state.output->text());
  return {.no = start.no,
          .arn = start.arn,
          .name = start.name,
          .machine_arn = start.machine_arn,
          .map_run_arn = start.map_run_arn,
          .status = state.status,
          .started_at = state.started_at.ms,
          .stopped_at = state.stopped_at.ms,
          .redriven_at = state.redriven_at.ms,
          .redrive_count = state.redrive_count,
          .body = body.take()};
}

PayloadRecord input_record(const ExecutionState& state) {
  return {.execution = state.start.no, .run = 0, .text = state.start.input.text()};
}

ThreadRecord thread_record(const ExecutionState& state, const Thread& thread) {
  ObjectText body;
  body.add_unless("parent", thread.parent, 0)
      .add_unless("index", thread.index, 0)
      .add("state", thread.state->name)
      .add("phase", static_cast<int>(thread.phase))
      .add("input", thread.input.text())
      .add("last", thread.last)
      .add_unless("entered_event", thread.entered_event, 0)
      .add_unless("entered_at", thread.entered_at.ms, 0)
      .add_unless("due", thread.due.ms, 0)
      .add_unless("retry_count", thread.retry_count, 0)
      .add_unless("run", thread.run, 0)
      .add_unless("begun", thread.begun, true);
  if (!thread.retries.empty()) body.add_json("retries", array_of(thread.retries));
  if (!thread.variables.empty()) body.add_json("variables", variables_text(thread.variables));
  if (thread.task) body.add_json("task", task_text(*thread.task));
  if (thread.children) body.add_json("children", children_text(*thread.children));
  return {.execution = state.start.no, .thread = thread.no, .body = body.take()};
}

ThreadRecord finished_record(const ExecutionState& state, const Thread& parent, std::size_t index) {
  return {.execution = state.start.no,
          .thread = parent.children->threads[index],
          .body = ObjectText()
                      .add("parent", parent.no)
                      .add("index", index)
                      .add("done", true)
                      .add("output", parent.children->results[index]->text())
                      .take()};
}

MapRunRecord map_run_record(const ExecutionState& state, const MapRun& run) {
  ObjectText body;
  body.add("uuid", run.uuid)
      .add("label", run.label)
      .add("state", run.state->name)
      .add("thread", run.thread)
      .add("stage", static_cast<int>(run.stage))
      .add_unless("settled", run.settled, false)
      .add("token", run.token.str());
  if (run.arguments) body.add_json("arguments", json::write(*run.arguments));
  body.add_unless("items_max", run.items_max, 0)
      .add_unless("redriven_at", run.redriven_at.ms, 0)
      .add_unless("redrive_count", run.redrive_count, 0)
      .add("started_event", run.started_event)
      .add("concurrency_max", run.concurrency_max)
      .add_unless("batched", run.batched, false)
      .add_unless("batch_items_max", run.batch_items_max, 0)
      .add_unless("batch_bytes_max", run.batch_bytes_max, 0)
      .add_json("item_counts", counts_text(run.item_counts))
      .add_json("child_counts", counts_text(run.child_counts));
  body.add_unless("outputs_too_large", run.outputs_too_large, false);
  if (run.failing)
    body.add_json("failing",
                  ObjectText().add("error", run.failing->error).add_if("cause", run.failing->cause).take());
  if (run.tolerated_count) body.add("tolerated_count", *run.tolerated_count);
  if (run.tolerated_percentage)
    body.add_json("tolerated_percentage", json::write(json::Value(*run.tolerated_percentage)));
  return {.execution = state.start.no,
          .run = run.no,
          .arn = map_run_arn(state.start.arn, run.label, run.uuid),
          .status = run.status,
          .started_at = run.started_at.ms,
          .stopped_at = run.stopped_at.ms,
          .body = body.take()};
}

PayloadRecord map_items_record(const ExecutionState& state, const MapRun& run) {
  ObjectText text;
  text.add("effective", run.effective.text()).add_unless_empty("batch_input", run.batch_input);
  if (run.items) text.add_json("items", json::write(*run.items));
  if (!run.keys.empty()) text.add_json("keys", array_of(run.keys));
  text.add_unless_empty("source", run.source);
  return {.execution = state.start.no, .run = run.no, .text = text.take()};
}

MapChildRecord map_child_record(const ExecutionState& state, const MapRun& run, std::size_t index) {
  const MapChild& child = run.children[index];
  return {.execution = state.start.no,
          .run = run.no,
          .index = index,
          .body = ObjectText()
                      .add("name", child.name)
                      .add("first", child.first)
                      .add("count", child.count)
                      .add("status", static_cast<int>(child.status))
                      .add_unless_empty("input", child.input)
                      .add_unless_empty("output", child.output)
                      .add_if("error", child.error)
                      .add_if("cause", child.cause)
                      .add("started_at", child.started_at.ms)
                      .add_unless("stopped_at", child.stopped_at.ms, 0)
                      .add_unless("redriven", child.redriven, false)
                      .take()};
}

}  // namespace stoker::workflow
