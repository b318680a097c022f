// Distributed Map: a run of child executions (amazon-states-language.md 4.6, 7.2 rule 5). The host reads the
// items, runs the children and writes the results; this decides which child comes when, and what it adds up
// to.
#include "core/workflow/run/map_run.h"

#include <algorithm>

#include "base/assert.h"
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/interpreter.h"
#include "core/workflow/run/object_text.h"

namespace stoker::workflow {
namespace {

constexpr std::string_view kItemReaderFailed = "States.ItemReaderFailed";

const asl::Map& map_of(const MapRun& run) {
  return std::get<asl::Map>(run.state->kind);
}

std::size_t item_count(const MapRun& run) {
  return run.items ? run.items->get_array().size() : 0;
}

// "ToleratedFailure...": whether what failed so far is too much. Without either, one failure is.
bool too_many_failures(const MapRun& run) {
  const std::int64_t failed = run.item_counts.failed + run.item_counts.timed_out + run.item_counts.aborted;
  if (failed == 0) return false;
  if (!run.tolerated_count && !run.tolerated_percentage) return true;
  if (run.tolerated_count && failed <= *run.tolerated_count) return false;
  const double percentage = 100.0 * static_cast<double>(failed) / static_cast<double>(item_count(run));
  return !(run.tolerated_percentage && percentage <= *run.tolerated_percentage);
}

Raised threshold_exceeded() {
  return {.error = "States.ExceedToleratedFailureThreshold",
          .cause = "The specified tolerated failure threshold was exceeded"};
}

void count_results(MapRun& run) {
  run.item_counts.results_written = run.item_counts.total;
  run.child_counts.results_written = run.child_counts.total;
}

}  // namespace

MapRun* Interpreter::find_run(std::uint64_t no) {
  const auto found = s_.runs.find(no);
  return found == s_.runs.end() ? nullptr : &found->second;
}

// The run whose reader or writer was asked with this token.
MapRun* Interpreter::asked_run(const TaskToken& token, RunStage stage) {
  if (over()) return nullptr;
  const auto thread = s_.threads.find(token.thread);
  if (thread == s_.threads.end() || thread->second.phase != Phase::MapRun) return nullptr;
  MapRun* run = find_run(thread->second.run);
  return run != nullptr && run->stage == stage && run->token == token ? run : nullptr;
}

// The numbers and arguments of the run, evaluated once.
Evaluated<void> Interpreter::read_terms(Thread& thread, MapRun& run) {
  const asl::Map& map = map_of(run);
  const Surroundings surroundings = around(thread);
  auto tolerance = map_tolerance(surroundings);
  if (!tolerance) return std::unexpected(std::move(tolerance).error());
  run.tolerated_count = tolerance->count;
  run.tolerated_percentage = tolerance->percentage;
  const asl::Scope scope = scope_of(surroundings, run.effective.value());
  const bool jsonata = thread.state->language == asl::Language::Jsonata;
  if (map.batcher) {
    auto items_max = map_integer(surroundings, map.batcher->items_max, "MaxItemsPerBatch");
    if (!items_max) return std::unexpected(std::move(items_max).error());
    auto bytes_max = map_integer(surroundings, map.batcher->bytes_max, "MaxInputBytesPerBatch");
    if (!bytes_max) return std::unexpected(std::move(bytes_max).error());
    run.batched = true;
    run.batch_items_max = items_max->value_or(0);
    run.batch_bytes_max = bytes_max->value_or(0);
    if (map.batcher->batch_input) {
      auto input = map.batcher->batch_input->evaluate("ItemBatcher/BatchInput", scope);
      if (!input) return std::unexpected(std::move(input).error());
      run.batch_input = json::write(*input);
    }
  }
  if (map.reader) {
    auto items_max = map_whole(surroundings, map.reader->items_max, "MaxItems");
    if (!items_max) return std::unexpected(std::move(items_max).error());
    run.items_max = items_max->value_or(0);
    if (map.reader->arguments) {
      auto arguments =
          map.reader->arguments->evaluate(jsonata ? "ItemReader/Arguments" : "ItemReader/Parameters", scope);
      if (!arguments) return std::unexpected(std::move(arguments).error());
      run.arguments = std::make_shared<const json::Value>(*std::move(arguments));
    }
  }
  return {};
}

void Interpreter::start_map_run(Thread& thread, Document effective, std::optional<MapItems> items,
                                std::int64_t concurrency) {
  MapRun run;
  run.no = s_.next_run;
  run.state = thread.state;
  run.thread = thread.no;
  run.effective = std::move(effective);
  run.started_at = now_;
  run.concurrency_max = concurrency;
  // RECORDED: wrong numbers come after MapStateStarted, before MapRunStarted.
  if (auto read = read_terms(thread, run); !read) return fault(thread, read.error(), thread.last);
  run.label = map_label(*thread.state);
  run.uuid = new_uuid();
  thread.last = append(EventType::MapRunStarted, thread.last,
                       ObjectText().add("mapRunArn", map_run_arn(s_, run)).take());
  if (over()) return;
  run.started_event = thread.last;
  ++s_.next_run;
  s_.changed = true;
  thread.run = run.no;
  set_phase(thread, Phase::MapRun);
  MapRun& kept = s_.runs.emplace(run.no, std::move(run)).first->second;
  s_.changed_runs.insert(kept.no);
  s_.changed_run_items.insert(kept.no);
  if (items) {
    kept.items = std::move(items->items);
    kept.keys = std::move(items->keys);
    return begin_children(kept);
  }
  // RECORDED: unlike the other numbers, behind MapRunStarted.
  if (kept.items_max < 0)
    return fail_map_run(
        thread, kept,
        Raised{.error = std::string(kItemReaderFailed), .cause = "field MaxItems must be positive"});
  kept.stage = RunStage::Reading;
  kept.token = new_token(thread);
  out_.emplace_back(read_items(kept));
}

Heard Interpreter::on(const ItemsRead& news) {
  MapRun* run = asked_run(news.token, RunStage::Reading);
  if (run == nullptr) return Heard::Stale;
  Thread& thread = s_.threads.at(run->thread);
  if (news.fault || !news.items || !news.items->is_array()) {
    fail_map_run(thread, *run,
                 Raised{.error = std::string(kItemReaderFailed),
                        .cause = news.fault.value_or("Attempting to map over non-iterable node.")});
    return Heard::Taken;
  }
  run->items = news.items;
  run->keys = news.keys;
  run->source = news.source;
  // MaxItems: the reader may have read more.
  if (const auto most = static_cast<std::size_t>(run->items_max); most > 0 && item_count(*run) > most) {
    const json::Array& all = news.items->get_array();
    run->items = std::make_shared<const json::Value>(
        json::Array(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most)));
  }
  begin_children(*run);
  return Heard::Taken;
}

void Interpreter::begin_children(MapRun& run) {
  Thread& thread = s_.threads.at(run.thread);
  s_.changed_runs.insert(run.no);
  if (item_count(run) > s_.limits.map_run_items_max)
    return fail_map_run(thread, run,
                        Raised{.error = std::string(kItemReaderFailed),
                               .cause = "A map run may have at most " +
                                        std::to_string(s_.limits.map_run_items_max) + " items."});
  run.stage = RunStage::Running;
  run.item_counts.total = static_cast<std::int64_t>(item_count(run));
  run.item_counts.pending = run.item_counts.total;
  s_.changed_run_items.insert(run.no);
  settle_map_run(thread, run);
}

bool can_start_child(const Limits& limits, const MapRun& run) {
  if (run.stage != RunStage::Running) return false;
  auto most = static_cast<std::int64_t>(limits.map_run_concurrency_max);
  if (run.concurrency_max > 0) most = std::min(most, run.concurrency_max);
  return run.child_counts.running < most && (!run.to_redrive.empty() || run.next_item < item_count(run));
}

void Interpreter::step_map_run(Thread& thread) {
  MapRun* run = find_run(thread.run);
  ASSERT(run != nullptr, "a thread without its map run");
  if (can_start_child(s_.limits, *run)) start_child(thread, *run);
  if (!over() && thread.phase == Phase::MapRun) settle_map_run(thread, *run);
}

// The items of one child from next_item on: one, or as many as a batch takes.
Evaluated<std::string> Interpreter::next_child_input(Thread& thread, MapRun& run, std::size_t& count) {
  const asl::Map& map = map_of(run);
  const json::Array& items = run.items->get_array();
  std::string batch = "{";
  if (!run.batch_input.empty()) batch += "\"BatchInput\":" + run.batch_input + ",";
  batch += "\"Items\":[";
  const std::size_t most = run.batched && run.batch_items_max > 0
                               ? static_cast<std::size_t>(run.batch_items_max)
                               : (run.batched ? items.size() : 1);
  const std::size_t bytes_max =
      run.batch_bytes_max > 0
          ? std::min(static_cast<std::size_t>(run.batch_bytes_max), s_.limits.payload_bytes_max)
          : s_.limits.payload_bytes_max;
  std::string only;
  for (count = 0; count < most && run.next_item + count < items.size(); ++count) {
    const std::size_t index = run.next_item + count;
    std::string text;
    if (map.item_selector) {
      const std::string source = run.source.empty() ? "STATE_DATA" : run.source;
      const MapItem item{.index = static_cast<std::int64_t>(index),
                         .value = &items[index],
                         .key = index < run.keys.size() ? &run.keys[index] : nullptr,
                         .source = &source};
      auto input = map_item_input(around_item(thread, item), run.effective, items[index]);
      if (!input) return std::unexpected(std::move(input).error());
      text = input->text();
    } else {
      text = json::write(items[index]);
    }
    pay_step();
    if (!run.batched) {
      only = std::move(text);
      continue;
    }
    // A batch has at least one item, however large.
    if (count > 0 && batch.size() + text.size() + 3 > bytes_max) break;
    if (count > 0) batch += ',';
    batch += text;
  }
  std::string input = run.batched ? std::move(batch) + "]}" : std::move(only);
  if (input.size() > s_.limits.payload_bytes_max) return std::unexpected(size_fault(thread.state->name));
  return input;
}

void Interpreter::start_child(Thread& thread, MapRun& run) {
  s_.changed_runs.insert(run.no);
  if (!run.to_redrive.empty()) {
    const std::size_t index = run.to_redrive.back();
    run.to_redrive.pop_back();
    MapChild& child = run.children[index];
    move_child(run, child, ChildStatus::Running);
    run.changed_children.insert(index);
    if (map_of(run).express) {
      child.name = new_uuid();
      child.started_at = now_;
      out_.emplace_back(workflow::start_child(s_, run, index));
      return;
    }
    child.redriven = true;
    out_.emplace_back(RedriveChild{{s_.start.no, run.no, index}, child.name});
    return;
  }
  std::size_t count = 0;
  auto input = next_child_input(thread, run, count);
  if (!input) return fault_map_run(thread, run, input.error());
  const std::size_t index = run.children.size();
  MapChild child;
  child.name = new_uuid();
  child.first = run.next_item;
  child.count = count;
  child.input = *std::move(input);
  child.started_at = now_;
  run.next_item += count;
  add_running_child(run, count);
  run.changed_children.insert(index);
  run.children.push_back(std::move(child));
  out_.emplace_back(workflow::start_child(s_, run, index));
}

Heard Interpreter::on(const ChildEnded& news) {
  if (over()) return Heard::Stale;
  MapRun* run = find_run(news.child.run);
  if (run == nullptr || run->stage != RunStage::Running || news.child.index >= run->children.size())
    return Heard::Stale;
  MapChild& child = run->children[news.child.index];
  if (child.status != ChildStatus::Running || news.status == Status::Running) return Heard::Stale;
  child.stopped_at = now_;
  if (news.started_at) child.started_at = news.started_at;
  // Express children have no records of their own: a redrive needs the input. So does a ResultWriter.
  if (!map_of(*run).express && !exports(*run)) release(child.input);
  child.error = news.error;
  child.cause = news.cause;
  if (news.status == Status::Succeeded) keep_output(s_.limits, *run, child, news.output);
  move_child(*run, child, child_status(news.status));
  run->changed_children.insert(news.child.index);
  s_.changed_runs.insert(run->no);
  Thread& thread = s_.threads.at(run->thread);
  if (too_many_failures(*run)) {
    fail_map_run(thread, *run, threshold_exceeded());
    return Heard::Taken;
  }
  settle_map_run(thread, *run);
  return Heard::Taken;
}

Heard Interpreter::on(const UpdateMapRun& news) {
  MapRun* run = find_run(news.run);
  if (over() || run == nullptr || run->stage == RunStage::Over) return Heard::Stale;
  s_.changed_runs.insert(run->no);
  if (news.concurrency_max) run->concurrency_max = *news.concurrency_max;
  if (news.tolerated_failure_count) run->tolerated_count = news.tolerated_failure_count;
  if (news.tolerated_failure_percentage) run->tolerated_percentage = news.tolerated_failure_percentage;
  if (run->stage != RunStage::Running) return Heard::Taken;
  Thread& thread = s_.threads.at(run->thread);
  // What was tolerated so far may be too much now.
  if (too_many_failures(*run))
    fail_map_run(thread, *run, threshold_exceeded());
  else
    settle_map_run(thread, *run);
  return Heard::Taken;
}

// Goes on with what can be done now: more children, the writer, the end.
void Interpreter::settle_map_run(Thread& thread, MapRun& run) {
  if (can_start_child(s_.limits, run)) {
    s_.ready.insert(thread.no);
    return;
  }
  s_.ready.erase(thread.no);
  if (run.stage != RunStage::Running || run.child_counts.running > 0 || !run.to_redrive.empty() ||
      run.next_item < item_count(run))
    return;
  if (exports(run)) return ask_writer(thread, run);
  auto result = inline_result(s_, run);
  if (!result) return fault_map_run(thread, run, result.error());
  succeed_map_run(thread, run, *std::move(result));
}

void Interpreter::ask_writer(Thread& thread, MapRun& run) {
  run.stage = RunStage::Writing;
  s_.changed_runs.insert(run.no);
  const auto& writer = map_of(run).writer;
  if (writer->arguments) {
    auto arguments = writer->arguments->evaluate(thread.state->language == asl::Language::Jsonata
                                                     ? "ResultWriter/Arguments"
                                                     : "ResultWriter/Parameters",
                                                 scope_of(around(thread), run.effective.value()));
    if (!arguments && run.failing) return fail_map_run(thread, run, *std::exchange(run.failing, {}));
    if (!arguments) return fault_map_run(thread, run, arguments.error());
    run.arguments = std::make_shared<const json::Value>(*std::move(arguments));
  }
  run.token = new_token(thread);
  out_.emplace_back(write_results(s_, run));
}

Heard Interpreter::on(const ResultsWritten& news) {
  MapRun* run = asked_run(news.token, RunStage::Writing);
  if (run == nullptr) return Heard::Stale;
  Thread& thread = s_.threads.at(run->thread);
  if (run->failing) {
    if (!news.fault) count_results(*run);
    fail_map_run(thread, *run, *std::exchange(run->failing, {}));
    return Heard::Taken;
  }
  if (news.fault || !news.output) {
    fail_map_run(thread, *run,
                 Raised{.error = "States.ResultWriterFailed", .cause = news.fault.value_or("")});
    return Heard::Taken;
  }
  count_results(*run);
  json::Object result;
  result["MapRunArn"] = map_run_arn(s_, *run);
  result["ResultWriterDetails"] = *news.output;
  succeed_map_run(thread, *run, Document(json::Value(std::move(result))));
  return Heard::Taken;
}

void Interpreter::succeed_map_run(Thread& thread, MapRun& run, Document result) {
  run.stage = RunStage::Over;
  run.status = Status::Succeeded;
  run.stopped_at = now_;
  s_.changed_runs.insert(run.no);
  // Rule 5: MapRunSucceeded behind MapRunStarted, MapStateSucceeded behind that, Exited behind MapRunStarted.
  const std::uint64_t succeeded = append(EventType::MapRunSucceeded, run.started_event);
  append(EventType::MapStateSucceeded, succeeded);
  if (over()) return;
  thread.last = run.started_event;
  drop_work(thread);
  auto leaving = leave(around(thread), result);
  if (!leaving) return fault(thread, leaving.error(), thread.last, true);
  if (auto fits = check_variables(thread, leaving->assigned); !fits)
    return fault(thread, fits.error(), thread.last, true);
  exit(thread, *std::move(leaving));
}

void Interpreter::fault_map_run(Thread& thread, MapRun& run, const Fault& fault) {
  Raised raised = note_fault(thread, fault, thread.last);
  if (!over()) fail_map_run(thread, run, std::move(raised));
}

void Interpreter::fail_map_run(Thread& thread, MapRun& run, Raised raised) {
  if (run.stage == RunStage::Running && exports(run)) {
    // What there is so far is written first.
    stop_children(run);
    s_.ready.erase(thread.no);
    run.failing = std::move(raised);
    return ask_writer(thread, run);
  }
  abort_map_run(run, Status::Failed);
  if (raised.error != asl::kRuntime)
    thread.last = append(EventType::MapRunFailed, thread.last,
                         ObjectText().add_if("cause", raised.cause).add("error", raised.error).take());
  touch(thread);
  s_.ready.erase(thread.no);
  if (!over()) fail(thread.no, std::move(raised));
}

// What the reader or writer would bring is wanted no more.
void Interpreter::give_up_map_run(MapRun& run, Status status) {
  const asl::Map& map = map_of(run);
  if (run.stage == RunStage::Reading) out_.emplace_back(CancelTask{run.token, map.reader->resource});
  if (run.stage == RunStage::Writing) out_.emplace_back(CancelTask{run.token, map.writer->resource});
  abort_map_run(run, status);
}

void Interpreter::abort_map_run(MapRun& run, Status status) {
  run.stage = RunStage::Over;
  run.status = status;
  run.stopped_at = now_;
  run.failing.reset();
  s_.changed_runs.insert(run.no);
  stop_children(run);
}

// Nothing more of them is heard.
void Interpreter::stop_children(MapRun& run) {
  s_.changed_runs.insert(run.no);
  for (std::size_t i = 0; i < run.children.size(); ++i) {
    MapChild& child = run.children[i];
    if (child.status != ChildStatus::Running) continue;
    child.stopped_at = now_;
    move_child(run, child, ChildStatus::Aborted);
    run.changed_children.insert(i);
    out_.emplace_back(StopChild{{s_.start.no, run.no, i}, child.name});
  }
}

void Interpreter::drop_map_run(MapRun& run) {
  if (run.settled) return;
  run.settled = true;
  run.items.reset();
  run.keys.clear();
  run.children.clear();
  run.changed_children.clear();
  run.to_redrive.clear();
  s_.changed_run_items.erase(run.no);
  s_.changed_runs.insert(run.no);
  s_.settled_runs.push_back(run.no);
}

}  // namespace stoker::workflow
