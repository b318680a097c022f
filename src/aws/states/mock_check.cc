#include "aws/states/mock_check.h"

#include "aws/shapes.h"
#include "aws/states/response_shapes.h"

namespace stoker::aws {
namespace {

using Fault = std::optional<std::string>;

// "jobName" is JobName in workflows.
std::string pascal_case(std::string_view name) {
  std::string out(name);
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

class Checker {
 public:
  Checker(std::span<const Shape> shapes, workflow::Strictness strictness)
      : shapes_(shapes), strictness_(strictness) {}

  // `field`: the member that the value is of, or of whose elements it is. The depth of JSON bounds the
  // recursion.
  Fault check(const json::Value& value, ShapeId id, std::string_view field) const {
    const Shape& shape = shapes_[id];
    switch (shape.type) {
      case Type::Structure:
        return check_structure(value, shape, field);
      case Type::List:
        if (!value.is_array()) return wrong_type(field, "an array");
        for (const json::Value& item : value.get_array())
          if (auto fault = check(item, shape.element, field)) return fault;
        return std::nullopt;
      case Type::Map:
        if (!value.is_object()) return wrong_type(field, "an object");
        for (const auto& [key, item] : value.get_object())
          if (auto fault = check(item, shape.element, field)) return fault;
        return std::nullopt;
      case Type::String:
      case Type::Timestamp:  // RECORDED: times are text here, whatever they are on the wire
      case Type::Blob:
        return check_text(value, shape, field);
      case Type::Boolean:
        return value.is_bool() ? std::nullopt : wrong_type(field, "a boolean");
      case Type::Integer:
      case Type::Long:
      case Type::Float:
      case Type::Double:
        return check_number(value, shape, field);
    }
    return std::nullopt;
  }

 private:
  static Fault about(std::string_view field, std::string_view text) {
    return "Field '" + std::string(field) + "' " + std::string(text);
  }
  static Fault wrong_type(std::string_view field, std::string_view type) {
    return about(field, "must be " + std::string(type));
  }

  Fault check_structure(const json::Value& value, const Shape& shape, std::string_view field) const {
    if (!value.is_object()) return wrong_type(field, "an object");
    const json::Object& object = value.get_object();
    if (strictness_ == workflow::Strictness::Strict)
      for (const Member& member : shape.members)
        if (const std::string name = pascal_case(member.name); member.required && !object.contains(name))
          return "Required field '" + name + "' is missing";
    for (const auto& [key, item] : object) {
      const std::string_view name{key.data(), key.size()};
      const auto member = std::ranges::find_if(
          shape.members, [&](const Member& one) { return pascal_case(one.name) == name; });
      if (member == shape.members.end()) continue;
      if (auto fault = check(item, member->shape, name)) return fault;
    }
    return std::nullopt;
  }

  static Fault check_text(const json::Value& value, const Shape& shape, std::string_view field) {
    if (!value.is_string()) return wrong_type(field, "a string");
    const std::string_view text = json::text(value);
    if (!shape.values.empty() && std::ranges::find(shape.values, text) == shape.values.end())
      return about(field, "is not an expected value");
    const auto length = static_cast<std::int64_t>(count_characters(text));
    if (length < shape.min) return about(field, "is smaller than the minimum length");
    if (length > shape.max) return about(field, "exceeds the maximum length");
    return std::nullopt;
  }

  static Fault check_number(const json::Value& value, const Shape& shape, std::string_view field) {
    const bool whole = shape.type == Type::Integer || shape.type == Type::Long;
    if (!value.is_number() || (whole && value.is_double())) return wrong_type(field, "a number");
    const auto number = value.to_number<double>();
    if (shape.min != kNoMin && number < static_cast<double>(shape.min))
      return about(field, "is less than the minimum value");
    if (shape.max != kNoMax && number > static_cast<double>(shape.max))
      return about(field, "exceeds the maximum value");
    return std::nullopt;
  }

  std::span<const Shape> shapes_;
  workflow::Strictness strictness_;
};

// The answer that ends the wait for what was started.
std::string_view polled(std::string_view service, std::string_view api) {
  if (service == "batch" && api == "submitJob") return "describeJobs";
  if (service == "states" && api == "startExecution") return "describeExecution";
  return {};
}

}  // namespace

std::optional<std::string> check_mocked_response(const workflow::MockedCall& call, const json::Value& result,
                                                 workflow::Strictness strictness) {
  constexpr std::string_view kSdk = "aws-sdk:";
  constexpr std::string_view kWhole = "result";
  const std::string_view api = call.waits ? polled(call.service, call.api) : call.api;
  const bool sdk = call.service.starts_with(kSdk);
  const std::string_view service = sdk ? call.service.substr(kSdk.size()) : call.service;
  std::optional<Service> own;
  if (service == "batch") own = Service::Batch;
  if (service == (sdk ? "sfn" : "states")) own = Service::States;
  if (own) {
    const std::string name = pascal_case(api);
    for (const Operation& operation : operations_of(*own))
      if (operation.name == name && operation.output != kNoShape)
        return Checker(shapes(), strictness).check(result, operation.output, kWhole);
    return std::nullopt;
  }
  for (const Response& response : responses())
    if ((sdk ? response.sdk_service : response.service) == service && response.api == api)
      return Checker(response_shapes(), strictness).check(result, response.shape, kWhole);
  return std::nullopt;
}

}  // namespace stoker::aws
