#pragma once
// All state machines and activities. Read freely; only the rules in this folder change it.
#include <map>
#include <string>
#include <string_view>

#include "core/machines/arns.h"
#include "core/machines/machine.h"

namespace stoker::workflow {
class Program;
}

namespace stoker::core {

struct MachineRegistry {
  Place place;  // for ARNs; a setting

  struct KeptRevision {
    RevisionRef revision;
    std::shared_ptr<const workflow::Program> program;  // made when it is first run
    std::uint64_t uses = 0;  // by its machine, versions and executions; it goes with the last
  };
  std::map<RevisionNo, KeptRevision> revisions;
  std::map<MachineNo, StateMachine> machines;
  std::map<std::string, MachineNo, std::less<>> machine_names;
  std::map<ActivityNo, Activity> activities;
  std::map<std::string, ActivityNo, std::less<>> activity_names;

  std::uint64_t next_revision = 1;
  std::uint64_t next_machine = 1;
  std::uint64_t next_activity = 1;

  // Null when absent. A machine that is being deleted is still found.
  [[nodiscard]] const StateMachine* find_machine(std::string_view name) const;
  [[nodiscard]] StateMachine* find_machine(std::string_view name);
  [[nodiscard]] const Activity* find_activity(std::string_view name) const;
  [[nodiscard]] Activity* find_activity(std::string_view name);

  // By ARN, with the error of the API. The first takes only the machine itself: a version, an alias or the
  // child of a Map is "does not exist".
  [[nodiscard]] Result<const StateMachine*> machine_at(std::string_view arn) const;
  [[nodiscard]] Result<const Activity*> activity_at(std::string_view arn) const;
};

}  // namespace stoker::core
