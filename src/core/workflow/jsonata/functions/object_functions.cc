#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/functions/members.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

namespace {

Answer<Value> lookup_within(Heap& heap, const Value& value, std::string_view name, std::size_t depth) {
  if (!value.is_array()) return value.member(name);
  if (depth > kValueDepthMax) return too_deep_value();
  const Ref<ArrayObject> out = new_sequence(heap);
  for (std::size_t i = 0; i < value.size(); ++i) {
    TRY(heap.step());
    const Value found = TRY(lookup_within(heap, value.at(i), name, depth + 1));
    if (!found.is_undefined()) TRY(append_items(*out, found));
  }
  return Value::of(out);
}

Answer<void> collect_keys(MapObject& out, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  for (std::size_t i = 0; i < value.size(); ++i) {
    TRY(out.heap.step());
    if (value.is_array())
      TRY(collect_keys(out, value.at(i), depth + 1));
    else
      out.set(value.key_at(i), Value::boolean(true));
  }
  return {};
}

Answer<Value> keys(const Call& call) {
  const Ref<MapObject> all = new_map(call.heap());
  TRY(collect_keys(*all, call[0], 0));
  const Ref<ArrayObject> out = new_sequence(call.heap());
  for (const MapObject::Entry& entry : all->entries) out->push(entry.key);
  return Value::of(out);
}

Answer<Value> lookup(const Call& call) {
  return lookup_member(call.heap(), call[0], call[1].as_text());
}

Answer<void> spread_into(ArrayObject& out, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  TRY(out.heap.step());
  if (!value.is_array() && !value.is_map()) {
    if (!value.is_undefined()) out.push(value);
    return {};
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value.is_array()) {
      TRY(spread_into(out, value.at(i), depth + 1));
      continue;
    }
    const Ref<MapObject> one = new_map(out.heap);
    one->set(value.key_at(i), value.at(i));
    out.push(Value::of(one));
  }
  return {};
}

Answer<Value> spread(const Call& call) {
  if (!call[0].is_array() && !call[0].is_map()) return call[0];
  const Ref<ArrayObject> out = new_sequence(call.heap());
  TRY(spread_into(*out, call[0], 0));
  // Appending the parts of an array makes a plain array of them.
  if (call[0].is_array() && call[0].size() > 0) out->sequence = false;
  return Value::of(out);
}

Answer<Value> merge(const Call& call) {
  if (!call[0].is_array()) return Value();
  const Ref<MapObject> out = new_map(call.heap());
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    const Value part = call[0].at(i);
    if (!part.is_map()) continue;
    TRY(call.heap().step(part.size() + 1));
    for (std::size_t j = 0; j < part.size(); ++j) out->set(part.key_at(j), part.at(j));
  }
  return Value::of(out);
}

}  // namespace

Answer<Value> lookup_member(Heap& heap, const Value& value, std::string_view name) {
  return lookup_within(heap, value, name, 0);
}

std::vector<Builtin> object_functions() {
  return {
      {"keys", "<x-:a<s>>", 1, 1, keys},
      {"lookup", "<x-s:x>", 2, 2, lookup},
      {"spread", "<x-:a<o>>", 1, 1, spread},
      {"merge", "<a<o>:o>", 1, 1, merge},
  };
}

}  // namespace stoker::jsonata
