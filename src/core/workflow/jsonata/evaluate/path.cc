// Paths: each step is evaluated for each item that the step before gave. Once a step binds a variable, tuples
// travel instead of items: the item under '@', and the variables.
#include <algorithm>
#include <cmath>

#include "core/workflow/jsonata/evaluate/evaluator.h"
#include "core/workflow/jsonata/evaluate/merge_sort.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

using Kind = Node::Kind;

namespace {

Value self_key() {
  return Value::borrow(std::string_view("@"));
}

bool is_plain_step(const Node& step) {
  return step.stages.empty() && step.predicates.empty() && step.group == nullptr && !step.tuple &&
         !step.keep_array;
}

}  // namespace

// The common case, `$states.input.a.b` through objects, without a sequence at each step. Nothing: the long
// way has to be taken.
std::optional<Value> Evaluator::straight(const Node& node, const Value& input, Frame& frame) {
  if (node.group != nullptr || node.keep_singleton || node.tuple || input.is_array()) return std::nullopt;
  Value value = input;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& step = *node.items[i];
    if (!is_plain_step(step)) return std::nullopt;
    heap_.spend(1);
    if (step.kind == Kind::Name)
      value = value.member(step.text);
    else if (step.kind == Kind::Variable && i == 0)
      value = variable(step, input, frame);
    else
      return std::nullopt;
    if (value.is_undefined()) return value;
    if (value.is_array() && (i + 1 < node.items.size() || value.own_array() != nullptr)) return std::nullopt;
  }
  return value;
}

Answer<Value> Evaluator::path(const Node& node, const Value& input, Frame& frame) {
  if (auto value = straight(node, input, frame)) return *std::move(value);
  // A variable in front makes the path absolute; else an array is walked through.
  const bool walk = input.is_array() && node.items.front()->kind != Kind::Variable;
  Value sequence = walk ? input : Value::of(sequence_of(heap_, input));
  Value result;
  Value tuples;
  bool in_tuples = false;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& each = *node.items[i];
    in_tuples = in_tuples || each.tuple;
    if (i == 0 && each.constructed) {
      result = TRY(evaluate(each, sequence, frame));
      if (!result.is_undefined() && !result.is_array()) result = Value::of(sequence_of(heap_, result));
    } else if (in_tuples) {
      tuples = TRY(tuple_step(each, sequence, tuples, frame));
    } else {
      result = TRY(step(each, sequence, frame, i + 1 == node.items.size()));
    }
    if (!in_tuples && result.size() == 0) break;
    if (each.focus.empty()) sequence = result;
  }
  if (in_tuples) {
    if (node.tuple) {
      result = tuples;
    } else {
      const Ref<ArrayObject> items = new_sequence(heap_);
      for (std::size_t i = 0; i < tuples.size(); ++i) items->push(tuples.at(i).member("@"));
      result = Value::of(items);
    }
  }
  if (node.keep_singleton) {
    if (result.is_constructed() && !result.is_sequence()) result = Value::of(sequence_of(heap_, result));
    if (result.own_array() != nullptr) result.own_array()->keep_singleton = true;
  }
  if (node.group != nullptr)
    return group(node.group->pairs, node.group->position, in_tuples ? tuples : result, frame);
  return result;
}

Answer<Value> Evaluator::step(const Node& step, const Value& sequence, Frame& frame, bool last) {
  if (step.kind == Kind::Sort) return stages(step.stages, TRY(sort(step, sequence, frame)), frame);
  const Ref<ArrayObject> out = new_sequence(heap_);
  const auto flatten = [&](const Value& value) -> Answer<void> {
    if (value.is_array() && !value.is_constructed()) return append_items(*out, value);
    out->push(value);
    return {};
  };
  // The only result of the last step stays as it is when it is an array of the data.
  Value first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    Value value = TRY(evaluate(step, sequence.at(i), frame));
    for (const Stage& stage : step.stages) value = TRY(filter(*stage.filter, value, frame));
    if (value.is_undefined()) continue;
    if (++count == 1 && last) {
      first = std::move(value);
      continue;
    }
    if (count == 2 && last) TRY(flatten(first));
    TRY(flatten(value));
  }
  if (last && count == 1) {
    if (first.is_array() && !first.is_sequence()) return first;
    TRY(flatten(first));
  }
  return Value::of(out);
}

Ref<Frame> Evaluator::tuple_frame(Frame& around, const Value& tuple) {
  Ref<Frame> frame(new Frame(heap_, &around));
  for (const MapObject::Entry& entry : tuple.own_map()->entries)
    frame->bind(entry.key.as_text(), entry.value);
  return frame;
}

Answer<Value> Evaluator::tuple_sort(const Node& step, const Value& sequence, const Value& tuples,
                                    Frame& frame) {
  if (!tuples.is_undefined()) return sort(step, tuples, frame);
  const Value sorted = TRY(sort(step, sequence, frame));
  const Ref<ArrayObject> out = new_sequence(heap_);
  out->tuples = true;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Ref<MapObject> tuple = new_map(heap_);
    tuple->set(self_key(), sorted.at(i));
    if (!step.index.empty()) tuple->set(Value::borrow(step.index), Value::number(i));
    out->push(Value::of(tuple));
  }
  return Value::of(out);
}

Answer<Value> Evaluator::tuple_step(const Node& step, const Value& sequence, const Value& tuples,
                                    Frame& frame) {
  if (step.kind == Kind::Sort)
    return stages(step.stages, TRY(tuple_sort(step, sequence, tuples, frame)), frame);
  const Ref<ArrayObject> out = new_sequence(heap_);
  out->tuples = true;
  const std::size_t count = tuples.is_undefined() ? sequence.size() : tuples.size();
  for (std::size_t i = 0; i < count; ++i) {
    Value before = tuples.is_undefined() ? Value() : tuples.at(i);
    if (before.is_undefined()) {
      const Ref<MapObject> tuple = new_map(heap_);
      tuple->set(self_key(), sequence.at(i));
      before = Value::of(tuple);
    }
    const Value context = before.member("@");
    const Ref<Frame> inner = tuple_frame(frame, before);
    const Value found = TRY(evaluate(step, context, *inner));
    if (found.is_undefined()) continue;
    const std::size_t size = found.is_array() ? found.size() : 1;
    for (std::size_t j = 0; j < size; ++j) {
      TRY(heap_.step());
      const Value item = found.is_array() ? found.at(j) : found;
      const Ref<MapObject> tuple = new_map(heap_);
      for (const MapObject::Entry& entry : before.own_map()->entries) tuple->set(entry.key, entry.value);
      if (found.is_tuples()) {
        for (const MapObject::Entry& entry : item.own_map()->entries) tuple->set(entry.key, entry.value);
      } else {
        tuple->set(step.focus.empty() ? self_key() : Value::borrow(step.focus), item);
        if (!step.index.empty()) tuple->set(Value::borrow(step.index), Value::number(j));
        if (step.ancestor != nullptr) tuple->set(Value::borrow(step.ancestor->label), context);
      }
      out->push(Value::of(tuple));
    }
  }
  return stages(step.stages, Value::of(out), frame);
}

Answer<Value> Evaluator::stages(const std::vector<Stage>& stages, Value sequence, Frame& frame) {
  for (const Stage& stage : stages) {
    if (stage.kind == Stage::Kind::Filter) {
      sequence = TRY(filter(*stage.filter, sequence, frame));
      continue;
    }
    for (std::size_t i = 0; i < sequence.size(); ++i)
      if (MapObject* tuple = sequence.at(i).own_map(); tuple != nullptr && sequence.is_tuples())
        tuple->set(Value::borrow(stage.variable), Value::number(i));
  }
  return sequence;
}

namespace {

// Whether a position, counted from the end when negative, is this one.
bool is_position(double wanted, std::size_t index, std::size_t size) {
  double at = std::floor(wanted);
  if (at < 0) at += static_cast<double>(size);
  return at == static_cast<double>(index);
}

}  // namespace

Answer<Value> Evaluator::filter(const Node& predicate, const Value& input, Frame& frame) {
  const bool in_tuples = input.is_tuples();
  const Ref<ArrayObject> out = new_sequence(heap_);
  out->tuples = in_tuples;
  const std::size_t size = input.is_array() ? input.size() : 1;
  const auto item_at = [&](std::size_t index) { return input.is_array() ? input.at(index) : input; };
  if (predicate.kind == Kind::Number) {
    double at = std::floor(predicate.number);
    if (at < 0) at += static_cast<double>(size);
    if (!(at >= 0 && at < static_cast<double>(size))) return Value::of(out);
    Value item = item_at(static_cast<std::size_t>(at));
    if (item.is_array()) return item;
    if (!item.is_undefined()) out->push(std::move(item));
    return Value::of(out);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const Value item = item_at(i);
    const Ref<Frame> inner = in_tuples ? tuple_frame(frame, item) : Ref<Frame>(&frame);
    const Value found = TRY(evaluate(predicate, in_tuples ? item.member("@") : item, *inner));
    if (TRY(is_numeric(found))) {
      if (is_position(found.as_number(), i, size)) out->push(item);
    } else if (TRY(are_numbers(heap_, found))) {
      for (std::size_t j = 0; j < found.size(); ++j)
        if (is_position(found.at(j).as_number(), i, size)) out->push(item);
    } else if (TRY(boolean_of(heap_, found))) {
      out->push(item);
    }
  }
  return Value::of(out);
}

Answer<Value> Evaluator::sort(const Node& step, const Value& sequence, Frame& frame) {
  const bool in_tuples = sequence.is_tuples();
  const std::size_t terms = step.items.size();
  // Each term is evaluated once for each item, when it is first compared.
  std::vector<std::optional<Value>> known(sequence.size() * terms);
  const auto key = [&](std::size_t item, std::size_t term) -> Answer<Value> {
    std::optional<Value>& found = known[item * terms + term];
    if (found) return *found;
    const Value value = sequence.at(item);
    const Ref<Frame> inner = in_tuples ? tuple_frame(frame, value) : Ref<Frame>(&frame);
    found = TRY(evaluate(*step.items[term], in_tuples ? value.member("@") : value, *inner));
    return *found;
  };
  const auto comes_after = [&](std::size_t a, std::size_t b) -> Answer<bool> {
    for (std::size_t term = 0; term < terms; ++term) {
      const Value x = TRY(key(a, term));
      const Value y = TRY(key(b, term));
      if (x.is_undefined() && y.is_undefined()) continue;
      if (x.is_undefined() || y.is_undefined()) return x.is_undefined();  // undefined comes last
      const auto sortable = [](const Value& value) { return value.is_text() || value.is_number(); };
      if (!sortable(x) || !sortable(y))
        return std::unexpected(Fault("T2008").at(step.position).with("value", shown(sortable(x) ? y : x)));
      if (x.is_text() != y.is_text())
        return std::unexpected(
            Fault("T2007").at(step.position).with("value", shown(x)).with("value2", shown(y)));
      int order = 0;
      if (x.is_text())
        order = compare_utf16(x.as_text(), y.as_text());
      else if (x.as_number() != y.as_number())
        order = x.as_number() < y.as_number() ? -1 : 1;
      if (order != 0) return (order > 0) != step.descending[term];
    }
    return false;
  };
  if (sequence.size() <= 1) return sequence;
  TRY(heap_.room(static_cast<double>(known.size() * sizeof known[0])));
  std::vector<std::size_t> order = TRY(merge_sort(heap_, sequence.size(), comes_after));
  const Ref<ArrayObject> out = in_tuples ? new_sequence(heap_) : new_array(heap_);
  out->tuples = in_tuples;
  for (const std::size_t index : order) out->push(sequence.at(index));
  return Value::of(out);
}

}  // namespace stoker::jsonata
