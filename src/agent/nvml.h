#pragma once
// The NVIDIA management library, found at run time: nothing of it is needed to build or to start.
#include <string>
#include <vector>

#include "agent/driver.h"
#include "base/result.h"

namespace stoker::agent {

struct NvmlAnswer {
  std::vector<GpuDevice> gpus;  // in the order of the PCI bus
  std::string driver_version;
  std::vector<std::string> warnings;  // a GPU that did not answer
};

// Asks once, in a thread of its own, because calls into the library can hang on a sick GPU: Unavailable when
// it has not answered within `patience` (the thread is left behind). NotFound when there is no library or no
// driver.
Result<NvmlAnswer> ask_nvml(Duration patience, const std::string& library = "libnvidia-ml.so.1");

}  // namespace stoker::agent
