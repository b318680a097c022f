#pragma once
// What a job wishes beyond amounts of resources. Given as tags, so that the same submission works on AWS too.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace stoker::core {

enum class SpotUse : std::uint8_t { First, Only, Never };
// Near enough for the nodes of one job, or for jobs that talk: one node, one rack or placement group,
// anywhere.
enum class Nearness : std::uint8_t { Any, Rack, Node };
// Whether the job can go on where it was interrupted. Signal: it saves when it is told to end. Periodic: it
// saves every so often by itself.
enum class Checkpoint : std::uint8_t { None, Signal, Periodic };

struct Wishes {
  std::vector<std::string> gpu_models;  // lower case, sorted; empty: any
  std::int64_t gpu_memory_mib_min = 0;
  std::optional<bool> preemptible;      // not given: yes in a quota share, no elsewhere
  std::optional<int> preemptions_most;  // the next one ends it; not given: no limit
  Checkpoint checkpoint = Checkpoint::None;
  Duration checkpoint_every;  // Periodic: always more than 0
  Instant deadline_at;        // 0: none
  Duration deadline_after;    // after the submission; 0: none
  Duration run_time;          // that it works in all when nothing stops it; 0: not told
  SpotUse spot = SpotUse::First;
  Nearness topology = Nearness::Any;
  std::optional<std::int64_t> max_running;  // of the definition's jobs at a time
  [[nodiscard]] bool has_deadline() const { return deadline_at || deadline_after.ms > 0; }
  bool operator==(const Wishes&) const = default;
};

// What a stop takes: the one rule for who is stopped for others, for moves, for deadlines, for accounts, and
// for the jobs of simulations. Of a run that works since `works_from` and ends at `at` without being done.
struct RunStop {
  Instant works_from;
  Instant told_at;  // its program was told to save and end; 0: it was not
  Instant at;
};
// Until when its work counts. A job that saves when it is told has kept what it did until then, and when
// nobody told it, nothing; one that saves every so often what it did until the last time.
Instant kept_until(const Wishes& wishes, const RunStop& stop);
// The most that a machine takes along that is taken away with a notice; nothing: all that was done.
std::optional<Duration> lost_most(const Wishes& wishes);

}  // namespace stoker::core
