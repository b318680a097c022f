// Functions of arrays: Array, ArrayPartition, ArrayContains, ArrayRange, ArrayGetItem, ArrayLength,
// ArrayUnique; and JsonMerge.
#include <set>

#include "core/workflow/data/intrinsic_functions.h"
#include "core/workflow/data/values.h"

namespace stoker::asl::intrinsic {
namespace {

Applied array(Arguments arguments, const Scope&) {
  json::Array out;
  for (const Argument& argument : arguments) out.push_back(argument.value);
  return json::Value(std::move(out));
}

// The last chunk may be short.
Applied array_partition(Arguments arguments, const Scope&) {
  std::int64_t size = 0;
  if (!arguments[0].value.is_array() || !truncate_to_int(arguments[1].value, size) || size < 1)
    return invalid();
  json::Array out;
  for (const json::Value& item : arguments[0].value.get_array()) {
    if (out.empty() || out.back().get_array().size() == static_cast<std::size_t>(size))
      out.emplace_back(json::Array());
    out.back().get_array().push_back(item);
  }
  return json::Value(std::move(out));
}

// Objects whose members stand in another order are not the same, as measured.
Applied array_contains(Arguments arguments, const Scope&) {
  if (!arguments[0].value.is_array()) return invalid();
  for (const json::Value& item : arguments[0].value.get_array())
    if (equal_values(item, arguments[1].value, Members::Ordered)) return json::Value(true);
  return json::Value(false);
}

Applied array_range(Arguments arguments, const Scope&) {
  std::int64_t first = 0, last = 0, step = 0;
  if (!truncate_to_int(arguments[0].value, first) || !truncate_to_int(arguments[1].value, last) ||
      !truncate_to_int(arguments[2].value, step) || step == 0)
    return invalid();
  json::Array out;
  for (std::int64_t at = first; step > 0 ? at <= last : at >= last;) {
    if (out.size() == kRangeItemsMax) return invalid();
    out.emplace_back(at);
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return json::Value(std::move(out));
}

// Any item of an empty array is null, as measured.
Applied array_get_item(Arguments arguments, const Scope&) {
  std::int64_t index = 0;
  if (!arguments[0].value.is_array() || !truncate_to_int(arguments[1].value, index)) return invalid();
  const json::Array& items = arguments[0].value.get_array();
  if (items.empty()) return json::Value(nullptr);
  if (index < 0 || index >= static_cast<std::int64_t>(items.size())) return invalid();
  return items[static_cast<std::size_t>(index)];
}

Applied array_length(Arguments arguments, const Scope&) {
  if (!arguments[0].value.is_array()) return invalid();
  return json::Value(static_cast<std::int64_t>(arguments[0].value.get_array().size()));
}

Applied array_unique(Arguments arguments, const Scope&) {
  if (!arguments[0].value.is_array()) return invalid();
  std::set<std::string> seen;  // as JSON text, in which 1 and 1.0 are the same
  json::Array out;
  for (const json::Value& item : arguments[0].value.get_array())
    if (seen.insert(json::write(item)).second) out.push_back(item);
  return json::Value(std::move(out));
}

// Members of the second win and replace wholly; a deep merge does not exist.
Applied json_merge(Arguments arguments, const Scope&) {
  const json::Value& deep = arguments[2].value;
  if (!arguments[0].value.is_object() || !arguments[1].value.is_object() || !deep.is_bool() ||
      deep.get_bool())
    return invalid();
  json::Object out = arguments[0].value.get_object();
  for (const auto& [key, value] : arguments[1].value.get_object()) out.insert_or_assign(key, value);
  return json::Value(std::move(out));
}

constexpr Function kFunctions[] = {
    {"States.Array", 0, kAnyNumber, array},         {"States.ArrayPartition", 2, 2, array_partition},
    {"States.ArrayContains", 2, 2, array_contains}, {"States.ArrayRange", 3, 3, array_range},
    {"States.ArrayGetItem", 2, 2, array_get_item},  {"States.ArrayLength", 1, 1, array_length},
    {"States.ArrayUnique", 1, 1, array_unique},     {"States.JsonMerge", 3, 3, json_merge},
};

}  // namespace

std::span<const Function> array_functions() {
  return kFunctions;
}

}  // namespace stoker::asl::intrinsic
