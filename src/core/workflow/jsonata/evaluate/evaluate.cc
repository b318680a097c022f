#include <cmath>

#include "core/workflow/jsonata/evaluate/deeper.h"
#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/functions/members.h"
#include "core/workflow/jsonata/syntax/parse.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

using Kind = Node::Kind;

Evaluator::Evaluator(const json::Value* input, const Bindings& bindings, const Environment& environment)
    : input_(input), bindings_(bindings), environment_(environment), heap_(environment.limits) {}

Evaluator::~Evaluator() {
  heap_.release_frames();
}

Answer<Value> Evaluator::run(const Node& root) {
  top_ = Ref<Frame>(new Frame(heap_, nullptr));
  Value input = input_ == nullptr ? Value() : Value::borrow(*input_);
  top_->bind("$", input);
  if (input.is_array()) {  // an array is one input, not many
    const Ref<ArrayObject> wrapper = sequence_of(heap_, std::move(input));
    wrapper->wrapper = true;
    input = Value::of(wrapper);
  }
  return evaluate(root, input, *top_);
}

Answer<Value> Evaluator::evaluate_text(std::string_view text, const Value& input, Frame& frame) {
  constexpr std::size_t kBytesPerCharacter = 100;  // of the tree, roughly
  TRY(heap_.room(static_cast<double>(kBytesPerCharacter * text.size())));
  TRY(heap_.step(text.size()));
  auto ast = parse_expression(text);
  if (!ast) return std::unexpected(Fault("D3120").with_text("value", ast.error().error().message));
  heap_.charge(kBytesPerCharacter * text.size());
  evaluated_texts_.push_back(*std::move(ast));
  auto result = evaluate(*evaluated_texts_.back().root, input, frame);
  if (result || result.error().code() == "U1001") return result;
  return std::unexpected(Fault("D3121").with_text("value", result.error().error().message));
}

Answer<Value> Evaluator::evaluate(const Node& node, const Value& input, Frame& frame) {
  TRY(heap_.step());
  const bool bare = node.predicates.empty() && node.group == nullptr && !node.keep_array;
  if (bare) {  // leaves are worth a short way
    switch (node.kind) {
      case Kind::Variable:
        if (node.text.empty()) return input.unwrapped();
        break;
      case Kind::Text:
        return Value::borrow(node.text);
      case Kind::Number:
        return Value::number(node.number);
      default:
        break;
    }
  }
  const Deeper deeper(depth_, environment_.limits.depth);
  TRY(deeper.check());
  Value result = TRY(by_kind(node, input, frame));
  if (bare && !result.is_sequence()) return result;
  return finish(node, std::move(result), frame);
}

// What stands behind an expression, and the end of sequences: none is undefined, one is the item.
Answer<Value> Evaluator::finish(const Node& node, Value result, Frame& frame) {
  for (const Stage& stage : node.predicates) result = TRY(filter(*stage.filter, result, frame));
  if (node.group != nullptr && node.kind != Kind::Path)
    result = TRY(group(node.group->pairs, node.group->position, result, frame));
  if (!result.is_sequence() || result.is_tuples()) return result;
  ArrayObject& sequence = *result.own_array();
  if (node.keep_array) sequence.keep_singleton = true;
  if (sequence.items.empty()) return Value();
  if (sequence.items.size() == 1 && !sequence.keep_singleton) return Value(sequence.items[0]);
  return result;
}

Answer<Value> Evaluator::by_kind(const Node& node, const Value& input, Frame& frame) {
  switch (node.kind) {
    case Kind::Path:
      return path(node, input, frame);
    case Kind::Binary:
    case Kind::And:
    case Kind::Or:
      return binary(node, input, frame);
    case Kind::Range:
      return range(node, input, frame);
    case Kind::Negate:
      return negate(node, input, frame);
    case Kind::Array:
      return array(node, input, frame);
    case Kind::Object:
      return group(node.pairs, node.position, input, frame);
    case Kind::Name:
      return lookup_member(heap_, input, node.text);
    case Kind::Text:
      return Value::borrow(node.text);
    case Kind::Number:
      return Value::number(node.number);
    case Kind::Literal:
      return node.text == "null" ? Value::null() : Value::boolean(node.text == "true");
    case Kind::Wildcard:
      return wildcard(input);
    case Kind::Descendants:
      return descendants(input);
    case Kind::Parent:
      return lookup(node.slot->label, frame);
    case Kind::Condition:
      return condition(node, input, frame);
    case Kind::Block:
      return block(node, input, frame);
    case Kind::Bind:
      return bind(node, input, frame);
    case Kind::Regex:
      return new_function(heap_, Matcher{&node});
    case Kind::Call:
      return call_node(node, input, frame, nullptr);
    case Kind::Variable:
      return variable(node, input, frame);
    case Kind::Lambda:
      return new_function(heap_, Closure{&node, input, Ref<Frame>(&frame)});
    case Kind::Thunk:
      return new_function(heap_, TailCall{node.left, input, Ref<Frame>(&frame)});
    case Kind::Partial:
      return partial(node, input, frame);
    case Kind::Apply:
      return chain(node, input, frame);
    case Kind::Transform:
      return new_function(heap_, Transformer{&node, Ref<Frame>(&frame)});
    default:
      return Value();
  }
}

Value Evaluator::variable(const Node& node, const Value& input, Frame& frame) {
  return node.text.empty() ? input.unwrapped() : lookup(node.text, frame);
}

Value Evaluator::lookup(std::string_view name, Frame& frame) {
  for (const Frame* scope = &frame; scope != nullptr; scope = scope->outer.get())
    if (const Value* found = scope->find(name)) return *found;
  return outer_variable(name);
}

// What no frame has: variables from outside, then functions.
Value Evaluator::outer_variable(std::string_view name) {
  if (const auto found = bindings_.find(name); found != bindings_.end())
    return found->second == nullptr ? Value() : Value::borrow(*found->second);
  for (const Composed& composed : environment_.composed) {
    if (composed.name != name) continue;
    const Ref<MapObject> map = new_map(heap_);
    for (const auto& [member, value] : composed.members)
      if (value != nullptr) map->set(Value::borrow(std::string_view(member)), Value::borrow(*value));
    top_->bind(composed.name, Value::of(map));
    return Value::of(map);
  }
  const Builtin* builtin = find_builtin(name, environment_.aws);
  if (builtin == nullptr) return {};
  if (builtins_.empty()) builtins_.resize(builtin_count());
  Value& made = builtins_[index_of(*builtin)];
  if (made.is_undefined()) made = new_function(heap_, BuiltinFunction{builtin});
  return made;
}

Answer<Value> Evaluator::block(const Node& node, const Value& input, Frame& frame) {
  const Ref<Frame> inner(new Frame(heap_, &frame));
  Value result;
  for (const Node* item : node.items) result = TRY(evaluate(*item, input, *inner));
  return result;
}

Answer<Value> Evaluator::condition(const Node& node, const Value& input, Frame& frame) {
  const Value test = TRY(evaluate(*node.left, input, frame));
  if (TRY(boolean_of(heap_, test))) return evaluate(*node.right, input, frame);
  if (node.otherwise != nullptr) return evaluate(*node.otherwise, input, frame);
  return Value();
}

Answer<Value> Evaluator::bind(const Node& node, const Value& input, Frame& frame) {
  Value value = TRY(evaluate(*node.right, input, frame));
  frame.bind(node.left->text, value);
  return value;
}

Answer<Value> Evaluator::negate(const Node& node, const Value& input, Frame& frame) {
  const Value value = TRY(evaluate(*node.left, input, frame));
  if (value.is_undefined()) return value;
  if (TRY(is_numeric(value))) return Value::number(-value.as_number());
  return std::unexpected(
      Fault("D1002").at(node.position).with_text("token", "-").with("value", shown(value)));
}

Answer<Value> Evaluator::array(const Node& node, const Value& input, Frame& frame) {
  const Ref<ArrayObject> out = new_array(heap_);
  for (const Node* item : node.items) {
    Value value = TRY(evaluate(*item, input, frame));
    if (value.is_undefined()) continue;
    ArrayObject* own = value.own_array();
    if (item->kind == Kind::Array) {
      out->push(std::move(value));
    } else if (own != nullptr && own->references == 1 && out->items.empty()) {  // nobody will miss them
      const std::size_t bytes = own->items.size() * kItemBytes;
      own->bytes -= bytes;
      heap_.refund(bytes);
      out->items = std::move(own->items);
      out->grow(bytes);
    } else {
      TRY(append_items(*out, value));
    }
  }
  out->constructed = node.constructed;
  return Value::of(out);
}

Answer<Value> Evaluator::range(const Node& node, const Value& input, Frame& frame) {
  const Value from = TRY(evaluate(*node.left, input, frame));
  const Value to = TRY(evaluate(*node.right, input, frame));
  const auto is_integer = [](const Value& value) {
    return value.is_number() && std::isfinite(value.as_number()) &&
           value.as_number() == std::trunc(value.as_number());
  };
  const auto failure = [&](std::string_view code, std::string value) {
    return std::unexpected(
        Fault(std::string(code)).at(node.position).with_text("token", "..").with("value", std::move(value)));
  };
  if (!from.is_undefined() && !is_integer(from)) return failure("T2003", shown(from));
  if (!to.is_undefined() && !is_integer(to)) return failure("T2004", shown(to));
  if (from.is_undefined() || to.is_undefined() || from.as_number() > to.as_number()) return Value();
  constexpr double kRangeMax = 1e7;
  const double size = to.as_number() - from.as_number() + 1;
  if (size > kRangeMax) return failure("D2014", shown(Value::number(size)));
  TRY(heap_.room(size * kItemBytes));
  TRY(heap_.step(static_cast<std::size_t>(size / 8)));
  const Ref<ArrayObject> out = new_sequence(heap_);
  out->items.reserve(static_cast<std::size_t>(size));
  for (double i = 0; i < size; ++i) out->push(Value::number(from.as_number() + i));
  return Value::of(out);
}

namespace {

Answer<void> flatten(ArrayObject& out, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  TRY(out.heap.step());
  if (!value.is_array()) {
    out.push(value);
    return {};
  }
  for (std::size_t i = 0; i < value.size(); ++i) TRY(flatten(out, value.at(i), depth + 1));
  return {};
}

Answer<void> descend(ArrayObject& out, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  TRY(out.heap.step());
  if (!value.is_array()) out.push(value);
  if (!value.is_array() && !value.is_map()) return {};
  for (std::size_t i = 0; i < value.size(); ++i) TRY(descend(out, value.at(i), depth + 1));
  return {};
}

}  // namespace

Answer<Value> Evaluator::wildcard(const Value& input) {
  const Ref<ArrayObject> out = new_sequence(heap_);
  const Value whole = input.unwrapped();
  if (!whole.is_map() && !whole.is_array()) return Value::of(out);
  bool appended = false;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const Value member = whole.at(i);
    appended = appended || member.is_array();
    TRY(flatten(*out, member, 0));
  }
  // Appending an array makes a plain one: it stays an array even with a single item.
  if (appended) out->sequence = false;
  return Value::of(out);
}

Answer<Value> Evaluator::descendants(const Value& input) {
  if (input.is_undefined()) return Value();
  const Ref<ArrayObject> out = new_sequence(heap_);
  TRY(descend(*out, input, 0));
  if (out->items.size() == 1) return Value(out->items[0]);
  return Value::of(out);
}

}  // namespace stoker::jsonata
