// Map runs: list, describe, update.
#include "aws/states/execution_view.h"
#include "aws/states/frame.h"
#include "core/machines/errors.h"

namespace stoker::aws {
namespace {

json::Object counts_of(const workflow::MapRunCounts& counts) {
  return json::Object{{"pending", counts.pending},
                      {"running", counts.running},
                      {"succeeded", counts.succeeded},
                      {"failed", counts.failed},
                      {"timedOut", counts.timed_out},
                      {"aborted", counts.aborted},
                      {"total", counts.total},
                      {"resultsWritten", counts.results_written},
                      {"failuresNotRedrivable", counts.failures_not_redrivable},
                      {"pendingRedrive", counts.pending_redrive}};
}

json::Object entry_of(const ExecutionFacts& facts, const workflow::MapRunView& run) {
  // arn:...:mapRun:NAME/LABEL:ID belongs to arn:...:stateMachine:NAME/LABEL
  const core::StatesArn arn = core::parse_states_arn(run.arn).value_or(core::StatesArn{});
  json::Object out{{"executionArn", facts.arn},
                   {"mapRunArn", run.arn},
                   {"stateMachineArn", facts.machine_arn + '/' + arn.label},
                   {"startDate", wire_time(run.started_at)}};
  if (run.stopped_at) out["stopDate"] = wire_time(run.stopped_at);
  return out;
}

json::Object detail_of(const ExecutionFacts& facts, const workflow::MapRunView& run) {
  json::Object out{{"mapRunArn", run.arn},
                   {"executionArn", facts.arn},
                   {"status", workflow::name(run.status)},
                   {"startDate", wire_time(run.started_at)}};
  if (run.stopped_at) out["stopDate"] = wire_time(run.stopped_at);
  out["maxConcurrency"] = run.concurrency_max;
  out["toleratedFailurePercentage"] = run.tolerated_failure_percentage;
  out["toleratedFailureCount"] = run.tolerated_failure_count;
  out["itemCounts"] = counts_of(run.items);
  out["executionCounts"] = counts_of(run.executions);
  out["redriveCount"] = run.redrive_count;
  if (run.redriven_at) out["redriveDate"] = wire_time(run.redriven_at);
  return out;
}

// Newest first.
Result<json::Value> page_of(const ExecutionFacts& facts, const workflow::Execution& execution,
                            const Page& page, const std::string& list) {
  const std::vector<workflow::MapRunView> runs = execution.map_runs();
  const auto below =
      static_cast<std::uint64_t>(parse_int(page.after).value_or(std::numeric_limits<std::int64_t>::max()));
  json::Array entries;
  json::Object out;
  std::uint64_t last = 0;
  bool more = false;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (run->run >= below) continue;
    if (entries.size() == page.size) {
      more = true;
      break;
    }
    last = run->run;
    entries.push_back(entry_of(facts, *run));
  }
  out["mapRuns"] = std::move(entries);
  if (more) out["nextToken"] = page_token(list, std::to_string(last));
  return out;
}

void list(const Place&, json::Value input, Backend& backend, Completion done) {
  std::string arn(json::get_string(input, "executionArn"));
  std::string list = "map runs " + arn;
  auto page = read_states_page(input, list);
  if (!page) return done(std::unexpected(page.error()));
  with_execution(
      backend, std::move(arn),
      [page = std::move(*page), list = std::move(list)](const ExecutionFacts& facts,
                                                        const workflow::Execution& execution, Instant) {
        return page_of(facts, execution, page, list);
      },
      std::move(done));
}

void describe(const Place&, json::Value input, Backend& backend, Completion done) {
  std::string arn(json::get_string(input, "mapRunArn"));
  read_state<Result<core::MapRunOwner>>(
      backend, [arn](const core::State& state, Instant) { return state.executions.map_run_at(arn); },
      [&backend, arn, done = std::move(done)](Result<core::MapRunOwner> owner) mutable {
        if (!owner) return done(std::unexpected(owner.error()));
        with_execution(
            backend, owner->execution.value, core::resource_not_found(arn).error(),
            [arn](const ExecutionFacts& facts, const workflow::Execution& execution,
                  Instant) -> Result<json::Value> {
              for (const workflow::MapRunView& run : execution.map_runs())
                if (run.arn == arn) return detail_of(facts, run);
              return core::resource_not_found(arn);
            },
            std::move(done));
      });
}

Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  core::ChangeMapRun out;
  out.arn = json::get_string(input, "mapRunArn");
  if (json::find(input, "maxConcurrency") != nullptr)
    out.concurrency_max = json::get_int(input, "maxConcurrency");
  if (json::find(input, "toleratedFailureCount") != nullptr)
    out.tolerated_failure_count = json::get_int(input, "toleratedFailureCount");
  if (const json::Value* percentage = json::find(input, "toleratedFailurePercentage"))
    out.tolerated_failure_percentage = percentage->to_number<double>();
  return out;
}

}  // namespace

void add_map_runs(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesListMapRuns] = {.run = list};
  handlers[StatesDescribeMapRun] = {.run = describe};
  handlers[StatesUpdateMapRun] = {.prepare = prepare_update, .finish = nothing};
}

}  // namespace stoker::aws
