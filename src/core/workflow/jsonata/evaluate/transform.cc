// |pattern|update,delete|: a copy of the subject in which each match has members set and removed.
#include "core/workflow/jsonata/evaluate/evaluator.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

Answer<Value> Evaluator::transform(const Node& node, const Value& subject, Frame& frame) {
  if (subject.is_undefined()) return Value();
  const Value clone = lookup("clone", frame);
  if (!clone.is_function()) return std::unexpected(Fault("T2013").at(node.position));
  const Value copy = TRY(apply(clone, {subject}, Value::null(), frame, {}));
  const Value matches = TRY(evaluate(*node.left, copy, frame));
  if (matches.is_undefined()) return copy;
  if (!matches.is_array()) {
    TRY(update_match(node, matches, frame));
    return copy;
  }
  for (std::size_t i = 0; i < matches.size(); ++i) TRY(update_match(node, matches.at(i), frame));
  return copy;
}

Answer<void> Evaluator::update_match(const Node& node, const Value& match, Frame& frame) {
  MapObject* map = match.own_map();
  const Value update = TRY(evaluate(*node.right, match, frame));
  if (!update.is_undefined() && !update.is_map())
    return std::unexpected(Fault("T2011").at(node.right->position).with("value", shown(update)));
  for (std::size_t i = 0; map != nullptr && i < update.size(); ++i) {
    // A copy: what is put in may hold the match itself, and nothing may lie within itself.
    Value value = TRY(deep_copy(heap_, update.at(i)));
    map->set(update.key_at(i), std::move(value));
  }
  if (node.otherwise == nullptr) return {};
  const Value deletions = TRY(evaluate(*node.otherwise, match, frame));
  if (deletions.is_undefined()) return {};
  const std::size_t count = deletions.is_array() ? deletions.size() : 1;
  const auto name = [&](std::size_t i) { return deletions.is_array() ? deletions.at(i) : deletions; };
  for (std::size_t i = 0; i < count; ++i)
    if (!name(i).is_text())
      return std::unexpected(Fault("T2012").at(node.otherwise->position).with("value", shown(deletions)));
  for (std::size_t i = 0; map != nullptr && i < count; ++i) {
    TRY(heap_.step(1 + map->entries.size() / 8));
    map->erase(name(i).as_text());
  }
  return {};
}

}  // namespace stoker::jsonata
