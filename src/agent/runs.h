#pragma once
// The core of the agent: which runs there are, what the server has been told of them, and what it has yet to
// be told. Knows nothing of sockets, processes or containers; one thread.
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/driver.h"
#include "agent/log_shipper.h"
#include "agent/run_directories.h"
#include "base/result.h"
#include "wire/messages.h"

namespace stoker::agent {

inline constexpr std::size_t kRunsMax = 16'384;

class Runs {
 public:
  struct Setting {
    std::string dir;        // <state dir>/runs
    std::string trash_dir;  // where forgotten runs go, for somebody else to delete
    std::string spare_dir;  // where those go that the next run can use
    std::vector<GpuDevice> gpus;
    std::string instance;          // of this boot
    bool instance_is_new = false;  // everything on disk is of an earlier boot
  };
  // `send` puts a message on the connection; it is only called between connect() and disconnect(). `now` is
  // the wall clock. Drivers outlive this object; `containers` may be null.
  Runs(Setting setting, Driver& processes, Driver* containers,
       std::function<void(const wire::FromAgent&)> send, std::function<Instant()> now);

  // Adopts every run directory. Once, before anything else; news of the drivers follow.
  Result<void> adopt_all();

  void connect(wire::Hello hello);  // `runs` is filled in and it is sent
  void disconnect();
  void on_message(const wire::ToAgent& message);
  void on_news(const DriverNews& news);
  // After a batch of the above: ships logs and reports ends as far as windows allow.
  void settle();

  // Keeps the logs of all runs within kNodeLogBytesMax, or another bound. Looks at every log: for now and
  // then.
  void bound_logs(std::uint64_t bytes_max = kNodeLogBytesMax);

  // The MIG devices of real GPUs come from there; before adopt_all(), else there are none. Outlives this
  // object.
  void use_device_maker(DeviceMaker& maker) { maker_ = &maker; }
  void set_gpus(std::vector<GpuDevice> gpus) { setting_.gpus = std::move(gpus); }
  // The maker does not answer: the runs that wait for it fail as a fault of the node.
  void give_up_preparing(const std::string& why);
  [[nodiscard]] std::size_t preparing() const { return preparing_; }

  // Containers can be run from now on; once, when there was no driver for them before.
  void containers_appeared(Driver& containers) { containers_ = &containers; }

  [[nodiscard]] std::size_t size() const { return runs_.size(); }
  // Runs of an earlier agent about which the drivers have not yet said what became of them: a Hello should
  // wait.
  [[nodiscard]] std::size_t undecided() const { return undecided_; }

 private:
  struct Run {
    wire::RunPhase phase = wire::RunPhase::Starting;
    Instant started_at = {};
    std::optional<wire::RunEnd> end = {};
    Driver* driver = nullptr;
    LogShipper shipper;
    bool undecided = false;
    bool end_sent = false;      // on this connection
    bool started_sent = false;  // on this connection
    bool forget_at_end = false;
    std::unique_ptr<RunSpec> prepared = {};  // waits for its devices; not with its driver yet
    bool holds_devices = false;
  };
  using Table = std::unordered_map<wire::Token, Run>;

  void on_start(const wire::StartRun& start);
  void on_stop(const wire::StopRun& stop);
  void on_forget(const wire::ForgetRun& forget);
  void on_ack(const wire::LogAck& ack);
  void on_began(const RunBegan& news);
  void on_ended(const RunEnded& news);
  void on_never_began(const wire::Token& token);
  void on_prepared(const DevicesPrepared& news);
  void prepare(Table::iterator it, RunSpec spec);
  void end_preparing(Table::iterator it, std::string reason, bool node_failure);
  void release_devices(const wire::Token& token, Run& run);
  void refuse(const wire::StartRun& start, std::string reason, bool node_failure);
  Result<RunSpec> resolve(const wire::StartRun& start) const;
  RunSpec adopted_spec(const wire::Token& token) const;
  void decide(Run& run);
  void erase(Table::iterator it);
  void mark_dirty(const wire::Token& token);
  bool ship(const wire::Token& token, Run& run);  // false: the node's window is full
  void report_end(const wire::Token& token, Run& run);
  [[nodiscard]] std::string dir_of(const wire::Token& token) const { return directories_.path(token); }

  Setting setting_;
  RunDirectories directories_;
  Driver& processes_;
  Driver* containers_;
  DeviceMaker* maker_ = nullptr;
  std::size_t preparing_ = 0;
  std::function<void(const wire::FromAgent&)> send_;
  std::function<Instant()> now_;
  Table runs_;
  std::size_t undecided_ = 0;
  bool connected_ = false;
  std::uint64_t in_flight_ = 0;
  std::deque<wire::Token> dirty_;  // runs that may have something to ship or to report
  std::unordered_set<wire::Token> is_dirty_;
};

}  // namespace stoker::agent
