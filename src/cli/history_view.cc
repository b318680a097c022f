#include "cli/history_view.h"

#include <algorithm>

#include "base/text.h"
#include "cli/execution_view.h"
#include "cli/failure_text.h"
#include "cli/job_view.h"
#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kDetailsMax = 200;  // columns, where nothing else bounds them

std::string data_text(const json::Value& details, std::string_view key) {
  if (json::find(details, key) == nullptr) return {};
  return std::string(key) + " " + printable(json::get_string(details, key));
}

// What a task started, as far as the answer to it says.
std::string started_text(const json::Value& details) {
  const auto answer = json::parse(json::get_string(details, "output"));
  if (!answer) return {};
  if (const std::string_view job = json::get_string(*answer, "JobId"); !job.empty())
    return "job " + short_id(printable(job));
  if (const std::string_view arn = json::get_string(*answer, "ExecutionArn"); !arn.empty())
    return "execution " + short_execution(printable(arn.substr(arn.rfind(':') + 1))) + " of " +
           printable(machine_of_arn(arn));
  return {};
}

std::string resource_text(const json::Value& details) {
  const std::string_view type = json::get_string(details, "resourceType");
  return printable((type.empty() ? "" : std::string(type) + ":") +
                   std::string(json::get_string(details, "resource")));
}

std::string counted(std::int64_t n, std::string_view thing) {
  return std::to_string(n) + " " + std::string(thing) + (n == 1 ? "" : "s");
}

std::string all_details(const json::Value& event) {
  const std::string_view type = json::get_string(event, "type");
  const json::Value& details = details_of(event);
  if (type.ends_with("Scheduled")) return resource_text(details);
  if (type == "TaskSubmitted") return started_text(details);
  if (type == "MapStateStarted") return counted(json::get_int(details, "length"), "item");
  if (type == "MapRunStarted" || type == "MapRunRedriven")
    return printable(json::get_string(details, "mapRunArn"));
  if (type == "ExecutionRedriven") return "number " + std::to_string(json::get_int(details, "redriveCount"));
  if (const std::string failure =
          failure_text(json::get_string(details, "error"), json::get_string(details, "cause"));
      !failure.empty())
    return failure;
  if (json::find(details, "output") != nullptr) return data_text(details, "output");
  return data_text(details, "input");
}

}  // namespace

std::string event_details(const json::Value& event) {
  return cut_to_width(all_details(event), kDetailsMax);
}

Table history_table(const std::vector<json::Value>& events, bool reverse) {
  Table table({{.title = "ID", .right = true},
               {.title = "AT", .right = true},
               {.title = "STATE", .shrinks_to = 16},
               {.title = "EVENT"},
               {.title = "DETAILS", .shrinks_to = 12}});
  ExecutionTree tree;
  std::vector<std::vector<Cell>> rows;
  for (const json::Value& event : events) {
    const ExecutionTree::Place place = tree.add(event);
    const std::string type = printable(json::get_string(event, "type"));
    const bool failed = type.ends_with("Failed") || type.ends_with("TimedOut");
    rows.push_back({{std::to_string(json::get_int(event, "id")), Colour::Dim},
                    {duration_text(wire_instant(event, "timestamp") - tree.started())},
                    {tree.path(place)},
                    {type, failed ? Colour::Red : Colour::None},
                    {event_details(event)}});
  }
  if (reverse) std::ranges::reverse(rows);
  for (auto& row : rows) table.add(std::move(row));
  return table;
}

std::string event_news(const json::Value& event, const ExecutionTree& tree, ExecutionTree::Place place) {
  const std::string_view type = json::get_string(event, "type");
  const json::Value& details = details_of(event);
  const StateView* state = place.state == ExecutionTree::kNone ? nullptr : &tree.states()[place.state];
  if (type == "ExecutionRedriven") return "redriven";
  if (type == "MapStateStarted") return counted(json::get_int(details, "length"), "item");
  if (type == "MapRunStarted") return "map run " + printable(json::get_string(details, "mapRunArn"));
  if (type == "TaskSubmitted") return started_text(details);
  if (type.starts_with("Execution") || state == nullptr) return {};
  if (type.ends_with("StateEntered"))
    return to_lower(state->type) + (state->visits > 1 ? ", visit " + std::to_string(state->visits) : "");
  if (type.ends_with("Scheduled") || type.ends_with("StateStarted"))
    return state->tries > 1 ? "try " + std::to_string(state->tries) : "";
  if (type.ends_with("StateExited")) {
    if (state->status == StateStatus::Caught) return "caught, goes on";
    return state->ended - state->entered > Duration{} || state->type == "Task"
               ? "done after " + duration_text(state->ended - state->entered)
               : "";
  }
  if (type == "MapStateFailed" || type == "ParallelStateFailed") return "failed";
  const std::string failure =
      failure_text(json::get_string(details, "error"), json::get_string(details, "cause"));
  return failure.empty() ? "" : "failed: " + failure;
}

}  // namespace stoker::cli
