#include "core/schedule/estimate.h"

#include <algorithm>
#include <limits>

#include "core/schedule/fit.h"

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

// A node as it becomes when one run after the other has ended.
class Emptying {
 public:
  Emptying(const Node& node, const Shape& shape)
      : node_(node), ask_(ask_of(shape)), kind_(kind_of(node)), room_(room_of_all(node, kind_)) {
    match_ = match_of(kind_, shape, room_);
    wanted_ = gpus_that_serve(kind_, shape, match_);
  }
  void end(const Job& run) {
    const Resources& held = run.spec->container.resources;
    room_.cpus_milli += held.cpus_milli;
    room_.memory_mib += held.memory_mib;
    if (held.all_gpu_milli() == 0) return;
    for (std::size_t i = 0; i < node_.gpus.size(); ++i) {
      const NodeGpu& gpu = node_.gpus[i];
      if (!gpu.usable() || gpu.mig != MigMode::Off) continue;
      std::int64_t more = 0;
      if (gpu.holder == run.no) more = Resources::kGpuMilli;
      if (std::ranges::binary_search(gpu.sharers, run.no)) more = held.gpu_milli;
      room_.gpus[i] = static_cast<std::int16_t>(room_.gpus[i] + more);
      room_.gpu_milli += more;
    }
    for (MigSlot& slot : room_.mig)
      if (node_.gpus[slot.gpu].devices[slot.device].holder == run.no) slot.busy = false;
    for (std::uint16_t i = 0; i < node_.gpus.size(); ++i)
      if (node_.gpus[i].usable() && node_.gpus[i].mig == MigMode::Dynamic &&
          !std::ranges::binary_search(room_.mig_idle, i) && is_idle(i))
        room_.mig_idle.insert(std::ranges::lower_bound(room_.mig_idle, i), i);
  }
  // Whether a run of the shape, which the empty node could hold, fits now.
  [[nodiscard]] bool fits() const {
    return (lack_of(kind_, room_, ask_, match_) & (kLackCpu | kLackMemory | kLackGpu)) == 0;
  }
  // Of GPUs those that would serve the shape and that nobody uses.
  [[nodiscard]] Resources free() const {
    Resources free{.cpus_milli = room_.cpus_milli, .memory_mib = room_.memory_mib};
    for (std::size_t i = 0; i < node_.gpus.size(); ++i)
      if (wanted_[i] && node_.gpus[i].usable() && is_idle(i)) ++free.gpus;
    return free;
  }

 private:
  // What is kept there for somebody's claim counts as free.
  static Room room_of_all(const Node& node, const NodeKind& kind) {
    if (!node.hold.job) return room_of(node, kind);
    Node free = node;
    free.hold = {};
    return room_of(free, kind);
  }
  [[nodiscard]] bool is_idle(std::size_t gpu) const {
    if (node_.gpus[gpu].mig == MigMode::Off) return room_.gpus[gpu] == Resources::kGpuMilli;
    return std::ranges::none_of(room_.mig, [&](const MigSlot& slot) { return slot.gpu == gpu && slot.busy; });
  }

  const Node& node_;
  Ask ask_;
  NodeKind kind_;
  Room room_;
  Match match_;
  std::vector<bool> wanted_;  // GPUs
};

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
  std::vector<std::pair<Instant, const Job*>> first;
  for (const JobNo no : node.runs) {
    const Job& job = *world.state.jobs.find(no);
    if (std::ranges::binary_search(in_the_way, std::pair<JobNo, int>(no, job.attempts_used)))
      first.emplace_back(end_of(world, job), &job);
  }
  std::ranges::stable_sort(first, {}, &std::pair<Instant, const Job*>::first);
  const Resources needs = in_whole_gpus(shape.resources);
  Emptying later(node, shape);
  Estimate out;
  const Resources free = later.free();
  out.gpu_milli_missing = std::max<std::int64_t>(0, needs.gpus - free.gpus) * Resources::kGpuMilli;
  out.cpus_milli_missing = std::max<std::int64_t>(0, needs.cpus_milli - free.cpus_milli);
  auto next = first.begin();
  while (next != first.end() && !later.fits()) later.end(*next++->second);
  if (next == first.begin() || std::prev(next)->first != kNever) {
    out.start = next == first.begin() ? now : std::prev(next)->first;
    for (; next != first.end() && next->first <= *out.start; ++next) later.end(*next->second);
  } else {  // whatever was there before has to end
    for (; next != first.end(); ++next) later.end(*next->second);
  }
  out.spare = later.free() - needs;
  return out;
}

}  // namespace stoker::core
