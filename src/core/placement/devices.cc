#include "core/placement/devices.h"

#include <algorithm>

#include "core/placement/mig.h"

namespace stoker::core {
namespace {

constexpr std::size_t kSetsMax = 1000;  // of GPUs that are compared; beyond that the lowest are taken

std::int64_t nearness(const GpuSeat& a, const GpuSeat& b) {
  if (a.nvlink_group >= 0 && a.nvlink_group == b.nvlink_group) return 100;
  if (a.numa_node >= 0 && a.numa_node == b.numa_node) return 20;
  return 0;
}

std::int64_t nearness(const std::vector<GpuSeat>& seats, const std::vector<std::size_t>& set) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < set.size(); ++i)
    for (std::size_t j = i + 1; j < set.size(); ++j) sum += nearness(seats[set[i]], seats[set[j]]);
  return sum;
}

bool nothing_known(const std::vector<GpuSeat>& seats) {
  return std::ranges::all_of(seats,
                             [](const GpuSeat& seat) { return seat.nvlink_group < 0 && seat.numa_node < 0; });
}

std::size_t sets_of(std::size_t of, std::size_t count) {
  std::size_t sets = 1;
  for (std::size_t i = 1; i <= count && sets <= kSetsMax; ++i) sets = sets * (of - count + i) / i;
  return sets;
}

std::vector<std::size_t> usable_gpus(const Candidate& candidate) {
  std::vector<std::size_t> usable;
  for (std::size_t i = 0; i < candidate.room.gpus.size(); ++i)
    if (candidate.room.gpus[i] >= candidate.ask.gpu_milli &&
        candidate.match.allows(candidate.kind.gpus[i].type))
      usable.push_back(i);
  return usable;
}

std::vector<std::string> choose_mig(const Node& node, const Candidate& candidate) {
  std::vector<std::string> names;
  const MigPlan plan = plan_mig(candidate.kind, candidate.room, candidate.ask, candidate.match);
  for (const std::size_t at : plan.slots) {
    const MigSlot& slot = candidate.room.mig[at];
    names.push_back(node.gpus[slot.gpu].devices[slot.device].name);
  }
  const std::string& profile = candidate.kind.mig_profiles[candidate.match.mig_profile];
  for (const std::uint16_t index : plan.repartition) {
    const NodeGpu& gpu = node.gpus[index];
    const MigTable* table = mig_table(gpu.model, gpu.memory_mib);
    for (const MigPlace& place : layout_for(*table, *table->find(profile)))
      if (place.profile->name == profile &&
          static_cast<std::int64_t>(names.size()) < candidate.ask.mig_devices)
        names.push_back(mig_name(gpu.uuid, profile, place.start));
  }
  return names;
}

MigDevice* find_device(NodeGpu& gpu, const std::string& name) {
  const auto found = std::ranges::find(gpu.devices, name, &MigDevice::name);
  return found == gpu.devices.end() ? nullptr : &*found;
}

// The planned device `name` of this GPU, made where it is missing.
MigDevice* make_device(NodeGpu& gpu, const MigName& planned, const std::string& name) {
  const MigTable* table = mig_table(gpu.model, gpu.memory_mib);
  const MigProfile* profile = table == nullptr ? nullptr : table->find(planned.profile);
  if (profile == nullptr) return nullptr;
  if (gpu.idle()) {
    gpu.devices.clear();
    for (const MigPlace& place : layout_for(*table, *profile))
      gpu.devices.push_back({mig_name(gpu.uuid, place.profile->name, place.start),
                             std::string(place.profile->name),
                             place.start,
                             {}});
    if (MigDevice* made = find_device(gpu, name)) return made;
  }
  // Beside others: after a restart the runs that go on say which devices there are. What is free gives way.
  const int end = planned.start + profile->memory;
  std::erase_if(gpu.devices, [&](const MigDevice& other) {
    const MigProfile* known = table->find(other.profile);
    const int other_end = other.start + (known == nullptr ? 1 : known->memory);
    return !other.holder && other.start < end && planned.start < other_end;
  });
  const auto at = std::ranges::lower_bound(gpu.devices, planned.start, {}, &MigDevice::start);
  return &*gpu.devices.insert(at, {name, planned.profile, planned.start, {}});
}

void hold_mig(Node& node, JobNo job, const std::string& name) {
  const auto planned = parse_mig_name(name);
  for (NodeGpu& gpu : node.gpus) {
    if (gpu.mig == MigMode::Off) continue;
    MigDevice* device = find_device(gpu, name);
    if (device == nullptr && gpu.mig == MigMode::Dynamic && planned && planned->gpu == gpu.uuid)
      device = make_device(gpu, *planned, name);
    if (device == nullptr) continue;
    device->holder = job;
    return;
  }
}

}  // namespace

std::vector<std::size_t> best_set(const std::vector<GpuSeat>& seats, const std::vector<std::size_t>& usable,
                                  std::size_t count) {
  std::vector<std::size_t> lowest(usable.begin(), usable.begin() + static_cast<std::ptrdiff_t>(count));
  if (count == usable.size() || nothing_known(seats) || sets_of(usable.size(), count) > kSetsMax)
    return lowest;
  // All sets in ascending order, so that the lowest of equals stays.
  std::vector<bool> in(usable.size(), false);
  std::fill_n(in.begin(), count, true);
  std::vector<std::size_t> best;
  std::pair<std::int64_t, std::int64_t> best_nearness{-1, -1};
  do {
    std::vector<std::size_t> set;
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < usable.size(); ++i) (in[i] ? set : rest).push_back(usable[i]);
    const std::pair near{nearness(seats, set), nearness(seats, rest)};
    if (near <= best_nearness) continue;
    best_nearness = near;
    best = std::move(set);
  } while (std::prev_permutation(in.begin(), in.end()));
  return best;
}

std::vector<std::string> choose_devices(const Node& node, const Candidate& candidate, const Policy& policy,
                                        Rng& rng) {
  const Ask& ask = candidate.ask;
  if (ask.mig_devices > 0) return choose_mig(node, candidate);
  std::vector<std::string> names;
  if (ask.gpus == 0) return names;
  if (ask.is_share() && !policy.by_chance()) {
    names.push_back(node.gpus[policy.gpu_for_share(candidate)].uuid);
    return names;
  }
  const auto usable = usable_gpus(candidate);
  if (ask.is_share()) {
    names.push_back(node.gpus[usable[rng.below(usable.size())]].uuid);
    return names;
  }
  for (const std::size_t index : best_set(candidate.kind.gpus, usable, static_cast<std::size_t>(ask.gpus)))
    names.push_back(node.gpus[index].uuid);
  return names;
}

void take(Node& node, JobNo job, const Resources& amounts, const std::vector<std::string>& devices) {
  node.used += amounts;
  for (const std::string& name : devices) {
    const auto found = std::ranges::find(node.gpus, name, &NodeGpu::uuid);
    if (found == node.gpus.end()) {
      hold_mig(node, job, name);
    } else if (amounts.gpus > 0) {
      found->holder = job;
    } else {
      found->sharers.insert(std::ranges::lower_bound(found->sharers, job), job);
      found->shared_milli += amounts.gpu_milli;
    }
  }
}

std::int64_t mig_memory_milli(const Node& node, JobNo job) {
  std::int64_t milli = 0;
  for (const NodeGpu& gpu : node.gpus)
    for (const MigDevice& device : gpu.devices)
      if (device.holder == job) milli += mig_memory_milli(gpu.model, gpu.memory_mib, device.profile);
  return milli;
}

void fill_layouts(Node& node) {
  for (NodeGpu& gpu : node.gpus) {
    const MigTable* table = mig_table(gpu.model, gpu.memory_mib);
    if (gpu.mig != MigMode::Dynamic || table == nullptr || gpu.idle()) continue;
    MigLayout there;
    std::vector<const MigProfile*> held;
    for (const MigDevice& device : gpu.devices) {
      const MigProfile* profile = table->find(device.profile);
      if (profile == nullptr) continue;
      there.push_back({profile, device.start});
      if (device.holder) held.push_back(profile);
    }
    const auto fill = [&](const MigProfile& with) {
      while (const auto start = free_start(*table, there, with)) {
        there.push_back({&with, *start});
        gpu.devices.push_back({mig_name(gpu.uuid, with.name, *start), std::string(with.name), *start, {}});
      }
    };
    for (const MigProfile* profile : held) fill(*profile);
    for (const MigProfile& profile : table->profiles) fill(profile);  // largest first
    std::ranges::sort(gpu.devices, {}, &MigDevice::start);
  }
}

void give_back(Node& node, JobNo job, const Resources& amounts) {
  node.used -= amounts;
  for (NodeGpu& gpu : node.gpus) {
    if (gpu.holder == job) gpu.holder = {};
    if (std::erase(gpu.sharers, job) > 0) gpu.shared_milli -= amounts.gpu_milli;
    for (MigDevice& device : gpu.devices)
      if (device.holder == job) device.holder = {};
  }
}

}  // namespace stoker::core
