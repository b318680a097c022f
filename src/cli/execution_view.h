#pragma once
// Executions as the commands show them, read from the JSON of the server.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/table.h"
#include "json/json.h"

namespace stoker::cli {

inline constexpr std::array<std::string_view, 5> kExecutionStatuses = {"RUNNING", "SUCCEEDED", "FAILED",
                                                                       "TIMED_OUT", "ABORTED"};
Colour colour_of_execution(std::string_view status);

struct ExecutionView {
  std::string arn{};
  std::string name{};
  std::string machine{};  // its name
  std::string status{};
  std::string failure{};  // error and cause, where they are told
  Instant started{};
  Instant stopped{};
  std::int64_t redrives = 0;

  [[nodiscard]] bool ended() const { return status != "RUNNING" && status != "PENDING_REDRIVE"; }
  [[nodiscard]] Duration ran(Instant now) const;
};

// `execution`: the answer of DescribeExecution, or an entry of ListExecutions.
ExecutionView view_of_execution(const json::Value& execution);

// "arn:aws:states:REGION:ACCOUNT:execution:MACHINE:NAME" and other ARNs of Step Functions, by their last
// parts: "MACHINE" of a machine; "" of what is none.
std::string_view machine_of_arn(std::string_view arn);

// The first eight characters of a name that the server made up; others whole.
std::string short_execution(std::string_view name);

Table execution_table(const std::vector<ExecutionView>& executions, Instant now);

}  // namespace stoker::cli
