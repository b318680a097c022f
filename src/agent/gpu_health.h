#pragma once
// How well the GPUs are, as their driver tells it from time to time.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/driver.h"
#include "base/time.h"

namespace stoker::agent {

class Inbox;

struct GpuTrouble {
  wire::GpuHealth health = wire::GpuHealth::Ok;
  std::string what;  // for a person
  bool operator==(const GpuTrouble&) const = default;
};
using GpuTroubles = std::map<std::string, GpuTrouble>;  // by UUID: those that are not well

// What the library says of those GPUs now. Bad: it is no longer there or does not answer, or remapping a row
// of its memory has failed. Draining: a row of its memory waits to be remapped, which a reset does; or, of a
// GPU that cannot remap rows, its memory lost bits that it could not correct.
// NotFound when the driver is gone, Unavailable when it does not answer. Blocks as long as the driver does.
Result<GpuTroubles> read_gpu_troubles(const std::vector<GpuDevice>& known,
                                      const std::string& library = "libnvidia-ml.so.1");

// What is to be said of those GPUs while the driver is silent.
GpuTroubles troubles_of_silence(const std::vector<GpuDevice>& known);

// Asks again and again, in a thread of its own: calls into the library can hang on a sick GPU. Each change is
// pushed as GpuHealthChanged, the first time when there is any trouble.
class GpuWatch {
 public:
  using Read = std::function<Result<GpuTroubles>(const std::vector<GpuDevice>&)>;
  GpuWatch(std::vector<GpuDevice> known, Duration every, Inbox& inbox, Read read);
  // A call that takes longer is of a sick GPU.
  static constexpr Duration kPatience = seconds(30);
  ~GpuWatch();  // does not wait for a call that hangs
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  // How long the question that is under way has had no answer; 0 when none is. An answer that came too late
  // is pushed even when nothing changed.
  [[nodiscard]] Duration silent_for() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace stoker::agent
