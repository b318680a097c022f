// Fail: its error and cause (amazon-states-language.md 4.3). No filtering: paths read the raw input.
#include "core/workflow/run/expressions.h"

namespace stoker::workflow {
namespace {

Evaluated<std::optional<std::string>> text_of(const std::optional<asl::Setting>& setting,
                                              std::string_view field, const Surroundings& around) {
  if (!setting) return std::nullopt;
  auto value = evaluate(*setting, field, scope_of(around, around.input.value()), around.input.value(),
                        OnMissing::MissingInField);
  if (!value) return std::unexpected(std::move(value).error());
  if (!value->is_string()) return std::unexpected(wrong_type(*setting, field, "string", *value));
  return std::string(json::text(*value));
}

}  // namespace

Evaluated<Failure> fail_with(const Surroundings& around) {
  const auto& fail = std::get<asl::Fail>(around.state.kind);
  auto error = text_of(fail.error, "Error", around);
  if (!error) return std::unexpected(std::move(error).error());
  auto cause = text_of(fail.cause, "Cause", around);
  if (!cause) return std::unexpected(std::move(cause).error());
  return Failure{.error = *std::move(error), .cause = *std::move(cause)};
}

}  // namespace stoker::workflow
