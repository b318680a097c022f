#include "micro/cases.h"

#include <array>
#include <utility>

#include "base/assert.h"

namespace stoker::bench {

Busy::Busy(std::int64_t waiting, std::int64_t shapes) {
  for (int i = 0; i < shapes; ++i) definitions.push_back(core.define(1 + i % kNodeCpus, 4 + i / kNodeCpus));
  core.turn();
  for (std::int64_t i = 0; i < waiting + kNodeCpus; ++i) submit();
  core.turn();
}

std::size_t Busy::turn() {
  core.finish_oldest();
  submit();
  return core.turn();
}

Preempting::Preempting(std::int64_t running, std::int64_t shapes)
    : core(static_cast<int>(running / 2), 1000, 8) {
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

void Preempting::turn() {
  core.finish_oldest();
  core.submit_borrower(large, 9);
  const std::size_t started = core.turn();
  ASSERT(started == 1, "what one gives back the next takes");
}

GpuBurst::GpuBurst(int node_count, std::int64_t shapes, FilledCore::Nodes kind)
    : core(node_count, 96, 8, kind), nodes(node_count) {
  static const std::array<std::string, 4> kGpus = {"1", "0.5", "2", "4"};
  for (int i = 0; i < shapes; ++i)
    definitions.push_back(core.define(1 + i % 11, 4 + i, kGpus[static_cast<std::size_t>(i) % kGpus.size()],
                                      kind == FilledCore::Nodes::SomeImages ? FilledCore::image(i) : "host"));
}

void GpuBurst::prepare() {
  while (core.running() > 0) core.finish_oldest();
  core.turn();
  for (int i = 0; i < nodes; ++i) core.submit(definitions[static_cast<std::size_t>(i) % definitions.size()]);
}

void GpuBurst::start() {
  const std::size_t started = core.turn();
  ASSERT(started == static_cast<std::size_t>(nodes), "a job was left waiting");
}

}  // namespace stoker::bench
