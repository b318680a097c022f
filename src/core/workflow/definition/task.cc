#include "core/workflow/definition/resource.h"
#include "core/workflow/definition/state.h"
#include "core/workflow/definition/values.h"

namespace stoker::asl {
namespace {

constexpr std::int64_t kTimeoutMax = 99'999'999;

// A role of its own for the task: literal, "RoleArn.$" (JSONPath) or "{% %}". Other members are not looked
// at, as AWS does not.
std::optional<Setting> read_credentials(const Fields& fields, Diagnosis& diagnosis) {
  const json::Value* credentials = fields.get("Credentials");
  if (credentials == nullptr) return std::nullopt;
  const Where where = fields.at("Credentials");
  if (const json::Value* role = json::find(*credentials, "RoleArn"); role != nullptr && role->is_string()) {
    const std::string_view text = json::text(*role);
    if (fields.language() == Language::JsonPath || !is_jsonata(text)) return Setting(*role);
    auto expression = read_expression(text, {}, where.member("RoleArn"), diagnosis);
    if (!expression) return std::nullopt;
    return Setting(*std::move(expression));
  }
  const json::Value* computed = json::find(*credentials, "RoleArn.$");
  if (fields.language() == Language::Jsonata || computed == nullptr) {
    diagnosis.schema("The field 'RoleArn' is required but was missing", where);
    return std::nullopt;
  }
  const std::string_view text = json::text(*computed);
  if (auto path = Path::parse(text)) return Setting(*std::move(path));
  if (auto intrinsic = Intrinsic::parse(text)) return Setting(*std::move(intrinsic));
  diagnosis.schema(
      "The value for the field 'RoleArn.$' must be a valid JSONPath or a valid intrinsic function call",
      where);
  return std::nullopt;
}

void check_heartbeat(const Task& task, const Fields& fields, Diagnosis& diagnosis) {
  const auto literal = [](const std::optional<Setting>& setting) -> std::optional<std::int64_t> {
    const auto* value = setting ? std::get_if<json::Value>(&*setting) : nullptr;
    return value == nullptr ? std::nullopt : std::optional(value->get_int64());
  };
  const auto timeout = literal(task.timeout_s);
  const auto heartbeat = literal(task.heartbeat_s);
  if (timeout && heartbeat && *heartbeat >= *timeout)
    diagnosis.schema("HeartbeatSeconds must be smaller than TimeoutSeconds", fields.at("HeartbeatSeconds"));
}

}  // namespace

Kind read_task(const Fields& fields, Reading& reading) {
  Task task;
  task.resource = fields.string("Resource");
  if (fields.has("Resource")) check_resource(task.resource, fields.at("Resource"), reading);
  task.timeout_s = read_number(fields, "TimeoutSeconds", {1, kTimeoutMax}, reading.diagnosis);
  task.heartbeat_s = read_number(fields, "HeartbeatSeconds", {1, kTimeoutMax - 1}, reading.diagnosis);
  // AWS does not say so; but a job that hangs then holds its GPUs until somebody looks.
  if (waits_for_work(task.resource) && !fields.has("TimeoutSeconds") && !fields.has("TimeoutSecondsPath"))
    reading.diagnosis.warning("NO_TIMEOUT",
                              "The task waits for its work without a limit: TimeoutSeconds is missing.",
                              fields.where());
  task.credentials_role = read_credentials(fields, reading.diagnosis);
  check_heartbeat(task, fields, reading.diagnosis);
  return task;
}

}  // namespace stoker::asl
