#include "agent/mig_devices.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

#include "agent/mig_keeper.h"
#include "agent/nvml_library.h"
#include "log/log.h"
#include "rt/clock.h"
#include "rt/queue.h"
#include "rt/thread.h"

namespace stoker::agent {
namespace {

constexpr Duration kEndPatience = seconds(5);

struct Prepare {
  wire::Token token;
  std::vector<GpuDevice> devices;
};
struct Hold {
  wire::Token token;
  std::vector<GpuDevice> devices;
};
struct Release {
  wire::Token token;
};
struct End {};
using Work = std::variant<Prepare, Hold, Release, End>;

// What the server needs to know: not which devices of its own plan exist already.
bool is_other(const wire::Gpu& said, const wire::Gpu& now) {
  return said.mig != now.mig || (now.mig == wire::MigMode::Fixed && said.mig_devices != now.mig_devices);
}

}  // namespace

// Owned by both threads: the worker may never come back from the driver.
struct MigDevices::Shared {
  Setting setting;
  std::vector<GpuDevice> gpus;        // as was said last; the worker's
  std::vector<std::string> warnings;  // of the start
  rt::Queue<Work> queue;
  std::atomic<std::uint64_t> busy_since_us = 0;  // 0: not in the driver

  std::mutex mutex;  // what follows
  std::condition_variable changed;
  Inbox* inbox = nullptr;  // null: nobody listens any more
  std::optional<Result<Survey>> first;
  bool ended = false;

  void tell(Input input) {
    const std::lock_guard lock(mutex);
    if (inbox != nullptr) inbox->push_input(std::move(input));
  }
  Result<MigKeeper> open();
  Survey look(MigKeeper& keeper);
  void look_again(MigKeeper& keeper);
  void work();
  void serve(MigKeeper& keeper);
  void prepare(MigKeeper& keeper, Prepare work);
};

Result<MigKeeper> MigDevices::Shared::open() {
  return MigKeeper(TRY(nvml::Library::open(setting.library)),
                   {setting.state_dir + "/mig.json", setting.boot, setting.may_change, setting.switch_on});
}

MigDevices::Survey MigDevices::Shared::look(MigKeeper& keeper) {
  Survey found{gpus, warnings};
  for (std::string& warning : keeper.survey(found.gpus)) found.warnings.push_back(std::move(warning));
  return found;
}

void MigDevices::Shared::work() {
  busy_since_us = rt::monotonic_us();
  auto keeper = open();
  if (keeper) warnings = keeper->switch_on(gpus);
  Result<Survey> found = keeper ? Result<Survey>(look(*keeper)) : std::unexpected(keeper.error());
  if (found) gpus = found->gpus;
  busy_since_us = 0;
  {
    const std::lock_guard lock(mutex);
    first = std::move(found);
    changed.notify_all();
  }
  if (keeper) serve(*keeper);
  const std::lock_guard lock(mutex);
  ended = true;
  changed.notify_all();
}

void MigDevices::Shared::serve(MigKeeper& keeper) {
  std::vector<Work> all;
  for (;;) {
    queue.take_all(all, setting.look_every);
    if (all.empty()) look_again(keeper);
    for (Work& work : all) {
      if (std::holds_alternative<End>(work)) return;
      if (const auto* it = std::get_if<Hold>(&work)) keeper.hold(it->token, it->devices);
      if (const auto* it = std::get_if<Release>(&work)) keeper.release(it->token);
      if (auto* it = std::get_if<Prepare>(&work)) prepare(keeper, std::move(*it));
    }
  }
}

void MigDevices::Shared::look_again(MigKeeper& keeper) {
  busy_since_us = rt::monotonic_us();
  Survey now = look(keeper);
  busy_since_us = 0;
  bool other = false;
  for (std::size_t i = 0; i < gpus.size(); ++i) other = other || is_other(gpus[i].gpu, now.gpus[i].gpu);
  gpus = now.gpus;
  if (other) tell(GpusChanged{std::move(now.gpus), std::move(now.warnings)});
}

void MigDevices::Shared::prepare(MigKeeper& keeper, Prepare work) {
  busy_since_us = rt::monotonic_us();
  auto prepared = keeper.prepare(work.token, std::move(work.devices));
  if (!prepared) {
    log::warning("mig_devices_not_made", {{"token", work.token}, {"error", prepared.error().message}});
    // A plan that fails mostly means that somebody has changed the GPU. The server hears of that first, so
    // that its next plan is a better one.
    look_again(keeper);
  }
  busy_since_us = 0;
  tell(DriverNews(DevicesPrepared{std::move(work.token), std::move(prepared)}));
}

Result<std::unique_ptr<MigDevices>> MigDevices::create(const Setting& setting, std::vector<GpuDevice> gpus,
                                                       Duration patience, Inbox& inbox, Survey& found) {
  auto shared = std::make_shared<Shared>();
  shared->setting = setting;
  shared->gpus = std::move(gpus);
  shared->inbox = &inbox;
  std::unique_ptr<MigDevices> made(new MigDevices(shared));
  std::thread([shared] {
    rt::name_this_thread("mig");
    shared->work();
  }).detach();
  std::unique_lock lock(shared->mutex);
  if (!shared->changed.wait_for(lock, std::chrono::milliseconds(patience.ms),
                                [&] { return shared->first.has_value(); })) {
    lock.unlock();
    return fail(Code::Unavailable, "the NVIDIA driver does not answer");
  }
  auto first = std::move(*shared->first);
  lock.unlock();
  found = TRY(std::move(first));
  return made;
}

MigDevices::~MigDevices() {
  shared_->queue.push(End{});
  std::unique_lock lock(shared_->mutex);
  shared_->inbox = nullptr;
  if (shared_->busy_since_us != 0 && silent_for() > kEndPatience) return;
  shared_->changed.wait_for(lock, std::chrono::milliseconds(kEndPatience.ms), [&] { return shared_->ended; });
}

void MigDevices::prepare(const wire::Token& token, std::vector<GpuDevice> devices) {
  shared_->queue.push(Prepare{token, std::move(devices)});
}
void MigDevices::hold(const wire::Token& token, std::vector<GpuDevice> devices) {
  shared_->queue.push(Hold{token, std::move(devices)});
}
void MigDevices::release(const wire::Token& token) {
  shared_->queue.push(Release{token});
}

Duration MigDevices::silent_for() const {
  const std::uint64_t since = shared_->busy_since_us;
  if (since == 0) return {};
  return milliseconds(static_cast<std::int64_t>((rt::monotonic_us() - since) / 1000));
}

}  // namespace stoker::agent
