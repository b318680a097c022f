// Frames, times, and a log that is resumed at any byte.
#include "agent/container_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/container_engine.h"
#include "base/rng.h"
#include "base/text.h"
#include "joblog/reader.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

std::string frame(int stream, std::string_view payload) {
  std::string out = {static_cast<char>(stream), 0, 0, 0};
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((payload.size() >> shift) & 0xff);
  return out + std::string(payload);
}

TEST(EngineTime, IsReadInTheShapesEnginesWrite) {
  EXPECT_EQ(parse_engine_time("1970-01-01T00:00:01Z"), Instant{1000});
  EXPECT_EQ(parse_engine_time("2026-11-30T09:36:35.009262107Z"), Instant{1'796'031'395'009});
  EXPECT_EQ(parse_engine_time("2026-11-30T10:36:35.5+01:00"), Instant{1'796'031'395'500});
  EXPECT_EQ(parse_engine_time("2024-02-29T23:59:60Z"), Instant{1'709'251'200'000});
  EXPECT_EQ(parse_engine_time("0001-01-01T00:00:00Z"), Instant{0});
  for (const char* bad : {"", "now", "2026-11-30", "2026-11-30T09:36:35", "2026-13-30T09:36:35Z",
                          "2026-11-30T09:36:35.Zx", "0000-00-00T00:00:00Z", "2026-11-30T09:36:35+1"})
    EXPECT_FALSE(parse_engine_time(bad)) << bad;
}

TEST(FrameDecoder, TakesFramesInAnyPieces) {
  const auto bytes = frame(1, "a") + frame(2, "") + frame(1, std::string(100'000, 'x'));
  for (const std::size_t piece : {1ul, 7ul, 8ul, 1000ul, bytes.size()}) {
    FrameDecoder decoder;
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      decoder.feed(std::string_view(bytes).substr(at, piece));
      for (auto next = decoder.next(); next && *next; next = decoder.next())
        sizes.push_back((*next)->payload.size());
    }
    EXPECT_THAT(sizes, testing::ElementsAre(1, 0, 100'000)) << piece;
  }
}

TEST(FrameDecoder, GarbageIsAnErrorNotACrash) {
  Rng rng(3);
  int errors = 0;
  for (int round = 0; round < 300; ++round) {
    FrameDecoder decoder;
    std::string bytes = frame(1, "text");
    for (int n = 0; n < 3; ++n) bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
    decoder.feed(bytes);
    for (int n = 0; n < 10; ++n)
      if (!decoder.next()) ++errors;
  }
  EXPECT_GT(errors, 100);
  FrameDecoder html;
  html.feed("<html><body>");
  EXPECT_FALSE(html.next());
}

class ContainerLogTest : public testing::Test {
 protected:
  ContainerLogTest() : dir_(rt::make_temporary_directory("/tmp/stoker-clog-").value()) {}
  ~ContainerLogTest() override { (void)rt::remove_tree(dir_); }

  std::string text() {
    std::string out;
    joblog::Position at;
    for (;;) {
      const auto page = joblog::StreamReader(dir_ + "/log").forward(at).value();
      for (const auto& event : page.events) out += event.text + (event.continues ? "" : "\n");
      if (page.at_end) return out;
      at = page.next;
    }
  }
  std::string dir_;
};

struct Line {
  std::int64_t ms;
  std::string text;
};

// What an engine answers: everything from that second on, whole seconds or not in the timestamps.
std::string answer_since(const std::vector<Line>& lines, std::size_t until, std::int64_t since,
                         bool whole_seconds) {
  std::string out;
  for (std::size_t i = 0; i < until; ++i) {
    if (lines[i].ms / 1000 < since) continue;
    out += frame(1 + static_cast<int>(i % 2),
                 iso_time(whole_seconds ? lines[i].ms / 1000 * 1000 : lines[i].ms, !whole_seconds) + " " +
                     lines[i].text);
  }
  return out;
}

// A walk: an engine's growing log, answers that stop at any byte, agents that die with or without having
// saved their place, clocks that stand, jump, lie a little and go back. Whatever happens, the text is the
// same.
TEST_F(ContainerLogTest, AnyInterruptionsGiveTheSameLog) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    (void)rt::remove_tree(dir_ + "/log");
    (void)rt::remove_tree(dir_ + "/container-log.json");
    Rng rng(seed);
    const bool whole_seconds = rng.chance(1, 2);
    const bool clock_goes_back = rng.chance(1, 3);
    std::vector<Line> lines;
    std::string expected;
    std::int64_t now = 1'800'000'000'000;
    for (int i = 0; i < 200; ++i) {
      now += rng.chance(1, 2) ? 0 : static_cast<std::int64_t>(rng.below(rng.chance(1, 10) ? 5000 : 300));
      if (clock_goes_back && rng.chance(1, 60)) now -= 900;
      // The two streams are stamped apart from each other.
      const auto stamped = now - static_cast<std::int64_t>(rng.below(20));
      std::string text = rng.chance(1, 3) ? "same" : std::to_string(rng.below(1000));
      if (rng.chance(1, 50)) text += std::string(200'000, 'l');
      if (rng.chance(4, 5)) text += "\n";
      if (rng.chance(1, 20)) text = "\n";
      lines.push_back({stamped, text});
      expected += text;
    }
    auto log = ContainerLog::open(dir_, 64u << 20).value();
    for (std::size_t until = 0; until < lines.size();) {
      until = std::min(lines.size(), until + rng.below(40));
      const auto bytes = answer_since(lines, until, log->since(), whole_seconds);
      log->begin();
      const auto cut = rng.chance(1, 2) ? bytes.size() : rng.below(bytes.size() + 1);
      for (std::size_t at = 0; at < cut;) {
        const auto piece = std::min<std::size_t>(cut - at, 1 + rng.below(5000));
        ASSERT_TRUE(log->feed(Instant{now}, std::string_view(bytes).substr(at, piece)));
        at += piece;
      }
      if (rng.chance(1, 3)) log->save();
      if (rng.chance(1, 3)) log = ContainerLog::open(dir_, 64u << 20).value();
    }
    log->begin();
    ASSERT_TRUE(log->feed(Instant{now}, answer_since(lines, lines.size(), log->since(), whole_seconds)));
    if (!expected.ends_with('\n')) log->note(Instant{now}, "");
    if (!expected.ends_with('\n')) expected += '\n';
    ASSERT_EQ(text() == expected, true) << "seed " << seed;
  }
}

TEST_F(ContainerLogTest, AClockThatGoesBackFarCostsNothingEither) {
  const std::vector<Line> lines = {{1'800'000'100'000, "one\n"},
                                   {1'800'000'101'000, "two\n"},
                                   {1'800'000'010'000, "three\n"},
                                   {1'800'000'011'000, "four\n"}};
  auto log = ContainerLog::open(dir_, 64u << 20).value();
  log->begin();
  ASSERT_TRUE(log->feed({}, answer_since(lines, 3, log->since(), true)));
  log = ContainerLog::open(dir_, 64u << 20).value();
  log->begin();
  ASSERT_TRUE(log->feed({}, answer_since(lines, 4, log->since(), true)));
  EXPECT_EQ(text(), "one\ntwo\nthree\nfour\n");
}

TEST_F(ContainerLogTest, ALogThatTheEngineTurnedOverGoesOn) {
  auto log = ContainerLog::open(dir_, 64u << 20).value();
  log->begin();
  ASSERT_TRUE(log->feed({}, frame(1, "2026-11-30T09:00:00Z old\n") + frame(1, "2026-11-30T09:00:00Z old\n")));
  log->begin();
  ASSERT_TRUE(log->feed({}, frame(1, "2026-11-30T10:00:00Z new\n")));
  EXPECT_EQ(text(), "old\nold\nnew\n");
}

TEST_F(ContainerLogTest, WholeSecondsOfLiveLinesGetOurMilliseconds) {
  auto log = ContainerLog::open(dir_, 64u << 20).value();
  const auto second = *parse_engine_time("2026-11-30T09:00:00Z");
  log->begin();
  ASSERT_TRUE(log->feed(second + milliseconds(250), frame(1, "2026-11-30T09:00:00Z live\n")));
  ASSERT_TRUE(log->feed(second + minutes(5), frame(1, "2026-11-30T09:00:01Z read later\n")));
  const auto page = joblog::StreamReader(dir_ + "/log").forward({}).value();
  EXPECT_EQ(page.events.at(0).time, second + milliseconds(250));
  EXPECT_EQ(page.events.at(1).time, second + seconds(1));
}

TEST_F(ContainerLogTest, ABrokenPlaceFileIsNoCrash) {
  for (const char* broken :
       {"", "{", "[]", R"({"anchor":"x","taken":-5,"end":-1})", R"({"end":9223372036854775807})"}) {
    ASSERT_TRUE(rt::write_file_atomically(dir_ + "/container-log.json", broken));
    auto log = ContainerLog::open(dir_, 64u << 20);
    ASSERT_TRUE(log);
    (*log)->begin();
    EXPECT_TRUE((*log)->feed({}, frame(1, "2026-11-30T09:00:00Z a\n")));
  }
}

}  // namespace
}  // namespace stoker::agent
