// What the core alone costs: no disk, no network, no process. bench/run reads the JSON that this prints.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "base/assert.h"
#include "micro/cases.h"

namespace stoker::bench {
namespace {

// Built once for all tries of one measure, since a million submissions take longer than what is measured.
Busy& busy(std::int64_t waiting, std::int64_t shapes) {
  static std::map<std::pair<std::int64_t, std::int64_t>, std::unique_ptr<Busy>> kept;
  auto& found = kept[{waiting, shapes}];
  if (!found) {
    for (auto it = kept.begin(); it != kept.end();) it = it->second ? kept.erase(it) : std::next(it);
    kept[{waiting, shapes}] = std::make_unique<Busy>(waiting, shapes);
  }
  return *kept.at({waiting, shapes});
}

std::size_t heap_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

void turn(benchmark::State& state) {
  Busy& busy_one = busy(state.range(0), state.range(1));
  std::size_t started = 0;
  for (auto _ : state) started += busy_one.turn();
  state.counters["placements"] =
      benchmark::Counter(static_cast<double>(started), benchmark::Counter::kAvgIterations);
}

// The same in a fair-share queue: `waiting` jobs of one shape, of as many shares in turn.
void fair_turn(benchmark::State& state) {
  FilledCore core(1, Busy::kNodeCpus);
  const std::string definition = core.define(1);
  std::int64_t next = 0;
  const auto submit = [&] { core.submit(definition, 0, "share" + std::to_string(next++ % state.range(1))); };
  for (std::int64_t i = 0; i < state.range(0) + Busy::kNodeCpus; ++i) submit();
  core.turn();
  for (auto _ : state) {
    core.finish_oldest();
    submit();
    const std::size_t started = core.turn();
    ASSERT(started == 1, "what one gives back the next takes");
  }
}

// A pass that can place nothing.
void idle_pass(benchmark::State& state) {
  Busy& busy_one = busy(state.range(0), state.range(1));
  for (auto _ : state) {
    busy_one.core.ask_for_pass();
    const std::size_t started = busy_one.core.turn();
    ASSERT(started == 0, "the node is full");
  }
}

void preempting_turn(benchmark::State& state) {
  Preempting all(state.range(0), state.range(1));
  for (auto _ : state) all.turn();
}

// Nothing has changed.
void preempting_pass(benchmark::State& state) {
  Preempting all(state.range(0), state.range(1));
  for (auto _ : state) {
    all.core.ask_for_pass();
    const std::size_t started = all.core.turn();
    ASSERT(started == 0, "nobody can start");
  }
}

// One pass that fills as many nodes with one job each.
void placements(benchmark::State& state) {
  const auto nodes = static_cast<int>(state.range(0));
  FilledCore core(nodes, 1);
  const std::string definition = core.define(1);
  for (auto _ : state) {
    state.PauseTiming();
    while (core.running() > 0) core.finish_oldest();
    core.turn();
    for (int i = 0; i < nodes; ++i) core.submit(definition);
    state.ResumeTiming();
    const std::size_t started = core.turn();
    ASSERT(started == static_cast<std::size_t>(nodes), "a node was left empty");
  }
}

void burst(benchmark::State& state, FilledCore::Nodes kind) {
  GpuBurst jobs(static_cast<int>(state.range(0)), state.range(1), kind);
  for (auto _ : state) {
    state.PauseTiming();
    jobs.prepare();
    state.ResumeTiming();
    jobs.start();
  }
}
void gpu_placements(benchmark::State& state) {
  burst(state, FilledCore::Nodes::Alike);
}
void gpu_placements_on_odd_nodes(benchmark::State& state) {
  burst(state, FilledCore::Nodes::OddMemory);
}
void gpu_placements_with_images(benchmark::State& state) {
  burst(state, FilledCore::Nodes::SomeImages);
}

// From submission to the record of the end, `batch` jobs a turn. Time is per batch; items per second are
// jobs.
void life(benchmark::State& state) {
  const std::int64_t batch = state.range(0);
  FilledCore core(1, static_cast<int>(batch));
  const std::string definition = core.define(1);
  for (auto _ : state) {
    for (std::int64_t i = 0; i < batch; ++i) core.submit(definition);
    core.turn();
    while (core.running() > 0) core.finish_oldest();
    core.turn();
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

// Submissions of jobs that have to wait, 100 a turn, or of one array of `array` children. Also what they take
// of the heap.
void submissions(benchmark::State& state) {
  const auto array = static_cast<int>(state.range(0));
  const std::int64_t jobs = array == 0 ? 100 : array;
  FilledCore core(1, 1);
  const std::string definition = core.define(2);
  const std::size_t before = heap_bytes();
  for (auto _ : state) {
    for (int i = 0; i < (array == 0 ? 100 : 1); ++i) core.submit(definition, array);
    core.turn();
  }
  const auto made = static_cast<double>(state.iterations() * jobs);
  state.SetItemsProcessed(state.iterations() * jobs);
  state.counters["heap_bytes_per_job"] = static_cast<double>(heap_bytes() - before) / made;
}

BENCHMARK(turn)->ArgNames({"waiting", "shapes"})->ArgsProduct({{10'000, 1'000'000}, {1, 50, 1'000}});
BENCHMARK(idle_pass)->ArgNames({"waiting", "shapes"})->ArgsProduct({{10'000, 1'000'000}, {1, 50, 1'000}});
BENCHMARK(fair_turn)->ArgNames({"waiting", "shares"})->ArgsProduct({{10'000, 100'000}, {2, 50, 500}});
BENCHMARK(preempting_turn)->ArgNames({"running", "shapes"})->Args({10'000, 1})->Args({10'000, 1'000});
BENCHMARK(preempting_pass)->ArgNames({"running", "shapes"})->Args({10'000, 1})->Args({10'000, 1'000});
BENCHMARK(placements)->ArgName("nodes")->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(gpu_placements)
    ->ArgNames({"nodes", "shapes"})
    ->ArgsProduct({{10'000}, {1, 50, 1'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gpu_placements_on_odd_nodes)
    ->ArgNames({"nodes", "shapes"})
    ->ArgsProduct({{10'000}, {50, 1'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(gpu_placements_with_images)
    ->ArgNames({"nodes", "shapes"})
    ->ArgsProduct({{10'000}, {1, 50, 1'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(life)->ArgName("batch")->Arg(1)->Arg(100)->Arg(1000);
BENCHMARK(submissions)->ArgName("array")->Arg(0)->Arg(10'000);

}  // namespace
}  // namespace stoker::bench

BENCHMARK_MAIN();
