#pragma once
// Made-up arrivals: so many jobs a day, more by day than by night, in bursts.
#include <vector>

#include "core/resources/requirements.h"
#include "sim/run/draw.h"
#include "sim/run/job.h"

namespace stoker::sim {

struct SizeWeight {
  core::GpuAmount gpus = {.gpus = 1};  // of each node
  std::int64_t weight = 1;
  std::int64_t nodes = 1;
};
struct Generator {
  double jobs_per_day = 24;  // on a weekday
  // Arrivals fall between these hours on weekdays; on Saturday and Sunday `weekend_milli` thousandths as
  // many.
  int from_hour = 0;
  int to_hour = 24;
  std::int64_t weekend_milli = 1000;
  std::int64_t burst = 1;  // so many arrive together; the bursts are as much rarer
  Draw burst_gap;          // between jobs of a burst
  std::vector<SizeWeight> sizes = {{}};
  Draw run = always(hours(1));
  std::vector<std::string> tenants = {"team"};  // by chance, equally often
  std::vector<Duration> time_limits;            // ascending: each job has the first that it keeps
  SimJob form;                                  // everything else
};

// The first of the limits that the job keeps, with its image; nothing where none is long enough.
Duration time_limit_of(const SimJob& job, const std::vector<Duration>& limits);

// Ordered by submission; the start is a Monday, midnight. A fixed seed gives fixed jobs.
std::vector<SimJob> generate(const Generator& generator, Duration length, Rng& rng);

}  // namespace stoker::sim
