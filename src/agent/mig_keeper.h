#pragma once
// Which MIG devices there are on the GPUs of this node, which of them are the agent's own, who holds them,
// and how a device that a run is to have comes into being. One thread; calls into the driver block.
//
// Rules: an instance that the agent did not make is never destroyed, and a GPU that has one is used as it is.
// Of its own, those that no run holds give way when they are where another is to be made, or when the driver
// finds no room otherwise. Nothing here resets a GPU.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/driver.h"
#include "agent/mig_gpu.h"
#include "agent/mig_record.h"
#include "agent/nvml_library.h"

namespace stoker::agent {

// "GPU-1/2g.20gb@4" as StartRun names a device that the node makes.
struct PlannedMig {
  std::string gpu;
  std::string profile;
  int start = 0;
};
std::optional<PlannedMig> parse_planned_mig(const std::string& name);
std::string planned_mig_name(const std::string& gpu, const std::string& profile, int start);

class MigKeeper {
 public:
  struct Setting {
    std::string record_file;
    std::string boot;         // this boot of the machine, and no other
    bool may_change = false;  // layouts, as far as is known before trying
    bool switch_on = false;   // MIG on all GPUs that have it
  };
  MigKeeper(std::unique_ptr<nvml::Library> library, Setting setting);

  // Switches MIG on, where that is asked; nothing may run on these GPUs. Returns warnings for the user.
  std::vector<std::string> switch_on(const std::vector<GpuDevice>& gpus);

  // Sets the modes and devices of those that have MIG; returns warnings for the user.
  std::vector<std::string> survey(std::vector<GpuDevice>& gpus);

  // The run gets these, made where they are missing: back come their UUIDs and instances. InvalidArgument:
  // the run asks for what cannot be, here or on a GPU like it; other errors are about this node and this
  // moment. After an error the run holds nothing.
  Result<std::vector<GpuDevice>> prepare(const wire::Token& token, std::vector<GpuDevice> devices);
  // A run of an earlier agent has them.
  void hold(const wire::Token& token, const std::vector<GpuDevice>& devices);
  void release(const wire::Token& token);

 private:
  Result<void> prepare_one(GpuDevice& device);
  Result<void> use_planned(GpuDevice& device, const PlannedMig& planned);
  Result<void> use_existing(GpuDevice& device);
  Result<MigInstance> make(MigGpu& gpu, const PlannedMig& planned);
  Result<void> make_way(MigGpu& gpu, const PlannedMig& planned, int size);
  Result<bool> clear_unused(MigGpu& gpu, const std::string& uuid);
  Result<void> destroy(MigGpu& gpu, const std::string& uuid, const MigInstance& instance);
  Result<MigGpu> read(const std::string& uuid);
  void present(GpuDevice& device, std::vector<std::string>& warnings);
  [[nodiscard]] bool is_held(const std::string& gpu, const MigInstance& instance) const;

  std::unique_ptr<nvml::Library> library_;
  Setting setting_;
  MigRecord record_;
  std::map<std::string, wire::Token> holders_;  // by the name of the device
};

}  // namespace stoker::agent
