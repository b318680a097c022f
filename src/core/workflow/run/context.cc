#include "core/workflow/run/context.h"

#include "base/text.h"
#include "core/workflow/run/execution.h"

namespace stoker::workflow {

std::string iso_instant(Instant at) {
  return iso_time(at.ms, true);
}

json::Value context_object(const ContextParts& parts) {
  const ExecutionStart& start = *parts.execution;
  // Members and their order as recorded: Execution, StateMachine, State, Task, Map.
  json::Object execution;
  execution["Id"] = start.arn;
  execution["Input"] = start.input.value();
  execution["StartTime"] = iso_instant(parts.started_at);
  execution["Name"] = start.name;
  execution["RoleArn"] = start.role_arn;
  if (!start.express) execution["RedriveCount"] = parts.redrive_count;
  if (parts.redriven_at) execution["RedriveTime"] = iso_instant(parts.redriven_at);

  json::Object machine;
  machine["Id"] = start.version_arn.empty() ? start.machine_arn : start.version_arn;
  machine["Name"] = start.machine_name;

  json::Object context;
  context["Execution"] = std::move(execution);
  context["StateMachine"] = std::move(machine);
  set_state_parts(context, parts);
  return context;
}

void set_state_parts(json::Object& context, const ContextParts& parts) {
  json::Object state;
  state["Name"] = json::Value(parts.state);
  state["EnteredTime"] = iso_instant(parts.entered_at);
  if (parts.retry_count) state["RetryCount"] = *parts.retry_count;
  context["State"] = std::move(state);
  // Both stand behind all others, in this order.
  context.erase("Map");
  context.erase("Task");
  if (!parts.token.empty()) context["Task"] = json::Object{{"Token", parts.token}};
  if (parts.item == nullptr) return;
  json::Object item;
  item["Index"] = parts.item->index;
  if (parts.item->value != nullptr) item["Value"] = *parts.item->value;
  if (parts.item->key != nullptr) item["Key"] = *parts.item->key;
  if (parts.item->source != nullptr) item["Source"] = *parts.item->source;
  context["Map"] = json::Object{{"Item", std::move(item)}};
}

}  // namespace stoker::workflow
