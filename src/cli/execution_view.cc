#include "cli/execution_view.h"

#include <algorithm>

#include "base/ids.h"
#include "base/text.h"
#include "cli/execution_tree.h"
#include "cli/failure_text.h"
#include "cli/quantity.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {
constexpr std::size_t kShortName = 8;
}

Colour colour_of_execution(std::string_view status) {
  if (status == "RUNNING") return Colour::Green;
  if (status == "FAILED" || status == "TIMED_OUT") return Colour::Red;
  if (status == "ABORTED") return Colour::Yellow;
  return Colour::Dim;
}

Duration ExecutionView::ran(Instant now) const {
  const Instant until = stopped ? stopped : now;
  return started && until > started ? until - started : Duration{};
}

std::string_view machine_of_arn(std::string_view arn) {
  // arn : aws : states : region : account : kind : machine : ...
  constexpr std::size_t kMachine = 6;
  const auto parts = split(arn, ':');
  return parts.size() > kMachine && parts[0] == "arn" ? parts[kMachine] : std::string_view{};
}

std::string short_execution(std::string_view name) {
  return std::string(Uuid::parse(name) ? name.substr(0, kShortName) : name);
}

ExecutionView view_of_execution(const json::Value& execution) {
  ExecutionView view;
  view.arn = printable(json::get_string(execution, "executionArn"));
  view.name = printable(json::get_string(execution, "name"));
  view.machine = printable(machine_of_arn(json::get_string(execution, "stateMachineArn")));
  view.status = printable(json::get_string(execution, "status"));
  view.failure = failure_text(json::get_string(execution, "error"), json::get_string(execution, "cause"));
  view.started = wire_instant(execution, "startDate");
  view.stopped = wire_instant(execution, "stopDate");
  view.redrives = json::get_int(execution, "redriveCount");
  return view;
}

Table execution_table(const std::vector<ExecutionView>& executions, Instant now) {
  const bool redrives =
      std::ranges::any_of(executions, [](const ExecutionView& e) { return e.redrives > 0; });
  std::vector<Column> columns{{.title = "NAME", .shrinks_to = 12},
                              {.title = "MACHINE", .shrinks_to = 8},
                              {.title = "STATUS"},
                              {.title = "STARTED"},
                              {.title = "RAN", .right = true}};
  if (redrives) columns.push_back({.title = "REDRIVES", .right = true});
  Table table(std::move(columns));
  for (const ExecutionView& execution : executions) {
    std::vector<Cell> row{{short_execution(execution.name)},
                          {execution.machine},
                          {execution.status, colour_of_execution(execution.status)},
                          {execution.started ? duration_text(now - execution.started) + " ago" : ""},
                          {duration_text(execution.ran(now))}};
    if (redrives) row.push_back({execution.redrives > 0 ? std::to_string(execution.redrives) : ""});
    table.add(std::move(row));
  }
  return table;
}

}  // namespace stoker::cli
