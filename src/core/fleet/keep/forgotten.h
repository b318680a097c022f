#pragma once
// Machines that somebody pays for and nobody uses: found by comparing what the engine lists with what we
// know.
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "core/fleet/sizing/state.h"

namespace stoker::fleet {

// A machine with our tags, as the engine lists it.
struct Sighting {
  std::string id;
  Instant launched_at;
};

enum class ForgottenKind : std::uint8_t {
  Unknown,   // we have no record of it: a crash between launch and record, or another server's
  Vanished,  // we think it exists, and the engine does not list it
  LongIdle,  // idle for long, kept by the minimum or a long window
};
std::string_view name_of(ForgottenKind kind);

struct Forgotten {
  std::string node;
  ForgottenKind kind = ForgottenKind::Unknown;
  Duration for_long;
  bool terminate = false;  // else it is only said
  std::string text;
  bool operator==(const Forgotten&) const = default;
};

struct ForgottenRules {
  Duration unknown_grace = minutes(10);  // a launch may be recorded a moment later
  Duration vanished_grace = minutes(2);  // EC2 lists a launch a moment later
  Duration idle_max = hours(12);         // said when idle for longer; 0: never
};

// `listed` is a complete list of the engine, younger than every change in `nodes`. In the order of ids.
std::vector<Forgotten> find_forgotten(std::span<const FleetNode> nodes, std::span<const Sighting> listed,
                                      const ForgottenRules& rules, Instant now);

}  // namespace stoker::fleet
