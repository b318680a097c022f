#include "core/workflow/data/path.h"

#include "core/workflow/data/path_steps.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {

struct Path::Parsed {
  std::string text;
  Root root = Root::Input;
  std::string variable;
  path::Steps steps;
  bool definite = false;
  bool reference = false;
};

namespace {

using Kind = path::Step::Kind;

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_identifier_part(char c) {
  return is_identifier_start(c) || (c >= '0' && c <= '9');
}

// How the reference implementation names the type of a value.
std::string_view node_name(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return "com.fasterxml.jackson.databind.node.NullNode";
    case boost::json::kind::bool_:
      return "com.fasterxml.jackson.databind.node.BooleanNode";
    case boost::json::kind::string:
      return "com.fasterxml.jackson.databind.node.TextNode";
    case boost::json::kind::array:
      return "com.fasterxml.jackson.databind.node.ArrayNode";
    case boost::json::kind::object:
      return "com.fasterxml.jackson.databind.node.ObjectNode";
    case boost::json::kind::double_:
      return "com.fasterxml.jackson.databind.node.DoubleNode";
    default:
      return "com.fasterxml.jackson.databind.node.IntNode";
  }
}

constexpr std::size_t kQuotedBytesMax = 4096;  // of a value in a text for people

std::string quoted_value(const json::Value& value) {
  return std::string(clip(json::write(value), kQuotedBytesMax));
}

// Why step `at` of a definite path selects nothing in `value`.
Path::Missing explain(const path::Steps& steps, std::size_t at, const json::Value& value) {
  const path::Step& step = steps[at];
  const std::string fragment = path::canonical({step}, 1).substr(1);
  if (step.kind == Kind::Index) {
    if (value.is_array())
      return {"No results for path: " + path::canonical(steps, steps.size()), at + 1 == steps.size()};
    return {.text = "Filter: " + fragment +
                    " can only be applied to arrays. Current context is: " + quoted_value(value),
            .misapplied = true};
  }
  if (!value.is_object())
    return {"Expected to find an object with property " + fragment + " in path " +
            path::canonical(steps, at) + " but found '" + std::string(node_name(value)) +
            "'. This is not a json object according to the JsonProvider: "
            "'com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider'."};
  if (at + 1 == steps.size()) return {"No results for path: " + path::canonical(steps, steps.size())};
  return {"Missing property in path " + path::canonical(steps, at + 1)};
}

bool is_reference(const path::Steps& steps) {
  return std::ranges::all_of(steps, [](const path::Step& step) {
    return step.kind == Kind::Name || (step.kind == Kind::Index && step.indexes.front() >= 0);
  });
}

const json::Value* root_of(const Scope& scope, Path::Root root, std::string_view variable) {
  switch (root) {
    case Path::Root::Input:
      return scope.input;
    case Path::Root::Context:
      return scope.context;
    case Path::Root::Variable:
      break;
  }
  if (scope.variables == nullptr) return nullptr;
  const auto found = scope.variables->find(variable);
  return found == scope.variables->end() ? nullptr : found->second.get();
}

}  // namespace

Result<Path> Path::parse(std::string_view text) {
  if (!text.starts_with('$')) return fail(Code::InvalidArgument, "JSONPath: '$' expected at byte 0");
  Parsed parsed;
  parsed.text = text;
  std::size_t at = 1;
  if (text.substr(at).starts_with('$')) {
    parsed.root = Root::Context;
    ++at;
  } else if (at < text.size() && is_identifier_start(text[at])) {
    parsed.root = Root::Variable;
    while (at < text.size() && is_identifier_part(text[at])) ++at;
    parsed.variable = text.substr(1, at - 1);
    if (parsed.variable == "states")
      return fail(Code::InvalidArgument, "JSONPath: the name 'states' is reserved for JSONata");
  }
  parsed.steps = TRY(path::parse_steps(text.substr(at)));
  parsed.definite = path::is_definite(parsed.steps);
  parsed.reference = is_reference(parsed.steps);
  return Path(std::make_shared<const Parsed>(std::move(parsed)));
}

std::string_view Path::text() const {
  return parsed_->text;
}
Path::Root Path::root() const {
  return parsed_->root;
}
std::string_view Path::variable() const {
  return parsed_->variable;
}
bool Path::definite() const {
  return parsed_->definite;
}
bool Path::reference() const {
  return parsed_->reference;
}

std::expected<json::Value, Path::Missing> Path::read(const Scope& scope) const {
  const path::Steps& steps = parsed_->steps;
  const json::Value* root = root_of(scope, parsed_->root, parsed_->variable);
  if (root == nullptr && parsed_->root == Root::Variable)
    return std::unexpected(Missing{.text = "No results for path: $" + parsed_->variable});
  if (root == nullptr)
    return std::unexpected(Missing{.text = "No results for path: " + path::canonical(steps, steps.size())});
  const auto nothing = [&](std::size_t at, const json::Value& value) -> std::expected<json::Value, Missing> {
    if (!parsed_->definite) return json::Array();
    return std::unexpected(explain(steps, at, value));
  };
  const json::Value* value = root;
  std::size_t at = 0;
  for (const std::size_t end = path::definite_steps(steps); at < end; ++at) {
    const json::Value* next = path::step_into(steps[at], *value);
    if (next == nullptr) return nothing(at, *value);
    value = next;
  }
  if (at == steps.size()) return *value;
  if (parsed_->definite) {  // a union of names at the end
    if (!value->is_object()) return nothing(at, *value);
    return path::select_members(value->get_object(), steps[at].names);
  }
  std::size_t visits = path::kVisitsMax;
  if (scope.effort != nullptr)
    visits = std::min(visits, static_cast<std::size_t>(kEffortMax - std::min(kEffortMax, *scope.effort)));
  const std::size_t visits_before = visits;
  auto found = path::find_all(steps, at, *value, *root, visits);
  if (scope.effort != nullptr) *scope.effort += visits_before - visits;
  if (!found)
    return std::unexpected(
        Missing{"The path selects or visits more than " + std::to_string(path::kVisitsMax) + " values"});
  return *std::move(found);
}

const json::Value* Path::find(const Scope& scope) const {
  const json::Value* value = root_of(scope, parsed_->root, parsed_->variable);
  for (const path::Step& step : parsed_->steps) {
    if (value == nullptr || (step.kind != Kind::Name && step.kind != Kind::Index)) return nullptr;
    value = path::step_into(step, *value);
  }
  return value;
}

Evaluated<void> put_at(json::Value& target, const Path& path, json::Value value) {
  const auto no_match = [&](const json::Value& found) {
    return std::unexpected(Fault{.error = std::string(kResultPathMatchFailure),
                                 .cause = "Unable to apply ReferencePath " + std::string(path.text()) +
                                          " to input " + quoted_value(found)});
  };
  if (!path.reference() || path.root() != Path::Root::Input) return no_match(target);
  json::Value* place = &target;
  for (const path::Step& step : path.parsed_->steps) {
    if (step.kind == Kind::Name) {
      if (!place->is_object()) return no_match(target);
      // Names that are not there yet start as an object, in case a step follows.
      place = &place->get_object().emplace(step.names.front(), json::Object{}).first->value();
    } else {
      if (path::step_into(step, *place) == nullptr) return no_match(target);
      place = &place->get_array()[static_cast<std::size_t>(step.indexes.front())];
    }
  }
  const std::size_t depth = path.parsed_->steps.size();
  if (depth > kValueDepthMax || deeper_than(value, kValueDepthMax - depth))
    return std::unexpected(
        Fault{.error = std::string(kDataLimitExceeded),
              .cause = "The result nests too deeply to be put at " + std::string(path.text())});
  *place = std::move(value);
  return {};
}

Fault invalid_path(const Path& path, const Path::Missing& missing) {
  return runtime_fault("Invalid path '" + std::string(path.text()) + "' : " + missing.text);
}

Fault missing_in_field(std::string_view path, std::string_view field, const json::Value& input) {
  return runtime_fault("The JSONPath '" + std::string(path) + "' specified for the field '" +
                       std::string(field) + "' could not be found in the input '" + json::write(input) + "'");
}

}  // namespace stoker::asl
