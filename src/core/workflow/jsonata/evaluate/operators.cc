#include <cmath>

#include "core/workflow/jsonata/evaluate/evaluator.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

using Kind = Node::Kind;

namespace {

bool is_operator(const Node& node) {
  return node.kind == Kind::Binary || node.kind == Kind::And || node.kind == Kind::Or;
}

bool is_bare(const Node& node) {
  return node.predicates.empty() && node.group == nullptr && !node.keep_array;
}

Answer<Value> arithmetic(char op, const Value& left, const Value& right) {
  if (!left.is_undefined() && !TRY(is_numeric(left)))
    return std::unexpected(Fault("T2001").with("value", shown(left)));
  if (!right.is_undefined() && !TRY(is_numeric(right)))
    return std::unexpected(Fault("T2002").with("value", shown(right)));
  if (left.is_undefined() || right.is_undefined()) return Value();
  const double a = left.as_number();
  const double b = right.as_number();
  switch (op) {
    case '+':
      return Value::number(a + b);
    case '-':
      return Value::number(a - b);
    case '*':
      return Value::number(a * b);
    case '/':
      return Value::number(a / b);
    default:
      return Value::number(std::fmod(a, b));
  }
}

Answer<Value> comparison(std::string_view op, const Value& left, const Value& right) {
  const auto comparable = [](const Value& value) {
    return value.is_undefined() || value.is_text() || value.is_number();
  };
  if (!comparable(left) || !comparable(right)) {
    const Value& culprit = left.is_text() || left.is_number() ? right : left;
    return std::unexpected(Fault("T2010").with("value", shown(culprit)));
  }
  if (left.is_undefined() || right.is_undefined()) return Value();
  if (left.is_text() != right.is_text())
    return std::unexpected(Fault("T2009").with("value", shown(left)).with("value2", shown(right)));
  if (left.is_number()) {
    const double a = left.as_number();
    const double b = right.as_number();
    return Value::boolean(op == "<" ? a < b : op == "<=" ? a <= b : op == ">" ? a > b : a >= b);
  }
  const int order = compare_utf16(left.as_text(), right.as_text());
  return Value::boolean(op == "<" ? order < 0 : op == "<=" ? order <= 0 : op == ">" ? order > 0 : order >= 0);
}

Answer<Value> concatenation(Heap& heap, const Value& left, const Value& right) {
  std::string out = TRY(string_of(heap, left));
  const std::string tail = TRY(string_of(heap, right));
  TRY(heap.room(static_cast<double>(out.size() + tail.size())));
  TRY(heap.step((out.size() + tail.size()) / 64));
  append_text(out, tail);
  return Value::text(heap, std::move(out));
}

Answer<Value> membership(Heap& heap, const Value& left, const Value& right) {
  if (left.is_undefined() || right.is_undefined()) return Value::boolean(false);
  if (!right.is_array()) return Value::boolean(right.same(left));
  TRY(heap.step(right.size()));
  for (std::size_t i = 0; i < right.size(); ++i)
    if (right.at(i).same(left)) return Value::boolean(true);
  return Value::boolean(false);
}

}  // namespace

// Chains of operators lean to the left; walking down and up them needs no stack, however long they are.
Answer<Value> Evaluator::binary(const Node& node, const Value& input, Frame& frame) {
  std::vector<const Node*> chain = {&node};
  while (is_operator(*chain.back()->left) && is_bare(*chain.back()->left))
    chain.push_back(chain.back()->left);
  Value value = TRY(evaluate(*chain.back()->left, input, frame));
  for (; !chain.empty(); chain.pop_back()) {
    if (chain.size() > 1) TRY(heap_.step());
    value = TRY(combine(*chain.back(), std::move(value), input, frame));
  }
  return value;
}

Answer<Value> Evaluator::combine(const Node& node, Value left, const Value& input, Frame& frame) {
  Answer<Value> result;
  if (node.kind == Kind::Binary) {
    const Value right = TRY(evaluate(*node.right, input, frame));
    result = operate(node, left, right);
  } else {
    result = decide(node, left, input, frame);
  }
  if (!result && result.error().code() != "U1001") {
    result.error().set_position(node.position);
    result.error().set_token(node.text);
  }
  return result;
}

// The right side is evaluated only when the left does not decide.
Answer<Value> Evaluator::decide(const Node& node, const Value& left, const Value& input, Frame& frame) {
  const bool first = TRY(boolean_of(heap_, left));
  if (first == (node.kind == Kind::Or)) return Value::boolean(first);
  const Value right = TRY(evaluate(*node.right, input, frame));
  return Value::boolean(TRY(boolean_of(heap_, right)));
}

Answer<Value> Evaluator::operate(const Node& node, const Value& left, const Value& right) {
  const std::string_view op = node.text;
  switch (op[0]) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(op[0], left, right);
    case '=':
      if (left.is_undefined() || right.is_undefined()) return Value::boolean(false);
      return Value::boolean(TRY(deep_equal(heap_, left, right)));
    case '!':
      if (left.is_undefined() || right.is_undefined()) return Value::boolean(false);
      return Value::boolean(!TRY(deep_equal(heap_, left, right)));
    case '<':
    case '>':
      return comparison(op, left, right);
    case '&':
      return concatenation(heap_, left, right);
    default:
      return membership(heap_, left, right);  // in
  }
}

}  // namespace stoker::jsonata
