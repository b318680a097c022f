#pragma once
// A machine of the simulation: what the core, fleet sizing and the ledger each know about it, side by side.
#include <map>
#include <string>
#include <vector>

#include "core/core.h"
#include "core/fleet/sizing/state.h"
#include "sim/run/outcome.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

struct Machine {
  std::size_t environment = 0;
  const fleet::InstanceType* type = nullptr;
  fleet::FleetNode node;  // id is its name everywhere
  std::string rack;       // empty: nobody knows where it stands
  bool mig = false;       // its GPUs make MIG devices, and serve nothing else
  bool gone = false;
  bool forgotten = false;  // left running: nobody ends it
  bool noticed = false;    // the seller said that it takes it back
  // Images that it holds, or pulls and will hold then, by their full names.
  std::map<std::string, Instant> images;
  std::vector<std::size_t> runs;  // jobs; one for each of its nodes here
  MachineOutcome outcome;
};

// Its hello to the core.
core::NodeConnected hello(const Machine& machine, const std::string& environment);
// Whole vCPUs, as AWS Batch has them on machines.
std::int64_t whole_vcpus(const SimJob& job);
// Of one run.
cost::Share share_of(const SimJob& job, const fleet::InstanceType& type);

}  // namespace stoker::sim
