#pragma once
// One run as a container, from the pull of its image to its end, on a thread of its own that blocks where the
// engine lets it wait. Another thread asks for its end; the engine keeps the container when this process
// goes.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "agent/container_engine.h"
#include "agent/container_log.h"
#include "agent/container_plan.h"
#include "agent/driver.h"
#include "agent/image_watch.h"
#include "agent/images.h"
#include "base/result.h"

namespace stoker::agent {

// How long things may take; tests are less patient.
struct ContainerPatience {
  Duration engine_outage = minutes(2);     // of an engine that does not answer, before a run has begun
  Duration start_in_doubt = seconds(2);    // until a container that may be starting counts as not started
  Duration retry_min = milliseconds(100);  // between questions to an engine that does not answer; doubles
  Duration retry_max = seconds(3);
  Duration refusals = minutes(5);  // of an engine that refuses to tell about a container
  Duration sweep_after = minutes(1);
  Duration images_rest = seconds(2);   // from one look at the engine's images to the next
  Duration images_every = minutes(5);  // for images that somebody else pulled or removed
};

// What all runs share.
struct ContainerShared {
  ContainerOptions options;
  ContainerPatience patience;
  NewsSink& news;
  ImagePuller& puller;
  ImageWatch& images;
  std::function<void()> poke;  // wakes the thread that sends signals and hints
  std::mutex cdi = {};         // held by whoever writes a specification
};

class ContainerRun {
 public:
  enum class Begin { Start, Adopt };
  ContainerRun(RunSpec spec, Begin begin, ContainerShared& shared);

  // The thread's body: returns when RunEnded or RunNeverBegan was said, or after quit().
  void work();
  // The agent ends: work() returns soon and says nothing more. The container stays.
  void quit();
  [[nodiscard]] bool finished() const { return finished_; }

  // SIGTERM as soon as there is something to send it to, SIGKILL after the grace; the shortest grace counts.
  void request_stop(Duration grace);
  // For the thread that sends signals: what is due by now, and when to look again (monotonic microseconds,
  // nothing: when poked).
  enum class Signal { None, Terminate, Kill };
  Signal due_signal(std::uint64_t now_us);
  std::optional<std::uint64_t> next_signal_us() const;
  void signal_failed(Signal signal);  // it was not delivered: due again a little later
  // Whether the log grew since the last hint, for hints that had to wait.
  bool take_hint() { return hint_pending_.exchange(false); }

  [[nodiscard]] const RunSpec& spec() const { return spec_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct Outcome {
    Instant started_at;
    wire::RunEnd end;
    bool never_began = false;
  };
  using Ended = std::optional<Outcome>;  // nothing: the agent ends

  Ended live();
  Ended adopt_or_start();
  Ended begin();
  Ended start_created();
  Ended follow_to_end();
  Ended conclude(const ContainerState& state);
  Result<void> create();
  Result<ContainerState> inspect();
  Result<EngineInfo> engine_info();
  void follow_log(ContainerLog& log);
  void read_rest(ContainerLog& log);
  Result<void> read_log(ContainerLog& log, Engine::LogQuery query);
  Outcome not_started(std::string reason) const;
  Outcome lost(std::string reason) const;
  bool was_memory_kill(const ContainerState& state) const;
  bool pause(Duration most);  // false when the agent ends
  bool stop_requested() const;
  bool other_boot() const;
  void hint();

  const RunSpec spec_;
  const Begin begin_;
  const std::string name_;
  ContainerShared& shared_;
  Engine engine_;
  EngineInfo info_;
  std::uint64_t hinted_at_ = 0;
  std::atomic<bool> hint_pending_{false};
  std::atomic<bool> finished_{false};

  mutable std::mutex mutex_;  // what follows
  std::condition_variable wake_;
  bool quitting_ = false;
  bool live_ = false;  // signals can be sent
  std::optional<std::uint64_t> kill_at_us_;
  bool terminated_ = false;
  std::uint64_t next_try_us_ = 0;
};

}  // namespace stoker::agent
