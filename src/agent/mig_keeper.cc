#include "agent/mig_keeper.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "log/log.h"

namespace stoker::agent {
namespace {

constexpr int kSlicesMax = 64;

bool overlap(const MigInstance& instance, int start, int size) {
  return instance.start < start + size && start < instance.start + instance.size;
}

// The only compute instance of a GPU instance that the agent made.
void give(GpuDevice& device, const MigPart& part) {
  device.mig_device = part.uuid;
  device.gpu_instance = part.gpu_instance;
  device.compute_instance = part.compute_instance;
}

}  // namespace

std::optional<PlannedMig> parse_planned_mig(const std::string& name) {
  const auto slash = name.rfind('/');
  const auto at = name.rfind('@');
  if (slash == std::string::npos || at == std::string::npos || at < slash) return {};
  const auto start = parse_int(std::string_view(name).substr(at + 1));
  if (!start || *start < 0 || *start >= kSlicesMax) return {};
  return PlannedMig{name.substr(0, slash), name.substr(slash + 1, at - slash - 1), static_cast<int>(*start)};
}

std::string planned_mig_name(const std::string& gpu, const std::string& profile, int start) {
  return gpu + '/' + profile + '@' + std::to_string(start);
}

MigKeeper::MigKeeper(std::unique_ptr<nvml::Library> library, Setting setting)
    : library_(std::move(library)),
      setting_(std::move(setting)),
      record_(setting_.record_file, setting_.boot) {}

// ---- what there is ----

Result<MigGpu> MigKeeper::read(const std::string& uuid) {
  MigGpu gpu = TRY(read_mig_gpu(*library_, uuid));
  TRY(record_.settle(uuid, gpu.instances));
  return gpu;
}

std::vector<std::string> MigKeeper::switch_on(const std::vector<GpuDevice>& gpus) {
  std::vector<std::string> warnings;
  for (const GpuDevice& device : gpus) {
    if (!setting_.switch_on || device.minor < 0) continue;
    const auto gpu = read(device.gpu.uuid);
    if (!gpu || gpu->mode.on) continue;
    const auto switched = setting_.may_change ? switch_mig_on(*library_, gpu->handle)
                                              : fail(Code::Unauthorized, "switching MIG on needs root");
    if (!switched)
      warnings.push_back("GPU " + device.gpu.uuid + " serves whole GPUs: " + switched.error().message);
  }
  return warnings;
}

std::vector<std::string> MigKeeper::survey(std::vector<GpuDevice>& gpus) {
  std::vector<std::string> warnings;
  for (GpuDevice& device : gpus)
    if (device.minor >= 0) present(device, warnings);
  return warnings;
}

void MigKeeper::present(GpuDevice& device, std::vector<std::string>& warnings) {
  const std::string& uuid = device.gpu.uuid;
  const auto gpu = read(uuid);
  if (gpu && !gpu->mode.on) {
    device.gpu.mig = wire::MigMode::Off;
    device.gpu.mig_devices.clear();
    return;
  }
  const std::string none = "no MIG devices are made on " + uuid + ": ";
  if (!gpu) {
    // What was found without privileges stays: devices that exist can be used.
    if (device.gpu.mig == wire::MigMode::Off) return;
    device.gpu.mig = wire::MigMode::Fixed;
    warnings.push_back(none + (setting_.may_change ? gpu.error().message : "that needs root"));
    return;
  }
  const auto owns = [&](const MigInstance& it) { return record_.owns(uuid, it); };
  const bool others = !std::ranges::all_of(gpu->instances, owns);
  if (others) warnings.push_back(none + "it has some that this agent did not make");
  if (!setting_.may_change) warnings.push_back(none + "that needs root");
  device.gpu.mig = others || !setting_.may_change ? wire::MigMode::Fixed : wire::MigMode::Dynamic;
  device.gpu.mig_devices.clear();
  for (const MigInstance& instance : gpu->instances) {
    const bool own = owns(instance);
    if (own && !instance.whole()) continue;  // half made; made anew when it is wanted
    for (const MigPart& part : instance.parts)
      device.gpu.mig_devices.push_back(
          {own ? planned_mig_name(uuid, instance.profile, instance.start) : part.uuid, part.profile,
           instance.start});
  }
}

// ---- who has what ----

bool MigKeeper::is_held(const std::string& gpu, const MigInstance& instance) const {
  if (holders_.contains(planned_mig_name(gpu, instance.profile, instance.start))) return true;
  return std::ranges::any_of(instance.parts,
                             [&](const MigPart& part) { return holders_.contains(part.uuid); });
}

void MigKeeper::hold(const wire::Token& token, const std::vector<GpuDevice>& devices) {
  for (const GpuDevice& device : devices)
    if (!device.mig_device.empty()) holders_[device.mig_device] = token;
}

void MigKeeper::release(const wire::Token& token) {
  std::erase_if(holders_, [&](const auto& held) { return held.second == token; });
}

Result<std::vector<GpuDevice>> MigKeeper::prepare(const wire::Token& token, std::vector<GpuDevice> devices) {
  for (GpuDevice& device : devices) {
    if (device.mig_device.empty()) continue;
    const std::string name = device.mig_device;
    const auto holder = holders_.find(name);
    auto done = holder == holders_.end() || holder->second == token
                    ? prepare_one(device)
                    : fail(Code::Conflict, "MIG device " + name + " is still used by another run");
    if (!done) {
      release(token);
      return std::unexpected(std::move(done).error());
    }
    holders_[name] = token;
  }
  return devices;
}

Result<void> MigKeeper::prepare_one(GpuDevice& device) {
  const auto planned = parse_planned_mig(device.mig_device);
  return planned && planned->gpu == device.gpu.uuid ? use_planned(device, *planned) : use_existing(device);
}

Result<void> MigKeeper::use_existing(GpuDevice& device) {
  for (const MigPart& part : list_mig_parts(*library_, TRY(read_mig_handle(*library_, device.gpu.uuid)))) {
    if (part.uuid != device.mig_device) continue;
    give(device, part);
    return {};
  }
  return fail(Code::NotFound, "MIG device " + device.mig_device + " is not there any more");
}

Result<void> MigKeeper::use_planned(GpuDevice& device, const PlannedMig& planned) {
  MigGpu gpu = TRY(read(planned.gpu));
  if (!gpu.mode.on) {
    const std::string off = "MIG is switched off on GPU " + planned.gpu;
    if (!setting_.switch_on) return fail(Code::Conflict, off);
    if (auto switched = switch_mig_on(*library_, gpu.handle); !switched)
      return std::unexpected(std::move(switched).error().within(off));
  }
  for (const MigInstance& instance : gpu.instances) {
    if (instance.profile != planned.profile || instance.start != planned.start || !instance.whole() ||
        !record_.owns(planned.gpu, instance))
      continue;
    give(device, instance.parts[0]);
    return {};
  }
  const MigInstance made = TRY(make(gpu, planned));
  log::info("mig_device_made", {{"device", device.mig_device}, {"uuid", made.parts[0].uuid}});
  give(device, made.parts[0]);
  return {};
}

// ---- making ----

Result<MigInstance> MigKeeper::make(MigGpu& gpu, const PlannedMig& planned) {
  const int size = TRY(mig_profile_size(*library_, gpu.handle, planned.profile, planned.start));
  TRY(make_way(gpu, planned, size));
  TRY(record_.will_make(planned.gpu, planned.profile, planned.start));
  auto made = make_mig_instance(*library_, gpu.handle, planned.profile, planned.start);
  if (!made && made.error().code == Code::LimitExceeded && TRY(clear_unused(gpu, planned.gpu)))
    made = make_mig_instance(*library_, gpu.handle, planned.profile, planned.start);
  if (!made) {
    TRY(record_.gone(planned.gpu, planned.start));
    if (made.error().code == Code::Unauthorized) setting_.may_change = false;
    return std::unexpected(std::move(made).error().within("GPU " + planned.gpu));
  }
  TRY(record_.made(planned.gpu, *made));
  return made;
}

// What lies where the new one is to be.
Result<void> MigKeeper::make_way(MigGpu& gpu, const PlannedMig& planned, int size) {
  const std::vector<MigInstance> there = gpu.instances;
  for (const MigInstance& instance : there) {
    if (!overlap(instance, planned.start, size)) continue;
    const std::string what = instance.profile + " at memory slice " + std::to_string(instance.start);
    if (!record_.owns(planned.gpu, instance))
      return fail(Code::Conflict,
                  "GPU " + planned.gpu + " has a MIG device that this agent did not make: " + what);
    if (is_held(planned.gpu, instance))
      return fail(Code::Conflict, "GPU " + planned.gpu + ": a run still has " + what);
    TRY(destroy(gpu, planned.gpu, instance));
  }
  return {};
}

// Layouts that are over may take compute slices without lying in the way. Whether there was anything to
// clear.
Result<bool> MigKeeper::clear_unused(MigGpu& gpu, const std::string& uuid) {
  bool cleared = false;
  const std::vector<MigInstance> there = gpu.instances;
  for (const MigInstance& instance : there) {
    if (!record_.owns(uuid, instance) || is_held(uuid, instance)) continue;
    TRY(destroy(gpu, uuid, instance));
    cleared = true;
  }
  return cleared;
}

Result<void> MigKeeper::destroy(MigGpu& gpu, const std::string& uuid, const MigInstance& instance) {
  const std::string name = planned_mig_name(uuid, instance.profile, instance.start);
  auto gone = destroy_mig_instance(*library_, gpu.handle, instance.id);
  if (!gone) return std::unexpected(std::move(gone).error().within("MIG device " + name + " is in the way"));
  log::info("mig_device_destroyed", {{"device", name}});
  std::erase_if(gpu.instances, [&](const MigInstance& it) { return it.id == instance.id; });
  return record_.gone(uuid, instance.start);
}

}  // namespace stoker::agent
