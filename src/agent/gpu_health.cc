#include "agent/gpu_health.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "agent/inbox.h"
#include "agent/nvml_library.h"
#include "rt/clock.h"

namespace stoker::agent {
namespace {

// The library's ABI: kinds of errors and of counters.
constexpr int kUncorrected = 1;
constexpr int kSinceStart = 0;

std::optional<GpuTrouble> trouble_of(const nvml::Library& library, nvml::Device device, bool mig) {
  using enum wire::GpuHealth;
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  const int code =
      library.ask("nvmlDeviceGetRemappedRows", device, &corrected, &uncorrected, &pending, &failed);
  if (code == nvml::kGpuLost) return GpuTrouble{Bad, library.words(code)};
  if (code == nvml::kResetRequired) return GpuTrouble{Draining, "it has to be reset"};
  if (code == nvml::kSuccess && failed != 0)
    return GpuTrouble{Bad, "a row of its memory could not be remapped"};
  if (code == nvml::kSuccess && pending != 0)
    return GpuTrouble{Draining, "a row of its memory waits to be remapped, which a reset does"};
  if (code == nvml::kSuccess || mig) return std::nullopt;
  // One that remaps rows counts what it has contained, too.
  unsigned long long lost = 0;
  const int counted = library.ask("nvmlDeviceGetTotalEccErrors", device, kUncorrected, kSinceStart, &lost);
  if (counted == nvml::kGpuLost) return GpuTrouble{Bad, library.words(counted)};
  if (counted == nvml::kSuccess && lost > 0)
    return GpuTrouble{Draining, "its memory lost bits that it could not correct"};
  return std::nullopt;
}

}  // namespace

Result<GpuTroubles> read_gpu_troubles(const std::vector<GpuDevice>& known, const std::string& name) {
  const auto library = TRY(nvml::Library::open(name));
  GpuTroubles troubles;
  std::set<std::string> seen;
  const std::vector<nvml::FoundDevice> devices = TRY(library->devices());
  for (const auto& [index, device, code] : devices) {
    if (code != nvml::kSuccess) continue;
    const std::string uuid = library->text("nvmlDeviceGetUUID", device);
    const auto gpu = std::ranges::find(known, uuid, [](const GpuDevice& it) { return it.gpu.uuid; });
    if (gpu == known.end()) continue;
    seen.insert(uuid);
    if (auto trouble = trouble_of(*library, device, gpu->gpu.mig != wire::MigMode::Off))
      troubles.emplace(uuid, *std::move(trouble));
  }
  for (const GpuDevice& gpu : known)
    if (!seen.contains(gpu.gpu.uuid))
      troubles.emplace(gpu.gpu.uuid,
                       GpuTrouble{wire::GpuHealth::Bad, "the driver does not find it any more"});
  return troubles;
}

GpuTroubles troubles_of_silence(const std::vector<GpuDevice>& known) {
  GpuTroubles all;
  for (const GpuDevice& gpu : known)
    all.emplace(gpu.gpu.uuid, GpuTrouble{wire::GpuHealth::Draining, "the driver does not answer"});
  return all;
}

struct GpuWatch::Shared {
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::uint64_t asked_us = 0;  // 0: no question is under way
  Inbox* inbox = nullptr;      // until it is over
  std::vector<GpuDevice> known;
  Duration every;
  Read read;

  void serve() {
    GpuTroubles told;
    std::unique_lock lock(mutex);
    while (!over) {
      asked_us = rt::monotonic_us();
      lock.unlock();
      auto troubles = read(known);
      lock.lock();
      const bool was_late = rt::monotonic_us() - asked_us > static_cast<std::uint64_t>(kPatience.ms) * 1000;
      asked_us = 0;
      if (!troubles) troubles = troubles_of_silence(known);
      if (!over && (*troubles != told || was_late)) inbox->push_input(GpuHealthChanged{*troubles});
      told = *std::move(troubles);
      ended.wait_for(lock, std::chrono::milliseconds(every.ms), [&] { return over; });
    }
  }
};

GpuWatch::GpuWatch(std::vector<GpuDevice> known, Duration every, Inbox& inbox, Read read)
    : shared_(std::make_shared<Shared>()) {
  shared_->inbox = &inbox;
  shared_->known = std::move(known);
  shared_->every = every;
  shared_->read = std::move(read);
  std::thread([shared = shared_] { shared->serve(); }).detach();
}

GpuWatch::~GpuWatch() {
  const std::lock_guard lock(shared_->mutex);
  shared_->over = true;
  shared_->ended.notify_all();
}

Duration GpuWatch::silent_for() const {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->asked_us == 0) return {};
  return milliseconds(static_cast<std::int64_t>((rt::monotonic_us() - shared_->asked_us) / 1000));
}

}  // namespace stoker::agent
