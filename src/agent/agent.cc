#include "agent/agent.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/cgroups.h"
#include "agent/connector.h"
#include "agent/gpu_health.h"
#include "agent/inbox.h"
#include "agent/inventory.h"
#include "agent/mig_capabilities.h"
#include "agent/mig_devices.h"
#include "agent/process_driver.h"
#include "agent/runs.h"
#include "base/text.h"
#include "log/log.h"
#include "net/http.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "rt/subprocess.h"

namespace stoker::agent {
namespace {

constexpr Duration kAdoptPatience =
    seconds(10);  // for drivers to say what became of the runs of an earlier agent
constexpr Duration kDriverPatience = seconds(30);  // a call that takes longer is of a sick GPU
constexpr Duration kHealthEvery = seconds(30);
constexpr Duration kTrashEvery = milliseconds(100);
constexpr std::uint64_t kBoundLogsEveryUs = 60'000'000;
constexpr std::uint64_t kLookForEngineEveryUs = 15'000'000;

// ---- set-up ----

std::string default_supervisor() {
  const std::string path = rt::own_program();
  return path.substr(0, path.rfind('/') + 1) + "stoker-supervisor";
}

// A name for the control groups of this state directory: the same for every agent that serves it.
std::string group_name(const std::string& state_dir) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : state_dir) hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211ULL;
  std::string name;
  for (int i = 56; i >= 0; i -= 8) append_hex(name, static_cast<std::uint8_t>(hash >> i));
  return name;
}

// Jobs keep the limit that this process was started with; a supervisor process of each run needs a descriptor
// here.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Deletes what is moved into the trash, apart from the core: a run's directory may hold a million files.
class Cleaner {
 public:
  explicit Cleaner(std::string dir) : dir_(std::move(dir)), thread_([this] { serve(); }) {}
  ~Cleaner() {
    over_ = true;
    thread_.join();
  }
  Cleaner(const Cleaner&) = delete;
  Cleaner& operator=(const Cleaner&) = delete;

 private:
  void serve() {
    while (!over_) {
      for (const std::string& name : rt::list_directory(dir_).value_or(std::vector<std::string>{})) {
        if (over_) return;  // the next agent goes on
        (void)rt::remove_tree(dir_ + '/' + name);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(kTrashEvery.ms));
    }
  }
  std::string dir_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// ---- the agent ----

class Agent {
 public:
  explicit Agent(const Options& options) : options_(options) {}

  Result<void> begin();
  void serve();

 private:
  Result<void> make_directories();
  Result<void> take_stock();
  Result<void> connect();
  void survey_mig();
  void tell_health();
  void on_gpus(const GpusChanged& changed);
  void on_health(const GpuTroubles& troubles);
  void on_images(const ImagesHeld& held);
  void look_for_hung_driver();
  void tell_gpus(const std::vector<GpuDevice>& gpus, const std::vector<std::string>& warnings);
  bool find_container_engine();
  void look_for_container_engine();
  void adopt();
  void wait_for_input();
  void handle(const Input& input);
  void on_connected(const Connected& connected);
  void send(const wire::FromAgent& message);
  [[nodiscard]] bool is_over();
  [[nodiscard]] int next_wait_ms() const;

  Options options_;
  std::optional<rt::FileLock> lock_;
  rt::UniqueFd signals_;
  std::string instance_;
  bool instance_is_new_ = false;
  Gpus gpus_;
  wire::Inventory inventory_;
  std::optional<Cgroups> cgroups_;
  Inbox inbox_;
  GpuTroubles troubles_;
  std::unique_ptr<GpuWatch> watch_;  // null: no real GPUs
  std::unique_ptr<MigDevices> mig_;  // null: no real GPU has MIG switched on
  std::unique_ptr<ProcessDriver> processes_;
  std::unique_ptr<Driver> containers_;
  std::unique_ptr<Runs> runs_;
  std::unique_ptr<Cleaner> cleaner_;
  std::shared_ptr<net::WebSocket> socket_;
  std::uint64_t connection_ = 0;
  std::uint64_t idle_since_us_ = 0;
  std::uint64_t logs_bounded_us_ = 0;
  std::uint64_t engine_looked_us_ = 0;
  std::unique_ptr<Connector> connector_;  // last: its thread ends before what it uses
};

Result<void> Agent::make_directories() {
  for (const char* part : {"", "/runs", "/trash", "/spare", "/containers"})
    TRY(rt::make_directories(options_.state_dir + part, 0711));
  lock_.emplace(TRY(rt::FileLock::lock_within(options_.state_dir + "/agent.lock", options_.lock_patience)));
  TRY(rt::write_file_atomically(options_.state_dir + "/agent.pid", std::to_string(::getpid()) + '\n',
                                {.durable = false}));
  instance_ = boot_instance();
  const std::string known = rt::read_file(options_.state_dir + "/instance", 4096).value_or("");
  instance_is_new_ = !known.empty() && known != instance_;
  return {};
}

Result<void> Agent::take_stock() {
  auto gpus = find_gpus(options_.gpus);
  if (!gpus) return std::unexpected(std::move(gpus).error().within("option --gpus"));
  gpus_ = *std::move(gpus);
  inventory_.cpus_milli = options_.cpus_milli.value_or(available_cpus_milli());
  inventory_.memory_mib = options_.memory_mib.value_or(available_memory_mib());
  inventory_.pretended_gpus = gpus_.pretended;
  inventory_.warnings = gpus_.warnings;
  survey_mig();
  inventory_.address = options_.address.empty() ? own_address(options_.server) : options_.address;
  inventory_.rack = options_.rack;
  cgroups_.emplace(Cgroups::open(group_name(options_.state_dir)));
  for (const std::string& warning : cgroups_->warnings()) {
    const bool about_gpus = warning.starts_with("GPUs");
    if (!about_gpus || (!gpus_.devices.empty() && !gpus_.pretended)) inventory_.warnings.push_back(warning);
  }
  return {};
}

// Where no GPU has MIG switched on, and none is to have it, there is nothing to do with it.
void Agent::survey_mig() {
  const bool wanted = options_.gpus == kAutoMig;
  // A run must not find its GPU divided.
  const auto runs = rt::list_directory(options_.state_dir + "/runs");
  const bool runs_go_on = !runs || !runs->empty();
  const bool switch_on = wanted && !runs_go_on;
  const bool has_mig = std::ranges::any_of(
      gpus_.devices, [](const GpuDevice& it) { return it.minor >= 0 && it.gpu.mig != wire::MigMode::Off; });
  MigDevices::Survey found{gpus_.devices, {}};
  if (has_mig || (switch_on && !gpus_.devices.empty())) {
    const bool may_change = MigCapabilities::read().may_change_layouts();
    auto made = MigDevices::create({options_.state_dir, machine_boot_id(), may_change, switch_on},
                                   gpus_.devices, kDriverPatience, inbox_, found);
    if (made)
      mig_ = *std::move(made);
    else
      found.warnings.push_back("no MIG devices are made: " + made.error().message);
  }
  if (wanted && runs_go_on)
    found.warnings.push_back("not switched on while runs go on, but at the next start of the agent");
  tell_gpus(found.gpus, found.warnings);
}

// What the next hello says of them.
void Agent::tell_gpus(const std::vector<GpuDevice>& gpus, const std::vector<std::string>& warnings) {
  constexpr std::string_view kWarning = "MIG: ";
  gpus_.devices = gpus;
  inventory_.gpus.clear();
  for (const GpuDevice& device : gpus) inventory_.gpus.push_back(device.gpu);
  tell_health();
  std::erase_if(inventory_.warnings, [&](const std::string& text) { return text.starts_with(kWarning); });
  for (const std::string& warning : warnings) inventory_.warnings.push_back(std::string(kWarning) + warning);
}

// The same of their health.
void Agent::tell_health() {
  constexpr std::string_view kWarning = "GPU health: ";
  std::erase_if(inventory_.warnings, [&](const std::string& text) { return text.starts_with(kWarning); });
  if (gpus_.pretended) return;
  for (wire::Gpu& gpu : inventory_.gpus) {
    const auto trouble = troubles_.find(gpu.uuid);
    gpu.health = trouble == troubles_.end() ? wire::GpuHealth::Ok : trouble->second.health;
    if (trouble != troubles_.end())
      inventory_.warnings.push_back(std::string(kWarning) + gpu.uuid +
                                    " gets no more runs: " + trouble->second.what);
  }
}

void Agent::on_health(const GpuTroubles& troubles) {
  if (troubles == troubles_) return;
  troubles_ = troubles;
  log::warning("gpu_health_changed", {{"gpus_not_well", troubles.size()}});
  tell_health();
  if (socket_) socket_->close();  // the next hello tells the server
}

void Agent::on_images(const ImagesHeld& held) {
  inventory_.images = held.images;
  send(wire::ImagesChanged{held.images});
}

void Agent::look_for_hung_driver() {
  if (watch_ && watch_->silent_for() > GpuWatch::kPatience) on_health(troubles_of_silence(gpus_.devices));
}

void Agent::on_gpus(const GpusChanged& changed) {
  log::info("gpus_changed");
  tell_gpus(changed.gpus, changed.warnings);
  runs_->set_gpus(changed.gpus);
  if (socket_) socket_->close();
}

Result<void> Agent::begin() {
  TRY(make_directories());
  if (options_.supervisor.empty()) options_.supervisor = default_supervisor();
  TRY(take_stock());
  ProcessDriver::Setting setting{options_.state_dir, options_.supervisor, gpus_.devices, instance_is_new_};
  processes_ = TRY(ProcessDriver::create(std::move(setting), *cgroups_, inbox_));
  raise_descriptor_limit();  // after the zygote, which hands its own on to the jobs
  find_container_engine();
  Runs::Setting runs{options_.state_dir + "/runs",
                     options_.state_dir + "/trash",
                     options_.state_dir + "/spare",
                     gpus_.devices,
                     instance_,
                     instance_is_new_};
  runs_ = std::make_unique<Runs>(
      std::move(runs), *processes_, containers_.get(),
      [this](const wire::FromAgent& message) { send(message); }, rt::now);
  if (mig_) runs_->use_device_maker(*mig_);
  adopt();
  // What was found of the earlier boot is judged and kept in the runs' own records now.
  TRY(rt::write_file_atomically(options_.state_dir + "/instance", instance_));
  cleaner_ = std::make_unique<Cleaner>(options_.state_dir + "/trash");
  if (!gpus_.pretended && !gpus_.devices.empty())
    watch_ = std::make_unique<GpuWatch>(
        gpus_.devices, kHealthEvery, inbox_,
        [](const std::vector<GpuDevice>& gpus) { return read_gpu_troubles(gpus); });
  return connect();
}

// Whether there is one, found now or earlier. One that was asked for by name and is missing is worth a
// warning.
bool Agent::find_container_engine() {
  if (containers_ || options_.container_engine == "none") return true;
  engine_looked_us_ = rt::monotonic_us();
  const auto socket = probe_container_engine(options_.container_engine);
  constexpr std::string_view kWarning = "no containers: ";
  std::erase_if(inventory_.warnings, [&](const std::string& text) { return text.starts_with(kWarning); });
  if (!socket) {
    if (options_.container_engine != "auto")
      inventory_.warnings.push_back(std::string(kWarning) + socket.error().message);
    return false;
  }
  ContainerOptions options{*socket, options_.state_dir + "/containers", options_.node};
  options.pull = options_.pull;
  containers_ = create_container_driver(std::move(options), inbox_);
  inventory_.containers = containers_ != nullptr;
  return inventory_.containers;
}

// An engine that was installed or started after this agent.
void Agent::look_for_container_engine() {
  if (containers_ || options_.container_engine == "none") return;
  if (rt::monotonic_us() - engine_looked_us_ < kLookForEngineEveryUs || !find_container_engine()) return;
  log::info("container_engine_found");
  runs_->containers_appeared(*containers_);
  if (socket_) socket_->close();  // the next hello tells the server
}

void Agent::adopt() {
  if (auto adopted = runs_->adopt_all(); !adopted)
    log::error("runs_not_adopted", {{"error", adopted.error().message}});
  const std::uint64_t give_up = rt::monotonic_us() + static_cast<std::uint64_t>(kAdoptPatience.ms) * 1000;
  std::vector<Input> inputs;
  while (rt::monotonic_us() < give_up) {
    processes_->work();
    inbox_.take_all(inputs);
    for (const Input& input : inputs) handle(input);
    if (runs_->undecided() == 0 && processes_->beginning() == 0) break;
    ::usleep(2'000);
  }
  cgroups_->sweep();
}

Result<void> Agent::connect() {
  net::WebSocketOptions socket;
  socket.url = options_.server;
  socket.ca_file = options_.ca_file;
  if (options_.token_file) {
    const std::string token = TRY(rt::read_file(*options_.token_file, 4096));
    socket.headers.push_back({"Authorization", "Bearer " + std::string(trim(token))});
  }
  sigset_t asked;
  ::sigemptyset(&asked);
  ::sigaddset(&asked, SIGTERM);
  ::sigaddset(&asked, SIGINT);
  signals_.reset(::signalfd(-1, &asked, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals_) return fail_errno("waiting for signals");
  idle_since_us_ = rt::monotonic_us();
  connector_ = std::make_unique<Connector>(std::move(socket), inbox_);
  log::info("agent_started", {{"node", options_.node},
                              {"instance", instance_},
                              {"cpus_milli", inventory_.cpus_milli},
                              {"memory_mib", inventory_.memory_mib},
                              {"gpus", inventory_.gpus.size()},
                              {"runs", runs_->size()}});
  return {};
}

void Agent::serve() {
  std::vector<Input> inputs;
  while (!is_over()) {
    wait_for_input();
    processes_->work();
    inbox_.take_all(inputs);
    for (const Input& input : inputs) handle(input);
    // What was just started or read may have left news of the driver behind.
    inbox_.take_all(inputs);
    for (const Input& input : inputs) handle(input);
    runs_->settle();
    if (rt::monotonic_us() - logs_bounded_us_ > kBoundLogsEveryUs) {
      logs_bounded_us_ = rt::monotonic_us();
      runs_->bound_logs();
    }
    look_for_container_engine();
    look_for_hung_driver();
    if (mig_ && runs_->preparing() > 0 && mig_->silent_for() > kDriverPatience)
      runs_->give_up_preparing("the NVIDIA driver does not answer");
  }
  log::info("agent_ended", {{"runs", runs_->size()}});
}

int Agent::next_wait_ms() const {
  return processes_->alive() > 0 ? ProcessDriver::kTickMs : 1'000;
}

void Agent::wait_for_input() {
  pollfd waiting[3] = {
      {inbox_.fd(), POLLIN, 0}, {processes_->poll_fd(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
  if (!inbox_.arm()) ::poll(waiting, 3, next_wait_ms());
  inbox_.disarm();
}

bool Agent::is_over() {
  signalfd_siginfo info{};
  if (::read(signals_.get(), &info, sizeof info) == sizeof info) return true;
  if (socket_ || runs_->size() > 0) {
    idle_since_us_ = rt::monotonic_us();
    return false;
  }
  if (options_.idle_exit.ms <= 0) return false;
  return rt::monotonic_us() - idle_since_us_ > static_cast<std::uint64_t>(options_.idle_exit.ms) * 1000;
}

void Agent::handle(const Input& input) {
  if (const auto* news = std::get_if<DriverNews>(&input)) {
    if (const auto* held = std::get_if<ImagesHeld>(news)) return on_images(*held);
    return runs_->on_news(*news);
  }
  if (const auto* connected = std::get_if<Connected>(&input)) return on_connected(*connected);
  if (const auto* received = std::get_if<Received>(&input)) {
    if (received->connection == connection_ && socket_) runs_->on_message(received->message);
    return;
  }
  if (const auto* changed = std::get_if<GpusChanged>(&input)) return on_gpus(*changed);
  if (const auto* changed = std::get_if<GpuHealthChanged>(&input)) return on_health(changed->troubles);
  const auto& disconnected = std::get<Disconnected>(input);
  if (disconnected.connection != connection_ || !socket_) return;
  log::info("server_lost");
  socket_.reset();
  runs_->disconnect();
}

void Agent::on_connected(const Connected& connected) {
  if (socket_) runs_->disconnect();
  socket_ = connected.socket;
  connection_ = connected.connection;
  wire::Hello hello;
  hello.node = options_.node;
  hello.instance = instance_;
  hello.inventory = inventory_;
  log::info("server_reached", {{"runs", runs_->size()}});
  runs_->connect(std::move(hello));
}

void Agent::send(const wire::FromAgent& message) {
  if (!socket_) return;
  wire::Frame frame = wire::encode(message);
  const auto kind = frame.binary ? net::WebSocket::Kind::Binary : net::WebSocket::Kind::Text;
  // When it does not take any more the connection is as good as lost; its end will be reported.
  if (!socket_->send(kind, std::move(frame.bytes))) socket_->close();
}

}  // namespace

int run(const Options& options) {
  log::configure(log::level_of(options.log_level), options.log_destination);
  // Blocked before any thread begins, so that only the loop sees them. A lost terminal must not end the
  // agent.
  sigset_t blocked;
  ::sigemptyset(&blocked);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&blocked, signal);
  ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  (void)::setsid();  // out of the session of whoever started it; fails harmlessly for a session's leader
  ::umask(022);

  Agent agent(options);
  if (auto begun = agent.begin(); !begun) {
    if (begun.error().code == Code::Conflict) {
      log::info("other_agent_serves", {{"state_dir", options.state_dir}});
      return 0;
    }
    log::error("agent_not_started", {{"error", begun.error().message}});
    return 1;
  }
  agent.serve();
  return 0;
}

}  // namespace stoker::agent
