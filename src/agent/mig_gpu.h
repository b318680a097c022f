#pragma once
// What the driver says about MIG on one GPU, and the few things that change it. No policy: who may use or
// destroy what is decided in mig_devices.h. A GPU instance is a run of memory slices with compute slices; its
// compute instance is what jobs see, under a UUID of its own.
#include <optional>
#include <string>
#include <vector>

#include "agent/nvml_library.h"
#include "base/result.h"

namespace stoker::agent {

struct MigModes {
  bool on = false;
  bool pending = false;  // as it will be after the next reset of the GPU
};
// Nothing: a GPU, or a driver, without MIG.
std::optional<MigModes> read_mig_mode(const nvml::Library& library, nvml::Device gpu);

// A compute instance.
struct MigPart {
  std::string uuid;     // "MIG-..."
  std::string profile;  // "2g.20gb"; "1c.2g.20gb" for a part of its GPU instance
  int index = 0;        // the driver's place for it in its list
  int gpu_instance = -1;
  int compute_instance = -1;
};
// All of the GPU; needs no privileges.
std::vector<MigPart> list_mig_parts(const nvml::Library& library, nvml::Device gpu);

struct MigInstance {
  int id = -1;          // among those of the GPU that exist now
  std::string profile;  // "2g.20gb"
  int start = 0;        // memory slices
  int size = 0;
  std::vector<MigPart> parts = {};

  // Has one compute instance, and that takes all of it: as make_mig_instance leaves it.
  [[nodiscard]] bool whole() const { return parts.size() == 1 && parts[0].profile == profile; }
};
struct MigGpu {
  nvml::Device handle = nullptr;
  MigModes mode;
  std::vector<MigInstance> instances = {};  // by start
};

// NotFound: no such GPU. NotSupported: no MIG, or a driver that cannot be asked. Unauthorized: privileges are
// missing. Otherwise Unavailable with the driver's words.
Result<MigGpu> read_mig_gpu(const nvml::Library& library, const std::string& uuid);
Result<nvml::Device> read_mig_handle(const nvml::Library& library, const std::string& uuid);

// The memory slices of a profile that begins there. InvalidArgument: the driver has no such profile, or no
// place for it there; the text names what it has.
Result<int> mig_profile_size(const nvml::Library& library, nvml::Device gpu, const std::string& profile,
                             int start);

// One GPU instance at that memory slice with one compute instance that takes all of it; what was made is
// taken back when the second step fails. LimitExceeded: the driver finds no room there. Otherwise as above.
Result<MigInstance> make_mig_instance(const nvml::Library& library, nvml::Device gpu,
                                      const std::string& profile, int start);
// Compute instances first. Conflict: something still uses it.
Result<void> destroy_mig_instance(const nvml::Library& library, nvml::Device gpu, int id);

// Conflict: it is in use, or comes into force only when the GPU is reset, which is not done here.
Result<void> switch_mig_on(const nvml::Library& library, nvml::Device gpu);

}  // namespace stoker::agent
