#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

namespace {

Answer<Value> boolean(const Call& call) {
  if (call[0].is_undefined()) return Value();
  return Value::boolean(TRY(boolean_of(call.heap(), call[0])));
}

Answer<Value> negation(const Call& call) {
  if (call[0].is_undefined()) return Value();
  return Value::boolean(!TRY(boolean_of(call.heap(), call[0])));
}

Answer<Value> exists(const Call& call) {
  return Value::boolean(!call[0].is_undefined());
}

Answer<Value> type(const Call& call) {
  std::string_view name;
  switch (type_letter(call[0])) {
    case 'm':
      return Value();
    case 'l':
      name = "null";
      break;
    case 'n':
      TRY(is_numeric(call[0]));
      name = "number";
      break;
    case 's':
      name = "string";
      break;
    case 'b':
      name = "boolean";
      break;
    case 'a':
      name = "array";
      break;
    case 'f':
      name = "function";
      break;
    default:
      name = "object";
  }
  return Value::borrow(name);
}

std::string message_or(const Value& message, std::string_view otherwise) {
  return std::string(message.as_text().empty() ? otherwise : message.as_text());
}

Answer<Value> error(const Call& call) {
  return std::unexpected(Fault("D3137").saying(message_or(call[0], "$error() function evaluated")));
}

Answer<Value> assertion(const Call& call) {
  if (call[0].truthy()) return Value();
  return std::unexpected(Fault("D3141").saying(message_or(call[1], "$assert() statement failed")));
}

// Nothing of the copy is shared, so that transformers may change it.
Answer<Value> clone(const Call& call) {
  return TRY(deep_copy(call.heap(), call[0].unwrapped()));
}

Answer<Value> eval(const Call& call) {
  if (!call[0].is_text()) return Value();
  Value input = call[1].is_undefined() ? call.input : call[1];
  if (!call[1].is_undefined() && input.is_array() && !input.is_sequence()) {
    const Ref<ArrayObject> wrapper = sequence_of(call.heap(), std::move(input));
    wrapper->wrapper = true;
    input = Value::of(wrapper);
  }
  return call.evaluator.evaluate_text(call[0].as_text(), input, call.frame);
}

}  // namespace

std::vector<Builtin> general_functions() {
  return {
      {"boolean", "<x-:b>", 1, 1, boolean}, {"not", "<x-:b>", 1, 1, negation},
      {"exists", "<x:b>", 1, 1, exists},    {"type", "<x:s>", 1, 1, type},
      {"error", "<s?:x>", 1, 1, error},     {"assert", "<bs?:x>", 2, 2, assertion},
      {"clone", "<(oa)-:o>", 1, 1, clone},  {"eval", "<sx?:x>", 2, 2, eval, Where::NotAws},
  };
}

}  // namespace stoker::jsonata
