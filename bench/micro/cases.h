#pragma once
// The situations in which the core is measured, by time (core_bench.cc) and by instructions (counts.cc).
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "micro/filled_core.h"

namespace stoker::bench {

// A full node, and `waiting` jobs of `shapes` shapes behind it, in turn.
struct Busy {
  static constexpr int kNodeCpus = 64;

  FilledCore core{1, kNodeCpus};
  std::vector<std::string> definitions;
  std::size_t next = 0;

  Busy(std::int64_t waiting, std::int64_t shapes);
  void submit() { core.submit(definitions[next++ % definitions.size()]); }
  // The life of a queue in balance: one run ends, one job comes, the pass starts what fits now: so many.
  std::size_t turn();
};

// Two runs on each node, one of high priority and a small one of low priority, and behind them jobs of
// `shapes` shapes in between: each could stop the low one, and none would find room then.
struct Preempting {
  FilledCore core;
  std::string large, small;

  Preempting(std::int64_t running, std::int64_t shapes);
  // One run ends, one like it comes and takes its place.
  void turn();
};

// As many jobs as idle nodes of eight GPUs, all of one shape, or of many that ask for one GPU, a half, two or
// four in turn, each with other CPUs and memory. Where nodes hold images, each shape has one of them.
struct GpuBurst {
  FilledCore core;
  int nodes;
  std::vector<std::string> definitions;

  GpuBurst(int nodes, std::int64_t shapes, FilledCore::Nodes kind);
  // Nothing runs any more, and the jobs are submitted.
  void prepare();
  // The pass that starts all.
  void start();
};

}  // namespace stoker::bench
