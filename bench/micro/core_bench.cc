// What the core alone costs: no disk, no network, no process. bench/run reads the JSON that this prints.
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "base/assert.h"
#include "micro/filled_core.h"

namespace stoker::bench {
namespace {

constexpr int kNodeCpus = 64;

// A full node, and `waiting` jobs of `shapes` shapes behind it, in turn. Built once for all tries of one
// measure, since a million submissions take longer than what is measured.
struct Busy {
  FilledCore core{1, kNodeCpus};
  std::vector<std::string> definitions;
  std::size_t next = 0;

  Busy(std::int64_t waiting, std::int64_t shapes) {
    for (int i = 0; i < shapes; ++i) definitions.push_back(core.define(1 + i % kNodeCpus, 4 + i / kNodeCpus));
    core.turn();
    for (std::int64_t i = 0; i < waiting + kNodeCpus; ++i) submit();
    core.turn();
  }
  void submit() { core.submit(definitions[next++ % definitions.size()]); }
};

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

// The life of a queue in balance: one run ends, one job comes, the pass starts what fits now.
void turn(benchmark::State& state) {
  Busy& busy_one = busy(state.range(0), state.range(1));
  std::size_t started = 0;
  for (auto _ : state) {
    busy_one.core.finish_oldest();
    busy_one.submit();
    started += busy_one.core.turn();
  }
  state.counters["placements"] =
      benchmark::Counter(static_cast<double>(started), benchmark::Counter::kAvgIterations);
}

// The same in a fair-share queue: `waiting` jobs of one shape, of as many shares in turn.
void fair_turn(benchmark::State& state) {
  FilledCore core(1, kNodeCpus);
  const std::string definition = core.define(1);
  std::int64_t next = 0;
  const auto submit = [&] { core.submit(definition, 0, "share" + std::to_string(next++ % state.range(1))); };
  for (std::int64_t i = 0; i < state.range(0) + kNodeCpus; ++i) submit();
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

// Two runs on each node, one of high priority and a small one of low priority, and behind them jobs of
// `shapes` shapes in between: each could stop the low one, and none would find room then.
struct Preempting {
  FilledCore core;
  std::string large, small;

  Preempting(std::int64_t running, std::int64_t shapes) : core(static_cast<int>(running / 2), 1000, 8) {
    large = core.define(7, 4, "7");
    small = core.define(1, 4, "1");
    for (const auto& [definition, priority] : {std::pair{large, 9}, std::pair{small, 1}}) {
      for (std::int64_t i = 0; i < running / 2; ++i) core.submit_borrower(definition, priority);
      core.turn();
    }
    ASSERT(core.running() == static_cast<std::size_t>(running), "all of them run");
    for (std::int64_t i = 0; i < shapes; ++i)
      core.submit_borrower(core.define(1 + static_cast<int>(i) % 900, 4 + static_cast<int>(i) / 900, "8"), 5);
    core.turn();
  }
};

// One run ends, one like it comes and takes its place.
void preempting_turn(benchmark::State& state) {
  Preempting all(state.range(0), state.range(1));
  for (auto _ : state) {
    all.core.finish_oldest();
    all.core.submit_borrower(all.large, 9);
    const std::size_t started = all.core.turn();
    ASSERT(started == 1, "what one gives back the next takes");
  }
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

// One pass that starts `nodes` jobs on as many idle nodes of eight GPUs. Of one shape; or of many that ask
// for one GPU, a half, two or four in turn, each with other CPUs.
void gpu_placements(benchmark::State& state) {
  const auto nodes = static_cast<int>(state.range(0));
  FilledCore core(nodes, 96, 8);
  std::vector<std::string> definitions;
  static const std::array<std::string, 4> kGpus = {"1", "0.5", "2", "4"};
  for (int i = 0; i < state.range(1); ++i)
    definitions.push_back(core.define(1 + i % 11, 4 + i, kGpus[static_cast<std::size_t>(i) % kGpus.size()]));
  for (auto _ : state) {
    state.PauseTiming();
    while (core.running() > 0) core.finish_oldest();
    core.turn();
    for (int i = 0; i < nodes; ++i)
      core.submit(definitions[static_cast<std::size_t>(i) % definitions.size()]);
    state.ResumeTiming();
    const std::size_t started = core.turn();
    ASSERT(started == static_cast<std::size_t>(nodes), "a job was left waiting");
  }
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
    ->ArgsProduct({{10'000}, {1, 50}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(life)->ArgName("batch")->Arg(1)->Arg(100)->Arg(1000);
BENCHMARK(submissions)->ArgName("array")->Arg(0)->Arg(10'000);

}  // namespace
}  // namespace stoker::bench

BENCHMARK_MAIN();
