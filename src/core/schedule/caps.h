#pragma once
// How many jobs may run at a time: of a queue, a share, a job definition, an array (resources/max_running.h).
#include <cstdint>
#include <optional>
#include <vector>

#include "core/world.h"

namespace stoker::core {

struct Contender;
struct Hold;

// Of a share the policy may say it, and a quota share itself.
enum class CapOf : std::uint8_t { Queue, QuotaShare, Share, Definition, Array };
// A limit that counts the contender's job: `most` of the kind may run at a time, and so many do.
struct Cap {
  CapOf of = CapOf::Queue;
  std::int64_t most = 0;
  std::int64_t running = 0;
};
// All of them, in the order in which they are asked.
std::vector<Cap> caps_of(const World& world, const Contender& contender);

// The first of them that is reached says so.
std::optional<Hold> held_by_cap(const World& world, const Contender& contender);

}  // namespace stoker::core
