#include "log/log.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

namespace stoker::log {
namespace {

class LogTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/stoker-log-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    dir_ = name;
    file_ = dir_ + "/log";
  }
  void TearDown() override {
    configure(Level::Warning, "stderr");
    std::filesystem::remove_all(dir_);
  }
  // Without the part that tells the time, after a look at its shape.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> out;
    std::ifstream in(file_);
    for (std::string line; std::getline(in, line);) {
      EXPECT_EQ(line.substr(0, 11), R"({"time":"20)");
      EXPECT_EQ(line.substr(32, 2), R"(Z")") << line;
      out.push_back("{" + line.substr(35));
    }
    return out;
  }

  std::string dir_;
  std::string file_;
};

TEST_F(LogTest, ALineIsOneJsonObject) {
  configure(Level::Debug, file_);
  info("node_lost", {{"node", "n-1"}, {"gpus", 4u}, {"spot", true}, {"price", 1.5}, {"gone", -3}});
  error("odd", {{"text", std::string("q\" b\\ n\n t\t \x01 \xff")}});
  debug("bare");
  warning("not_finite", {{"x", std::numeric_limits<double>::infinity()}});
  EXPECT_EQ(
      lines(),
      (std::vector<std::string>{
          R"({"level":"info","event":"node_lost","node":"n-1","gpus":4,"spot":true,"price":1.5,"gone":-3})",
          "{\"level\":\"error\",\"event\":\"odd\",\"text\":\"q\\\" b\\\\ n\\n t\\u0009 \\u0001 "
          "\xEF\xBF\xBD\"}",
          R"({"level":"debug","event":"bare"})",
          R"({"level":"warning","event":"not_finite","x":null})",
      }));
}

TEST_F(LogTest, LowerLevelsAreLeftOut) {
  configure(Level::Warning, file_);
  EXPECT_FALSE(enabled(Level::Info));
  EXPECT_TRUE(enabled(Level::Error));
  debug("a");
  info("b");
  warning("c");
  error("d");
  EXPECT_EQ(lines().size(), 2u);
}

TEST_F(LogTest, HugeTextsAreCut) {
  configure(Level::Info, file_);
  info("huge", {{"text", std::string(10u << 20, 'x')}});
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_LT(lines()[0].size(), kTextBytesMax + 200);
}

TEST_F(LogTest, ThreadsDoNotMixTheirLines) {
  configure(Level::Info, file_);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) info("tick", {{"thread", t}, {"text", std::string(200, 'x')}});
    });
  for (auto& thread : threads) thread.join();
  const auto all = lines();
  EXPECT_EQ(all.size(), 2000u);
  for (const auto& line : all) EXPECT_EQ(line.size(), all[0].size());
}

TEST_F(LogTest, AFileThatCannotBeOpenedLeavesStderr) {
  testing::internal::CaptureStderr();
  configure(Level::Info, "/proc/none/log");
  info("still_said");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("log_file_refused"), std::string::npos);
  EXPECT_NE(said.find("still_said"), std::string::npos);
}

}  // namespace
}  // namespace stoker::log
