#pragma once
// A job with a deadline, as the core knows it, in the terms of the deadline rule.
#include "core/fleet/deadline/deadline.h"

namespace stoker::fleet {

// How late a look may come that decides about it.
inline constexpr Duration kDueTick = minutes(1);

struct Due {
  Instant clock;       // its clock began: it was submitted
  Instant deadline;    // after that
  Duration work;       // that it needs in all; 0: not known
  Duration done = {};  // by runs that are over, and kept
  Duration loss = {};  // see DeadlineTask
  auto operator<=>(const Due&) const = default;
};

// `guess`: the work of a job that does not say it.
DeadlineTask task_of(const Due& due, Duration guess, Duration overhead);

// A run that goes on.
struct DueRun {
  Ground on = Ground::Nothing;
  Duration worked = {};  // in this run
  bool leaving = false;  // its machine is to be left
  std::optional<Duration> move = {};
};
// What becomes of it now, and why in words.
struct DueChoice {
  DeadlineChoice choice;
  std::string text;
};
DueChoice choose_for(const DeadlineTask& task, const Due& due, const DueRun& run, bool spot_available,
                     Instant now);

}  // namespace stoker::fleet
