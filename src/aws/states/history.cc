// GetExecutionHistory.
#include "core/workflow/run/history.h"

#include "aws/states/frame.h"
#include "core/machines/errors.h"

namespace stoker::aws {
namespace {

// Leaves out what includeExecutionData=false leaves out: inputs and outputs with their details.
void drop_data(json::Object& details) {
  for (const std::string_view member :
       {"input", "inputDetails", "output", "outputDetails", "assignedVariables", "assignedVariablesDetails"})
    details.erase(member);
}

json::Value event_of(const workflow::HistoryEvent& event, bool with_data) {
  json::Object out{{"timestamp", wire_time(event.at)},
                   {"type", workflow::name(event.type)},
                   {"id", event.id},
                   {"previousEventId", event.previous}};
  const std::string_view member = workflow::details_member(event.type);
  if (member.empty() || event.details.empty()) return out;
  auto details = json::parse(event.details);
  if (!details || !details->is_object()) return out;
  if (!with_data) drop_data(details->get_object());
  out[member] = std::move(*details);
  return out;
}

// Where a page begins and how much it has.
struct Range {
  Page page;
  bool reverse = false;
  std::string list;
};

json::Value page_of(const Range& range, const core::HistoryPage& found, bool with_data) {
  json::Array entries;
  for (const workflow::HistoryEvent& event : found.events) entries.push_back(event_of(event, with_data));
  json::Object out{{"events", std::move(entries)}};
  if (found.more) out["nextToken"] = page_token(range.list, std::to_string(found.events.back().id));
  return out;
}

void get_history(const Place&, json::Value input, Backend& backend, Completion done) {
  const std::string arn(json::get_string(input, "executionArn"));
  Range range;
  range.reverse = json::get_bool(input, "reverseOrder");
  range.list = (range.reverse ? "history back " : "history ") + arn;
  auto page = read_states_page(input, range.list);
  if (!page) return done(std::unexpected(page.error()));
  range.page = std::move(*page);
  const bool with_data = json::get_bool(input, "includeExecutionData", true);
  read_state<Result<std::uint64_t>>(
      backend,
      [arn](const core::State& state, Instant) -> Result<std::uint64_t> {
        return TRY(state.executions.at(arn))->no.value;
      },
      [&backend, range = std::move(range), with_data,
       done = std::move(done)](Result<std::uint64_t> execution) mutable {
        if (!execution) return done(std::unexpected(execution.error()));
        const core::HistoryRange wanted{
            .execution = *execution,
            .after = static_cast<std::uint64_t>(parse_int(range.page.after).value_or(0)),
            .count = range.page.size,
            .reverse = range.reverse};
        backend.read_history(wanted, [range = std::move(range), with_data,
                                      done = std::move(done)](Result<core::HistoryPage> found) mutable {
          if (!found) return done(std::unexpected(found.error()));
          done(page_of(range, *found, with_data));
        });
      });
}

}  // namespace

void add_execution_history(Handlers& handlers) {
  handlers[OperationId::StatesGetExecutionHistory] = {.run = get_history};
}

}  // namespace stoker::aws
