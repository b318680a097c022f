#include "sim/run/machine.h"

#include <algorithm>

#include "core/placement/mig.h"

namespace stoker::sim {

core::NodeConnected hello(const Machine& machine, const std::string& environment) {
  core::NodeConnected connected;
  core::Node& node = connected.node;
  node.name = machine.node.id;
  node.environment = environment;
  node.instance = "1";
  node.total = {.cpus_milli = machine.type->vcpus * 1000,
                .memory_mib = machine.type->memory_offered_mib(),
                .gpus = machine.type->gpus};
  node.containers = true;
  node.instance_type = machine.type->name;
  node.price_micros_per_hour = machine.outcome.use.prices.back().per_hour.micros;
  node.rack = machine.rack;
  for (std::int64_t i = 0; i < machine.type->gpus; ++i) {
    core::NodeGpu gpu;
    gpu.uuid = node.name + "-" + std::to_string(i);
    gpu.model = machine.type->gpu_model;
    gpu.memory_mib = machine.type->gpu_memory_mib;
    if (machine.mig && core::mig_table(gpu.model, gpu.memory_mib) != nullptr)
      gpu.mig = core::MigMode::Dynamic;
    node.gpus.push_back(std::move(gpu));
  }
  return connected;
}

std::int64_t whole_vcpus(const SimJob& job) {
  return std::max<std::int64_t>(1, (job.cpus_milli + 999) / 1000);
}

cost::Share share_of(const SimJob& job, const fleet::InstanceType& type) {
  cost::Amounts request{job.gpus * 1000 + job.gpu_milli, whole_vcpus(job) * 1000, job.memory_mib};
  if (job.mig_devices > 0)
    request.gpu_milli =
        job.mig_devices * core::mig_memory_milli(type.gpu_model, type.gpu_memory_mib, job.mig);
  const cost::Amounts machine{type.gpus * 1000, type.vcpus * 1000, type.memory_offered_mib()};
  // On machines with GPUs these decide; vCPUs and memory come with them.
  const bool gpus_decide = type.gpus > 0 && request.gpu_milli > 0;
  return cost::dominant_share(gpus_decide ? cost::Amounts{request.gpu_milli, 0, 0} : request, machine);
}

}  // namespace stoker::sim
