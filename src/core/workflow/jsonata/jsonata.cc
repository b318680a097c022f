#include "core/workflow/jsonata/jsonata.h"

#include "core/workflow/jsonata/evaluate/evaluator.h"
#include "core/workflow/jsonata/syntax/parse.h"
#include "core/workflow/jsonata/syntax/references.h"
#include "core/workflow/jsonata/value/convert.h"

namespace stoker::jsonata {

namespace {

// Adds the steps of an evaluation when it is over, whichever way.
struct Tally {
  const Heap& heap;
  const Environment& environment;
  ~Tally() {
    if (environment.steps_spent == nullptr) return;
    const auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(heap.steps_left(), 0));
    *environment.steps_spent += environment.limits.steps - left;
  }
};

}  // namespace

struct Expression::Parsed {
  std::string text;
  Ast ast;
  References references;
};

std::expected<Expression, Error> Expression::parse(std::string_view text) {
  auto ast = parse_expression(text);
  if (!ast) return std::unexpected(ast.error().error());
  References references = find_references(*ast->root);
  Expression out;
  out.parsed_ = std::make_shared<const Parsed>(std::string(text), *std::move(ast), std::move(references));
  return out;
}

std::expected<Outcome, Error> Expression::evaluate(const json::Value* input, const Bindings& bindings,
                                                   const Environment& environment) const {
  Evaluator evaluator(input, bindings, environment);
  const Tally tally{evaluator.heap(), environment};
  const auto result = evaluator.run(*parsed_->ast.root);
  if (!result) return std::unexpected(result.error().error());
  if (result->is_undefined()) return Outcome(Undefined{});
  auto json = to_json(evaluator.heap(), *result, environment.limits.bytes, environment.aws);
  if (!json) return std::unexpected(json.error().error());
  if (json->holds_function) return Outcome(Function{});
  return Outcome(std::move(json->value));
}

std::string_view Expression::text() const {
  return parsed_->text;
}

const std::vector<std::vector<std::string>>& Expression::variables() const {
  return parsed_->references.variables;
}

const std::vector<std::string>& Expression::top_level_references() const {
  return parsed_->references.top_level;
}

}  // namespace stoker::jsonata
