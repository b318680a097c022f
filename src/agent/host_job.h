#pragma once
// What a run of image `host` becomes: arguments, environment, user and limits of a plain process.
#include <string>
#include <vector>

#include "agent/driver.h"
#include "base/result.h"
#include "supervisor/protocol.h"

namespace stoker::agent {

// The launch request without cgroups, from the StartRun and what the node adds. The error's text is the run's
// reason ("CannotStartContainerError: ..."): no command, members that only a container can honour, a user
// that is not there or that this agent cannot become.
Result<supervisor::LaunchSpec> make_launch(const RunSpec& spec);

// The variables that only the node knows: which GPUs the run may see. Of pretended GPUs too, so that programs
// can be tried. Without GPUs the values are those that hide all of them.
std::vector<std::pair<std::string, std::string>> gpu_environment(const std::vector<GpuDevice>& gpus);

// The marker variable by which processes of a run are recognised wherever they went.
inline constexpr char kRunVariable[] = "STOKER_RUN";

}  // namespace stoker::agent
