#include <unordered_map>

#include "core/workflow/jsonata/evaluate/merge_sort.h"
#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

Answer<Value> count(const Call& call) {
  return Value::number(call[0].is_array() ? call[0].size() : 0);
}

Answer<Value> append(const Call& call) {
  if (call[0].is_undefined()) return call[1];
  if (call[1].is_undefined()) return call[0];
  const Ref<ArrayObject> out = new_array(call.heap());
  TRY(append_items(*out, call[0]));
  TRY(append_items(*out, call[1]));
  return Value::of(out);
}

Answer<Value> reverse(const Call& call) {
  if (call[0].size() <= 1) return call[0];
  const std::size_t size = call[0].size();
  TRY(call.heap().step(size));
  const Ref<ArrayObject> out = new_array(call.heap());
  for (std::size_t i = size; i-- > 0;) out->push(call[0].at(i));
  return Value::of(out);
}

Answer<Value> shuffle(const Call& call) {
  if (call[0].size() <= 1) return call[0];
  const Ref<ArrayObject> out = new_array(call.heap());
  for (std::size_t i = 0; i < call[0].size(); ++i) {
    TRY(call.heap().step());
    const std::size_t j = call.evaluator.environment().random() % (i + 1);
    out->push(call[0].at(i));
    std::swap(out->items[i], out->items[j]);
  }
  return Value::of(out);
}

// Equal values have equal hashes; members count in any order.
Answer<std::uint64_t> content_hash(Heap& heap, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  TRY(heap.step());
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t hash = 0xcbf29ce484222325U;
  if (value.is_text()) return std::hash<std::string_view>()(value.as_text());
  if (value.is_number()) return std::hash<double>()(value.as_number());
  if (value.is_boolean()) return value.as_boolean() ? 1 : 2;
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      hash = hash * kPrime + TRY(content_hash(heap, value.at(i), depth + 1));
  } else if (value.is_map()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      hash += std::hash<std::string_view>()(value.key_at(i).as_text()) * kPrime ^
              TRY(content_hash(heap, value.at(i), depth + 1));
  }
  return hash;
}

Answer<Value> distinct(const Call& call) {
  const Value& all = call[0];
  if (!all.is_array() || all.size() <= 1) return all;
  const Ref<ArrayObject> out = all.is_sequence() ? new_sequence(call.heap()) : new_array(call.heap());
  std::unordered_multimap<std::uint64_t, std::size_t>
      known;  // hash -> place in `out`; never iterated as a whole
  for (std::size_t i = 0; i < all.size(); ++i) {
    Value item = all.at(i);
    const std::uint64_t hash = TRY(content_hash(call.heap(), item, 0));
    bool found = false;
    const auto [begin, end] = known.equal_range(hash);
    for (auto at = begin; at != end && !found; ++at)
      found = TRY(deep_equal(call.heap(), item, out->items[at->second]));
    if (found) continue;
    known.emplace(hash, out->items.size());
    out->push(std::move(item));
  }
  return Value::of(out);
}

Answer<Value> zip(const Call& call) {
  std::size_t shortest = SIZE_MAX;
  for (const Value& array : call.arguments)
    shortest = std::min(shortest, array.is_array() ? array.size() : 0);
  const Ref<ArrayObject> out = new_array(call.heap());
  for (std::size_t i = 0; i < shortest; ++i) {
    TRY(call.heap().step(call.arguments.size()));
    const Ref<ArrayObject> tuple = new_array(call.heap());
    for (const Value& array : call.arguments) tuple->push(array.at(i));
    out->push(Value::of(tuple));
  }
  return Value::of(out);
}

bool are_texts(const Value& array) {
  for (std::size_t i = 0; i < array.size(); ++i)
    if (!array.at(i).is_text()) return false;
  return true;
}

Answer<Value> sort(const Call& call) {
  const Value& array = call[0];
  if (array.size() <= 1) return array;
  const Value& function = call[1];
  if (!function.is_function() && !TRY(are_numbers(call.heap(), array)) && !are_texts(array))
    return fault("D3070");
  const auto comes_after = [&](std::size_t a, std::size_t b) -> Answer<bool> {
    const Value x = array.at(a);
    const Value y = array.at(b);
    if (function.is_function()) return TRY(call.call(function, {x, y})).truthy();
    if (x.is_number()) return x.as_number() > y.as_number();
    return compare_utf16(x.as_text(), y.as_text()) > 0;
  };
  const Ref<ArrayObject> out = new_array(call.heap());
  for (const std::size_t index : TRY(merge_sort(call.heap(), array.size(), comes_after)))
    out->push(array.at(index));
  return Value::of(out);
}

}  // namespace

std::vector<Builtin> array_functions() {
  return {
      {"count", "<a:n>", 1, 1, count},       {"append", "<xx:a>", 2, 2, append},
      {"reverse", "<a:a>", 1, 1, reverse},   {"shuffle", "<a:a>", 1, 1, shuffle},
      {"distinct", "<x:x>", 1, 1, distinct}, {"zip", "<a+>", 0, 4, zip},
      {"sort", "<af?:a>", 2, 2, sort},
  };
}

}  // namespace stoker::jsonata
