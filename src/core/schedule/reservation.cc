#include "core/schedule/reservation.h"

#include <algorithm>

#include "core/provision/fleet_policy.h"
#include "core/schedule/fit.h"
#include "core/schedule/gate.h"
#include "core/schedule/places.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

std::int64_t cpus_max(const ComputeEnvironment& environment, const Resources& nodes) {
  const json::Value& document = *environment.document;
  const json::Value* limit = nullptr;
  if (!environment.managed)
    limit = json::find(document, "unmanagedvCpus");
  else if (const json::Value* resources = json::find(document, "computeResources"))
    limit = json::find(*resources, "maxvCpus");
  return limit != nullptr && limit->is_int64() ? limit->get_int64() * 1000 : nodes.cpus_milli;
}

// What machines that are launched for an environment can have in all.
struct FleetMost {
  std::int64_t cpus_milli = 0;
  std::int64_t gpu_milli = 0;
};
std::optional<FleetMost> fleet_most(const World& world, const ComputeEnvironment& environment) {
  if (!is_launching(world.settings, environment)) return std::nullopt;
  const auto fleet = world.state.fleets.find(environment.name);
  const auto policy =
      fleet_policy(world.settings, environment, fleet == world.state.fleets.end() ? Fleet{} : fleet->second);
  if (!policy) return std::nullopt;
  const fleet::FleetLimits& limits = policy->limits;
  std::int64_t gpus = 0;
  for (const std::string& name : policy->types)
    if (const fleet::InstanceType* type = world.settings.launching->catalogue.find(name))
      gpus = std::max(gpus, type->gpus * std::min(limits.nodes_max,
                                                  limits.vcpus_max / std::max<std::int64_t>(1, type->vcpus)));
  if (limits.gpus_max > 0) gpus = std::min(gpus, limits.gpus_max);
  return FleetMost{limits.vcpus_max * 1000, gpus * Resources::kGpuMilli};
}

// (percent / 100) ^ power of `all`, each step rounded down.
std::int64_t kept_of(std::int64_t all, int percent, std::size_t power) {
  for (std::size_t i = 0; i < power && all > 0; ++i) all = all * percent / 100;
  return all;
}

}  // namespace

ShareLimit share_limit_of(const World& world, const JobQueue& queue, Instant now) {
  const int percent = fair_share_of(world.state, queue).reservation_percent;
  if (percent == 0) return {};
  ShareLimit limit{.set = true, .percent = percent, .active = active_shares(world.state, queue, now)};
  for (const std::string& name : queue.environments) {
    const ComputeEnvironment& environment = world.state.environments.at(name);
    if (!environment.enabled) continue;
    const Resources nodes = connected_resources(world, name);
    const auto launched = fleet_most(world, environment);
    limit.cpus_milli += launched ? launched->cpus_milli : cpus_max(environment, nodes);
    limit.gpu_milli += std::max(nodes.all_gpu_milli(), launched ? launched->gpu_milli : 0);
  }
  limit.cpus_milli -= kept_of(limit.cpus_milli, percent, limit.active);
  const std::int64_t gpus = kept_of(limit.gpu_milli, percent, limit.active) / Resources::kGpuMilli;
  limit.gpu_milli -= gpus * Resources::kGpuMilli;
  return limit;
}

std::int64_t room_within(const ShareLimit& limit, const Resources& used, const Resources& asks) {
  if (!limit.set) return kNoShareLimit;
  const auto room = [](std::int64_t held, std::int64_t more, std::int64_t most) {
    if (more > most) return held > 0 ? std::int64_t{0} : std::int64_t{1};
    if (more <= 0) return held > most ? std::int64_t{0} : kNoShareLimit;
    return std::max<std::int64_t>(0, most - held) / more;
  };
  const std::int64_t by_cpus = room(used.cpus_milli, asks.cpus_milli, limit.cpus_milli);
  if (asks.all_gpu_milli() == 0) return by_cpus;
  return std::min(by_cpus, room(used.all_gpu_milli(), asks.all_gpu_milli(), limit.gpu_milli));
}

std::optional<Hold> held_by_reservation(const World&, const Contender& contender) {
  const ShareLimit& limit = contender.turn.share_limit;
  const Resources& asks = contender.shape.resources;
  const Resources& used = contender.turn.queue.used;
  if (room_within(limit, used, asks) > 0) return std::nullopt;
  const Resources most{.cpus_milli = limit.cpus_milli, .gpu_milli = limit.gpu_milli};
  return Hold{.kind = WaitKind::Reservation,
              .text = "Waits for running jobs of job queue " + contender.turn.queue.name +
                      ": its policy keeps " + std::to_string(limit.percent) + " % to the power of " +
                      std::to_string(limit.active) + " active shares free for others (computeReservation), " +
                      "so that it may hold " + describe_cpus_and_gpus(most) + " in all; it holds " +
                      describe_cpus_and_gpus(used) + " and the job asks " + describe_cpus_and_gpus(asks),
              .behind = {}};
}

}  // namespace stoker::core
