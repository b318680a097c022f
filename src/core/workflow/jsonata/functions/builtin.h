#pragma once
// The table of functions that every expression can call.
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/workflow/jsonata/evaluate/evaluator.h"
#include "core/workflow/jsonata/syntax/signature.h"

namespace stoker::jsonata {

struct Call {
  Evaluator& evaluator;
  const std::vector<Value>& arguments;  // as the signature has them
  const Value& input;                   // the context of the call
  Frame& frame;

  Heap& heap() const { return evaluator.heap(); }
  // Undefined when left out.
  const Value& operator[](std::size_t index) const;
  Answer<Value> call(const Value& function, std::vector<Value> with) const {
    return evaluator.call(function, std::move(with), frame);
  }
  Value text(std::string content) const { return evaluator.text(std::move(content)); }
};

enum class Where { Everywhere, Aws, NotAws };

struct Builtin {
  std::string_view name;
  std::string_view signature;
  std::size_t arity;       // as functions of higher order see it
  std::size_t parameters;  // that partial application can fill
  Answer<Value> (*run)(const Call& call);
  Where where = Where::Everywhere;
};

// Sorted by name.
std::vector<Builtin> all_builtins();

// Null: there is none of that name.
const Builtin* find_builtin(std::string_view name, bool aws);
std::size_t builtin_count();
std::size_t index_of(const Builtin& builtin);
const Signature& signature_of(const Builtin& builtin);

// What each file of functions has.
std::vector<Builtin> number_functions();
std::vector<Builtin> text_functions();
std::vector<Builtin> pattern_functions();
std::vector<Builtin> encoding_functions();
std::vector<Builtin> picture_functions();
std::vector<Builtin> array_functions();
std::vector<Builtin> object_functions();
std::vector<Builtin> higher_order_functions();
std::vector<Builtin> general_functions();
std::vector<Builtin> aws_functions();

}  // namespace stoker::jsonata
