// Task: time-outs and role (amazon-states-language.md 5.5).
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/flow_parts.h"

namespace stoker::workflow {
namespace {

constexpr std::int64_t kSecondsMax = 99'999'999;

Evaluated<std::optional<std::int64_t>> seconds_of(const std::optional<asl::Setting>& setting,
                                                  std::string_view field, const asl::Scope& scope,
                                                  const Document& effective) {
  if (!setting) return std::nullopt;
  auto value = evaluate(*setting, field, scope, effective.value());
  if (!value) return std::unexpected(std::move(value).error());
  const auto whole = whole_number(*value);
  if (!whole || *whole < 1 || *whole > kSecondsMax)
    return std::unexpected(wrong_type(*setting, field, "positive integer", *value));
  return whole;
}

}  // namespace

Evaluated<TaskTerms> task_terms(const Surroundings& around) {
  const auto& task = std::get<asl::Task>(around.state.kind);
  auto effective = around.state.language == asl::Language::JsonPath ? filtered_input(around)
                                                                    : Evaluated<Document>(around.input);
  if (!effective) return std::unexpected(std::move(effective).error());
  const asl::Scope scope = scope_of(around, effective->value());
  TaskTerms terms;
  auto timeout = seconds_of(task.timeout_s, "TimeoutSeconds", scope, *effective);
  if (!timeout) return std::unexpected(std::move(timeout).error());
  terms.timeout_s = *timeout;
  auto heartbeat = seconds_of(task.heartbeat_s, "HeartbeatSeconds", scope, *effective);
  if (!heartbeat) return std::unexpected(std::move(heartbeat).error());
  terms.heartbeat_s = *heartbeat;
  if (task.credentials_role) {
    auto role = evaluate(*task.credentials_role, "Credentials/RoleArn", scope, effective->value(),
                         OnMissing::MissingInField);
    if (!role) return std::unexpected(std::move(role).error());
    if (!role->is_string())
      return std::unexpected(wrong_type(*task.credentials_role, "Credentials/RoleArn", "string", *role));
    terms.role = json::text(*role);
  }
  return terms;
}

}  // namespace stoker::workflow
