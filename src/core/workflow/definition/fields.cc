#include "core/workflow/definition/fields.h"

namespace stoker::asl {
namespace {

bool has_form(const json::Value& value, std::uint16_t forms, Language language) {
  if ((forms & kAny) == kAny) return true;
  switch (value.kind()) {
    case boost::json::kind::null:
      return (forms & kNull) != 0;
    case boost::json::kind::bool_:
      return (forms & kBoolean) != 0;
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
      return (forms & (kInteger | kNumber)) != 0;
    case boost::json::kind::double_:
      return (forms & kNumber) != 0;
    case boost::json::kind::string:
      if ((forms & kString) != 0) return true;
      return (forms & kExpression) != 0 && language == Language::Jsonata && is_jsonata(json::text(value));
    case boost::json::kind::array:
      return (forms & kArray) != 0;
    case boost::json::kind::object:
      return (forms & kObject) != 0;
  }
  return false;
}

std::string wrong_form_message(std::uint16_t forms, Language language) {
  constexpr std::pair<std::uint16_t, std::string_view> kNames[] = {
      {kString, "STRING"}, {kInteger, "INTEGER"}, {kNumber, "NUMBER"}, {kBoolean, "BOOLEAN"},
      {kObject, "OBJECT"}, {kArray, "ARRAY"},     {kNull, "NULL"}};
  std::string names;
  const auto add = [&](std::string_view name) {
    if (!names.empty()) names += ", ";
    names += name;
  };
  for (const auto& [form, name] : kNames)
    if ((forms & form) != 0) add(name);
  if ((forms & kExpression) != 0 && language == Language::Jsonata) add("JSONATA_EXPRESSION");
  return "Expected value of type [" + names + "]";
}

std::string wrong_language_message(std::string_view field, Language language) {
  const bool jsonata = language == Language::Jsonata;
  return "The QueryLanguage is set to '" + std::string(jsonata ? "JSONata" : "JSONPath") + "', but field '" +
         std::string(field) + "' is only supported for the '" + (jsonata ? "JSONPath" : "JSONata") +
         "' QueryLanguage";
}

const Field* find_field(std::span<const Field> table, std::string_view name, StateTypes state) {
  for (const Field& field : table)
    if (field.name == name && (field.states & state) != 0) return &field;
  return nullptr;
}

void check_missing(const json::Object& object, std::span<const Field> table, StateTypes state,
                   const Where& where, Diagnosis& diagnosis) {
  std::string missing;
  for (const Field& field : table) {
    if (!field.required || (field.states & state) == 0 || object.contains(field.name)) continue;
    if (!missing.empty()) missing += ", ";
    missing += field.name;
  }
  if (!missing.empty()) diagnosis.schema("These fields are required: [" + missing + "]", where);
}

}  // namespace

const json::Value* Fields::get(std::string_view name) const {
  for (const auto& [key, value] : found_)
    if (key == name) return value;
  return nullptr;
}

std::string Fields::string(std::string_view name) const {
  const json::Value* value = get(name);
  return value == nullptr ? std::string() : std::string(json::text(*value));
}

std::optional<Fields> read_fields(const json::Value& value, std::span<const Field> table, StateTypes state,
                                  Language language, const Where& where, Diagnosis& diagnosis) {
  if (!value.is_object()) {
    diagnosis.schema(wrong_form_message(kObject, Language::JsonPath), where);
    return std::nullopt;
  }
  const json::Object& object = value.get_object();
  Fields fields(where, language);
  check_missing(object, table, state, where, diagnosis);
  const Languages language_bit = language == Language::Jsonata ? kJsonataOnly : kJsonPathOnly;
  for (const auto& [key, member] : object) {
    const std::string_view name{key.data(), key.size()};
    const Field* field = find_field(table, name, state);
    if (field == nullptr) {
      diagnosis.schema("Field '" + std::string(name) + "' is not supported", where);
    } else if ((field->languages & language_bit) == 0) {
      diagnosis.schema(wrong_language_message(name, language), where);
    } else if (!has_form(member, field->forms, language)) {
      diagnosis.schema(wrong_form_message(field->forms, language), where.member(name));
    } else if (!field->twin.empty() && object.contains(field->twin)) {
      diagnosis.schema("Only one of these fields is allowed: [" + std::string(field->twin) + ", " +
                           std::string(name) + "]",
                       where);
    } else {
      fields.add(name, member);
    }
  }
  return fields;
}

bool check_one_of(const Fields& fields, std::string_view name, std::span<const std::string_view> values,
                  Diagnosis& diagnosis) {
  const json::Value* value = fields.get(name);
  if (value == nullptr) return false;
  std::string list;
  for (const std::string_view allowed : values) {
    if (json::text(*value) == allowed) return true;
    if (!list.empty()) list += ", ";
    list += allowed;
  }
  diagnosis.schema("The field '" + std::string(name) + "' should have one of these values: [" + list + "]",
                   fields.at(name));
  return false;
}

}  // namespace stoker::asl
