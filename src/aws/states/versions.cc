// Versions of state machines: publish, delete, list.
#include "aws/states/frame.h"

namespace stoker::aws {
namespace {

Result<core::Request> prepare_publish(const Place&, json::Value& input, Backend&) {
  return core::PublishStateMachineVersion{.arn = std::string(json::get_string(input, "stateMachineArn")),
                                          .revision_id = std::string(json::get_string(input, "revisionId")),
                                          .description = std::string(json::get_string(input, "description"))};
}
json::Value finish_publish(const Place&, const json::Value&, const core::Answer& answer) {
  const auto& made = std::get<core::ArnCreated>(answer);
  return json::Object{{"stateMachineVersionArn", made.arn}, {"creationDate", wire_time(made.at)}};
}

Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteStateMachineVersion{.arn =
                                             std::string(json::get_string(input, "stateMachineVersionArn"))};
}

// Newest first.
Result<json::Value> list(const Place&, const json::Value& input, const core::State& state, Instant) {
  const std::string_view arn = json::get_string(input, "stateMachineArn");
  const core::StateMachine* machine = TRY(state.machines.machine_at(arn));
  const std::string list = "versions of " + machine->name;
  const Page page = TRY(read_states_page(input, list));
  const auto below = parse_int(page.after).value_or(std::numeric_limits<int>::max());
  json::Array entries;
  json::Object out;
  auto it = std::make_reverse_iterator(machine->versions.lower_bound(static_cast<int>(below)));
  int last = 0;
  for (; it != machine->versions.rend() && entries.size() < page.size; ++it) {
    last = it->first;
    entries.push_back(json::Object{
        {"stateMachineVersionArn", core::version_arn(state.machines.place, machine->name, it->first)},
        {"creationDate", wire_time(it->second.created_at)}});
  }
  out["stateMachineVersions"] = std::move(entries);
  if (it != machine->versions.rend()) out["nextToken"] = page_token(list, std::to_string(last));
  return out;
}

}  // namespace

void add_state_machine_versions(Handlers& handlers) {
  using enum OperationId;
  handlers[StatesPublishStateMachineVersion] = {.prepare = prepare_publish, .finish = finish_publish};
  handlers[StatesDeleteStateMachineVersion] = {.prepare = prepare_delete, .finish = nothing};
  handlers[StatesListStateMachineVersions] = {.read = list};
}

}  // namespace stoker::aws
