#pragma once
// The MIG devices of this node's real GPUs, made and found for runs on a thread of its own: calls into the
// driver take their time, and hang on a sick GPU. What is done is in mig_keeper.h.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agent/driver.h"
#include "agent/inbox.h"
#include "base/result.h"

namespace stoker::agent {

class MigDevices final : public DeviceMaker {
 public:
  struct Setting {
    std::string state_dir;
    std::string boot;
    bool may_change = false;
    bool switch_on = false;
    Duration look_every = minutes(1);
    std::string library = "libnvidia-ml.so.1";
  };
  // `gpus`: of the node, with their MIG as it is now. `warnings` are for the user.
  struct Survey {
    std::vector<GpuDevice> gpus;
    std::vector<std::string> warnings;
  };
  // Looks at the GPUs once before it returns, for `patience` at most: Unavailable when the driver does not
  // answer. Afterwards it looks from time to time, and when a device could not be had; GpusChanged comes
  // when a GPU is other than was said last.
  static Result<std::unique_ptr<MigDevices>> create(const Setting& setting, std::vector<GpuDevice> gpus,
                                                    Duration patience, Inbox& inbox, Survey& found);
  ~MigDevices() override;  // a call that hangs is left behind
  MigDevices(const MigDevices&) = delete;
  MigDevices& operator=(const MigDevices&) = delete;

  void prepare(const wire::Token& token, std::vector<GpuDevice> devices) override;
  void hold(const wire::Token& token, std::vector<GpuDevice> devices) override;
  void release(const wire::Token& token) override;

  // How long the driver has not answered the question that it is busy with; 0: it is not busy.
  [[nodiscard]] Duration silent_for() const;

 private:
  struct Shared;
  explicit MigDevices(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  std::shared_ptr<Shared> shared_;
};

}  // namespace stoker::agent
