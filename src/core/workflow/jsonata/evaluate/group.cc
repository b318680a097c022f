// {key: value} behind an expression: items with the same key are one group, for which the value is evaluated.
#include "core/workflow/jsonata/evaluate/evaluator.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

namespace {

struct Bucket {
  Value key;
  std::size_t pair;
  Value items;  // the item, or an array of those so far
  bool many = false;
};

// Puts one more item into the group, which becomes an array with the second.
Answer<void> join(Heap& heap, Bucket& group, const Value& item) {
  if (!group.many) {
    const Ref<ArrayObject> all = new_array(heap);
    TRY(append_items(*all, group.items));
    group.items = Value::of(all);
    group.many = true;
  }
  return append_items(*group.items.own_array(), item);
}

}  // namespace

Answer<Value> Evaluator::group(const std::vector<Pair>& pairs, std::size_t position, const Value& input,
                               Frame& frame) {
  const bool in_tuples = input.is_tuples();
  std::vector<Bucket> groups;
  const Ref<MapObject> index = new_map(heap_);  // key -> number of its group
  // Without items there is still the object as it is written.
  const bool one = !input.is_array() || input.size() == 0;
  for (std::size_t i = 0; i < (one ? 1 : input.size()); ++i) {
    const Value item = !input.is_array() ? input : one ? Value() : input.at(i);
    const Ref<Frame> inner = in_tuples && !one ? tuple_frame(frame, item) : Ref<Frame>(&frame);
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      const Value key = TRY(evaluate(*pairs[pair].key, in_tuples ? item.member("@") : item, *inner));
      if (key.is_undefined()) continue;
      if (!key.is_text()) return std::unexpected(Fault("T1003").at(position).with("value", shown(key)));
      const Value known = index->find(key.as_text()) == nullptr ? Value() : index->find(key.as_text())->value;
      if (known.is_undefined()) {
        index->set(key, Value::number(groups.size()));
        groups.push_back({key, pair, item, false});
        continue;
      }
      Bucket& group = groups[static_cast<std::size_t>(known.as_number())];
      if (group.pair != pair) return std::unexpected(Fault("D1009").at(position).with("value", shown(key)));
      TRY(join(heap_, group, item));
    }
  }
  const Ref<MapObject> out = new_map(heap_);
  for (const Bucket& group : groups) {
    Value context = group.items;
    Ref<Frame> inner(&frame);
    if (in_tuples && !one) {
      const Value tuple = TRY(merge_tuples(group.items));
      context = tuple.member("@");
      inner = tuple_frame(frame, tuple);
    }
    Value value = TRY(evaluate(*pairs[group.pair].value, context, *inner));
    if (!value.is_undefined()) out->set(group.key, std::move(value));
  }
  return Value::of(out);
}

// One tuple for all of a group: each variable has the values of all.
Answer<Value> Evaluator::merge_tuples(const Value& tuples) {
  if (!tuples.is_array()) return tuples;
  const Ref<MapObject> out = new_map(heap_);
  std::vector<bool> many;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const Value tuple = tuples.at(i);
    for (const MapObject::Entry& entry : tuple.own_map()->entries) {
      TRY(heap_.step());
      const MapObject::Entry* known = out->find(entry.key.as_text());
      if (known == nullptr) {
        out->set(entry.key, entry.value);
        many.push_back(false);
        continue;
      }
      if (entry.value.is_undefined()) continue;
      const auto at = static_cast<std::size_t>(known - out->entries.data());
      if (known->value.is_undefined()) {
        out->entries[at].value = entry.value;
        continue;
      }
      if (!many[at]) {
        const Ref<ArrayObject> all = new_array(heap_);
        TRY(append_items(*all, known->value));
        out->entries[at].value = Value::of(all);
        many[at] = true;
      }
      TRY(append_items(*out->entries[at].value.own_array(), entry.value));
    }
  }
  return Value::of(out);
}

}  // namespace stoker::jsonata
