#include "agent/mig_gpu.h"

#include <algorithm>
#include <array>

namespace stoker::agent {
namespace {

constexpr unsigned kProfilesMax = 32;   // numbers of profiles that are asked about; drivers know 17
constexpr unsigned kInstancesMax = 64;  // of one GPU; today's have at most seven
constexpr std::string_view kPrefix = "MIG ";

Code code_of(int nvml_code) {
  switch (nvml_code) {
    case nvml::kNotSupported:
    case nvml::kFunctionNotFound:
      return Code::NotSupported;
    case nvml::kNoPermission:
      return Code::Unauthorized;
    case nvml::kNotFound:
      return Code::NotFound;
    case nvml::kInUse:
      return Code::Conflict;
    case nvml::kInsufficientResources:
      return Code::LimitExceeded;
    default:
      return Code::Unavailable;
  }
}

Result<void> check(const nvml::Library& library, int code, const std::string& doing) {
  if (code == nvml::kSuccess) return {};
  return fail(code_of(code), doing + ": " + library.words(code));
}

struct Profile {
  unsigned id = 0;
  unsigned slices = 0;
  unsigned instances_max = 0;
  std::string name;
};

Result<std::vector<Profile>> list_profiles(const nvml::Library& library, nvml::Device gpu) {
  std::vector<Profile> profiles;
  for (unsigned number = 0; number < kProfilesMax; ++number) {
    nvml::GpuInstanceProfile info{};
    info.version = nvml::kGpuInstanceProfileVersion;
    const int code = library.ask("nvmlDeviceGetGpuInstanceProfileInfoV", gpu, number, &info);
    if (code == nvml::kFunctionNotFound || code == nvml::kNoPermission)
      TRY(check(library, code, "asking for MIG profiles"));
    if (code != nvml::kSuccess) continue;  // not one of this GPU, or a number that this driver does not know
    info.name[nvml::kTextBytes - 1] = 0;
    std::string name = info.name;
    if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
    profiles.push_back({info.id, info.slice_count, std::min(info.instance_count, kInstancesMax), name});
  }
  return profiles;
}

Result<MigInstance> describe(const nvml::Library& library, nvml::GpuInstance instance,
                             const Profile& profile) {
  nvml::GpuInstanceInfo info{};
  TRY(check(library, library.ask("nvmlGpuInstanceGetInfo", instance, &info), "asking for a GPU instance"));
  return MigInstance{static_cast<int>(info.id), profile.name, static_cast<int>(info.placement.start),
                     static_cast<int>(info.placement.size)};
}

// Calls `act` with the profile of each kind of compute instance that the GPU instance can have.
template <class Act>
Result<void> for_compute_profiles(const nvml::Library& library, nvml::GpuInstance instance, Act act) {
  for (unsigned number = 0; number < kProfilesMax; ++number) {
    nvml::ComputeInstanceProfile info{};
    constexpr unsigned kSharedEngines = 0;
    const int code =
        library.ask("nvmlGpuInstanceGetComputeInstanceProfileInfo", instance, number, kSharedEngines, &info);
    if (code == nvml::kSuccess) TRY(act(info));
  }
  return {};
}

Result<void> make_compute_instance(const nvml::Library& library, nvml::GpuInstance instance,
                                   unsigned slices) {
  bool made = false;
  TRY(for_compute_profiles(library, instance, [&](const nvml::ComputeInstanceProfile& profile) {
    if (made || profile.slice_count != slices) return Result<void>{};
    made = true;
    nvml::ComputeInstance compute = nullptr;
    return check(library, library.ask("nvmlGpuInstanceCreateComputeInstance", instance, profile.id, &compute),
                 "making a compute instance");
  }));
  if (!made) return fail(Code::Unavailable, "the driver has no compute instance of that size");
  return {};
}

Result<void> destroy_compute_instances(const nvml::Library& library, nvml::GpuInstance instance,
                                       const nvml::ComputeInstanceProfile& profile) {
  std::array<nvml::ComputeInstance, kInstancesMax> found{};
  unsigned count = 0;
  const int code =
      library.ask("nvmlGpuInstanceGetComputeInstances", instance, profile.id, found.data(), &count);
  if (code != nvml::kSuccess) return {};
  for (unsigned i = 0; i < std::min(count, kInstancesMax); ++i)
    TRY(check(library, library.ask("nvmlComputeInstanceDestroy", found[i]), "destroying a compute instance"));
  return {};
}

Result<void> destroy(const nvml::Library& library, nvml::GpuInstance instance) {
  TRY(for_compute_profiles(library, instance, [&](const nvml::ComputeInstanceProfile& profile) {
    return destroy_compute_instances(library, instance, profile);
  }));
  return check(library, library.ask("nvmlGpuInstanceDestroy", instance), "destroying a GPU instance");
}

std::string names_of(const std::vector<Profile>& profiles) {
  std::string names;
  for (const Profile& profile : profiles) names += (names.empty() ? "" : ", ") + profile.name;
  return names.empty() ? "none" : names;
}

struct Place {
  Profile profile;
  nvml::Placement placement{};
};
Result<Place> find_place(const nvml::Library& library, nvml::Device gpu, const std::string& name, int start) {
  const auto profiles = TRY(list_profiles(library, gpu));
  const auto profile = std::ranges::find(profiles, name, &Profile::name);
  if (profile == profiles.end())
    return fail(Code::InvalidArgument,
                "the driver has no MIG profile " + name + ", but " + names_of(profiles));
  std::array<nvml::Placement, kInstancesMax> placements{};
  unsigned count = 0;
  TRY(check(library,
            library.ask("nvmlDeviceGetGpuInstancePossiblePlacements_v2", gpu, profile->id, placements.data(),
                        &count),
            "asking where " + name + " may be"));
  for (unsigned i = 0; i < std::min(count, kInstancesMax); ++i)
    if (placements[i].start == static_cast<unsigned>(start)) return Place{*profile, placements[i]};
  return fail(Code::InvalidArgument,
              "the driver has no place for " + name + " at memory slice " + std::to_string(start));
}

}  // namespace

std::optional<MigModes> read_mig_mode(const nvml::Library& library, nvml::Device gpu) {
  unsigned current = 0;
  unsigned pending = 0;
  if (library.ask("nvmlDeviceGetMigMode", gpu, &current, &pending) != nvml::kSuccess) return {};
  return MigModes{current != 0, pending != 0};
}

std::vector<MigPart> list_mig_parts(const nvml::Library& library, nvml::Device gpu) {
  std::vector<MigPart> parts;
  unsigned count = 0;
  if (library.ask("nvmlDeviceGetMaxMigDeviceCount", gpu, &count) != nvml::kSuccess) return parts;
  for (unsigned i = 0; i < std::min(count, kInstancesMax); ++i) {
    nvml::Device part = nullptr;
    if (library.ask("nvmlDeviceGetMigDeviceHandleByIndex", gpu, i, &part) != nvml::kSuccess) continue;
    const std::string name = library.text("nvmlDeviceGetName", part);  // "NVIDIA A100 MIG 1g.10gb"
    const std::string uuid = library.text("nvmlDeviceGetUUID", part);
    const auto word = name.rfind(' ');
    if (uuid.empty() || word == std::string::npos) continue;
    MigPart& read = parts.emplace_back(MigPart{uuid, name.substr(word + 1), static_cast<int>(i)});
    unsigned id = 0;
    if (library.ask("nvmlDeviceGetGpuInstanceId", part, &id) == nvml::kSuccess)
      read.gpu_instance = static_cast<int>(id);
    if (library.ask("nvmlDeviceGetComputeInstanceId", part, &id) == nvml::kSuccess)
      read.compute_instance = static_cast<int>(id);
  }
  return parts;
}

Result<nvml::Device> read_mig_handle(const nvml::Library& library, const std::string& uuid) {
  nvml::Device gpu = nullptr;
  TRY(check(library, library.ask("nvmlDeviceGetHandleByUUID", uuid.c_str(), &gpu), "GPU " + uuid));
  return gpu;
}

Result<MigGpu> read_mig_gpu(const nvml::Library& library, const std::string& uuid) {
  MigGpu gpu;
  gpu.handle = TRY(read_mig_handle(library, uuid));
  const auto mode = read_mig_mode(library, gpu.handle);
  if (!mode) return fail(Code::NotSupported, "GPU " + uuid + " has no MIG");
  gpu.mode = *mode;
  if (!mode->on) return gpu;
  for (const Profile& profile : TRY(list_profiles(library, gpu.handle))) {
    std::array<nvml::GpuInstance, kInstancesMax> found{};
    unsigned count = 0;
    TRY(check(library, library.ask("nvmlDeviceGetGpuInstances", gpu.handle, profile.id, found.data(), &count),
              "listing the GPU instances of " + uuid));
    for (unsigned i = 0; i < std::min(count, kInstancesMax); ++i)
      gpu.instances.push_back(TRY(describe(library, found[i], profile)));
  }
  std::ranges::sort(gpu.instances, {}, &MigInstance::start);
  for (MigPart& part : list_mig_parts(library, gpu.handle)) {
    const auto of = std::ranges::find(gpu.instances, part.gpu_instance, &MigInstance::id);
    if (of != gpu.instances.end()) of->parts.push_back(std::move(part));
  }
  return gpu;
}

Result<int> mig_profile_size(const nvml::Library& library, nvml::Device gpu, const std::string& profile,
                             int start) {
  return static_cast<int>(TRY(find_place(library, gpu, profile, start)).placement.size);
}

Result<MigInstance> make_mig_instance(const nvml::Library& library, nvml::Device gpu, const std::string& name,
                                      int start) {
  const Place place = TRY(find_place(library, gpu, name, start));
  const std::string doing = "making " + name + " at memory slice " + std::to_string(start);
  nvml::GpuInstance instance = nullptr;
  TRY(check(library,
            library.ask("nvmlDeviceCreateGpuInstanceWithPlacement", gpu, place.profile.id, &place.placement,
                        &instance),
            doing));
  auto made = describe(library, instance, place.profile);
  if (auto computes = make_compute_instance(library, instance, place.profile.slices); !computes || !made) {
    (void)destroy(library, instance);
    return std::unexpected(std::move(computes ? made.error() : computes.error()).within(doing));
  }
  for (MigPart& part : list_mig_parts(library, gpu))
    if (part.gpu_instance == made->id) made->parts.push_back(std::move(part));
  if (!made->whole()) {
    (void)destroy(library, instance);
    return fail(Code::Unavailable, doing + ": the driver does not list what was made");
  }
  return made;
}

Result<void> destroy_mig_instance(const nvml::Library& library, nvml::Device gpu, int id) {
  nvml::GpuInstance instance = nullptr;
  TRY(check(library, library.ask("nvmlDeviceGetGpuInstanceById", gpu, static_cast<unsigned>(id), &instance),
            "asking for a GPU instance"));
  return destroy(library, instance);
}

Result<void> switch_mig_on(const nvml::Library& library, nvml::Device gpu) {
  constexpr unsigned kOn = 1;
  int activation = nvml::kSuccess;
  TRY(check(library, library.ask("nvmlDeviceSetMigMode", gpu, kOn, &activation), "switching MIG on"));
  if (activation == nvml::kResetRequired)
    return fail(Code::Conflict, "MIG is switched on and comes into force when the GPU is reset");
  TRY(check(library, activation, "switching MIG on"));
  const auto mode = read_mig_mode(library, gpu);
  if (!mode || !mode->on)
    return fail(Code::Conflict, "MIG is switched on and comes into force when the GPU is reset");
  return {};
}

}  // namespace stoker::agent
