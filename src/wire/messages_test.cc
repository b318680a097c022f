#include "wire/messages.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stoker::wire {
namespace {

const Token kToken = "0123456789abcdef0123456789abcdef";

StartRun a_start() {
  StartRun start;
  start.token = kToken;
  start.job_id = "3f0b2c1e-0000-4000-8000-000000000001:7";
  start.job_name = "train \"quoted\"\n";
  start.attempt = 3;
  start.image = "host";
  start.command = {"python", "train.py", "--name=ü", ""};
  start.environment = {{"A", "1"}, {"B", ""}, {"AWS_BATCH_JOB_ATTEMPT", "3"}};
  start.cpus_milli = 2000;
  start.memory_mib = 4096;
  start.gpus = {"GPU-1", "GPU-2"};
  start.gpu_milli = 250;
  start.container = std::make_shared<const json::Value>(
      json::parse(R"({"user":"nobody","ulimits":[{"name":"nofile"}]})").value());
  start.log_bytes_max = 123;
  return start;
}

Hello a_hello() {
  Hello hello;
  hello.node = "local";
  hello.instance = "boot:1";
  hello.inventory = {2000, 7985, {{"GPU-pretended-0", "A10G", 24576}}, true, true, {"no memory limits"}};
  hello.inventory.address = "10.0.3.7";
  hello.inventory.rack = "row 2";
  hello.inventory.images = {"docker.io/library/busybox:latest", "r.example/team/train@sha256:00"};
  hello.inventory.gpus.push_back({.uuid = "GPU-1",
                                  .model = "A100",
                                  .memory_mib = 81'920,
                                  .numa_node = 1,
                                  .nvlink_group = 0,
                                  .mig = MigMode::Fixed,
                                  .mig_devices = {{"MIG-1", "3g.40gb", 0}, {"MIG-2", "2g.20gb", 4}},
                                  .health = GpuHealth::Draining});
  hello.runs.push_back({kToken, RunPhase::Starting, {}, {}});
  hello.runs.push_back({kToken, RunPhase::Running, Instant{5}, {}});
  hello.runs.push_back(
      {kToken, RunPhase::Exited, Instant{5},
       RunEnd{Instant{9}, 137, "OutOfMemoryError: Container killed due to memory usage", true, false}});
  hello.runs.push_back({kToken, RunPhase::Exited, {}, RunEnd{Instant{9}, {}, "gone", false, true}});
  return hello;
}

template <class Message>
void expect_same_from_agent(const Message& message) {
  const Frame frame = encode(FromAgent(message));
  const auto back = decode_from_agent(frame.binary, frame.bytes);
  ASSERT_TRUE(back) << back.error().message << "\n" << frame.bytes;
  ASSERT_TRUE(std::holds_alternative<Message>(*back));
  EXPECT_EQ(std::get<Message>(*back), message) << frame.bytes;
}

template <class Message>
void expect_same_to_agent(const Message& message) {
  const Frame frame = encode(ToAgent(message));
  const auto back = decode_to_agent(frame.binary, frame.bytes);
  ASSERT_TRUE(back) << back.error().message << "\n" << frame.bytes;
  ASSERT_TRUE(std::holds_alternative<Message>(*back));
  EXPECT_EQ(std::get<Message>(*back), message) << frame.bytes;
}

TEST(Wire, messages_of_the_agent_come_back_as_they_were) {
  expect_same_from_agent(a_hello());
  expect_same_from_agent(Hello{"n", "i", 1, {}, {}});
  expect_same_from_agent(ImagesChanged{{"docker.io/library/busybox:latest"}});
  expect_same_from_agent(ImagesChanged{});
  expect_same_from_agent(RunStarted{kToken, Instant{1'700'000'000'123}});
  expect_same_from_agent(RunProgress{kToken, "pulling busybox: 12 of 40 MiB"});
  expect_same_from_agent(RunExited{kToken, Instant{4}, {Instant{5}, 0, "", true, false}});
  expect_same_from_agent(
      RunExited{kToken, {}, {Instant{5}, {}, "CannotStartContainerError: x", false, false}});
  expect_same_from_agent(LogChunk{kToken, 1ULL << 40, std::string("\0\xff\n", 3)});
  expect_same_from_agent(LogChunk{kToken, 0, ""});
}

TEST(Wire, messages_of_the_server_come_back_as_they_were) {
  expect_same_to_agent(StopRun{kToken, seconds(7)});
  expect_same_to_agent(ForgetRun{kToken});
  expect_same_to_agent(LogAck{kToken, 1ULL << 50});
  const StartRun start = a_start();
  const Frame frame = encode(ToAgent(start));
  const auto back = decode_to_agent(frame.binary, frame.bytes);
  ASSERT_TRUE(back) << back.error().message;
  const auto& got = std::get<StartRun>(*back);
  EXPECT_EQ(got.token, start.token);
  EXPECT_EQ(got.job_id, start.job_id);
  EXPECT_EQ(got.job_name, start.job_name);
  EXPECT_EQ(got.attempt, start.attempt);
  EXPECT_EQ(got.image, start.image);
  EXPECT_EQ(got.command, start.command);
  EXPECT_EQ(got.environment, start.environment);
  EXPECT_EQ(got.cpus_milli, start.cpus_milli);
  EXPECT_EQ(got.memory_mib, start.memory_mib);
  EXPECT_EQ(got.gpus, start.gpus);
  EXPECT_EQ(got.gpu_milli, start.gpu_milli);
  EXPECT_EQ(got.properties(), start.properties());
  EXPECT_EQ(got.log_bytes_max, start.log_bytes_max);
}

TEST(Wire, a_stray_byte_in_a_text_does_not_spoil_the_message) {
  const Frame frame = encode(FromAgent(RunProgress{kToken,
                                                   "a\xff"
                                                   "b"}));
  const auto back = decode_from_agent(false, frame.bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<RunProgress>(*back).text,
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Wire, what_is_no_message_is_refused) {
  const std::string good = R"({"type":"StopRun","token":"0123456789abcdef0123456789abcdef","graceMs":5})";
  ASSERT_TRUE(decode_to_agent(false, good));
  for (
      const std::string_view bad : {
          R"()",
          R"(null)",
          R"([])",
          R"("x")",
          R"({})",
          R"({"type":"Nope"})",
          R"({"type":"StopRun"})",
          R"({"type":"StopRun","token":"0123"})",
          R"({"type":"StopRun","token":"0123456789ABCDEF0123456789ABCDEF"})",
          R"({"type":"StopRun","token":"../../../../../../../../../../etc"})",
          R"({"type":"StopRun","token":"0123456789abcdef0123456789abcdef","graceMs":-1})",
          R"({"type":"StopRun","token":"0123456789abcdef0123456789abcdef","graceMs":"5"})",
          R"({"type":"StopRun","token":"0123456789abcdef0123456789abcdef","graceMs":1e300})",
          R"({"type":"LogAck","token":"0123456789abcdef0123456789abcdef","next":-3})",
          R"({"type":"StartRun","token":"0123456789abcdef0123456789abcdef"})",
          R"({"type":"StartRun","token":"0123456789abcdef0123456789abcdef","image":"host","command":[1]})",
          R"({"type":"StartRun","token":"0123456789abcdef0123456789abcdef","image":"host","command":{}})",
          R"({"type":"StartRun","token":"0123456789abcdef0123456789abcdef","image":"host","environment":["a"]})",
      }) {
    const auto got = decode_to_agent(false, bad);
    ASSERT_FALSE(got) << bad;
    EXPECT_EQ(got.error().code, Code::InvalidArgument) << bad;
  }
  for (
      const std::string_view bad : {
          R"({"type":"Hello","node":"a","instance":"b"})",
          R"({"type":"Hello","node":"a","instance":"b","inventory":3})",
          R"({"type":"Hello","node":"a","instance":"b","inventory":{},"runs":[{}]})",
          R"({"type":"Hello","node":"a","instance":"b","inventory":{"gpus":[{"uuid":"u","model":"m","memoryMib":1,"health":"ill"}]},"runs":[]})",
          R"({"type":"Hello","node":"a","instance":"b","inventory":{},"runs":[{"token":"0123456789abcdef0123456789abcdef","phase":"exited"}]})",
          R"({"type":"Hello","node":"a","instance":"b","inventory":{"images":"busybox"},"runs":[]})",
          R"({"type":"Hello","node":"a","instance":"b","inventory":{"images":[1]},"runs":[]})",
          R"({"type":"ImagesChanged"})",
          R"({"type":"ImagesChanged","images":{}})",
          R"({"type":"ImagesChanged","images":[null]})",
          R"({"type":"RunExited","token":"0123456789abcdef0123456789abcdef"})",
          R"({"type":"RunExited","token":"0123456789abcdef0123456789abcdef","end":{"exitCode":256}})",
      })
    EXPECT_FALSE(decode_from_agent(false, bad)) << bad;
}

TEST(Wire, images_are_bounded_in_number_and_length) {
  const auto decoded = [](std::vector<std::string> images) {
    Hello hello{"n", "i", 1, {}, {}};
    hello.inventory.images = images;
    const bool as_hello = decode_from_agent(false, encode(FromAgent(hello)).bytes).has_value();
    const bool alone = decode_from_agent(false, encode(FromAgent(ImagesChanged{images})).bytes).has_value();
    EXPECT_EQ(as_hello, alone);
    return alone;
  };
  EXPECT_TRUE(decoded(std::vector<std::string>(kImagesMax, std::string(kImageBytesMax, 'a'))));
  EXPECT_FALSE(decoded(std::vector<std::string>(kImagesMax + 1, "a")));
  EXPECT_FALSE(decoded({std::string(kImageBytesMax + 1, 'a')}));
}

TEST(Wire, mutated_messages_never_do_harm) {
  Rng rng(7);
  std::vector<Frame> seeds = {
      encode(FromAgent(a_hello())), encode(ToAgent(a_start())),
      encode(FromAgent(ImagesChanged{{"docker.io/library/busybox:latest", "r.example/a:1"}})),
      encode(FromAgent(LogChunk{kToken, 77, "abc"})),
      encode(FromAgent(RunExited{kToken, Instant{4}, {Instant{5}, 0, "", true, false}}))};
  for (int i = 0; i < 20'000; ++i) {
    Frame frame = seeds[rng.below(seeds.size())];
    for (std::uint64_t n = 1 + rng.below(4); n > 0 && !frame.bytes.empty(); --n) {
      const std::size_t at = rng.below(frame.bytes.size());
      switch (rng.below(3)) {
        case 0:
          frame.bytes[at] = static_cast<char>(rng.next());
          break;
        case 1:
          frame.bytes.erase(at, 1 + rng.below(9));
          break;
        default:
          frame.bytes.insert(at, frame.bytes.substr(rng.below(frame.bytes.size()), rng.below(20)));
      }
    }
    (void)decode_from_agent(frame.binary, frame.bytes);
    (void)decode_to_agent(frame.binary, frame.bytes);
  }
}

}  // namespace
}  // namespace stoker::wire
