#include "core/workflow/definition/warnings.h"

namespace stoker::asl {
namespace {

bool looks_computed(std::string_view text) {
  return text.starts_with("$.") || text.starts_with("$$.") || text == "$" || text == "$$" ||
         (text.starts_with("States.") && text.ends_with(')'));
}

bool has_dollar_key(const json::Value& value) {
  if (value.is_array()) return std::ranges::any_of(value.get_array(), has_dollar_key);
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.get_object(), [](const auto& member) {
    const std::string_view key{member.key().data(), member.key().size()};
    return key.ends_with(".$") || has_dollar_key(member.value());
  });
}

}  // namespace

void warn_of_static_result(const json::Value& result, const Where& where, Diagnosis& diagnosis) {
  if (looks_computed(json::text(result)) || has_dollar_key(result))
    diagnosis.warning("PASS_RESULT_IS_STATIC", "Attempt to use a path in the result of a pass state.", where);
}

void warn_of_missing_dollar(const json::Value& payload, const Where& where, Diagnosis& diagnosis) {
  if (payload.is_array()) {
    for (std::size_t i = 0; i < payload.get_array().size(); ++i)
      warn_of_missing_dollar(payload.get_array()[i], where.item(i), diagnosis);
    return;
  }
  if (!payload.is_object()) return;
  for (const auto& [key, value] : payload.get_object()) {
    const std::string_view name{key.data(), key.size()};
    const Where member = where.member(name);
    if (!name.ends_with(".$") && looks_computed(json::text(value)))
      diagnosis.warning("NO_DOLLAR", "No .$ on a field that appears to be a JSONPath or Intrinsic Function.",
                        member);
    warn_of_missing_dollar(value, member, diagnosis);
  }
}

}  // namespace stoker::asl
