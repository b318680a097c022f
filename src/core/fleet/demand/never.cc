#include "core/fleet/demand/never.h"

#include <algorithm>
#include <bit>

#include "core/fleet/demand/room.h"
#include "core/placement/mig.h"

namespace stoker::fleet {
namespace {

std::string describe_mig(const InstanceType& type, const Need& need) {
  if (type.gpus == 0) return "0 GPU";
  const core::MigTable* table = core::mig_table(type.gpu_model, type.gpu_memory_mib);
  if (table == nullptr) return "GPUs without MIG";
  if (table->find(need.mig) == nullptr) return "GPUs that make no MIG device " + need.mig;
  Need one;
  one.mig = need.mig;
  one.mig_devices = 1;
  return std::to_string(slots(room_of(type), one)) + " x " + need.mig;
}

std::string describe_lack(const InstanceType& type, const Need& need, TypeLack lack) {
  std::string text;
  const auto add = [&](TypeLack bit, const std::string& what) {
    if ((lack & bit) == 0) return;
    if (!text.empty()) text += ", ";
    text += what;
  };
  add(kTypeLacksCpus, std::to_string(type.vcpus) + " vCPU");
  add(kTypeLacksMemory, std::to_string(type.memory_offered_mib()) + " MiB for jobs");
  add(kTypeLacksGpus, type.gpu_milli < 1000 ? std::to_string(type.gpu_milli) + "/1000 of a GPU"
                                            : std::to_string(type.gpus) + " GPU");
  add(kTypeLacksMig, describe_mig(type, need));
  add(kTypeLacksGpuModel, "GPUs of model " + type.gpu_model);
  add(kTypeLacksGpuMemory, need.mig_devices > 0 ? "less memory on a MIG device " + need.mig
                                                : std::to_string(type.gpu_memory_mib) + " MiB on a GPU");
  add(kTypeLacksArchitecture, "architecture " + type.architecture);
  add(kTypeLacksName, "another name than those");
  return text;
}

bool has_gpu_memory(const InstanceType& type, const Need& need) {
  if (need.mig_devices == 0) return type.gpu_memory_mib >= need.gpu_memory_min_mib;
  const core::MigTable* table = core::mig_table(type.gpu_model, type.gpu_memory_mib);
  const core::MigProfile* profile = table == nullptr ? nullptr : table->find(need.mig);
  return profile == nullptr || profile->memory_mib >= need.gpu_memory_min_mib;
}

}  // namespace

TypeLack lacks(const InstanceType& type, const Need& need) {
  TypeLack lack = 0;
  if (type.vcpus * 1000 < need.cpus_milli) lack |= kTypeLacksCpus;
  if (type.memory_offered_mib() < need.memory_mib) lack |= kTypeLacksMemory;
  if (!need.architecture.empty() && need.architecture != type.architecture) lack |= kTypeLacksArchitecture;
  if (!need.instance_types.empty() &&
      std::ranges::find(need.instance_types, type.name) == need.instance_types.end())
    lack |= kTypeLacksName;
  if (!need.wants_gpus()) return lack;
  Need bare = need;
  bare.gpu_models.clear();
  bare.gpu_memory_min_mib = 0;
  bare.cpus_milli = bare.memory_mib = 0;
  bare.architecture.clear();
  bare.instance_types.clear();
  const Room room = room_of(type);
  if (slots(room, bare) == 0) {
    if (need.mig_devices > 0)
      lack |= kTypeLacksMig;
    else
      lack |= kTypeLacksGpus;
  }
  bare.gpu_models = need.gpu_models;
  if (!gpus_allowed(room, bare)) lack |= kTypeLacksGpuModel;
  if (!has_gpu_memory(type, need)) lack |= kTypeLacksGpuMemory;
  return lack;
}

std::optional<std::string> never_runs(const Catalogue& catalogue, const std::vector<std::string>& types,
                                      const Need& need) {
  const InstanceType* nearest = nullptr;
  TypeLack least = 0;
  for (const std::string& name : types) {
    const InstanceType* type = catalogue.find(name);
    if (type == nullptr) continue;
    const TypeLack lack = lacks(*type, need);
    if (lack == 0) return std::nullopt;
    const bool nearer = nearest == nullptr || std::popcount(lack) < std::popcount(least) ||
                        (lack == least && type->gpus > nearest->gpus);
    if (!nearer) continue;
    nearest = type;
    least = lack;
  }
  if (nearest == nullptr) return "asks " + describe(need) + "; no instance type is allowed";
  return "asks " + describe(need) + "; of " + std::to_string(types.size()) + " allowed instance types " +
         nearest->name + " comes nearest and has only " + describe_lack(*nearest, need, least);
}

}  // namespace stoker::fleet
