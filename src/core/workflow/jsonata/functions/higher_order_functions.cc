#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

namespace {

std::size_t arity_of(const Value& function) {
  return function.is_function() ? arity(*function.function()) : 1;
}

// Calls with the value, and with its place and the whole when the function declares them.
Answer<Value> call_for(const Call& call, const Value& function, Value value, Value place,
                       const Value& whole) {
  const std::size_t declared = arity_of(function);
  std::vector<Value> arguments = {std::move(value)};
  if (declared >= 2) arguments.push_back(std::move(place));
  if (declared >= 3) arguments.push_back(whole);
  return call.call(function, std::move(arguments));
}

Answer<Value> call_for_item(const Call& call, std::size_t index) {
  return call_for(call, call[1], call[0].at(index), Value::number(index), call[0]);
}

Answer<Value> map(const Call& call) {
  if (!call[0].is_array()) return Value();
  const Ref<ArrayObject> out = new_sequence(call.heap());
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    Value result = TRY(call_for_item(call, i));
    if (!result.is_undefined()) out->push(std::move(result));
  }
  return Value::of(out);
}

Answer<Value> filter(const Call& call) {
  if (!call[0].is_array()) return Value();
  const Ref<ArrayObject> out = new_sequence(call.heap());
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    const Value keep = TRY(call_for_item(call, i));
    if (TRY(boolean_of(call.heap(), keep))) out->push(call[0].at(i));
  }
  return Value::of(out);
}

Answer<Value> single(const Call& call) {
  if (!call[0].is_array()) return Value();
  Value found;
  bool any = false;
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    bool fits = true;
    if (!call[1].is_undefined()) {
      const Value result = TRY(call_for_item(call, i));
      fits = TRY(boolean_of(call.heap(), result));
    }
    if (!fits) continue;
    if (any) return fault("D3138");
    any = true;
    found = call[0].at(i);
  }
  if (!any) return fault("D3139");
  return found;
}

Answer<Value> reduce(const Call& call) {
  const Value& items = call[0];
  if (!items.is_array()) return Value();
  const std::size_t declared = arity_of(call[1]);
  if (declared < 2) return fault("D3050");
  const bool from_first = call[2].is_undefined() && items.size() > 0;
  Value result = from_first ? items.at(0) : call[2];
  for (std::size_t i = from_first ? 1 : 0; i < items.size(); ++i) {
    std::vector<Value> arguments = {result, items.at(i)};
    if (declared >= 3) arguments.push_back(Value::number(i));
    if (declared >= 4) arguments.push_back(items);
    result = TRY(call.call(call[1], std::move(arguments)));
  }
  return result;
}

Answer<Value> each(const Call& call) {
  const Ref<ArrayObject> out = new_sequence(call.heap());
  for (std::size_t i = 0; call[0].is_map() && i < call[0].size(); ++i) {
    Value result = TRY(call_for(call, call[1], call[0].at(i), call[0].key_at(i), call[0]));
    if (!result.is_undefined()) out->push(std::move(result));
  }
  return Value::of(out);
}

Answer<Value> sift(const Call& call) {
  const Ref<MapObject> out = new_map(call.heap());
  for (std::size_t i = 0; call[0].is_map() && i < call[0].size(); ++i) {
    const Value keep = TRY(call_for(call, call[1], call[0].at(i), call[0].key_at(i), call[0]));
    if (TRY(boolean_of(call.heap(), keep))) out->set(call[0].key_at(i), call[0].at(i));
  }
  return out->entries.empty() ? Value() : Value::of(out);
}

}  // namespace

std::vector<Builtin> higher_order_functions() {
  return {
      {"map", "<af>", 2, 2, map},        {"filter", "<af>", 2, 2, filter},
      {"single", "<af?>", 2, 2, single}, {"reduce", "<afj?:j>", 3, 3, reduce},
      {"each", "<o-f:a>", 2, 2, each},   {"sift", "<o-f?:o>", 2, 2, sift},
  };
}

}  // namespace stoker::jsonata
