#include "core/machines/invariants.h"

#include "base/assert.h"
#include "core/workflow/run/execution.h"

namespace stoker::core {
namespace {

void check_registry(const MachineRegistry& registry, std::map<RevisionNo, std::uint64_t>& uses) {
  ASSERT(registry.machines.size() == registry.machine_names.size(), "a state machine has one name");
  for (const auto& [no, machine] : registry.machines) {
    ASSERT(registry.find_machine(machine.name) == &machine, "a state machine is found by its name");
    ++uses[machine.revision->no];
    for (const auto& [number, version] : machine.versions) {
      ASSERT(number <= machine.last_version, "a version beyond the last number");
      ++uses[version.revision->no];
    }
    for (const auto& [name, alias] : machine.aliases)
      for (const MachineRoute& route : alias.routes)
        ASSERT(machine.versions.contains(route.version), "an alias points to a version that is there");
  }
  ASSERT(registry.activities.size() == registry.activity_names.size(), "an activity has one name");
}

void check_execution(const World& world, const ExecutionInfo& info) {
  const bool running = info.status == workflow::Status::Running;
  ASSERT(!running || info.live, "a running execution is in memory");
  if (info.live) {
    info.live->check_invariants();
    const auto due = info.live->next_due();
    ASSERT((due ? std::max(*due, Instant{1}) : Instant{}) == info.due,
           "an execution has the timer that it needs");
  }
  ASSERT(!info.due || world.workflows.timers.contains({info.due, info.no}), "a timer is among the timers");
  if (!info.express()) {
    const auto name = world.state.executions.names.find(info.machine + ':' + info.name);
    ASSERT(name != world.state.executions.names.end() && name->second == info.no,
           "an execution is found by its name");
  }
  ASSERT(
      running || info.express() ||
          world.workflows.retirements.contains({info.stopped_at + world.settings.execution_history, info.no}),
      "an ended execution will be forgotten");
}

}  // namespace

void check_machines(const World& world) {
  std::map<RevisionNo, std::uint64_t> uses;
  check_registry(world.state.machines, uses);
  std::size_t timers = 0;
  for (const auto& [no, info] : world.state.executions.all) {
    ASSERT(info.status == workflow::Status::Running || !info.express() || info.changed,
           "an express execution is forgotten with its end");
    ++uses[info.revision->no];
    timers += info.due ? 1 : 0;
    check_execution(world, info);
  }
  ASSERT(timers == world.workflows.timers.size(), "a timer of an execution that has none");
  ASSERT(uses.size() == world.state.machines.revisions.size(), "a revision that nobody uses");
  for (const auto& [no, count] : uses)
    ASSERT(world.state.machines.revisions.at(no).uses == count, "the uses of a revision are counted");
}

}  // namespace stoker::core
