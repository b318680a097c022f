#pragma once
// A machine that runs jobs.
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/gpu.h"
#include "core/model/images.h"
#include "core/model/types.h"

namespace stoker::core {

// Room that is being made for a job by stopping others: as it becomes free it is kept for that job.
struct NodeHold {
  JobNo job;  // 0: none
  Resources needs;
  bool mig = false;  // the job wants MIG devices: none are given to others
  bool operator==(const NodeHold&) const = default;
};

// A machine with an agent. Everything here but the name is told by the agent when it connects.
struct Node {
  std::string name;
  std::string environment;  // the compute environment it belongs to
  std::string instance;     // changes with every boot
  bool connected = false;
  bool draining = false;  // its runs may end, it gets no new ones
  Resources total;
  Resources used;  // by active jobs
  std::vector<NodeGpu> gpus;
  bool containers = false;
  std::vector<std::string> warnings;
  std::vector<JobNo> runs;  // active jobs placed here, ascending
  // What placement weighs besides room; empty and 0: not known.
  HeldImages images = {};
  std::int64_t price_micros_per_hour = 0;  // millionths of a dollar
  bool spot = false;                       // EC2 may take it back
  std::string rack = {};                   // rack or placement group: nodes of one are near each other
  std::string instance_type = {};          // "g5.12xlarge"; empty: not known
  NodeHold hold = {};
  // Gets new runs.
  [[nodiscard]] bool open() const { return connected && !draining; }
  // Its place in the pool that places runs on it (core/placement/pool.h), which alone sets it.
  std::uint32_t pool_slot = kNoPoolSlot;
  static constexpr std::uint32_t kNoPoolSlot = UINT32_MAX;
  std::string address = {};  // where other machines reach it: "10.0.3.7"; empty: not known
};

}  // namespace stoker::core
