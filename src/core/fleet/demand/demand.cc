#include "core/fleet/demand/demand.h"

namespace stoker::fleet {
namespace {

std::string thousandths(std::int64_t milli) {
  std::string text = std::to_string(milli / 1000);
  if (milli % 1000 == 0) return text;
  std::string decimals = std::to_string(1000 + milli % 1000).substr(1);
  while (decimals.back() == '0') decimals.pop_back();
  return text + "." + decimals;
}

}  // namespace

std::string describe(const Need& need) {
  std::string text = thousandths(need.cpus_milli) + " vCPU, " + std::to_string(need.memory_mib) + " MiB";
  const auto on_types = [&] {
    for (std::size_t i = 0; i < need.instance_types.size(); ++i)
      text += (i == 0 ? " on " : " or ") + need.instance_types[i];
    return text;
  };
  if (!need.wants_gpus()) return on_types();
  if (need.mig_devices > 0)
    text += ", " + std::to_string(need.mig_devices) + " x " + need.mig;
  else
    text += ", " + thousandths(need.gpus * 1000 + need.gpu_milli) + " GPU";
  for (std::size_t i = 0; i < need.gpu_models.size(); ++i)
    text += (i == 0 ? " of " : " or ") + need.gpu_models[i];
  if (need.gpu_memory_min_mib > 0) text += ", " + std::to_string(need.gpu_memory_min_mib) + " MiB each";
  return on_types();
}

}  // namespace stoker::fleet
