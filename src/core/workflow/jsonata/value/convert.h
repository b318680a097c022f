#pragma once
// Values as text, as truth, as JSON, and compared.
#include <string>

#include "core/workflow/jsonata/value/value.h"

namespace stoker::jsonata {

// Bound of every walk into a value: arrays within maps within arrays.
inline constexpr std::size_t kValueDepthMax = 400;

std::unexpected<Fault> too_deep_value();

// JSON text as $string writes it: numbers of 15 digits, functions as "". Nothing for undefined.
Answer<std::string> stringify(Heap& heap, const Value& value, bool pretty = false);
// $string: text stays as it is.
Answer<std::string> string_of(Heap& heap, const Value& value, bool pretty = false);
// A value within an error message, cut when it is long.
std::string shown(const Value& value);

// $boolean; false for undefined.
Answer<bool> boolean_of(Heap& heap, const Value& value);
// Is a number and not NaN; an infinite one is an error.
Answer<bool> is_numeric(const Value& value);
Answer<bool> are_numbers(Heap& heap, const Value& value);
Answer<bool> deep_equal(Heap& heap, const Value& a, const Value& b);

// Appends what `value` has as items, or itself.
Answer<void> append_items(ArrayObject& out, const Value& value);
// A copy that shares nothing but text and functions.
Answer<Value> deep_copy(Heap& heap, const Value& value);

// The value as it leaves the evaluation; `aws`: numbers without end become text.
struct Json {
  json::Value value;
  bool holds_function = false;
};
Answer<Json> to_json(Heap& heap, const Value& value, std::size_t bytes_max, bool aws);

}  // namespace stoker::jsonata
