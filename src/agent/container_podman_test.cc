// The container driver against a real Podman, with a registry on loopback. Skipped, with the reason, where
// that cannot run: no podman, runc, docker-registry or static busybox, no root, or an engine that starts no
// container.
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/container_driver.h"
#include "agent/container_engine.h"
#include "base/text.h"
#include "joblog/reader.h"
#include "rt/clock.h"
#include "rt/file.h"
#include "rt/subprocess.h"

namespace stoker::agent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::chrono::seconds kPatience{90};

class News final : public NewsSink {
 public:
  void push(DriverNews news) override {
    {
      const std::lock_guard lock(mutex_);
      news_.push_back(std::move(news));
    }
    changed_.notify_all();
  }
  template <class T>
  std::optional<T> wait(const std::string& token) {
    std::optional<T> out;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPatience, [&] {
      for (const auto& one : news_)
        if (const auto* found = std::get_if<T>(&one); found != nullptr && found->token == token) out = *found;
      return out.has_value();
    });
    return out;
  }
  std::vector<std::string> progress(const std::string& token) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (const auto& one : news_)
      if (const auto* found = std::get_if<RunProgressed>(&one); found != nullptr && found->token == token)
        out.push_back(found->text);
    return out;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<DriverNews> news_;
};

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ::close(fd);
  return ntohs(address.sin_port);
}

// Podman, registry and image, made once for all tests here.
class Podman {
 public:
  Podman() : skipped_(begin()) {}
  ~Podman() {
    if (folder_.empty()) return;
    if (service_) run({"podman", "rm", "-fa", "-t", "0"}), end_service();
    if (registry_) registry_->kill(SIGKILL), registry_->wait(seconds(10));
    ::umount2((folder_ + "/root/overlay").c_str(), MNT_DETACH);
    (void)rt::remove_tree(folder_);
  }
  Podman(const Podman&) = delete;
  Podman& operator=(const Podman&) = delete;

  bool begin_service() {
    service_ = spawn({"podman", "system", "service", "--time=0", "unix://" + socket()});
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < end) {
      if (Engine(socket()).ping(seconds(1))) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  void end_service() {
    service_->kill(SIGKILL);
    service_->wait(seconds(10));
  }
  int run(std::vector<std::string> argv) {
    rt::Spawn spawn;
    spawn.argv = std::move(argv);
    spawn.environment = environment_;
    const auto captured = rt::capture(std::move(spawn), {.most = minutes(2)});
    said_ = captured ? captured->output + captured->errors : captured.error().message;
    return captured && captured->exit.success() ? 0 : 1;
  }
  [[nodiscard]] std::string socket() const { return folder_ + "/podman.sock"; }
  [[nodiscard]] std::string repository() const { return "127.0.0.1:" + std::to_string(port_) + "/busybox"; }
  [[nodiscard]] std::string image() const { return repository() + ":1"; }
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const std::string& skipped() const { return skipped_; }

 private:
  // Why nothing can be tested here, or "".
  std::string begin() {
    if (::geteuid() != 0) return "not root";
    folder_ = rt::make_temporary_directory("/tmp/stoker-podman-").value();
    for (const char* program : {"podman", "runc", "docker-registry", "tar"})
      if (run({"sh", "-c", std::string("command -v ") + program}) != 0) return std::string("no ") + program;
    if (run({"sh", "-c", "ldd /bin/busybox 2>&1 | grep -q 'not a dynamic'"}) != 0) return "no static busybox";
    port_ = free_port();
    configure();
    registry_ = spawn({"docker-registry", "serve", folder_ + "/registry.yml"});
    if (!begin_service()) return "podman system service does not answer";
    if (!make_image()) return "no image could be made: " + said_;
    if (run({"podman", "run", "--rm", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024", image(),
             "true"}) != 0)
      return "podman starts no container here: " + said_;
    return "";
  }
  void write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(rt::write_file_atomically(folder_ + "/" + name, text));
  }
  void configure() {
    const auto port = std::to_string(port_);
    write("containers.conf",
          "[engine]\nruntime=\"runc\"\ncgroup_manager=\"cgroupfs\"\nevents_logger=\"file\"\n[network]"
          "\nnetwork_backend=\"cni\"\n"
          "[containers]\nnetns=\"host\"\n");
    write("storage.conf", "[storage]\ndriver=\"overlay\"\ngraphroot=\"" + folder_ + "/root\"\nrunroot=\"" +
                              folder_ + "/run\"\n");
    write("registries.conf", "unqualified-search-registries=[]\n[[registry]]\nlocation=\"127.0.0.1:" + port +
                                 "\"\ninsecure=true\n");
    write("registry.yml", "version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: " +
                              folder_ + "/registry\nhttp:\n  addr: 127.0.0.1:" + port + "\n");
    for (char** one = ::environ; *one != nullptr; ++one) environment_.emplace_back(*one);
    environment_.push_back("CONTAINERS_CONF=" + folder_ + "/containers.conf");
    environment_.push_back("CONTAINERS_STORAGE_CONF=" + folder_ + "/storage.conf");
    environment_.push_back("CONTAINERS_REGISTRIES_CONF=" + folder_ + "/registries.conf");
  }
  std::optional<rt::Child> spawn(std::vector<std::string> argv) {
    rt::Spawn options;
    options.argv = std::move(argv);
    options.directory = folder_;  // conmon leaves its note of a memory kill where it is
    options.environment = environment_;
    options.new_session = true;
    auto child = rt::Child::spawn(options);
    if (!child) return std::nullopt;
    return *std::move(child);
  }
  bool make_image() {
    const std::string script =
        "set -e; cd " + folder_ +
        "; mkdir -p fs/bin fs/tmp fs/etc fs/proc fs/sys fs/dev; cp /bin/busybox fs/bin/; "
        "for a in sh echo sleep cat env ls id true head yes grep mount touch seq tr; do ln -s busybox "
        "fs/bin/$a; done; "
        "echo 'root:x:0:0:root:/:/bin/sh' > fs/etc/passwd; tar -C fs -cf fs.tar .; "
        "podman import -c 'ENV PATH=/bin' fs.tar " +
        image() +
        "; "
        "for i in $(seq 100); do podman push --tls-verify=false " +
        image() + " && break; sleep 0.1; done; ";
    return run({"sh", "-c", script}) == 0;
  }

  std::string folder_, said_;
  int port_ = 0;
  std::vector<std::string> environment_;
  std::optional<rt::Child> registry_, service_;
  std::string skipped_;  // last: made from all the others
};

class ContainerPodmanTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { podman_ = std::make_unique<Podman>(); }
  static void TearDownTestSuite() { podman_.reset(); }
  void SetUp() override {
    if (!podman_->skipped().empty()) GTEST_SKIP() << podman_->skipped();
    begin_agent();
  }
  void TearDown() override {
    if (!driver_) return;
    for (const auto& token : tokens_) driver_->forget(token);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    Engine engine(podman_->socket());
    const auto left = [&] {
      const auto listed = engine.list_containers("stoker.state=" + state());
      return !listed || !listed->empty();
    };
    while (left() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(left()) << "a forgotten container is removed";
    const auto groups = [&] {
      for (const auto& token : tokens_)
        for (const char* hierarchy : {"", "/memory", "/unified", "/systemd"})
          if (rt::file_exists(std::string("/sys/fs/cgroup") + hierarchy + "/stoker/" + token)) return true;
      return false;
    };
    while (groups() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(groups()) << "and its control group";
  }
  void begin_agent() {
    driver_ = create_container_driver(
        ContainerOptions{podman_->socket(), state(), "local", PullPolicy::IfMissing}, news_);
  }
  static std::string state() { return podman_->folder() + "/state"; }
  RunSpec spec(const std::string& script, const std::string& container = "{}") {
    RunSpec out;
    out.run.token = to_hex(std::to_string(1'000'000'000'000'000 + ++count_));
    out.run.job_id = "job";
    out.run.image = podman_->image();
    out.run.command = {"sh", "-c", script};
    out.run.environment = {{"A", "b=c d"}};
    out.run.cpus_milli = 1000;
    out.run.memory_mib = 64;
    out.run.container = std::make_shared<const json::Value>(json::parse(container).value());
    out.dir = podman_->folder() + "/runs/" + out.run.token;
    EXPECT_TRUE(rt::make_directories(out.dir));
    tokens_.push_back(out.run.token);
    return out;
  }
  RunEnded run(const RunSpec& spec) {
    driver_->start(spec);
    const auto ended = news_.wait<RunEnded>(spec.run.token);
    EXPECT_TRUE(ended);
    return ended.value_or(RunEnded{});
  }
  static std::vector<std::string> lines(const RunSpec& spec) {
    std::vector<std::string> out;
    bool goes_on = false;
    const auto page = joblog::StreamReader(spec.dir + "/log").forward({}).value();
    for (const auto& event : page.events) {
      goes_on ? out.back() += event.text : out.emplace_back(event.text);
      goes_on = event.continues;
    }
    return out;
  }

  static std::unique_ptr<Podman> podman_;
  static inline int count_ = 0;
  News news_;
  std::unique_ptr<Driver> driver_;
  std::vector<std::string> tokens_;
};
std::unique_ptr<Podman> ContainerPodmanTest::podman_;

TEST_F(ContainerPodmanTest, PullsOnceAndKeepsLogAndExitCode) {
  ASSERT_EQ(podman_->run({"podman", "rmi", "-f", podman_->image()}), 0);
  const auto first =
      spec("echo out; echo error >&2; head -c 100000 /dev/zero | tr '\\0' x; echo; printf end; exit 7");
  const auto ended = run(first);
  EXPECT_EQ(ended.end.exit_code, 7) << ended.end.reason;
  EXPECT_EQ(ended.end.reason, "");
  EXPECT_GT(ended.started_at.ms, 0);
  EXPECT_THAT(news_.progress(first.run.token), Contains(StartsWith("pulling ")));
  auto seen = lines(first);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_THAT(seen, testing::IsSupersetOf({std::string("out"), std::string("error"),
                                           std::string(100'000, 'x'), std::string("end")}));
  const auto second = spec("env");
  EXPECT_EQ(run(second).end.exit_code, 0);
  EXPECT_THAT(news_.progress(second.run.token), testing::IsEmpty()) << "the image is there now";
  EXPECT_THAT(lines(second), testing::IsSupersetOf({"A=b=c d", "NVIDIA_VISIBLE_DEVICES=void"}));
}

TEST_F(ContainerPodmanTest, SettingsReachTheContainer) {
  ASSERT_TRUE(rt::make_directories(podman_->folder() + "/data"));
  const auto one = spec(
      "id -u; ulimit -n; grep -E ' /(scratch|data|vol|dev/shm) ' /proc/mounts; touch /x || echo read-only; "
      "ls /dev/myzero; "
      "cat /proc/1/cmdline | tr '\\0' ' '; echo; cat /sys/fs/cgroup/memory/memory.limit_in_bytes; cat "
      "/sys/fs/cgroup/cpu/cpu.shares",
      R"({"user":"0:0","readonlyRootFilesystem":true,"ulimits":[{"name":"nofile","softLimit":111,"hardLimit":222}],
          "volumes":[{"name":"d","host":{"sourcePath":")" +
          podman_->folder() + R"(/data"}},{"name":"v"}],
          "mountPoints":[{"sourceVolume":"d","containerPath":"/data","readOnly":true},{"sourceVolume":"v","containerPath":"/vol"}],
          "linuxParameters":{"sharedMemorySize":20,"initProcessEnabled":false,"tmpfs":[{"containerPath":"/scratch","size":8}],
          "devices":[{"hostPath":"/dev/zero","containerPath":"/dev/myzero"}]}})");
  const auto ended = run(one);
  EXPECT_TRUE(ended.end.started) << ended.end.reason;
  const auto seen = lines(one);
  EXPECT_THAT(seen, testing::IsSupersetOf({std::string("0"), std::string("111"), std::string("read-only"),
                                           std::string("/dev/myzero")}));
  EXPECT_THAT(seen, Contains(testing::MatchesRegex(".* /data .* ro,.*")));
  EXPECT_THAT(seen, Contains(testing::HasSubstr(" /vol ")));
  EXPECT_THAT(seen, Contains(testing::MatchesRegex(".* /scratch tmpfs .*size=8192k.*")));
  EXPECT_THAT(seen, Contains(testing::MatchesRegex(".* /dev/shm tmpfs .*size=20480k.*")));
  if (rt::file_exists("/sys/fs/cgroup/memory")) {
    EXPECT_THAT(seen, testing::IsSupersetOf({"67108864", "1024"}));
  }
}

TEST_F(ContainerPodmanTest, StopsByTermAndByKill) {
  const auto polite = spec("trap 'echo bye; exit 9' TERM; echo ready; while true; do sleep 0.1; done");
  const auto stubborn = spec("trap '' TERM; echo ready; while true; do sleep 0.1; done");
  for (const auto& one : {polite, stubborn}) {
    driver_->start(one);
    ASSERT_TRUE(news_.wait<LogGrew>(one.run.token));
    driver_->stop(one.run.token, one.run.token == polite.run.token ? minutes(5) : milliseconds(300));
  }
  EXPECT_EQ(news_.wait<RunEnded>(polite.run.token)->end.exit_code, 9);
  EXPECT_THAT(lines(polite), ElementsAre("ready", "bye"));
  EXPECT_EQ(news_.wait<RunEnded>(stubborn.run.token)->end.exit_code, 137);
  EXPECT_EQ(news_.wait<RunEnded>(stubborn.run.token)->end.reason, "");
}

TEST_F(ContainerPodmanTest, AMemoryKillIsSaid) {
  const auto ended = run(spec("x=$(head -c 150000000 /dev/zero | tr '\\0' x); echo never"));
  EXPECT_EQ(ended.end.exit_code, 137);
  EXPECT_EQ(ended.end.reason, "OutOfMemoryError: Container killed due to memory usage");
}

TEST_F(ContainerPodmanTest, WhatCannotStartSaysWhy) {
  auto no_program = spec("");
  no_program.run.command = {"/no/such/program"};
  const auto ended = run(no_program);
  EXPECT_FALSE(ended.end.started);
  EXPECT_THAT(ended.end.reason, StartsWith("CannotStartContainerError: "));
  auto no_image = spec("");
  no_image.run.image = podman_->repository() + ":none";
  EXPECT_THAT(run(no_image).end.reason,
              testing::AllOf(StartsWith("CannotPullContainerError: "), HasSubstr("manifest unknown")));
}

TEST_F(ContainerPodmanTest, ARunOutlivesAgentAndEngine) {
  const auto one = spec("for i in $(seq 60); do echo line $i; sleep 0.05; done; exit 5");
  driver_->start(one);
  ASSERT_TRUE(news_.wait<LogGrew>(one.run.token));
  driver_.reset();
  podman_->end_service();
  ASSERT_TRUE(podman_->begin_service());
  begin_agent();
  driver_->adopt(one);
  const auto ended = news_.wait<RunEnded>(one.run.token);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->end.exit_code, 5) << ended->end.reason;
  std::vector<std::string> expected;
  for (int i = 1; i <= 60; ++i) expected.push_back("line " + std::to_string(i));
  EXPECT_EQ(lines(one), expected);
}

TEST_F(ContainerPodmanTest, AGpuOfACdiSpecificationIsGiven) {
  const auto uuid = "GPU-" + std::to_string(::getpid());
  const auto file = "/etc/cdi/stoker-test-" + std::to_string(::getpid()) + ".json";
  if (!rt::make_directories("/etc/cdi") ||
      !rt::write_file_atomically(
          file, R"({"cdiVersion":"0.5.0","kind":"nvidia.com/gpu","devices":[{"name":")" + uuid +
                    R"(","containerEdits":{"env":["GIVEN=yes"]}}]})"))
    GTEST_SKIP() << "/etc/cdi cannot be written";
  auto one = spec("env; grep shm /proc/mounts");
  one.gpus.push_back({.gpu = {uuid, "A10G", 24'000}, .minor = 0, .pci_bus_id = "0"});
  const auto ended = run(one);
  (void)rt::remove_tree(file);
  EXPECT_EQ(ended.end.exit_code, 0) << ended.end.reason;
  EXPECT_THAT(lines(one), testing::IsSupersetOf({"GIVEN=yes", "NVIDIA_VISIBLE_DEVICES=void"}));
  EXPECT_THAT(lines(one), Contains(HasSubstr("size=1048576k")));
}

}  // namespace
}  // namespace stoker::agent
