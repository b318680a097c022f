#include "aws/integration.h"

#include <cmath>

#include "base/text.h"

namespace stoker::aws {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
std::string with_first(std::string_view name, char (*change)(char)) {
  std::string out(name);
  if (!out.empty()) out[0] = change(out[0]);
  return out;
}

std::unexpected<Error> wrong_type(std::string_view field, std::string_view type) {
  return fail(Code::InvalidArgument,
              "The value for the field '" + std::string(field) + "' must be " + std::string(type));
}

Result<json::Value> read(ShapeId id, const json::Value& value, std::string_view field, JsonTexts texts);

Result<json::Value> read_structure(const Shape& is, const json::Value& value, std::string_view field,
                                   JsonTexts texts) {
  if (!value.is_object()) return wrong_type(field, "an OBJECT");
  json::Object out;
  for (const auto& [key, entry] : value.get_object()) {
    const std::string_view name{key.data(), key.size()};
    const std::string own = with_first(name, lower);
    const auto member = std::ranges::find(is.members, own, &Member::name);
    if (member == is.members.end() || name == own)
      return fail(Code::InvalidArgument,
                  "The field '" + std::string(name) + "' is not supported by Step Functions");
    if (!entry.is_null()) out[own] = TRY(read(member->shape, entry, name, texts));
  }
  return json::Value(std::move(out));
}

// The depth is that of the shapes of the models, none of which is endless here.
Result<json::Value> read(ShapeId id, const json::Value& value, std::string_view field, JsonTexts texts) {
  const Shape& is = shape(id);
  switch (is.type) {
    case Type::Structure:
      return read_structure(is, value, field, texts);
    case Type::List: {
      if (!value.is_array()) return wrong_type(field, "an ARRAY");
      json::Array out;
      for (const json::Value& entry : value.get_array())
        out.push_back(TRY(read(is.element, entry, field, texts)));
      return json::Value(std::move(out));
    }
    case Type::Map: {
      if (!value.is_object()) return wrong_type(field, "an OBJECT");
      json::Object out;
      for (const auto& [key, entry] : value.get_object())
        out[key] = TRY(read(is.element, entry, {key.data(), key.size()}, texts));
      return json::Value(std::move(out));
    }
    case Type::String:
    case Type::Blob:
      if (value.is_string()) return value;
      if (texts == JsonTexts::MayBeJson && (value.is_object() || value.is_array()))
        return json::Value(json::write(value));
      return wrong_type(field, "a STRING");
    case Type::Boolean:
      if (!value.is_bool()) return wrong_type(field, "a BOOLEAN");
      return value;
    case Type::Integer:
    case Type::Long:
      if (value.is_double() && std::trunc(value.get_double()) == value.get_double() &&
          std::abs(value.get_double()) < 1e15)
        return json::Value(static_cast<std::int64_t>(value.get_double()));
      if (!value.is_int64()) return wrong_type(field, "an INTEGER");
      return value;
    case Type::Float:
    case Type::Double:
    case Type::Timestamp:
      if (!value.is_number()) return wrong_type(field, "a NUMBER");
      return value;
  }
  return value;
}

json::Value iso(const json::Value& seconds) {
  if (!seconds.is_number()) return seconds;
  return json::Value(iso_time(std::llround(seconds.to_number<double>() * 1000), true));
}

}  // namespace

Result<json::Value> from_integration(ShapeId shape, const json::Value& value, JsonTexts texts) {
  return read(shape, value, "Parameters", texts);
}

json::Value to_integration(ShapeId id, const json::Value& value) {
  if (id == kNoShape) return value;
  const Shape& is = shape(id);
  if (is.type == Type::Timestamp) return iso(value);
  if (is.type == Type::List && value.is_array()) {
    json::Array out;
    for (const json::Value& entry : value.get_array()) out.push_back(to_integration(is.element, entry));
    return out;
  }
  if (!value.is_object() || (is.type != Type::Map && is.type != Type::Structure)) return value;
  json::Object out;
  for (const auto& [key, entry] : value.get_object()) {
    const std::string_view name{key.data(), key.size()};
    if (is.type == Type::Map) {
      out[name] = to_integration(is.element, entry);
      continue;
    }
    const auto member = std::ranges::find(is.members, name, &Member::name);
    out[with_first(name, upper)] = member == is.members.end() ? entry : to_integration(member->shape, entry);
  }
  return out;
}

const Operation* operation_of_api(Service service, std::string_view api) {
  const std::string name = with_first(api, upper);
  const auto all = operations_of(service);
  const auto found = std::ranges::find(all, name, &Operation::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace stoker::aws
