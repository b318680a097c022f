#include "core/schedule/quota/uses.h"

#include <algorithm>

#include "core/placement/mig.h"

namespace stoker::core {
namespace {

std::int64_t part_milli(std::int64_t amount, std::int64_t total) {
  return total <= 0 || amount <= 0 ? 0 : (amount * 1000 + total - 1) / total;
}

bool has_device(const NodeGpu& gpu, const std::string& name) {
  const auto planned = parse_mig_name(name);
  return gpu.uuid == (planned ? planned->gpu : name) ||
         std::ranges::find(gpu.devices, name, &MigDevice::name) != gpu.devices.end();
}

}  // namespace

QuotaUse quota_use(const Node& node, const Resources& resources, const std::vector<std::string>& devices) {
  QuotaUse use;
  if (!devices.empty())
    for (const NodeGpu& gpu : node.gpus)
      if (use.gpu_model.empty() && has_device(gpu, devices.front())) use.gpu_model = gpu.model;
  use.instance_type = node.instance_type;
  if (!use.instance_type.empty())
    use.instance_milli = std::clamp<std::int64_t>(
        std::max({part_milli(resources.cpus_milli, node.total.cpus_milli),
                  part_milli(resources.memory_mib, node.total.memory_mib),
                  part_milli(resources.all_gpu_milli(), node.total.all_gpu_milli())}),
        1, 1000);
  return use;
}

}  // namespace stoker::core
