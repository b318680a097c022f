#pragma once
// computeReservation: a part of what a fair-share queue can have is kept free for shares that are not active
// yet, (computeReservation / 100) ^ active shares of the maximum (AWS Batch API, FairsharePolicy).
#include <cstdint>
#include <optional>

#include "core/world.h"

namespace stoker::core {

struct Contender;
struct Hold;

// What all jobs of a queue may hold together because of it. The maximum counts the queue's enabled
// environments: their maxvCpus, for UNMANAGED ones unmanagedvCpus, else what their nodes have; and the GPUs
// of their nodes, or where machines are launched as many as those can have, of which whole ones are kept.
struct ShareLimit {
  bool set = false;  // false: the policy keeps nothing
  int percent = 0;
  std::size_t active = 0;
  std::int64_t cpus_milli = 0;
  std::int64_t gpu_milli = 0;
};
ShareLimit share_limit_of(const World& world, const JobQueue& queue, Instant now);

// How many jobs that ask for that may start one after another where `used` is held; kNoShareLimit: any
// number. One that is larger than the limit by itself may start where nothing is held: it would wait for
// ever.
inline constexpr std::int64_t kNoShareLimit = INT64_MAX;
std::int64_t room_within(const ShareLimit& limit, const Resources& used, const Resources& asks);

std::optional<Hold> held_by_reservation(const World& world, const Contender& contender);

}  // namespace stoker::core
