#pragma once
// Runs of image `host`: plain processes, each under a supervisor of its own (supervisor/protocol.h). Lives in
// the core's thread: the loop polls poll_fd() and calls work().
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <sys/types.h>

#include "agent/cgroups.h"
#include "agent/driver.h"
#include "agent/mig_capabilities.h"
#include "agent/zygote_link.h"
#include "base/result.h"
#include "rt/fd.h"
#include "supervisor/protocol.h"

namespace stoker::agent {

class ProcessDriver final : public Driver {
 public:
  struct Setting {
    std::string state_dir;
    std::string supervisor;            // the program
    std::vector<GpuDevice> node_gpus;  // all of the node: those a run did not get are denied to it
    bool instance_is_new = false;      // what an earlier agent has left ran before the last boot
  };
  // Waits for the zygote of an earlier agent to go, then starts one: afterwards no start of that agent is
  // under way.
  static Result<std::unique_ptr<ProcessDriver>> create(Setting setting, Cgroups& cgroups, NewsSink& news);

  void start(RunSpec spec) override;
  void adopt(RunSpec spec) override;
  void stop(const wire::Token& token, Duration grace) override;
  void forget(const wire::Token& token) override;

  [[nodiscard]] int poll_fd() const { return poll_.get(); }
  // Takes what is there; never waits.
  void work();
  // When work() should be called at the latest, in ms from now.
  static constexpr int kTickMs = 250;
  // Adopted runs of which it is not yet known whether their job has begun. They decide within moments; what
  // is done to all control groups should wait for it.
  [[nodiscard]] std::size_t beginning() const { return beginning_adopted_; }
  [[nodiscard]] std::size_t alive() const { return runs_.size(); }

 private:
  struct Run {
    std::string dir;
    std::string launch;  // kept until the job has begun
    bool begun = false;
    bool adopted = false;
    bool beginning = false;  // adopted while its supervisor was about to begin the job
    int slot = -1;
    pid_t supervisor = -1;
    pid_t job = -1;
    Instant started_at;
    std::uint64_t since_us = 0;  // of the request; monotonic
    std::optional<Duration> stop;
    rt::UniqueFd process;  // a pidfd of the supervisor, for runs that last
    std::uint64_t serial = 0;
  };
  using Table = std::unordered_map<wire::Token, Run>;
  struct End {
    bool started = false;
    std::optional<int> exit_code;
    std::string reason;
    bool node_failure = false;
  };

  ProcessDriver(Setting setting, Cgroups& cgroups, NewsSink& news)
      : setting_(std::move(setting)), cgroups_(cgroups), news_(news) {}
  Result<void> open();
  Result<std::string> prepare(const RunSpec& spec, Run& run);
  void take_news();
  void take_zygote_news();
  void restart_zygote();
  void tick();
  void check(Table::iterator it);
  void check_silent(Table::iterator it);
  void on_begun(Table::iterator it, const supervisor::StateRecords::Begun& begun);
  void lose(Table::iterator it);
  void finish(Table::iterator it, Instant at, End end, Cgroups::Left left);
  void watch(Table::iterator it);
  void signal_supervisor(const wire::Token& token, Run& run);
  void update_interest();

  Setting setting_;
  const MigCapabilities capabilities_ = MigCapabilities::read();
  Cgroups& cgroups_;
  NewsSink& news_;
  rt::UniqueFd poll_;
  rt::UniqueFd fifo_;
  std::string fifo_rest_;
  std::unique_ptr<ZygoteLink> zygote_;
  bool wants_output_ = false;
  Table runs_;
  std::unordered_map<std::uint64_t, wire::Token> by_serial_;
  std::uint64_t next_serial_ = 16;
  std::uint64_t last_tick_us_ = 0;
  std::size_t beginning_adopted_ = 0;
};

}  // namespace stoker::agent
