#include "agent/runs.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/gpu_devices.h"
#include "base/assert.h"
#include "json/json.h"
#include "log/log.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::string_view kHostImage = "host";
constexpr std::string_view kSpecFile = "/spec.json";
constexpr std::string_view kStopFile = "/stop";
constexpr std::string_view kLogDirectory = "/log";

std::string operator+(const std::string& a, std::string_view b) {
  std::string out = a;
  out += b;
  return out;
}

// Those that a device maker has to do with.
std::vector<GpuDevice> real_parts(const std::vector<GpuDevice>& gpus) {
  std::vector<GpuDevice> parts = gpus;
  std::erase_if(parts, [](const GpuDevice& it) { return !it.needs_preparing(); });
  return parts;
}

}  // namespace

Runs::Runs(Setting setting, Driver& processes, Driver* containers,
           std::function<void(const wire::FromAgent&)> send, std::function<Instant()> now)
    : setting_(std::move(setting)),
      directories_(setting_.dir, setting_.trash_dir, setting_.spare_dir),
      processes_(processes),
      containers_(containers),
      send_(std::move(send)),
      now_(std::move(now)) {}

Result<void> Runs::adopt_all() {
  for (const std::string& token : TRY(rt::list_directory(setting_.dir))) {
    if (!wire::is_token(token)) continue;
    RunSpec spec = adopted_spec(token);
    const bool plain = spec.run.image == kHostImage;
    Driver* driver = plain ? &processes_ : containers_;
    Run run{.driver = driver, .shipper = LogShipper(spec.dir + kLogDirectory), .undecided = true};
    const auto parts = real_parts(spec.gpus);
    run.holds_devices = maker_ != nullptr && !parts.empty();
    if (run.holds_devices) maker_->hold(token, parts);
    runs_.emplace(token, std::move(run));
    ++undecided_;
    if (driver == nullptr)
      on_ended(
          {token, {}, {now_(), {}, "the container engine of this run is not there any more", true, true}});
    else
      driver->adopt(std::move(spec));
  }
  if (!runs_.empty()) log::info("runs_found", {{"count", runs_.size()}});
  return {};
}

// A plain process needs no more than its token to be found again; what is written down of it says which MIG
// devices it has.
RunSpec Runs::adopted_spec(const wire::Token& token) const {
  RunSpec spec;
  spec.dir = dir_of(token);
  spec.run.token = token;
  spec.run.image = kHostImage;
  const std::string spec_file = spec.dir + kSpecFile;
  if (!rt::file_exists(spec_file)) return spec;
  spec.run.image.clear();
  auto text = rt::read_file(spec_file);
  auto message = text ? wire::decode_to_agent(false, *text) : std::unexpected(text.error());
  if (!message || !std::holds_alternative<wire::StartRun>(*message)) {
    log::warning("spec_unreadable", {{"token", token}});
    return spec;
  }
  const auto& start = std::get<wire::StartRun>(*message);
  auto resolved = resolve(start);
  if (resolved) return *std::move(resolved);
  spec.run.image = start.image;
  return spec;
}

void Runs::connect(wire::Hello hello) {
  connected_ = true;
  in_flight_ = 0;
  for (auto& [token, run] : runs_) {
    run.end_sent = run.started_sent = false;
    wire::RunReport report{token, run.phase, run.started_at, {}};
    if (run.phase == wire::RunPhase::Exited) {
      // An end may be told only when the log is there: the server answers it by ForgetRun.
      if (run.shipper.complete().value_or(true)) {
        report.end = run.end;
        run.end_sent = true;
      } else {
        report.phase = run.end->started ? wire::RunPhase::Running : wire::RunPhase::Starting;
      }
    }
    run.started_sent = report.phase != wire::RunPhase::Starting;
    hello.runs.push_back(std::move(report));
    mark_dirty(token);
  }
  send_(hello);
}

void Runs::disconnect() {
  connected_ = false;
  in_flight_ = 0;
  dirty_.clear();
  is_dirty_.clear();
  for (auto& [token, run] : runs_) {
    // What is known to have arrived stays known: a complete log of an ended run is not asked about again.
    const bool complete = run.phase == wire::RunPhase::Exited && run.shipper.complete().value_or(false);
    if (!complete) run.shipper.lose_connection();
  }
}

void Runs::on_message(const wire::ToAgent& message) {
  std::visit(
      [this](const auto& it) {
        using Message = std::decay_t<decltype(it)>;
        if constexpr (std::is_same_v<Message, wire::StartRun>) on_start(it);
        if constexpr (std::is_same_v<Message, wire::StopRun>) on_stop(it);
        if constexpr (std::is_same_v<Message, wire::ForgetRun>) on_forget(it);
        if constexpr (std::is_same_v<Message, wire::LogAck>) on_ack(it);
      },
      message);
}

void Runs::on_news(const DriverNews& news) {
  std::visit(
      [this](const auto& it) {
        using News = std::decay_t<decltype(it)>;
        if constexpr (std::is_same_v<News, RunBegan>) on_began(it);
        if constexpr (std::is_same_v<News, RunEnded>) on_ended(it);
        if constexpr (std::is_same_v<News, RunNeverBegan>) on_never_began(it.token);
        if constexpr (std::is_same_v<News, DevicesPrepared>) on_prepared(it);
        if constexpr (std::is_same_v<News, LogGrew>) mark_dirty(it.token);
        if constexpr (std::is_same_v<News, RunProgressed>) {
          if (connected_ && runs_.contains(it.token)) send_(wire::RunProgress{it.token, it.text});
        }
      },
      news);
}

Result<RunSpec> Runs::resolve(const wire::StartRun& start) const {
  RunSpec spec;
  spec.run = start;
  spec.dir = dir_of(start.token);
  for (const std::string& name : start.gpus) spec.gpus.push_back(TRY(find_device(setting_.gpus, name)));
  return spec;
}

void Runs::on_start(const wire::StartRun& start) {
  if (runs_.contains(start.token)) return;  // repeated
  if (runs_.size() >= kRunsMax)
    return refuse(start,
                  "CannotStartContainerError: the node holds " + std::to_string(kRunsMax) + " runs already",
                  true);
  auto spec = resolve(start);
  if (!spec) return refuse(start, "CannotStartContainerError: " + spec.error().message, true);
  const bool plain = start.image == kHostImage;
  if (!plain && containers_ == nullptr)
    return refuse(start, "CannotPullContainerError: no container engine answers on this node", true);
  const bool prepares = !real_parts(spec->gpus).empty();
  if (prepares && maker_ == nullptr)
    return refuse(start, "CannotStartContainerError: this node has no MIG devices", true);
  // From here on the directory says that this run exists, whatever happens to this process.
  if (auto made = directories_.make(start.token); !made)
    return refuse(start, "CannotStartContainerError: " + made.error().message, true);
  if (!plain || prepares) {
    auto kept = rt::write_file_atomically(spec->dir + kSpecFile, wire::encode(wire::ToAgent(start)).bytes,
                                          {.mode = 0600, .durable = false});
    if (!kept) return refuse(start, "CannotStartContainerError: " + kept.error().message, true);
  }
  Run run{.driver = plain ? &processes_ : containers_, .shipper = LogShipper(spec->dir + kLogDirectory)};
  run.shipper.begin_fresh();
  Driver* driver = run.driver;
  const auto it = runs_.emplace(start.token, std::move(run)).first;
  if (prepares) return prepare(it, *std::move(spec));
  driver->start(*std::move(spec));
}

void Runs::prepare(Table::iterator it, RunSpec spec) {
  ++preparing_;
  it->second.holds_devices = true;
  it->second.prepared = std::make_unique<RunSpec>(std::move(spec));
  maker_->prepare(it->first, it->second.prepared->gpus);
  if (connected_) send_(wire::RunProgress{it->first, "getting its MIG devices ready"});
}

void Runs::on_prepared(const DevicesPrepared& news) {
  const auto it = runs_.find(news.token);
  if (it == runs_.end() || !it->second.prepared) return;  // it was stopped; its devices are released already
  if (!news.devices)
    return end_preparing(it, "CannotStartContainerError: " + news.devices.error().message,
                         news.devices.error().code != Code::InvalidArgument);
  --preparing_;
  RunSpec spec = std::move(*std::exchange(it->second.prepared, nullptr));
  spec.gpus = *news.devices;
  it->second.driver->start(std::move(spec));
}

// It never began, and its driver has never heard of it.
void Runs::end_preparing(Table::iterator it, std::string reason, bool node_failure) {
  --preparing_;
  it->second.prepared.reset();
  it->second.driver = nullptr;
  on_ended({it->first, {}, {now_(), {}, std::move(reason), false, node_failure}});
}

void Runs::give_up_preparing(const std::string& why) {
  std::vector<wire::Token> waiting;
  for (const auto& [token, run] : runs_)
    if (run.prepared) waiting.push_back(token);
  for (const wire::Token& token : waiting)
    end_preparing(runs_.find(token), "CannotStartContainerError: " + why, true);
}

void Runs::release_devices(const wire::Token& token, Run& run) {
  if (std::exchange(run.holds_devices, false)) maker_->release(token);
}

// The run is kept in memory only: after a crash the server's next StartRun is answered the same way.
void Runs::refuse(const wire::StartRun& start, std::string reason, bool node_failure) {
  log::warning("run_refused", {{"token", start.token}, {"job", start.job_id}, {"reason", reason}});
  Run run{.phase = wire::RunPhase::Exited,
          .driver = nullptr,
          .shipper = LogShipper(dir_of(start.token) + kLogDirectory)};
  run.end = wire::RunEnd{now_(), {}, std::move(reason), false, node_failure};
  runs_.emplace(start.token, std::move(run));
  mark_dirty(start.token);
}

void Runs::on_stop(const wire::StopRun& stop) {
  const auto it = runs_.find(stop.token);
  if (it == runs_.end() || it->second.phase == wire::RunPhase::Exited) return;
  auto kept = rt::write_file_atomically(dir_of(stop.token) + kStopFile, std::to_string(stop.grace.ms),
                                        {.mode = 0600, .durable = false});
  if (!kept) log::error("stop_not_kept", {{"token", stop.token}, {"error", kept.error().message}});
  if (it->second.prepared) return end_preparing(it, "stopped before it began", false);
  it->second.driver->stop(stop.token, stop.grace);
}

void Runs::on_forget(const wire::ForgetRun& forget) {
  const auto it = runs_.find(forget.token);
  if (it == runs_.end()) return;
  if (it->second.phase == wire::RunPhase::Exited) return erase(it);
  // The server does not want it although it runs: it ends now, and nobody asks how.
  it->second.forget_at_end = true;
  on_stop({forget.token, {}});
}

void Runs::on_ack(const wire::LogAck& ack) {
  const auto it = runs_.find(ack.token);
  if (it == runs_.end()) return;
  in_flight_ -= it->second.shipper.in_flight();
  it->second.shipper.acknowledge(ack.next);
  in_flight_ += it->second.shipper.in_flight();
  mark_dirty(ack.token);
}

void Runs::decide(Run& run) {
  if (!run.undecided) return;
  run.undecided = false;
  --undecided_;
}

void Runs::on_began(const RunBegan& news) {
  const auto it = runs_.find(news.token);
  if (it == runs_.end()) return;
  decide(it->second);
  if (it->second.phase != wire::RunPhase::Starting) return;
  it->second.phase = wire::RunPhase::Running;
  it->second.started_at = news.at;
  if (connected_ && !it->second.started_sent) {
    it->second.started_sent = true;
    send_(wire::RunStarted{news.token, news.at});
  }
}

void Runs::on_ended(const RunEnded& news) {
  const auto it = runs_.find(news.token);
  if (it == runs_.end()) return;
  Run& run = it->second;
  decide(run);
  if (run.phase == wire::RunPhase::Exited) return;
  run.phase = wire::RunPhase::Exited;
  run.started_at = news.started_at;
  run.end = news.end;
  release_devices(news.token, run);
  if (run.forget_at_end) return erase(it);
  mark_dirty(news.token);
}

void Runs::on_never_began(const wire::Token& token) {
  const auto it = runs_.find(token);
  if (it == runs_.end()) return;
  decide(it->second);
  log::info("run_never_began", {{"token", token}});
  release_devices(token, it->second);
  it->second.driver = nullptr;
  erase(it);
}

void Runs::erase(Table::iterator it) {
  const wire::Token token = it->first;
  if (it->second.driver != nullptr) it->second.driver->forget(token);
  in_flight_ -= it->second.shipper.in_flight();
  decide(it->second);
  runs_.erase(it);
  if (auto gone = directories_.give_up(token); !gone)
    log::error("run_not_removed", {{"token", token}, {"error", gone.error().message}});
}

void Runs::mark_dirty(const wire::Token& token) {
  if (is_dirty_.insert(token).second) dirty_.push_back(token);
}

void Runs::settle() {
  if (!connected_) return;
  for (std::size_t left = dirty_.size(); left > 0; --left) {
    const wire::Token token = std::move(dirty_.front());
    dirty_.pop_front();
    is_dirty_.erase(token);
    const auto it = runs_.find(token);
    if (it == runs_.end()) continue;
    if (!ship(token, it->second)) {
      mark_dirty(token);  // at the end of the line: the next window goes to others first
      continue;
    }
    report_end(token, it->second);
  }
}

void Runs::bound_logs(std::uint64_t bytes_max) {
  std::uint64_t total = 0;
  std::vector<std::pair<std::uint64_t, wire::Token>> ended;
  for (auto& [token, run] : runs_) {
    const std::uint64_t bytes = run.shipper.stored_bytes().value_or(0);
    total += bytes;
    if (run.phase == wire::RunPhase::Exited && bytes > 0) ended.emplace_back(bytes, token);
  }
  if (total <= bytes_max) return;
  std::sort(ended.rbegin(), ended.rend());
  for (const auto& [bytes, token] : ended) {
    LogShipper& shipper = runs_.at(token).shipper;
    (void)shipper.drop_middle();
    const std::uint64_t left = shipper.stored_bytes().value_or(bytes);
    log::warning("log_shortened", {{"token", token}, {"bytes", bytes - left}});
    total -= bytes - left;
    if (total <= bytes_max) return;
  }
}

bool Runs::ship(const wire::Token& token, Run& run) {
  for (;;) {
    if (in_flight_ >= kNodeWindowBytes) return false;
    const std::uint64_t before = run.shipper.in_flight();
    auto chunk = run.shipper.next_chunk(token);
    if (!chunk) {
      log::warning("log_unreadable", {{"token", token}, {"error", chunk.error().message}});
      return true;
    }
    in_flight_ = in_flight_ - before + run.shipper.in_flight();
    if (!*chunk) return true;
    send_(**std::move(chunk));
  }
}

void Runs::report_end(const wire::Token& token, Run& run) {
  if (run.phase != wire::RunPhase::Exited || run.end_sent) return;
  const auto complete = run.shipper.complete();
  if (complete && !*complete) return;  // an acknowledgement will come; an unreadable log is not waited for
  run.end_sent = true;
  send_(wire::RunExited{token, run.started_at, *run.end});
}

}  // namespace stoker::agent
