#pragma once
// The GPUs, shares of GPUs and MIG devices that a run has.
#include <string>
#include <utility>
#include <vector>

#include "agent/driver.h"
#include "base/result.h"

namespace stoker::agent {

// What StartRun names: a GPU, or a MIG device, there or to be made, with the GPU that it is a part of.
// NotFound for what is not in the node.
Result<GpuDevice> find_device(const std::vector<GpuDevice>& gpus, const std::string& name);

// What tells a run that shares a GPU how much of it is its own, in the words of MPS: they have force where an
// MPS daemon runs, and are a piece of information where none does. Nothing for other runs.
std::vector<std::pair<std::string, std::string>> share_environment(const RunSpec& spec);

// MIG devices by what follows the model of a pretended GPU: "mig" lets the server plan them;
// "3g.40gb+2g.20gb" has these. False for other texts.
bool pretend_mig(wire::Gpu& gpu, std::string_view text);

}  // namespace stoker::agent
