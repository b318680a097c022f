#pragma once
// One evaluation of one expression: walks the tree with a context (`input`) and a scope of variables.
#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "core/workflow/jsonata/jsonata.h"
#include "core/workflow/jsonata/syntax/ast.h"
#include "core/workflow/jsonata/value/frame.h"
#include "core/workflow/jsonata/value/function.h"

namespace stoker::jsonata {

class Evaluator {
 public:
  Evaluator(const json::Value* input, const Bindings& bindings, const Environment& environment);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  Answer<Value> run(const Node& root);
  Answer<Value> evaluate(const Node& node, const Value& input, Frame& frame);

  // Calls a function from a function: there is no context and no place in the expression.
  Answer<Value> call(const Value& function, std::vector<Value> arguments, Frame& frame);
  // Parses and evaluates in the given scope; the tree lives as long as this.
  Answer<Value> evaluate_text(std::string_view text, const Value& input, Frame& frame);
  Answer<Value> apply_matcher(const Node& regex, const Ref<SubjectObject>& subject, std::size_t from);

  Heap& heap() { return heap_; }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  Value text(std::string content) { return Value::text(heap_, std::move(content)); }

 private:
  // Where a call stands, for errors within it.
  struct Site {
    std::optional<std::string_view> token;
    std::size_t position = 0;
  };
  class Deeper;

  Answer<Value> by_kind(const Node& node, const Value& input, Frame& frame);
  Answer<Value> finish(const Node& node, Value result, Frame& frame);
  Value variable(const Node& node, const Value& input, Frame& frame);
  Value lookup(std::string_view name, Frame& frame);
  Value outer_variable(std::string_view name);
  Answer<Value> block(const Node& node, const Value& input, Frame& frame);
  Answer<Value> condition(const Node& node, const Value& input, Frame& frame);
  Answer<Value> bind(const Node& node, const Value& input, Frame& frame);
  Answer<Value> negate(const Node& node, const Value& input, Frame& frame);
  Answer<Value> array(const Node& node, const Value& input, Frame& frame);
  Answer<Value> range(const Node& node, const Value& input, Frame& frame);
  Answer<Value> wildcard(const Value& input);
  Answer<Value> descendants(const Value& input);

  // operators.cc
  Answer<Value> binary(const Node& node, const Value& input, Frame& frame);
  Answer<Value> combine(const Node& node, Value left, const Value& input, Frame& frame);
  Answer<Value> decide(const Node& node, const Value& left, const Value& input, Frame& frame);
  Answer<Value> operate(const Node& node, const Value& left, const Value& right);

  // path.cc
  Answer<Value> path(const Node& node, const Value& input, Frame& frame);
  std::optional<Value> straight(const Node& node, const Value& input, Frame& frame);
  Answer<Value> step(const Node& step, const Value& sequence, Frame& frame, bool last);
  Answer<Value> tuple_step(const Node& step, const Value& sequence, const Value& tuples, Frame& frame);
  Answer<Value> tuple_sort(const Node& step, const Value& sequence, const Value& tuples, Frame& frame);
  Answer<Value> stages(const std::vector<Stage>& stages, Value sequence, Frame& frame);
  Answer<Value> filter(const Node& predicate, const Value& input, Frame& frame);
  Answer<Value> sort(const Node& step, const Value& sequence, Frame& frame);
  Ref<Frame> tuple_frame(Frame& around, const Value& tuple);

  // group.cc
  Answer<Value> group(const std::vector<Pair>& pairs, std::size_t position, const Value& input, Frame& frame);
  Answer<Value> merge_tuples(const Value& tuples);

  // call.cc
  Answer<Value> call_node(const Node& node, const Value& input, Frame& frame, const Value* first);
  Answer<Value> partial(const Node& node, const Value& input, Frame& frame);
  Answer<Value> chain(const Node& node, const Value& input, Frame& frame);
  Answer<Value> apply(Value function, std::vector<Value> arguments, const Value& input, Frame& frame,
                      Site site);
  Answer<Value> apply_once(const Value& function, std::vector<Value> arguments, const Value& input,
                           Frame& frame);
  Answer<Value> apply_builtin(const Builtin& builtin, std::vector<Value> arguments, const Value& input,
                              Frame& frame);
  Answer<Value> apply_closure(const Closure& closure, std::vector<Value> arguments, const Value& input);
  Answer<Value> next_match(const NextMatch& next);

  // transform.cc
  Answer<Value> transform(const Node& node, const Value& subject, Frame& frame);
  Answer<void> update_match(const Node& node, const Value& match, Frame& frame);

  const json::Value* input_;
  const Bindings& bindings_;
  const Environment& environment_;
  Heap heap_;
  std::size_t depth_ = 0;
  std::size_t calls_ = 0;
  Ref<Frame> top_;
  std::vector<Value> builtins_;  // made when first asked for
  std::deque<Ast> evaluated_texts_;
};

}  // namespace stoker::jsonata
