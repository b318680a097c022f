// The container driver against a scripted engine: every path of a run's life, and every way an engine
// misbehaves.
#include "agent/container_driver.h"

#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/container_fake_engine_test.h"
#include "joblog/reader.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::chrono::seconds kPatience{20};
const std::string kToken = "0123456789abcdef0123456789abcdef";
const std::string kName = "stoker-" + kToken;
const std::string kImage = "registry.example/busybox:1";

class News final : public NewsSink {
 public:
  void push(DriverNews news) override {
    {
      const std::lock_guard lock(mutex_);
      news_.push_back(std::move(news));
    }
    changed_.notify_all();
  }
  // The first news of that kind about the token.
  template <class T>
  std::optional<T> wait(const std::string& token = kToken, std::chrono::milliseconds most = kPatience) {
    std::optional<T> out;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [&] { return (out = find<T>(token)).has_value(); });
    return out;
  }
  template <class T>
  std::optional<T> find(const std::string& token) {
    for (const auto& one : news_)
      if (const auto* found = std::get_if<T>(&one); found != nullptr && found->token == token) return *found;
    return std::nullopt;
  }
  std::vector<std::string> progress(const std::string& token = kToken) {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (const auto& one : news_)
      if (const auto* found = std::get_if<RunProgressed>(&one); found != nullptr && found->token == token)
        out.push_back(found->text);
    return out;
  }
  std::size_t count_ends() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& one : news_) count += std::holds_alternative<RunEnded>(one) ? 1 : 0;
    return count;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<DriverNews> news_;
};

class ContainerDriverTest : public testing::Test {
 protected:
  ContainerDriverTest() {
    engine_.with([](auto& state) { state.images.insert(kImage); });
    patience_.engine_outage = seconds(3);
    patience_.start_in_doubt = milliseconds(100);
    patience_.retry_min = milliseconds(10);
    patience_.retry_max = milliseconds(100);
    patience_.refusals = milliseconds(500);
    patience_.sweep_after = hours(1);
    begin_agent();
  }
  void begin_agent() {
    news_ = std::make_unique<News>();
    driver_ = create_container_driver(
        ContainerOptions{engine_.socket(), engine_.folder() + "/state", "local", policy_}, *news_, patience_);
  }
  void end_agent() { driver_.reset(); }

  RunSpec spec(const std::string& token = kToken, const std::string& container = "{}") {
    RunSpec out;
    out.run.token = token;
    out.run.job_id = "job-1";
    out.run.attempt = 2;
    out.run.image = kImage;
    out.run.command = {"echo", "hello"};
    out.run.environment = {{"A", "1"}};
    out.run.cpus_milli = 2000;
    out.run.memory_mib = 128;
    out.run.container = std::make_shared<const json::Value>(json::parse(container).value());
    out.dir = engine_.folder() + "/run-" + token;
    EXPECT_TRUE(rt::make_directories(out.dir));
    return out;
  }
  void wait_running(const std::string& name = kName) {
    ASSERT_TRUE(engine_.wait_until([&](const auto& state) {
      const auto found = state.containers.find(name);
      return found != state.containers.end() && found->second.status == "running" && state.streams > 0;
    }));
  }
  std::vector<std::string> log_lines(const std::string& token = kToken) {
    std::vector<std::string> out;
    const joblog::StreamReader reader(engine_.folder() + "/run-" + token + "/log");
    const auto page = reader.forward({});
    EXPECT_TRUE(page);
    bool goes_on = false;
    for (const auto& event : page->events) {
      if (goes_on)
        out.back() += event.text;
      else
        out.push_back(event.text);
      goes_on = event.continues;
    }
    return out;
  }
  bool wait_lines(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (log_lines().size() < count && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return log_lines().size() >= count;
  }

  FakeEngine engine_;
  ContainerPatience patience_;
  PullPolicy policy_ = PullPolicy::IfMissing;
  std::unique_ptr<News> news_;
  std::unique_ptr<Driver> driver_;
};

TEST_F(ContainerDriverTest, RunsToTheEndWithLogAndExitCode) {
  driver_->start(spec());
  wait_running();
  const auto began = news_->wait<RunBegan>();
  ASSERT_TRUE(began);
  EXPECT_GT(began->at.ms, 0);
  engine_.print(kName, 1, "hello\n", 1'800'000'000, "123456789");
  engine_.print(kName, 2, "world\n", 1'800'000'001);
  ASSERT_TRUE(news_->wait<LogGrew>());
  engine_.end(kName, 7);
  const auto ended = news_->wait<RunEnded>();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->end.exit_code, 7);
  EXPECT_EQ(ended->end.reason, "");
  EXPECT_TRUE(ended->end.started);
  EXPECT_FALSE(ended->end.node_failure);
  EXPECT_EQ(ended->started_at, began->at);
  EXPECT_GE(ended->end.at, ended->started_at);
  EXPECT_THAT(log_lines(), ElementsAre("hello", "world"));
  engine_.with([&](auto& state) {
    const auto& labels = state.containers[kName].body.as_object().at("Labels");
    EXPECT_EQ(json::get_string(labels, "stoker.token"), kToken);
    EXPECT_EQ(json::get_string(labels, "stoker.job"), "job-1");
    EXPECT_EQ(json::get_string(labels, "stoker.attempt"), "2");
    EXPECT_TRUE(state.pulls.empty()) << "the image was there";
    EXPECT_EQ(state.containers[kName].starts, 1);
  });
  driver_->forget(kToken);
  EXPECT_TRUE(engine_.wait_until([](const auto& state) { return state.containers.empty(); }));
}

TEST_F(ContainerDriverTest, PullsOnceForAllWhoWaitAndTellsThem) {
  engine_.with([](auto& state) { state.images.clear(), state.hold_pulls = true; });
  for (const char last : {'0', '1', '2'}) driver_->start(spec(kToken.substr(1) + last));
  for (const char last : {'0', '1', '2'}) {
    const auto progress = news_->wait<RunProgressed>(kToken.substr(1) + last);
    ASSERT_TRUE(progress);
  }
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.pulls_at_once == 1; }));
  // Two texts at least: waiting or pulling, then with numbers.
  const auto end = std::chrono::steady_clock::now() + kPatience;
  const auto told = [&] {
    const auto texts = news_->progress(kToken.substr(1) + "0");
    return std::find(texts.begin(), texts.end(), "pulling " + kImage + ": 12 of 40 MiB") != texts.end();
  };
  while (!told() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(told()) << testing::PrintToString(news_->progress(kToken.substr(1) + "0"));
  engine_.with([](auto& state) { state.hold_pulls = false; });
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.containers.size() == 3; }));
  engine_.with([](auto& state) { EXPECT_EQ(state.pulls[kImage], 1); });
}

TEST_F(ContainerDriverTest, TwoDifferentPullsAtOnceAreTheMost) {
  engine_.with([](auto& state) { state.hold_pulls = true; });
  for (const char last : {'0', '1', '2', '3'}) {
    auto one = spec(kToken.substr(1) + last);
    one.run.image = std::string("registry.example/other-") + last + ":1";
    driver_->start(one);
  }
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.pulls_at_once == 2; }));
  engine_.with([](auto& state) { state.hold_pulls = false; });
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.containers.size() == 4; }));
  engine_.with([](auto& state) { EXPECT_EQ(state.pulls_at_once_max, 2); });
}

TEST_F(ContainerDriverTest, AFailedPullSaysWhyInBatchsWords) {
  engine_.with([](auto& state) { state.images.clear(), state.pull_error = "manifest unknown"; });
  driver_->start(spec());
  const auto ended = news_->wait<RunEnded>();
  ASSERT_TRUE(ended);
  EXPECT_FALSE(ended->end.started);
  EXPECT_FALSE(ended->end.exit_code);
  EXPECT_EQ(ended->end.reason, "CannotPullContainerError: manifest unknown");
}

TEST_F(ContainerDriverTest, APassingFailureOfAPullIsTriedAgain) {
  engine_.with(
      [](auto& state) { state.images.clear(), state.pull_error = "net/http: TLS handshake timeout"; });
  driver_->start(spec());
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.pulls.contains(kImage); }));
  engine_.with([](auto& state) { state.pull_error.clear(); });
  wait_running();
}

TEST_F(ContainerDriverTest, TheNeverPolicyNeverPulls) {
  end_agent();
  policy_ = PullPolicy::Never;
  begin_agent();
  engine_.with([](auto& state) { state.images.clear(); });
  driver_->start(spec());
  EXPECT_THAT(news_->wait<RunEnded>()->end.reason, StartsWith("CannotPullContainerError: the image"));
  engine_.with([](auto& state) { EXPECT_TRUE(state.pulls.empty()); });
}

TEST_F(ContainerDriverTest, TheAlwaysPolicyPullsWhatIsThere) {
  end_agent();
  policy_ = PullPolicy::Always;
  begin_agent();
  driver_->start(spec());
  wait_running();
  engine_.with([](auto& state) { EXPECT_EQ(state.pulls[kImage], 1); });
}

TEST_F(ContainerDriverTest, StoppedWhileItsImageIsPulledItNeverBegins) {
  engine_.with([](auto& state) { state.images.clear(), state.hold_pulls = true; });
  driver_->start(spec());
  ASSERT_TRUE(engine_.wait_until([](const auto& state) { return state.pulls_at_once == 1; }));
  driver_->stop(kToken, seconds(30));
  const auto ended = news_->wait<RunEnded>();
  ASSERT_TRUE(ended);
  EXPECT_FALSE(ended->end.started);
  engine_.with([](auto& state) { EXPECT_TRUE(state.containers.empty()), state.hold_pulls = false; });
}

TEST_F(ContainerDriverTest, StopIsTermThenKillAfterTheGraceAndTheGraceMayShrink) {
  engine_.with([](auto& state) { state.ignore_term = true; });
  driver_->start(spec());
  wait_running();
  driver_->stop(kToken, hours(1));
  ASSERT_TRUE(
      engine_.wait_until([](const auto& state) { return state.containers.at(kName).signals.size() == 1; }));
  driver_->stop(kToken, milliseconds(50));
  driver_->stop(kToken, hours(2));
  const auto ended = news_->wait<RunEnded>();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->end.exit_code, 137);
  EXPECT_EQ(ended->end.reason, "");
  engine_.with(
      [](auto& state) { EXPECT_THAT(state.containers[kName].signals, ElementsAre("SIGTERM", "SIGKILL")); });
}

TEST_F(ContainerDriverTest, ASignalThatWasNotDeliveredIsSentAgain) {
  driver_->start(spec());
  wait_running();
  engine_.with([](auto& state) { state.dropped["POST /kill"] = 2; });
  driver_->stop(kToken, hours(1));
  EXPECT_EQ(news_->wait<RunEnded>()->end.exit_code, 143);
}

TEST_F(ContainerDriverTest, AMemoryKillIsSaidInBatchsWords) {
  driver_->start(spec());
  wait_running();
  engine_.end(kName, 137, true);
  const auto ended = news_->wait<RunEnded>();
  EXPECT_EQ(ended->end.reason, "OutOfMemoryError: Container killed due to memory usage");
  EXPECT_EQ(ended->end.exit_code, 137);
}

TEST_F(ContainerDriverTest, WhatTheEngineRefusesIsSaid) {
  engine_.with([](auto& state) {
    state.refusals["POST /containers/create"] = {400, R"({"message":"invalid mount"})"};
  });
  driver_->start(spec());
  EXPECT_EQ(news_->wait<RunEnded>()->end.reason, "CannotCreateContainerError: invalid mount");

  const auto other = kToken.substr(1) + "f";
  engine_.with([](auto& state) {
    state.refusals.clear();
    state.refusals["POST /start"] = {500, R"({"message":"exec: \"nope\": not found","cause":"x"})"};
  });
  driver_->start(spec(other));
  const auto ended = news_->wait<RunEnded>(other);
  EXPECT_EQ(ended->end.reason, "CannotStartContainerError: exec: \"nope\": not found");
  EXPECT_FALSE(ended->end.started);
  EXPECT_FALSE(ended->end.exit_code);
  engine_.with([](auto& state) { EXPECT_TRUE(state.containers.empty()) << "nothing may start later"; });
}

TEST_F(ContainerDriverTest, LostAnswersMakeAndStartOneContainerOnce) {
  for (const bool podman : {false, true}) {
    const auto token = kToken.substr(1) + (podman ? "1" : "0");
    engine_.with([&](auto& state) {
      state.podman = podman;
      state.unanswered["POST /containers/create"] = 1;
      state.unanswered["POST /start"] = 1;
      state.dropped["GET /json"] = 1;
    });
    driver_->start(spec(token));
    wait_running("stoker-" + token);
    engine_.end("stoker-" + token, 0);
    EXPECT_EQ(news_->wait<RunEnded>(token)->end.exit_code, 0);
    engine_.with([&](auto& state) { EXPECT_EQ(state.containers["stoker-" + token].starts, 1); });
  }
}

TEST_F(ContainerDriverTest, ALogThatBreaksOffGoesOnWithoutLossOrRepetition) {
  driver_->start(spec());
  wait_running();
  std::vector<std::string> expected;
  std::int64_t second = 1'800'000'000;
  for (int round = 0; round < 6; ++round) {
    for (int line = 0; line < 7; ++line) {
      // Three lines a second, equal texts now and then, both streams, a line in two parts.
      const auto text = "line " + std::to_string(line % 3);
      engine_.print(kName, 1, text, second);
      engine_.print(kName, 1, " end\n", second);
      engine_.print(kName, 2, "error\n", second + 1);
      engine_.print(kName, 1, "late\n", second);
      expected.insert(expected.end(), {text + " end", "error", "late"});
      second += line % 3 == 0 ? 1 : 0;
    }
    ASSERT_TRUE(wait_lines(expected.size()));
    engine_.cut_streams();
    wait_running();
  }
  engine_.end(kName, 0);
  ASSERT_TRUE(news_->wait<RunEnded>());
  EXPECT_EQ(log_lines(), expected);
}

TEST_F(ContainerDriverTest, ANewAgentAdoptsAndTheLogHasNoSeam) {
  driver_->start(spec());
  wait_running();
  for (int line = 0; line < 5; ++line) engine_.print(kName, 1, "before\n", 1'800'000'000 + line / 2);
  ASSERT_TRUE(wait_lines(5));
  end_agent();
  engine_.print(kName, 1, "before\n", 1'800'000'002);
  engine_.print(kName, 1, "alone\n", 1'800'000'003);
  begin_agent();
  driver_->adopt(spec());
  ASSERT_TRUE(news_->wait<RunBegan>());
  engine_.print(kName, 1, "after\n", 1'800'000'003);
  ASSERT_TRUE(wait_lines(8));
  engine_.end(kName, 3);
  EXPECT_EQ(news_->wait<RunEnded>()->end.exit_code, 3);
  EXPECT_THAT(log_lines(),
              ElementsAre("before", "before", "before", "before", "before", "before", "alone", "after"));
  engine_.with([](auto& state) { EXPECT_EQ(state.containers[kName].starts, 1); });
}

TEST_F(ContainerDriverTest, ARunThatEndedWhileNoAgentWasThereKeepsItsEnd) {
  driver_->start(spec());
  wait_running();
  end_agent();
  engine_.print(kName, 1, "last words\n", 1'800'000'000);
  engine_.end(kName, 42);
  begin_agent();
  driver_->adopt(spec());
  const auto ended = news_->wait<RunEnded>();
  EXPECT_EQ(ended->end.exit_code, 42);
  EXPECT_FALSE(ended->end.node_failure);
  EXPECT_THAT(log_lines(), ElementsAre("last words"));
  engine_.with([](auto& state) { EXPECT_EQ(state.containers[kName].starts, 1); });
}

TEST_F(ContainerDriverTest, ARunThatNeverReachedTheEngineNeverBegan) {
  driver_->adopt(spec());
  EXPECT_TRUE(news_->wait<RunNeverBegan>());
  driver_->start(spec());
  wait_running();
  EXPECT_EQ(news_->count_ends(), 0u);
}

TEST_F(ContainerDriverTest, AMadeContainerOfAnEarlierAgentIsStartedOnce) {
  const auto one = spec();
  NodeFacts facts;
  const auto body = to_docker(plan_container(one, facts).value());
  engine_.with([&](auto& state) { state.containers[kName].body = body; });
  driver_->adopt(one);
  wait_running();
  engine_.with([](auto& state) { EXPECT_EQ(state.containers[kName].starts, 1); });
}

TEST_F(ContainerDriverTest, AStopFileIsHonouredByTheNextAgent) {
  driver_->start(spec());
  wait_running();
  end_agent();
  ASSERT_TRUE(rt::write_file_atomically(spec().dir + "/stop", "30000"));
  begin_agent();
  driver_->adopt(spec());
  EXPECT_EQ(news_->wait<RunEnded>()->end.exit_code, 143);
}

TEST_F(ContainerDriverTest, AContainerThatVanishedIsTheNodesFault) {
  driver_->start(spec());
  wait_running();
  engine_.with([](auto& state) { state.containers.erase(kName); });
  const auto ended = news_->wait<RunEnded>();
  EXPECT_TRUE(ended->end.node_failure);
  EXPECT_FALSE(ended->end.exit_code);
  EXPECT_THAT(ended->end.reason, StartsWith("CannotInspectContainerError"));
}

TEST_F(ContainerDriverTest, AnotherBootEndsWhatRanAsANodeFailure) {
  driver_->start(spec());
  wait_running();
  end_agent();
  ASSERT_TRUE(rt::write_file_atomically(spec().dir + "/container.json", R"({"boot":"another"})"));
  engine_.end(kName, 255);  // by the engine's own count, when it came up
  begin_agent();
  driver_->adopt(spec());
  const auto ended = news_->wait<RunEnded>();
  EXPECT_TRUE(ended->end.node_failure);
  EXPECT_FALSE(ended->end.exit_code);
}

TEST_F(ContainerDriverTest, AnEndBeforeTheOtherBootIsTheTrueOne) {
  driver_->start(spec());
  wait_running();
  end_agent();
  ASSERT_TRUE(rt::write_file_atomically(spec().dir + "/container.json", R"({"boot":"another"})"));
  engine_.with([](auto& state) {
    auto& container = state.containers[kName];
    container.status = "exited";
    container.exit_code = 5;
    container.started_at = "2001-01-01T00:00:00Z";
    container.finished_at = "2001-01-02T00:00:00Z";
  });
  begin_agent();
  driver_->adopt(spec());
  EXPECT_EQ(news_->wait<RunEnded>()->end.exit_code, 5);
}

TEST_F(ContainerDriverTest, ARestartedEngineCostsNothing) {
  driver_->start(spec());
  wait_running();
  engine_.print(kName, 1, "one\n", 1'800'000'000);
  ASSERT_TRUE(wait_lines(1));
  engine_.stop_answering();
  engine_.answer_again();
  engine_.print(kName, 1, "two\n", 1'800'000'000);
  wait_running();
  engine_.end(kName, 0);
  EXPECT_EQ(news_->wait<RunEnded>()->end.exit_code, 0);
  EXPECT_THAT(log_lines(), ElementsAre("one", "two"));
}

TEST_F(ContainerDriverTest, AnEngineThatIsAwayTooLongFailsAStartButNotAnAdoption) {
  engine_.stop_answering();
  driver_->start(spec());
  const auto other = kToken.substr(1) + "e";
  driver_->adopt(spec(other));
  EXPECT_THAT(news_->wait<RunEnded>()->end.reason,
              StartsWith("CannotCreateContainerError: the container engine does not answer"));
  EXPECT_THAT(news_->progress(), testing::Contains(StartsWith("waiting for the container engine")));
  engine_.answer_again();
  EXPECT_TRUE(news_->wait<RunNeverBegan>(other));
}

TEST_F(ContainerDriverTest, GarbageAnswersEndNothingButTheRun) {
  const std::vector<std::string> garbage = {"", "<html>", R"({"State":7,"Config":[]})",
                                            std::string(100, '{')};
  int number = 0;
  for (const char* where : {"GET /version", "GET /info", "GET /json", "POST /images/create", "GET /logs"}) {
    for (const auto& bytes : garbage) {
      const auto token = "00000000000000000000000000000" + std::to_string(100 + number++);
      engine_.with([&](auto& state) {
        state.garbage = {{where, bytes}};
        state.images.clear();
        if (std::string(where) != "POST /images/create") state.images.insert(kImage);
      });
      driver_->start(spec(token));
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      if (news_->wait<RunBegan>(token, std::chrono::milliseconds(100))) engine_.end("stoker-" + token, 0);
      // Half the answers are good enough for a run; none may keep it from ending.
      engine_.with([&](auto& state) { state.garbage.clear(); });
      if (!news_->wait<RunEnded>(token, std::chrono::milliseconds(300))) driver_->stop(token, {});
      EXPECT_TRUE(news_->wait<RunEnded>(token)) << where << " " << bytes;
    }
  }
}

TEST_F(ContainerDriverTest, ALogThatCannotBeReadIsSaidInTheLog) {
  engine_.with([](auto& state) {
    state.refusals["GET /logs"] = {500,
                                   R"({"message":"configured logging driver does not support reading"})"};
  });
  driver_->start(spec());
  ASSERT_TRUE(news_->wait<RunBegan>());
  engine_.end(kName, 0);
  EXPECT_EQ(news_->wait<RunEnded>()->end.exit_code, 0);
  EXPECT_THAT(log_lines(), ElementsAre(HasSubstr("does not support reading")));
}

TEST_F(ContainerDriverTest, ContainersOfForgottenRunsAreSweptAndOthersAreNot) {
  end_agent();
  const auto stray = std::string(32, 'a');
  engine_.with([&](auto& state) {
    state.containers["stoker-" + stray].body =
        json::parse(R"({"Labels":{"stoker.token":")" + stray + "\"}}").value();
    state.containers["mine"].body = json::parse(R"({"Labels":{}})").value();
  });
  patience_.sweep_after = milliseconds(100);
  begin_agent();
  driver_->start(spec());
  ASSERT_TRUE(
      engine_.wait_until([&](const auto& state) { return !state.containers.contains("stoker-" + stray); }));
  engine_.with([](auto& state) { EXPECT_TRUE(state.containers.contains("mine")); });
  wait_running();
}

TEST_F(ContainerDriverTest, VolumesWithoutAPathLiveAsLongAsTheRun) {
  driver_->start(spec(kToken, R"({"volumes":[{"name":"scratch","host":{}}],
      "mountPoints":[{"sourceVolume":"scratch","containerPath":"/scratch"}]})"));
  wait_running();
  engine_.with([](auto& state) { EXPECT_THAT(state.volumes, ElementsAre(kName + "-scratch")); });
  engine_.end(kName, 0);
  ASSERT_TRUE(news_->wait<RunEnded>());
  driver_->forget(kToken);
  EXPECT_TRUE(engine_.wait_until(
      [](const auto& state) { return state.containers.empty() && state.volumes.empty(); }));
}

TEST_F(ContainerDriverTest, AMissingFolderOfTheNodeIsMade) {
  const auto folder = engine_.folder() + "/data/deep";
  driver_->start(spec(kToken, R"({"volumes":[{"name":"d","host":{"sourcePath":")" + folder + R"("}}],
      "mountPoints":[{"sourceVolume":"d","containerPath":"/d"}]})"));
  wait_running();
  EXPECT_TRUE(rt::file_exists(folder));
}

TEST_F(ContainerDriverTest, AGpuThatCannotBeGivenIsRefusedClearly) {
  auto one = spec();
  one.gpus.push_back({.gpu = {"GPU-none", "A10G", 24000}, .minor = 0, .pci_bus_id = "0"});
  driver_->start(one);
  const auto ended = news_->wait<RunEnded>();
  EXPECT_THAT(ended->end.reason,
              StartsWith("CannotCreateContainerError: this node cannot give GPUs to containers"));
}

TEST_F(ContainerDriverTest, ManyRunsAtOnce) {
  constexpr int kRuns = 40;
  std::vector<std::string> tokens;
  for (int i = 0; i < kRuns; ++i) tokens.push_back("000000000000000000000000000001" + std::to_string(10 + i));
  for (const auto& token : tokens) driver_->start(spec(token));
  for (const auto& token : tokens) {
    ASSERT_TRUE(news_->wait<RunBegan>(token));
    engine_.print("stoker-" + token, 1, token + "\n", 1'800'000'000);
    engine_.end("stoker-" + token, 0);
  }
  for (const auto& token : tokens) {
    ASSERT_TRUE(news_->wait<RunEnded>(token));
    EXPECT_THAT(log_lines(token), ElementsAre(token));
  }
  EXPECT_EQ(news_->count_ends(), static_cast<std::size_t>(kRuns));
}

TEST_F(ContainerDriverTest, ProbeFindsOnlyWhatAnswersAsAnEngine) {
  EXPECT_EQ(probe_container_engine(engine_.socket()), engine_.socket());
  EXPECT_EQ(probe_container_engine("none").error().code, Code::NotFound);
  const auto missing = probe_container_engine(engine_.folder() + "/no.sock");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no.sock: no such file"));
}

}  // namespace
}  // namespace stoker::agent
