// One situation of the core, done once, to be run under callgrind: instructions can be compared from day to
// day and from machine to machine, processor time cannot. Only what `measured` calls is counted.
//
// usage: bench_counts CASE         prints how many units of work were done: {"units": N}
//        bench_counts              prints the names of the cases, one a line
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "micro/cases.h"

namespace stoker::bench {

// What is prepared, and then done: it returns the units of work.
using Measured = std::function<int()>;

namespace {

Measured turns(std::int64_t waiting, std::int64_t shapes) {
  const auto busy = std::make_shared<Busy>(waiting, shapes);
  busy->turn();
  return [busy] {
    constexpr int kTurns = 100;
    for (int i = 0; i < kTurns; ++i) busy->turn();
    return kTurns;
  };
}

Measured idle_passes(std::int64_t waiting, std::int64_t shapes) {
  const auto busy = std::make_shared<Busy>(waiting, shapes);
  return [busy] {
    constexpr int kPasses = 100;
    for (int i = 0; i < kPasses; ++i) {
      busy->core.ask_for_pass();
      busy->core.turn();
    }
    return kPasses;
  };
}

Measured preempting_turns(std::int64_t running, std::int64_t shapes) {
  const auto all = std::make_shared<Preempting>(running, shapes);
  all->turn();
  return [all] {
    constexpr int kTurns = 20;
    for (int i = 0; i < kTurns; ++i) all->turn();
    return kTurns;
  };
}

Measured burst(int nodes, std::int64_t shapes, FilledCore::Nodes kind) {
  const auto jobs = std::make_shared<GpuBurst>(nodes, shapes, kind);
  jobs->prepare();
  return [jobs] {
    jobs->start();
    return jobs->nodes;
  };
}

Measured lives(int jobs) {
  const auto core = std::make_shared<FilledCore>(1, jobs);
  const std::string definition = core->define(1);
  return [core, definition, jobs] {
    for (int i = 0; i < jobs; ++i) core->submit(definition);
    core->turn();
    while (core->running() > 0) core->finish_oldest();
    core->turn();
    return jobs;
  };
}

Measured submissions(int jobs, int array) {
  const auto core = std::make_shared<FilledCore>(1, 1);
  const std::string definition = core->define(2);
  return [core, definition, jobs, array] {
    for (int i = 0; i < jobs; ++i) core->submit(definition, array);
    core->turn();
    return jobs * (array == 0 ? 1 : array);
  };
}

const std::map<std::string, std::function<Measured()>>& cases() {
  using Nodes = FilledCore::Nodes;
  static const std::map<std::string, std::function<Measured()>> all = {
      {"turn/waiting:10000/shapes:1", [] { return turns(10'000, 1); }},
      {"turn/waiting:10000/shapes:1000", [] { return turns(10'000, 1'000); }},
      {"idle_pass/waiting:10000/shapes:1000", [] { return idle_passes(10'000, 1'000); }},
      {"preempting_turn/running:1000/shapes:100", [] { return preempting_turns(1'000, 100); }},
      {"gpu_placements/nodes:1000/shapes:1", [] { return burst(1'000, 1, Nodes::Alike); }},
      {"gpu_placements/nodes:1000/shapes:50", [] { return burst(1'000, 50, Nodes::Alike); }},
      {"gpu_placements_on_odd_nodes/nodes:1000/shapes:100",
       [] { return burst(1'000, 100, Nodes::OddMemory); }},
      {"gpu_placements_with_images/nodes:1000/shapes:50", [] { return burst(1'000, 50, Nodes::SomeImages); }},
      {"life/batch:1000", [] { return lives(1'000); }},
      {"submissions/array:0", [] { return submissions(1'000, 0); }},
      {"submissions/array:10000", [] { return submissions(1, 10'000); }},
  };
  return all;
}

}  // namespace
}  // namespace stoker::bench

// A name that callgrind finds (--toggle-collect).
extern "C" [[gnu::noinline]] int measured(const stoker::bench::Measured& work) {
  return work();
}

int main(int count, char** words) {
  using stoker::bench::cases;
  if (count == 1) {
    for (const auto& [name, prepare] : cases()) std::puts(name.c_str());
    return 0;
  }
  const auto found = cases().find(words[1]);
  if (count != 2 || found == cases().end()) {
    std::fputs("usage: bench_counts [CASE]\n", stderr);
    return 2;
  }
  const stoker::bench::Measured work = found->second();
  std::printf("{\"units\": %d}\n", measured(work));
  return 0;
}
