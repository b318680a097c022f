#include "core/schedule/fit.h"

namespace stoker::core {

NodeFit fit_node(const Node& node, const Shape& shape) {
  const auto lack = [&](const Resources& used) {
    Lack set = 0;
    if (node.total.cpus_milli - used.cpus_milli < shape.resources.cpus_milli) set |= kLackCpu;
    if (node.total.memory_mib - used.memory_mib < shape.resources.memory_mib) set |= kLackMemory;
    if (node.total.gpus - used.gpus < shape.resources.gpus) set |= kLackGpu;
    if (shape.container && !node.containers) set |= kLackContainers;
    return set;
  };
  return {lack(node.used), lack(Resources{})};
}

Lack asks_for(const Shape& shape) {
  Lack set = 0;
  if (shape.resources.cpus_milli > 0) set |= kLackCpu;
  if (shape.resources.memory_mib > 0) set |= kLackMemory;
  if (shape.resources.gpus > 0) set |= kLackGpu;
  return set;
}

std::string describe(const Resources& resources) {
  std::string text;
  const std::int64_t whole = resources.cpus_milli / 1000;
  const std::int64_t rest = resources.cpus_milli % 1000;
  text += std::to_string(whole);
  if (rest != 0) text += "." + std::to_string(1000 + rest).substr(1);
  text += " vCPU, " + std::to_string(resources.memory_mib) + " MiB";
  if (resources.gpus != 0) text += ", " + std::to_string(resources.gpus) + " GPU";
  return text;
}

}  // namespace stoker::core
