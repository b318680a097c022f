// JSONata: expressions that are parsed once, as those of a definition are, and evaluated over and over.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/assert.h"
#include "core/workflow/data/payload.h"
#include "core/workflow/jsonata/jsonata.h"

namespace stoker::bench {
namespace {

// About what a pipeline hands from state to state: 4 KiB, a list of 50 results.
json::Value pipeline_input() {
  json::Array results;
  for (int i = 0; i < 50; ++i)
    results.push_back(json::Object{{"name", "model-" + std::to_string(i)},
                                   {"loss", 1.0 / (i + 1)},
                                   {"tags", json::Array{"a", "b"}},
                                   {"job", "00000000-0000-4000-8000-000000000000"}});
  return json::Object{{"run", 7}, {"config", json::Object{{"lr", 0.1}}}, {"results", std::move(results)}};
}

const std::vector<std::string>& expressions() {
  static const std::vector<std::string> all = {
      "$states.input.config.lr",
      "$states.input.run + 1",
      "$states.context.Execution.Name & '-' & $states.input.run",
      "$states.input.results[5].loss",
      "$states.input.results.loss",
      "$min($states.input.results.loss)",
      "$states.input.results[loss < 0.1].name",
      "$map($states.input.results, function($r) { $r.loss * 2 })",
      "$sort($states.input.results, function($a, $b) { $a.loss > $b.loss })[0].name",
      "$merge([$states.input, {'best': $count($states.input.results)}])",
  };
  return all;
}

// As a state evaluates a field: with `$states` around it.
void evaluate(benchmark::State& state) {
  const std::string& text = expressions().at(static_cast<std::size_t>(state.range(0)));
  state.SetLabel(text);
  const auto expression = jsonata::Expression::parse(text);
  ASSERT(expression.has_value());
  const json::Value input = pipeline_input();
  const json::Value context = json::Object{{"Execution", json::Object{{"Name", "x"}, {"Input", input}}}};
  asl::Scope scope{.context = &context, .states_input = &input};
  scope.random = [] { return std::uint64_t{4}; };
  for (auto _ : state) {
    auto value = asl::evaluate_jsonata(*expression, "Output", scope);
    ASSERT(value.has_value(), value.error().cause);
    benchmark::DoNotOptimize(value);
  }
}

void parse(benchmark::State& state) {
  const std::string& text = expressions().at(static_cast<std::size_t>(state.range(0)));
  state.SetLabel(text);
  for (auto _ : state) {
    auto expression = jsonata::Expression::parse(text);
    benchmark::DoNotOptimize(expression);
  }
}

BENCHMARK(evaluate)->ArgName("expression")->DenseRange(0, 9);
BENCHMARK(parse)->ArgName("expression")->Arg(0)->Arg(7);

}  // namespace
}  // namespace stoker::bench

BENCHMARK_MAIN();
