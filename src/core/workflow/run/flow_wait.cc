// Wait: until when (amazon-states-language.md 4.1 and 5.4).
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/flow_parts.h"

namespace stoker::workflow {
namespace {

// " == 1.5"; strings stand without quotes.
std::string seen(std::string_view path, const json::Value& value) {
  std::string text(path);
  text += " == ";
  if (value.is_string())
    text += json::text(value);
  else
    json::write(text, value);
  return text;
}

Evaluated<Instant> after_seconds(const asl::Setting& setting, const asl::Scope& scope,
                                 const Document& effective, Instant entered) {
  if (const auto* path = std::get_if<asl::Path>(&setting)) {
    const auto found = path->read(scope);
    const std::string text(path->text());
    if (!found)
      return std::unexpected(
          runtime_fault("The SecondsPath parameter does not reference an input value: " + text));
    const auto whole = found->is_double() ? std::nullopt : whole_number(*found);
    if (!whole)
      return std::unexpected(
          runtime_fault("The SecondsPath parameter cannot be parsed as a long value: " + seen(text, *found)));
    if (*whole < 0)
      return std::unexpected(
          runtime_fault("The SecondsPath parameter references a negative value: " + seen(text, *found)));
    return entered + seconds(std::min<std::int64_t>(*whole, INT32_MAX) + (*whole > INT32_MAX ? 1 : 0));
  }
  auto value = evaluate(setting, "Seconds", scope, effective.value());
  if (!value) return std::unexpected(std::move(value).error());
  const auto whole = whole_number(*value);
  if (!whole || *whole < 0)
    return std::unexpected(wrong_type(setting, "Seconds", "non-negative integer", *value));
  return entered + seconds(std::min<std::int64_t>(*whole, INT32_MAX) + (*whole > INT32_MAX ? 1 : 0));
}

Evaluated<Instant> at_timestamp(const asl::Setting& setting, const asl::Scope& scope,
                                const Document& effective) {
  const auto* path = std::get_if<asl::Path>(&setting);
  json::Value value;
  if (path != nullptr) {
    auto found = path->read(scope);
    if (!found) return std::unexpected(asl::invalid_path(*path, found.error()));
    value = *std::move(found);
  } else {
    auto evaluated = evaluate(setting, "Timestamp", scope, effective.value());
    if (!evaluated) return std::unexpected(std::move(evaluated).error());
    value = *std::move(evaluated);
  }
  const auto parsed = value.is_string() ? asl::parse_timestamp(json::text(value)) : std::nullopt;
  if (parsed) return Instant{parsed->ms};
  if (path != nullptr)
    return std::unexpected(runtime_fault(
        "The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format "
        "string: " +
        seen(path->text(), value)));
  if (!value.is_string()) return std::unexpected(wrong_type(setting, "Timestamp", "string", value));
  Fault fault = runtime_fault(
      "The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: " +
      std::string(json::text(value)));
  if (by_jsonata(setting)) {
    fault.error = asl::kQueryEvaluationError;
    fault.location = "Timestamp";
  }
  return std::unexpected(std::move(fault));
}

}  // namespace

Evaluated<Instant> wait_until(const Surroundings& around, Instant entered) {
  const auto& wait = std::get<asl::Wait>(around.state.kind);
  auto effective = around.state.language == asl::Language::JsonPath ? filtered_input(around)
                                                                    : Evaluated<Document>(around.input);
  if (!effective) return std::unexpected(std::move(effective).error());
  const asl::Scope scope = scope_of(around, effective->value());
  auto until = wait.seconds ? after_seconds(*wait.seconds, scope, *effective, entered)
                            : at_timestamp(*wait.timestamp, scope, *effective);
  if (!until) return until;
  if (*until - entered > around.limits->wait_max)
    return std::unexpected(runtime_fault("Wait state delay is too long."));
  return until;
}

}  // namespace stoker::workflow
