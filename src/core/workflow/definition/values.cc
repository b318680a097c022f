#include "core/workflow/definition/values.h"

#include "core/workflow/definition/warnings.h"

namespace stoker::asl {
namespace {

constexpr std::string_view kBadPath = "Value is not a valid JSONPath";

std::optional<Path> parse_path(std::string_view text, const Where& where, Diagnosis& diagnosis) {
  auto path = Path::parse(text);
  if (path) return *std::move(path);
  diagnosis.schema(std::string(kBadPath) + ": " + path.error().message, where);
  return std::nullopt;
}

std::optional<Path> parse_reference_path(std::string_view text, const Where& where, Diagnosis& diagnosis) {
  std::optional<Path> path = parse_path(text, where, diagnosis);
  if (!path || path->reference()) return path;
  diagnosis.schema("Value is not a Reference Path", where);
  return std::nullopt;
}

// `place` gives where the expression stands; asked only when there is something to report.
template <class Place>
void check_states_members(const jsonata::Expression& expression, StatesMembers members, const Place& place,
                          Diagnosis& diagnosis) {
  for (const std::vector<std::string>& variable : expression.variables()) {
    if (variable.size() < 2 || variable[0] != "states") continue;
    const std::string& member = variable[1];
    if (member == "input" || member == "context") continue;
    if (member == "result" && members.result) continue;
    if (member == "errorOutput" && members.error_output) continue;
    diagnosis.error("UNSUPPORTED_JSONATA_EXPRESSION",
                    "Reference to '$states." + member + "' is not supported in this field.",
                    diagnosis.full() ? Where() : place());
  }
}

void check_expression(const jsonata::Expression& expression, StatesMembers members, const Where& where,
                      Diagnosis& diagnosis) {
  for (const std::string& reference : expression.top_level_references())
    diagnosis.error("UNSUPPORTED_JSONATA_EXPRESSION", reference, where);
  check_states_members(expression, members, [&] { return where; }, diagnosis);
}

std::string path_twin(std::string_view name) {
  return std::string(name) + "Path";
}

void check_variable_names(const json::Object& assign, const Where& where, Language language,
                          Diagnosis& diagnosis) {
  constexpr std::size_t kNameCharsMax = 80;
  for (const auto& [key, value] : assign) {
    std::string_view name{key.data(), key.size()};
    if (language == Language::JsonPath && name.ends_with(".$")) name.remove_suffix(2);
    const bool word = !name.empty() && name.size() <= kNameCharsMax * 4 &&
                      !(name[0] >= '0' && name[0] <= '9') && std::ranges::all_of(name, [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                               c == '_' || static_cast<unsigned char>(c) >= 0x80;
                      });
    if (!word)
      diagnosis.schema("The variable name '" + std::string(name) + "' is not a valid identifier", where);
    else if (name == "states")
      diagnosis.schema("The variable name 'states' is reserved", where);
  }
}

}  // namespace

Selector read_selector(const Fields& fields, std::string_view name, Diagnosis& diagnosis) {
  const json::Value* value = fields.get(name);
  if (value == nullptr) return {};
  if (value->is_null()) return {.nothing = true, .path = std::nullopt};
  return {.nothing = false, .path = parse_path(json::text(*value), fields.at(name), diagnosis)};
}

Selector read_result_path(const Fields& fields, Diagnosis& diagnosis) {
  const json::Value* value = fields.get("ResultPath");
  if (value == nullptr) return {};
  if (value->is_null()) return {.nothing = true, .path = std::nullopt};
  const Where where = fields.at("ResultPath");
  std::optional<Path> path = parse_reference_path(json::text(*value), where, diagnosis);
  if (path && path->root() != Path::Root::Input) {
    diagnosis.schema("Value is not a Reference Path", where);
    path.reset();
  }
  return {.nothing = false, .path = std::move(path)};
}

std::optional<Path> read_path(const Fields& fields, std::string_view name, Diagnosis& diagnosis) {
  const json::Value* value = fields.get(name);
  if (value == nullptr) return std::nullopt;
  return parse_reference_path(json::text(*value), fields.at(name), diagnosis);
}

std::optional<Payload> read_payload(const Fields& fields, std::string_view name, StatesMembers members,
                                    Diagnosis& diagnosis) {
  const json::Value* value = fields.get(name);
  if (value == nullptr) return std::nullopt;
  const Where where = fields.at(name);
  if (fields.language() == Language::JsonPath) warn_of_missing_dollar(*value, where, diagnosis);
  std::vector<TemplateFault> faults;
  std::optional<Payload> payload = Payload::parse(*value, fields.language(), faults);
  for (const TemplateFault& fault : faults)
    diagnosis.error(fault.code, fault.message, where.below(fault.where));
  if (payload)
    payload->visit_expressions([&](const jsonata::Expression& expression, const Spot& relative) {
      check_states_members(expression, members, [&] { return where.below(relative.text()); }, diagnosis);
    });
  return payload;
}

std::optional<Payload> read_assign(const Fields& fields, StatesMembers members, Diagnosis& diagnosis) {
  const json::Value* value = fields.get("Assign");
  if (value == nullptr) return std::nullopt;
  if (value->is_object())
    check_variable_names(value->get_object(), fields.at("Assign"), fields.language(), diagnosis);
  return read_payload(fields, "Assign", members, diagnosis);
}

std::optional<jsonata::Expression> read_expression(std::string_view text, StatesMembers members,
                                                   const Where& where, Diagnosis& diagnosis) {
  auto expression = jsonata::Expression::parse(jsonata_source(text));
  if (!expression) {
    diagnosis.error("INVALID_JSONATA_EXPRESSION", expression.error().message, where);
    return std::nullopt;
  }
  check_expression(*expression, members, where, diagnosis);
  return *std::move(expression);
}

std::optional<std::int64_t> read_integer(const Fields& fields, std::string_view name, Range range,
                                         Diagnosis& diagnosis) {
  const json::Value* value = fields.get(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const bool fits = value->is_int64();  // what is larger is out of every range
  const std::int64_t number = fits ? value->get_int64() : 0;
  if (fits && number >= range.min && number <= range.max) return number;
  diagnosis.schema("Value is out of range: it must be between " + std::to_string(range.min) + " and " +
                       std::to_string(range.max),
                   fields.at(name));
  return std::nullopt;
}

std::optional<Setting> read_number(const Fields& fields, std::string_view name, Range range,
                                   Diagnosis& diagnosis) {
  if (const json::Value* value = fields.get(name)) {
    if (value->is_string()) {
      auto expression = read_expression(json::text(*value), {}, fields.at(name), diagnosis);
      if (!expression) return std::nullopt;
      return Setting(*std::move(expression));
    }
    const auto number = read_integer(fields, name, range, diagnosis);
    if (!number) return std::nullopt;
    return Setting(json::Value(*number));
  }
  std::optional<Path> path = read_path(fields, path_twin(name), diagnosis);
  if (!path) return std::nullopt;
  return Setting(*std::move(path));
}

std::optional<Setting> read_text(const Fields& fields, std::string_view name, Diagnosis& diagnosis) {
  if (const json::Value* value = fields.get(name)) {
    if (fields.language() == Language::Jsonata && is_jsonata(json::text(*value))) {
      auto expression = read_expression(json::text(*value), {}, fields.at(name), diagnosis);
      if (!expression) return std::nullopt;
      return Setting(*std::move(expression));
    }
    return Setting(*value);
  }
  const std::string twin = path_twin(name);
  const json::Value* value = fields.get(twin);
  if (value == nullptr) return std::nullopt;
  const std::string_view text = json::text(*value);
  if (text.starts_with("States.")) {
    auto intrinsic = Intrinsic::parse(text);
    if (intrinsic) return Setting(*std::move(intrinsic));
    diagnosis.schema(
        "The value for the field '" + twin + "' must be a valid JSONPath or a valid intrinsic function call",
        fields.where());
    return std::nullopt;
  }
  std::optional<Path> path = parse_reference_path(text, fields.at(twin), diagnosis);
  if (!path) return std::nullopt;
  return Setting(*std::move(path));
}

void warn_of_path(const Fields& fields, std::string_view name, Diagnosis& diagnosis) {
  if (fields.language() == Language::JsonPath && fields.string(name).starts_with('$'))
    diagnosis.warning("NO_PATH", "Field value looks like a path, but field name does not end with 'Path'.",
                      fields.at(name));
}

}  // namespace stoker::asl
