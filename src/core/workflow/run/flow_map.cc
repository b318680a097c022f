// Map: its items, the input of each iteration, and its numbers (amazon-states-language.md 4.5, 4.6, 5.4).
#include "base/text.h"
#include "core/workflow/run/expressions.h"
#include "core/workflow/run/flow_parts.h"

namespace stoker::workflow {
namespace {

const asl::Map& map_of(const Surroundings& around) {
  return std::get<asl::Map>(around.state.kind);
}

MapItems split_object(const json::Object& object) {
  MapItems items;
  json::Array values;
  for (const auto& [key, value] : object) {
    items.keys.emplace_back(key);
    values.push_back(value);
  }
  items.items = std::make_shared<const json::Value>(std::move(values));
  return items;
}

Fault no_array_at(const asl::Path& path) {
  std::string_view shown = path.text();
  if (path.root() == asl::Path::Root::Context) shown.remove_prefix(1);  // RECORDED: "$.Execution.Input"
  return runtime_fault("Reference path \"" + std::string(shown) + "\" must point to array.");
}

Evaluated<MapItems> as_items(json::Value value, const std::optional<asl::Path>& path) {
  if (value.is_object()) return split_object(value.get_object());
  if (value.is_array())
    return MapItems{.items = std::make_shared<const json::Value>(std::move(value)), .keys = {}};
  if (path) return std::unexpected(no_array_at(*path));
  std::string cause = "Map state input must be an array but was: ";
  json::write(cause, value);
  return std::unexpected(runtime_fault(std::move(cause)));
}

Evaluated<MapItems> items_by_path(const Surroundings& around) {
  auto effective = filtered_input(around);
  if (!effective) return std::unexpected(std::move(effective).error());
  const auto& path = map_of(around).items_path;
  if (!path) return as_items(effective->value(), std::nullopt);
  auto found = path->read(scope_of(around, effective->value()));
  if (!found) return std::unexpected(asl::invalid_path(*path, found.error()));
  // RECORDED (end of 2025): an inline Map does not take the members of an object.
  if (found->is_object() && !map_of(around).distributed) return std::unexpected(no_array_at(*path));
  return as_items(*std::move(found), path);
}

Evaluated<MapItems> items_by_jsonata(const Surroundings& around) {
  const auto& payload = map_of(around).items;
  json::Value value = around.input.value();
  if (payload) {
    auto evaluated = payload->evaluate("Items", scope_of(around, around.input.value()));
    if (!evaluated) return std::unexpected(std::move(evaluated).error());
    value = *std::move(evaluated);
  }
  if (value.is_array() || value.is_object()) return as_items(std::move(value), std::nullopt);
  // An expression has its own text, and a place.
  const jsonata::Expression* whole = nullptr;
  if (payload)
    payload->visit_expressions([&](const jsonata::Expression& expression, const asl::Spot& where) {
      if (where.is_root()) whole = &expression;
    });
  if (whole != nullptr) return std::unexpected(unexpected_type(*whole, "Items", "array", value));
  std::string cause = "Map state input must be an array but was: ";
  json::write(cause, value);
  return std::unexpected(Fault{.error = std::string(asl::kQueryEvaluationError),
                               .cause = std::move(cause),
                               .prefixed = true,
                               .location = {}});
}

// "The MaxConcurrencyPath field refers to value "x" which is not a valid integer: $.p"
Fault no_number(const asl::Setting& setting, std::string_view field, std::string_view type,
                std::string_view jsonata_type, const json::Value& value) {
  if (std::holds_alternative<asl::Path>(setting) || std::holds_alternative<asl::Intrinsic>(setting)) {
    std::string cause = "The " + std::string(field) + "Path field refers to value \"";
    if (value.is_string())
      cause += json::text(value);
    else
      json::write(cause, value);
    cause += "\" which is not a valid " + std::string(type) + ": " + std::string(path_text(setting));
    return runtime_fault(std::move(cause));
  }
  return wrong_type(setting, field, jsonata_type, value);
}

// RECORDED: what a path refers to may be the text of a number.
template <class Number>
std::optional<Number> number_of(const asl::Setting& setting, const json::Value& value) {
  if (value.is_string() && std::holds_alternative<asl::Path>(setting)) {
    if constexpr (std::is_same_v<Number, double>)
      return parse_double(json::text(value));
    else
      return parse_int(json::text(value));
  }
  if constexpr (std::is_same_v<Number, double>)
    return value.is_number() ? std::optional(value.to_number<double>()) : std::nullopt;
  else
    return whole_number(value);
}

}  // namespace

Evaluated<MapItems> map_items(const Surroundings& around) {
  auto items =
      around.state.language == asl::Language::Jsonata ? items_by_jsonata(around) : items_by_path(around);
  if (items && around.trace != nullptr) around.trace->after_items_path = Document(items->items);
  return items;
}

Evaluated<Document> map_item_input(const Surroundings& around, const Document& effective,
                                   const json::Value& item) {
  const asl::Map& map = map_of(around);
  if (!map.item_selector) return Document(item);
  auto value = map.item_selector->evaluate(map.old_parameters ? "Parameters" : "ItemSelector",
                                           scope_of(around, effective.value()));
  if (!value) return std::unexpected(std::move(value).error());
  return Document(*std::move(value));
}

Evaluated<std::optional<std::int64_t>> map_integer(const Surroundings& around,
                                                   const std::optional<asl::Setting>& setting,
                                                   std::string_view field) {
  auto whole = map_whole(around, setting, field);
  if (whole && *whole && **whole < 0)
    return std::unexpected(runtime_fault(std::string(field) + " cannot be negative."));
  return whole;
}

Evaluated<std::optional<std::int64_t>> map_whole(const Surroundings& around,
                                                 const std::optional<asl::Setting>& setting,
                                                 std::string_view field) {
  if (!setting) return std::nullopt;
  auto effective = around.state.language == asl::Language::JsonPath ? filtered_input(around)
                                                                    : Evaluated<Document>(around.input);
  if (!effective) return std::unexpected(std::move(effective).error());
  auto value = evaluate(*setting, field, scope_of(around, effective->value()), effective->value());
  if (!value) return std::unexpected(std::move(value).error());
  const auto whole = number_of<std::int64_t>(*setting, *value);
  if (!whole) return std::unexpected(no_number(*setting, field, "integer", "integer", *value));
  return whole;
}

Evaluated<std::optional<double>> map_percentage(const Surroundings& around,
                                                const std::optional<asl::Setting>& setting) {
  constexpr std::string_view kField = "ToleratedFailurePercentage";
  if (!setting) return std::nullopt;
  auto effective = around.state.language == asl::Language::JsonPath ? filtered_input(around)
                                                                    : Evaluated<Document>(around.input);
  if (!effective) return std::unexpected(std::move(effective).error());
  auto value = evaluate(*setting, kField, scope_of(around, effective->value()), effective->value());
  if (!value) return std::unexpected(std::move(value).error());
  const auto number = number_of<double>(*setting, *value);
  if (!number) return std::unexpected(no_number(*setting, kField, "float", "number", *value));
  const double percentage = *number;
  if (!(percentage >= 0 && percentage <= 100))
    return std::unexpected(runtime_fault("ToleratedFailurePercentage must be between 0 and 100."));
  return percentage;
}

Evaluated<std::int64_t> map_concurrency(const Surroundings& around) {
  auto value = map_integer(around, map_of(around).concurrency_max, "MaxConcurrency");
  if (!value) return std::unexpected(std::move(value).error());
  return value->value_or(0);
}

Evaluated<Tolerance> map_tolerance(const Surroundings& around) {
  const asl::Map& map = map_of(around);
  auto count = map_integer(around, map.tolerated_failure_count, "ToleratedFailureCount");
  if (!count) return std::unexpected(std::move(count).error());
  auto percentage = map_percentage(around, map.tolerated_failure_percentage);
  if (!percentage) return std::unexpected(std::move(percentage).error());
  return Tolerance{.count = *count, .percentage = *percentage};
}

}  // namespace stoker::workflow
