#include "core/machines/execution_table.h"

#include "core/machines/errors.h"
#include "core/workflow/run/execution.h"

namespace stoker::core {
namespace {

std::string name_key(std::string_view machine, std::string_view name) {
  std::string out;
  out.reserve(machine.size() + name.size() + 1);
  out.append(machine).append(":").append(name);
  return out;
}

void erase_from(std::map<std::string, std::set<ExecutionNo>, std::less<>>& sets, std::string_view key,
                ExecutionNo no) {
  const auto found = sets.find(key);
  if (found == sets.end()) return;
  found->second.erase(no);
  if (found->second.empty()) sets.erase(found);
}

}  // namespace

ExecutionInfo::ExecutionInfo() = default;
ExecutionInfo::~ExecutionInfo() = default;
ExecutionInfo::ExecutionInfo(ExecutionInfo&&) noexcept = default;

std::string ExecutionInfo::arn(const Place& place) const {
  return express() ? express_arn(place, machine, name, run_id) : execution_arn(place, machine, name);
}

const ExecutionInfo* ExecutionTable::find(ExecutionNo no) const {
  const auto found = all.find(no);
  return found == all.end() ? nullptr : &found->second;
}
ExecutionInfo* ExecutionTable::find(ExecutionNo no) {
  const auto found = all.find(no);
  return found == all.end() ? nullptr : &found->second;
}

Result<const ExecutionInfo*> ExecutionTable::at(std::string_view arn) const {
  const StatesArn parsed = TRY(parse_states_arn(arn, ArnKind::Execution));
  const std::string machine = parsed.label.empty() ? parsed.name : parsed.name + '/' + parsed.label;
  const auto found = names.find(name_key(machine, parsed.qualifier));
  if (found == names.end()) return execution_does_not_exist(arn);
  return &all.at(found->second);
}

Result<MapRunOwner> ExecutionTable::map_run_at(std::string_view arn) const {
  TRY(parse_states_arn(arn, ArnKind::MapRun));
  const auto found = map_runs.find(arn);
  if (found == map_runs.end()) return resource_not_found(arn);
  return found->second;
}

void ExecutionTable::add_to_indexes(const ExecutionInfo& info) {
  if (!info.express()) names[name_key(info.machine, info.name)] = info.no;
  if (info.child) children[*info.child] = info.no;
  if (!info.map_run_arn.empty())
    of_map_run[info.map_run_arn].insert(info.no);
  else if (!info.express())
    of_machine[info.machine].insert(info.no);
}

void ExecutionTable::remove_from_indexes(const ExecutionInfo& info) {
  if (!info.express()) {
    const auto name = names.find(name_key(info.machine, info.name));
    if (name != names.end() && name->second == info.no) names.erase(name);
  }
  if (info.child) {
    const auto child = children.find(*info.child);
    if (child != children.end() && child->second == info.no) children.erase(child);
  }
  if (!info.map_run_arn.empty())
    erase_from(of_map_run, info.map_run_arn, info.no);
  else
    erase_from(of_machine, info.machine, info.no);
  for (const std::string& run : info.own_map_runs) map_runs.erase(run);
}

}  // namespace stoker::core
