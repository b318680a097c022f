#pragma once
// Amazon Resource Names of the workflow service: they stand in execution data, so the core must write and
// read them. Region and account of a name that is read are not looked at: a name means the same whoever wrote
// it.
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stoker::core {

// Where this server claims to be.
struct Place {
  std::string partition = "aws";
  std::string region = "us-east-1";
  std::string account = "000000000000";
  bool operator==(const Place&) const = default;
};

enum class ArnKind : std::uint8_t { StateMachine, Execution, Express, MapRun, Activity };

// stateMachine:NAME[/LABEL][:QUALIFIER], execution:NAME[/LABEL]:QUALIFIER, express:NAME:QUALIFIER[:RUN],
// mapRun:NAME/LABEL:QUALIFIER, activity:NAME
struct StatesArn {
  ArnKind kind = ArnKind::StateMachine;
  std::string name;       // of the state machine or activity
  std::string label;      // of a distributed Map; "" = none
  std::string qualifier;  // version number or alias; execution's name; map run's id; "" = none
  std::string run;        // express executions: the id that tells runs of one name apart

  // The version that the qualifier names; nothing for an alias or without one.
  [[nodiscard]] std::optional<int> version() const;
};

// InvalidArn, as AWS says it: "Invalid Arn: 'Invalid ARN prefix: ...'".
Result<StatesArn> parse_states_arn(std::string_view text);
// The same, and of that kind: "Invalid Arn: 'Resource type not valid in this context: express'".
Result<StatesArn> parse_states_arn(std::string_view text, ArnKind kind);

std::string machine_arn(const Place& place, std::string_view name);
std::string version_arn(const Place& place, std::string_view name, int version);
std::string alias_arn(const Place& place, std::string_view name, std::string_view alias);
std::string activity_arn(const Place& place, std::string_view name);
// `machine` may be NAME/LABEL.
std::string execution_arn(const Place& place, std::string_view machine, std::string_view execution);
std::string express_arn(const Place& place, std::string_view machine, std::string_view execution,
                        std::string_view run);
std::string map_run_arn(const Place& place, std::string_view machine, std::string_view label,
                        std::string_view id);

}  // namespace stoker::core
