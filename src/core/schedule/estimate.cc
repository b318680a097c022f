#include "core/schedule/estimate.h"

#include <algorithm>
#include <limits>

namespace stoker::core {
namespace {

constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};

Instant end_of(const World& world, const Job& run) {
  const Job& job = run.is_node() ? world.state.jobs.parent_of(run) : run;  // which has the time limit
  if (!job.spec->timeout) return kNever;
  const Instant from =
      job.status == JobStatus::Running ? job.started_at : job.extra->attempts.back().placed_at + kStartMargin;
  return from + *job.spec->timeout + world.settings.stop_grace;
}

Resources usable(const Node& node) {
  Resources all = node.total;
  all.gpus = std::ranges::count_if(
      node.gpus, [](const NodeGpu& gpu) { return gpu.usable() && gpu.mig == MigMode::Off; });
  return all;
}

bool covers(const Resources& room, const Resources& needs) {
  return room.cpus_milli >= needs.cpus_milli && room.memory_mib >= needs.memory_mib &&
         (needs.gpus == 0 || room.gpus >= needs.gpus);
}

}  // namespace

Resources in_whole_gpus(const Resources& resources) {
  Resources whole = resources;
  whole.gpus += (resources.gpu_milli + Resources::kGpuMilli - 1) / Resources::kGpuMilli;
  whole.gpu_milli = 0;
  return whole;
}

Runs runs_of(const World& world, const Node& node) {
  Runs runs;
  for (const JobNo no : node.runs) runs.emplace_back(no, world.state.jobs.find(no)->attempts_used);
  return runs;
}

Estimate estimate_start(const World& world, const Node& node, const Shape& shape, const Runs& in_the_way,
                        Instant now) {
  const Resources needs = in_whole_gpus(shape.resources);
  Resources room = usable(node);
  std::vector<std::pair<Instant, Resources>> first;
  for (const JobNo no : node.runs) {
    const Job& job = *world.state.jobs.find(no);
    const Resources held = in_whole_gpus(job.spec->container.resources);
    room -= held;
    if (std::ranges::binary_search(in_the_way, std::pair<JobNo, int>(no, job.attempts_used)))
      first.emplace_back(end_of(world, job), held);
  }
  Estimate out;
  out.gpu_milli_missing = std::max<std::int64_t>(0, needs.gpus - room.gpus) * Resources::kGpuMilli;
  out.cpus_milli_missing = std::max<std::int64_t>(0, needs.cpus_milli - room.cpus_milli);
  std::ranges::stable_sort(first, {}, &std::pair<Instant, Resources>::first);
  auto next = first.begin();
  while (!covers(room, needs) && next != first.end()) room += next++->second;
  if (next == first.begin() || std::prev(next)->first != kNever) {
    out.start = next == first.begin() ? now : std::prev(next)->first;
    for (; next != first.end() && next->first <= *out.start; ++next) room += next->second;
  } else {  // whatever was there before has to end
    for (; next != first.end(); ++next) room += next->second;
  }
  out.spare = room - needs;
  return out;
}

}  // namespace stoker::core
