#pragma once
// State machines, their revisions, versions and aliases, and activities, as values.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/model/types.h"
#include "core/workflow/definition/definition.h"
#include "json/json.h"

namespace stoker::core {

using MachineNo = Number<struct MachineNoTag>;    // in the order of creation
using RevisionNo = Number<struct RevisionNoTag>;  // over all machines
using ActivityNo = Number<struct ActivityNoTag>;  // in the order of creation

// What UpdateStateMachine can change. Immutable: the machine, its versions and the executions that started on
// it share one.
struct MachineRevision {
  RevisionNo no;
  std::string machine;  // name
  bool express = false;
  std::string id;          // revisionId; "" = as it was created
  std::string definition;  // verbatim
  std::string role_arn;
  json::Shared logging;     // complete with defaults, as Describe shows it
  json::Shared tracing;     // the same
  json::Shared encryption;  // the same
  Instant updated_at;
  // Read from the definition; null when an older program accepted what this one does not (not in the record).
  std::shared_ptr<const asl::Definition> parsed;
};
using RevisionRef = std::shared_ptr<const MachineRevision>;

struct MachineVersion {
  RevisionRef revision;
  std::string description;
  Instant created_at;
};

struct MachineRoute {
  int version = 0;
  int weight = 0;  // percent; those of an alias add up to 100
  bool operator==(const MachineRoute&) const = default;
};
struct MachineAlias {
  std::string description;
  std::vector<MachineRoute> routes;
  Instant created_at;
  Instant updated_at;
};

struct StateMachine {
  MachineNo no;
  std::string name;
  RevisionRef revision;  // the current one
  Instant created_at;
  Tags tags;
  int last_version = 0;  // numbers go on after a deletion
  std::map<int, MachineVersion> versions;
  std::map<std::string, MachineAlias> aliases;
  // How it was created, for telling a repeated CreateStateMachine.
  bool published_at_creation = false;
  std::string description_at_creation;
  bool deleting = false;  // until its executions have ended
};

struct Activity {
  ActivityNo no;
  std::string name;
  Instant created_at;
  json::Shared encryption;
  Tags tags;
};

}  // namespace stoker::core
