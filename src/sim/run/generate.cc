#include "sim/run/generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stoker::sim {
namespace {

const SizeWeight& pick_size(const std::vector<SizeWeight>& sizes, Rng& rng) {
  std::int64_t sum = 0;
  for (const SizeWeight& size : sizes) sum += size.weight;
  auto left = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(sum)));
  for (const SizeWeight& size : sizes) {
    if (left < size.weight) return size;
    left -= size.weight;
  }
  return sizes.back();
}

// How many bursts begin on a day whose mean is `mean`: Poisson, by waiting times.
int count_bursts(double mean, Rng& rng) {
  int count = 0;
  for (double at = -std::log(draw_unit(rng)); at < mean; at -= std::log(draw_unit(rng))) ++count;
  return count;
}

}  // namespace

Duration time_limit_of(const SimJob& job, const std::vector<Duration>& limits) {
  // People leave some room: a limit is chosen when the job needs nine tenths of it at most.
  const auto fits =
      std::ranges::find_if(limits, [&](Duration limit) { return job.run.ms <= limit.ms / 10 * 9; });
  return fits == limits.end() ? Duration{} : *fits;
}

std::vector<SimJob> generate(const Generator& generator, Duration length, Rng& rng) {
  std::vector<SimJob> jobs;
  const Duration open = hours(generator.to_hour - generator.from_hour);
  for (std::int64_t day = 0; days(day) < length; ++day) {
    const bool weekend = day % 7 >= 5;
    double mean = generator.jobs_per_day / static_cast<double>(generator.burst);
    if (weekend) mean = mean * static_cast<double>(generator.weekend_milli) / 1000;
    for (int burst = count_bursts(mean, rng); burst > 0; --burst) {
      Duration at = days(day) + hours(generator.from_hour) +
                    Duration{static_cast<std::int64_t>(draw_unit(rng) * static_cast<double>(open.ms))};
      const std::string& tenant = generator.tenants[rng.below(generator.tenants.size())];
      for (std::int64_t i = 0; i < generator.burst; ++i) {
        SimJob job = generator.form;
        job.submit = at;
        job.run = std::max(seconds(1), draw(generator.run, rng));
        const SizeWeight& size = pick_size(generator.sizes, rng);
        job.gpus = size.gpus.gpus;
        job.gpu_milli = size.gpus.gpu_milli;
        job.mig = size.gpus.mig;
        job.mig_devices = size.gpus.mig_devices;
        job.nodes = size.nodes;
        job.time_limit = time_limit_of(job, generator.time_limits);
        job.tenant = tenant;
        if (at < length) jobs.push_back(std::move(job));
        at = at + draw(generator.burst_gap, rng);
      }
    }
  }
  std::ranges::stable_sort(jobs, {}, &SimJob::submit);
  return jobs;
}

}  // namespace stoker::sim
