#pragma once
// What can be called.
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/workflow/jsonata/value/frame.h"
#include "core/workflow/jsonata/value/value.h"

namespace stoker::jsonata {

class Regex;
class Signature;
struct Builtin;
struct Node;

struct BuiltinFunction {
  const Builtin* builtin;
};

// A function as written, with the context and the scope it was written in.
struct Closure {
  const Node* lambda;
  Value input;
  Ref<Frame> frame;
};

// A call in tail position, which whoever called the function carries out.
struct TailCall {
  const Node* call;
  Value input;
  Ref<Frame> frame;
};

struct PartialCall {
  Value function;
  std::vector<Value> arguments;
  std::vector<std::size_t> open;  // which of them are still to come
};

struct Chain {  // $f ~> $g
  Value first, second;
};

struct Transformer {
  const Node* node;
  Ref<Frame> frame;
};

struct SubjectObject final : HeapObject {
  SubjectObject(Heap& owner, std::u16string content)
      : HeapObject(owner, kObjectBytes + 2 * content.size()), text(std::move(content)) {}
  std::u16string text;
};

struct Matcher {  // a regular expression
  const Node* node;
};

struct NextMatch {  // what a match gives as `next`
  const Node* node;
  Ref<SubjectObject> subject;
  std::size_t from;
};

struct FunctionObject final : HeapObject {
  using Kind =
      std::variant<BuiltinFunction, Closure, TailCall, PartialCall, Chain, Transformer, Matcher, NextMatch>;
  FunctionObject(Heap& owner, Kind what)
      : HeapObject(owner, kObjectBytes + sizeof(Kind)), kind(std::move(what)) {}
  Kind kind;
};

inline Value new_function(Heap& heap, FunctionObject::Kind kind) {
  return Value::of(Ref<FunctionObject>(new FunctionObject(heap, std::move(kind))));
}

// How many arguments it declares.
std::size_t arity(const FunctionObject& function);

}  // namespace stoker::jsonata
