// The agent's core against a driver that does nothing by itself.
#include "agent/runs.h"

#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "joblog/reader.h"
#include "joblog/writer.h"
#include "rt/file.h"
#include "supervisor/protocol.h"

namespace stoker::agent {
namespace {

class FakeDriver final : public Driver {
 public:
  void start(RunSpec spec) override { started.push_back(std::move(spec)); }
  void adopt(RunSpec spec) override { adopted.push_back(std::move(spec)); }
  void stop(const wire::Token& token, Duration grace) override { stopped.emplace_back(token, grace); }
  void forget(const wire::Token& token) override { forgotten.push_back(token); }
  std::vector<RunSpec> started;
  std::vector<RunSpec> adopted;
  std::vector<std::pair<wire::Token, Duration>> stopped;
  std::vector<wire::Token> forgotten;
};

class FakeMaker final : public DeviceMaker {
 public:
  void prepare(const wire::Token& token, std::vector<GpuDevice> devices) override {
    asked.emplace_back(token, std::move(devices));
  }
  void hold(const wire::Token& token, std::vector<GpuDevice>) override { held.push_back(token); }
  void release(const wire::Token& token) override { released.push_back(token); }
  std::vector<std::pair<wire::Token, std::vector<GpuDevice>>> asked;
  std::vector<wire::Token> held;
  std::vector<wire::Token> released;
};

wire::Token token(int n) {
  const std::string digits = std::to_string(n);
  return std::string(32 - digits.size(), 'b') + digits;
}

class RunsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = rt::make_temporary_directory("/tmp/runs_test.").value();
    ASSERT_TRUE(rt::make_directories(dir_ + "/runs"));
    ASSERT_TRUE(rt::make_directories(dir_ + "/trash"));
    ASSERT_TRUE(rt::make_directories(dir_ + "/spare"));
    runs_ = make();
    runs_->connect({});
    sent_.clear();
  }
  void TearDown() override { (void)rt::remove_tree(dir_); }

  std::unique_ptr<Runs> make() {
    Runs::Setting setting{
        dir_ + "/runs", dir_ + "/trash", dir_ + "/spare", {{{"GPU-1", "T4", 1}, 0, ""}}, "boot", false};
    return std::make_unique<Runs>(
        setting, driver_, &containers_, [this](const wire::FromAgent& it) { sent_.push_back(it); },
        [] { return Instant{5}; });
  }
  wire::StartRun a_start(int n) {
    wire::StartRun start;
    start.token = token(n);
    start.image = "host";
    start.command = {"true"};
    return start;
  }
  void write_log(int n, std::size_t lines, const std::string& text = "a line") {
    auto writer = joblog::Writer::open(dir_ + "/runs/" + token(n) + "/log", 256 << 20).value();
    for (std::size_t i = 0; i < lines; ++i) writer.add(Instant{1}, text);
    ASSERT_TRUE(writer.flush());
  }
  void end(int n, int code) {
    runs_->on_news(RunEnded{token(n), Instant{2}, {Instant{3}, code, "", true, false}});
  }
  template <class Message>
  std::vector<Message> all() {
    std::vector<Message> out;
    for (const auto& it : sent_)
      if (const auto* message = std::get_if<Message>(&it)) out.push_back(*message);
    return out;
  }

  std::string dir_;
  FakeDriver driver_;
  FakeDriver containers_;
  std::vector<wire::FromAgent> sent_;
  std::unique_ptr<Runs> runs_;
};

TEST_F(RunsTest, a_run_is_told_from_its_start_to_its_end) {
  runs_->on_message(a_start(1));
  runs_->on_message(a_start(1));
  ASSERT_EQ(driver_.started.size(), 1u);
  runs_->on_news(RunBegan{token(1), Instant{2}});
  runs_->on_news(RunBegan{token(1), Instant{2}});
  end(1, 4);
  end(1, 9);
  runs_->settle();
  runs_->settle();
  EXPECT_EQ(all<wire::RunStarted>().size(), 1u);
  ASSERT_EQ(all<wire::RunExited>().size(), 1u);
  EXPECT_EQ(all<wire::RunExited>()[0].end.exit_code, 4);
  runs_->on_message(wire::ForgetRun{token(1)});
  EXPECT_EQ(driver_.forgotten.size(), 1u);
  EXPECT_EQ(runs_->size(), 0u);
  EXPECT_FALSE(rt::file_exists(dir_ + "/runs/" + token(1)));
}

TEST_F(RunsTest, an_end_is_repeated_on_every_connection_until_forgotten) {
  runs_->on_message(a_start(1));
  end(1, 0);
  runs_->settle();
  for (int i = 0; i < 3; ++i) {
    runs_->disconnect();
    sent_.clear();
    runs_->connect({});
    runs_->settle();
    ASSERT_EQ(all<wire::Hello>().size(), 1u);
    ASSERT_EQ(all<wire::Hello>()[0].runs.size(), 1u);
    EXPECT_EQ(all<wire::Hello>()[0].runs[0].end->exit_code, 0);
    EXPECT_TRUE(all<wire::RunExited>().empty());  // the Hello has said it
  }
}

TEST_F(RunsTest, a_log_goes_before_the_end_and_within_the_window) {
  runs_->on_message(a_start(1));
  write_log(1, 40'000, std::string(100, 'x'));  // 4.6 MB
  end(1, 0);
  std::uint64_t next = 0;
  while (all<wire::RunExited>().empty()) {
    sent_.clear();
    runs_->settle();
    std::uint64_t bytes = 0;
    for (const auto& chunk : all<wire::LogChunk>()) {
      EXPECT_EQ(chunk.offset, next);
      EXPECT_LE(chunk.bytes.size(), kChunkBytesMax);
      next += chunk.bytes.size();
      bytes += chunk.bytes.size();
    }
    EXPECT_LE(bytes, kRunWindowBytes + kChunkBytesMax);
    ASSERT_TRUE(bytes > 0 || !all<wire::RunExited>().empty());
    runs_->on_message(wire::LogAck{token(1), next});
  }
  EXPECT_EQ(next, 40'000u * 116);
}

TEST_F(RunsTest, all_logs_together_stay_within_the_node_s_window_and_all_get_through) {
  std::map<wire::Token, std::uint64_t> next;
  for (int n = 0; n < 40; ++n) {
    runs_->on_message(a_start(n));
    write_log(n, 6'000, std::string(300, 'x'));  // 1.9 MB each
    end(n, 0);
    next[token(n)] = 0;
  }
  for (int round = 0; round < 200 && all<wire::RunExited>().size() < 40; ++round) {
    const std::size_t from = sent_.size();
    runs_->settle();
    std::uint64_t bytes = 0;
    std::vector<wire::LogAck> acks;
    for (std::size_t i = from; i < sent_.size(); ++i)
      if (const auto* chunk = std::get_if<wire::LogChunk>(&sent_[i])) {
        bytes += chunk->bytes.size();
        next[chunk->token] += chunk->bytes.size();
        acks.push_back({chunk->token, next[chunk->token]});
      }
    EXPECT_LE(bytes, kNodeWindowBytes + kChunkBytesMax);
    for (const auto& ack : acks) runs_->on_message(ack);
  }
  EXPECT_EQ(all<wire::RunExited>().size(), 40u);
}

TEST_F(RunsTest, nothing_of_an_old_run_is_sent_before_the_server_says_what_it_has) {
  runs_->on_message(a_start(1));
  write_log(1, 10);
  end(1, 0);
  runs_->disconnect();
  sent_.clear();
  runs_->connect({});
  runs_->settle();
  EXPECT_TRUE(all<wire::LogChunk>().empty());
  EXPECT_FALSE(all<wire::Hello>()[0].runs[0].end);  // its log is not there yet
  const std::uint64_t frame = 6 + joblog::kFrameOverheadBytes;
  runs_->on_message(wire::LogAck{token(1), 4 * frame});
  runs_->settle();
  ASSERT_EQ(all<wire::LogChunk>().size(), 1u);
  EXPECT_EQ(all<wire::LogChunk>()[0].offset, 4 * frame);
  EXPECT_EQ(all<wire::LogChunk>()[0].bytes.size(), 6 * frame);
  runs_->on_message(wire::LogAck{token(1), 10 * frame});
  runs_->settle();
  EXPECT_EQ(all<wire::RunExited>().size(), 1u);
}

TEST_F(RunsTest, what_the_log_has_dropped_is_jumped_over) {
  runs_->on_message(a_start(1));
  {
    auto writer = joblog::Writer::open(dir_ + "/runs/" + token(1) + "/log", 0).value();
    for (int i = 0; i < 20'000; ++i) writer.add(Instant{1}, std::string(1000, 'x'));
    ASSERT_TRUE(writer.flush());
  }
  end(1, 0);
  std::uint64_t gaps = 0;
  std::uint64_t next = 0;
  for (int round = 0; round < 100 && all<wire::RunExited>().empty(); ++round) {
    const std::size_t from = sent_.size();
    runs_->settle();
    for (std::size_t i = from; i < sent_.size(); ++i)
      if (const auto* chunk = std::get_if<wire::LogChunk>(&sent_[i])) {
        if (chunk->offset != next) ++gaps;
        next = chunk->offset + chunk->bytes.size();
      }
    runs_->on_message(wire::LogAck{token(1), next});
  }
  EXPECT_EQ(gaps, 1u);
  EXPECT_EQ(next, 20'000u * 1016);
  EXPECT_EQ(all<wire::RunExited>().size(), 1u);
}

TEST_F(RunsTest, undelivered_logs_of_ended_runs_are_shortened_when_the_disk_fills) {
  runs_->on_message(a_start(1));
  runs_->on_message(a_start(2));
  write_log(1, 200'000, std::string(100, 'x'));
  write_log(2, 200'000, std::string(100, 'x'));
  end(1, 0);
  runs_->bound_logs(30 << 20);
  const auto bytes = [&](int n) {
    return joblog::StreamReader(dir_ + "/runs/" + token(n) + "/log").stored_bytes().value();
  };
  EXPECT_LT(bytes(1), 9u << 20);
  EXPECT_EQ(bytes(2), 200'000u * 116);  // it runs: its supervisor keeps its bound
}

TEST_F(RunsTest, what_an_earlier_agent_left_is_handed_to_its_driver) {
  runs_->on_message(a_start(1));
  wire::StartRun container = a_start(2);
  container.image = "busybox";
  container.gpus = {"GPU-1"};
  runs_->on_message(container);
  ASSERT_EQ(containers_.started.size(), 1u);
  driver_ = containers_ = {};
  runs_ = make();
  ASSERT_TRUE(rt::make_directories(dir_ + "/runs/not-a-token"));
  ASSERT_TRUE(runs_->adopt_all());
  ASSERT_EQ(driver_.adopted.size(), 1u);
  EXPECT_EQ(driver_.adopted[0].run.token, token(1));
  ASSERT_EQ(containers_.adopted.size(), 1u);
  EXPECT_EQ(containers_.adopted[0].run.image, "busybox");
  EXPECT_EQ(containers_.adopted[0].gpus.size(), 1u);
  EXPECT_EQ(runs_->undecided(), 2u);
  runs_->on_news(RunNeverBegan{token(1)});
  runs_->on_news(RunBegan{token(2), Instant{2}});
  EXPECT_EQ(runs_->undecided(), 0u);
  sent_.clear();
  runs_->connect({});
  ASSERT_EQ(all<wire::Hello>()[0].runs.size(), 1u);
  EXPECT_EQ(all<wire::Hello>()[0].runs[0].phase, wire::RunPhase::Running);
}

TEST_F(RunsTest, a_bare_directory_is_the_next_run_s_and_any_other_is_trash) {
  const auto entries = [&](const std::string& name) {
    return rt::list_directory(dir_ + "/" + name).value().size();
  };
  const auto finish = [&](int n, const std::function<void(const std::string&)>& leave) {
    runs_->on_message(a_start(n));
    const std::string dir = dir_ + "/runs/" + token(n);
    (void)::mkdir((dir + "/work").c_str(), 0700);
    if (!rt::file_exists(dir + "/state")) {
      EXPECT_TRUE(rt::write_file_atomically(dir + "/state", "begun 1 2 3\nended 4 1 0 0 \n"));
    }
    leave(dir);
    end(n, 0);
    runs_->on_message(wire::ForgetRun{token(n)});
    EXPECT_FALSE(rt::file_exists(dir));
  };
  finish(1, [](const std::string&) {});
  EXPECT_EQ(entries("spare"), 1u);
  EXPECT_EQ(entries("trash"), 0u);
  finish(2, [](const std::string& dir) { EXPECT_EQ(rt::read_file(dir + "/state").value(), ""); });
  EXPECT_EQ(entries("spare"), 1u);
  int trash = 0;
  for (const auto& leave : std::vector<std::function<void(const std::string&)>>{
           [](const std::string& dir) { EXPECT_TRUE(rt::write_file_atomically(dir + "/work/file", "x")); },
           [](const std::string& dir) { EXPECT_TRUE(rt::make_directories(dir + "/log")); },
           [](const std::string& dir) { EXPECT_TRUE(rt::write_file_atomically(dir + "/stop", "1")); },
           [](const std::string& dir) { EXPECT_EQ(::chmod((dir + "/work").c_str(), 0777), 0); },
           [](const std::string& dir) {
             EXPECT_EQ(::rmdir((dir + "/work").c_str()), 0);
             EXPECT_EQ(::symlink("/tmp", (dir + "/work").c_str()), 0);
           }}) {
    finish(10 + trash, leave);
    EXPECT_EQ(entries("trash"), static_cast<std::size_t>(++trash));
  }
  // One whose supervisor is not quite gone is left for later.
  finish(20, [](const std::string&) {});
  ASSERT_EQ(entries("spare"), 1u);
  const std::string spare = dir_ + "/spare/" + rt::list_directory(dir_ + "/spare").value()[0];
  rt::UniqueFd lock = rt::open_file(spare + "/state", O_RDWR).value();
  ASSERT_TRUE(supervisor::take_lock(lock.get()));
  runs_->on_message(a_start(21));
  EXPECT_EQ(entries("spare"), 1u);
  lock.reset();
  runs_->on_message(a_start(22));
  EXPECT_EQ(entries("spare"), 0u);
}

TEST_F(RunsTest, refused_starts_are_ends_that_did_not_start) {
  wire::StartRun start = a_start(1);
  start.gpus = {"GPU-9"};
  runs_->on_message(start);
  runs_->settle();
  ASSERT_EQ(all<wire::RunExited>().size(), 1u);
  EXPECT_FALSE(all<wire::RunExited>()[0].end.started);
  runs_->on_message(wire::StopRun{token(1), {}});
  EXPECT_TRUE(driver_.stopped.empty());
  runs_->on_message(wire::ForgetRun{token(1)});
  EXPECT_EQ(runs_->size(), 0u);
}

class RunsWithMig : public RunsTest {
 protected:
  void SetUp() override {
    RunsTest::SetUp();
    runs_ = make_with_mig();
    runs_->connect({});
    sent_.clear();
  }
  std::unique_ptr<Runs> make_with_mig() {
    GpuDevice gpu{{"GPU-1", "H100", 81'920}, 0, ""};
    gpu.gpu.mig = wire::MigMode::Dynamic;
    auto runs = make();
    runs->set_gpus({gpu});
    runs->use_device_maker(maker_);
    return runs;
  }
  void start_on_mig(int n, const std::string& image = "host") {
    wire::StartRun start = a_start(n);
    start.image = image;
    start.gpus = {"GPU-1/2g.20gb@4"};
    runs_->on_message(start);
  }
  void answer(int n) {
    std::vector<GpuDevice> devices = maker_.asked.back().second;
    devices[0].mig_device = "MIG-7";
    runs_->on_news(DevicesPrepared{token(n), devices});
  }
  FakeMaker maker_;
};

TEST_F(RunsWithMig, a_run_begins_when_its_devices_are_there_and_gives_them_back_at_its_end) {
  start_on_mig(1);
  EXPECT_TRUE(driver_.started.empty());
  ASSERT_EQ(maker_.asked.size(), 1u);
  EXPECT_EQ(maker_.asked[0].second[0].mig_device, "GPU-1/2g.20gb@4");
  EXPECT_EQ(all<wire::RunProgress>().size(), 1u);
  EXPECT_EQ(runs_->preparing(), 1u);
  start_on_mig(1);
  EXPECT_EQ(maker_.asked.size(), 1u) << "a repeated StartRun";
  answer(1);
  answer(1);
  ASSERT_EQ(driver_.started.size(), 1u);
  EXPECT_EQ(driver_.started[0].gpus[0].visible_name(), "MIG-7");
  EXPECT_EQ(runs_->preparing(), 0u);
  EXPECT_TRUE(maker_.released.empty());
  end(1, 0);
  EXPECT_EQ(maker_.released, (std::vector{token(1)}));
}

TEST_F(RunsWithMig, what_the_driver_refuses_is_the_node_s_fault_unless_the_run_asks_for_what_cannot_be) {
  start_on_mig(1);
  runs_->on_news(DevicesPrepared{token(1), fail(Code::Conflict, "in use")});
  start_on_mig(2);
  runs_->on_news(DevicesPrepared{token(2), fail(Code::InvalidArgument, "no such profile")});
  runs_->settle();
  const auto exits = all<wire::RunExited>();
  ASSERT_EQ(exits.size(), 2u);
  EXPECT_EQ(exits[0].end.reason, "CannotStartContainerError: in use");
  EXPECT_TRUE(exits[0].end.node_failure && !exits[0].end.started);
  EXPECT_EQ(exits[1].end.reason, "CannotStartContainerError: no such profile");
  EXPECT_FALSE(exits[1].end.node_failure);
  EXPECT_TRUE(driver_.started.empty());
}

TEST_F(RunsWithMig, a_run_that_is_stopped_while_it_waits_for_devices_never_begins) {
  start_on_mig(1);
  runs_->on_message(wire::StopRun{token(1), seconds(30)});
  EXPECT_EQ(maker_.released, (std::vector{token(1)}));
  answer(1);
  runs_->settle();
  EXPECT_TRUE(driver_.started.empty());
  ASSERT_EQ(all<wire::RunExited>().size(), 1u);
  EXPECT_FALSE(all<wire::RunExited>()[0].end.started);
  start_on_mig(2);
  runs_->on_message(wire::ForgetRun{token(2)});
  EXPECT_EQ(runs_->preparing(), 0u);
  EXPECT_EQ(runs_->size(), 1u);
}

TEST_F(RunsWithMig, a_driver_that_does_not_answer_is_a_fault_of_the_node) {
  start_on_mig(1);
  runs_->give_up_preparing("the driver does not answer");
  runs_->settle();
  ASSERT_EQ(all<wire::RunExited>().size(), 1u);
  EXPECT_TRUE(all<wire::RunExited>()[0].end.node_failure);
  answer(1);
  EXPECT_TRUE(driver_.started.empty());
}

TEST_F(RunsWithMig, the_next_agent_knows_who_has_what) {
  start_on_mig(1);
  answer(1);
  start_on_mig(2, "busybox");
  runs_ = make_with_mig();
  ASSERT_TRUE(runs_->adopt_all());
  EXPECT_EQ(maker_.held.size(), 2u);
  ASSERT_EQ(driver_.adopted.size(), 1u) << "a plain process, although it is written down";
  EXPECT_EQ(driver_.adopted[0].run.token, token(1));
  ASSERT_EQ(containers_.adopted.size(), 1u);
  runs_->on_news(RunNeverBegan{token(2)});
  EXPECT_EQ(maker_.released, (std::vector{token(2)}));
  end(1, 0);
  EXPECT_EQ(maker_.released.back(), token(1));
}

}  // namespace
}  // namespace stoker::agent
