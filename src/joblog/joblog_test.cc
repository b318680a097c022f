#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "joblog/reader.h"
#include "joblog/replica.h"
#include "joblog/store.h"
#include "joblog/writer.h"
#include "rt/file.h"

namespace stoker::joblog {
namespace {

class Joblog : public testing::Test {
 protected:
  void SetUp() override { dir_ = rt::make_temporary_directory("/tmp/joblog_test.").value(); }
  void TearDown() override { (void)rt::remove_tree(dir_); }
  [[nodiscard]] std::string path(const std::string& name) const { return dir_ + "/" + name; }
  std::string dir_;
};

std::vector<Event> read_all(const StreamReader& reader, ReadLimits limits = {}) {
  std::vector<Event> all;
  Position at;
  for (;;) {
    Page page = reader.forward(at, limits).value();
    for (Event& event : page.events) all.push_back(std::move(event));
    if (page.at_end) return all;
    EXPECT_GT(page.next, at);
    at = page.next;
  }
}

std::vector<Event> read_all_backwards(const StreamReader& reader, ReadLimits limits = {}) {
  std::vector<Event> all;
  Position at = reader.end().value();
  for (;;) {
    Page page = reader.backward(at, limits).value();
    all.insert(all.begin(), page.events.begin(), page.events.end());
    if (page.at_end) return all;
    EXPECT_LT(page.first, at);
    at = page.first;
  }
}

std::vector<std::string> texts(const std::vector<Event>& events) {
  std::vector<std::string> out;
  for (const Event& event : events) out.push_back(event.text);
  return out;
}

std::vector<Segment> segments_of(const std::string& dir) {
  return list_segments(dir).value();
}

std::uint64_t files_bytes(const std::string& dir) {
  std::uint64_t sum = 0;
  for (const Segment& segment : segments_of(dir)) sum += segment.bytes;
  return sum;
}

// ---- lines ----

struct LineCase {
  std::string rule;
  std::vector<std::string> fed;
  std::vector<std::string> lines;
};

TEST_F(Joblog, bytes_become_lines) {
  const std::vector<LineCase> cases = {
      {"a line without its end is written at the end", {"abc"}, {"abc"}},
      {"the line end is not kept", {"a\nb\n"}, {"a", "b"}},
      {"an empty line is an event", {"\n\na\n"}, {"", "", "a"}},
      {"pieces of a line are joined", {"he", "llo", "\nwor", "ld\n"}, {"hello", "world"}},
      {"a carriage return before the line end goes", {"a\r\nb\r", "\n"}, {"a", "b"}},
      {"a progress bar stays one line", {"10%\r20%\r100%\n"}, {"10%\r20%\r100%"}},
      {"bytes that are no text are kept", {std::string("\0\xff\x80\n", 4)}, {std::string("\0\xff\x80", 3)}},
      {"nothing in, nothing out", {""}, {}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].rule);
    const std::string dir = path(std::to_string(i));
    Writer writer = Writer::open(dir, 1 << 20).value();
    LineSplitter lines(writer);
    for (const std::string& piece : cases[i].fed) lines.feed(Instant{5}, piece);
    lines.flush(Instant{6}, LineSplitter::Flush::End);
    ASSERT_TRUE(writer.flush());
    EXPECT_EQ(texts(read_all(StreamReader(dir))), cases[i].lines);
  }
}

TEST_F(Joblog, a_long_line_is_cut_into_events_that_say_so) {
  int logs = 0;
  for (const std::size_t length :
       {kEventBytesMax - 1, kEventBytesMax, kEventBytesMax + 1, 3 * kEventBytesMax, 3 * kEventBytesMax + 7}) {
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{65536}, length}) {
      SCOPED_TRACE(std::to_string(length) + " in pieces of " + std::to_string(piece));
      const std::string dir = path(std::to_string(++logs));
      Writer writer = Writer::open(dir, 8 << 20).value();
      LineSplitter lines(writer);
      const std::string line(length, 'x');
      for (std::size_t at = 0; at < length; at += piece) lines.feed(Instant{1}, line.substr(at, piece));
      lines.feed(Instant{1}, "\nnext\n");
      ASSERT_TRUE(writer.flush());
      const auto events = read_all(StreamReader(dir));
      std::string joined;
      std::size_t i = 0;
      for (; i < events.size(); ++i) {
        joined += events[i].text;
        EXPECT_FALSE(events[i].text.empty());
        if (!events[i].continues) break;
      }
      EXPECT_EQ(joined, line);
      ASSERT_EQ(i + 2, events.size());
      EXPECT_EQ(events.back().text, "next");
      EXPECT_EQ(i + 1, (length + kEventBytesMax - 1) / kEventBytesMax);
    }
  }
}

TEST_F(Joblog, a_line_that_waits_is_shown_and_goes_on) {
  Writer writer = Writer::open(path("s"), 1 << 20).value();
  LineSplitter lines(writer);
  lines.feed(Instant{1}, "Password: ");
  lines.flush(Instant{5}, LineSplitter::Flush::Quiet);
  lines.flush(Instant{6}, LineSplitter::Flush::Quiet);
  lines.feed(Instant{9}, "\n\n");
  lines.flush(Instant{9}, LineSplitter::Flush::End);
  ASSERT_TRUE(writer.flush());
  const auto events = read_all(StreamReader(path("s")));
  ASSERT_EQ(texts(events), (std::vector<std::string>{"Password: ", ""}));
  EXPECT_TRUE(events[0].continues);
  EXPECT_EQ(events[0].time, Instant{5});
}

// ---- writer ----

TEST_F(Joblog, no_file_before_the_first_byte) {
  Writer writer = Writer::open(path("s"), 1 << 20).value();
  ASSERT_TRUE(writer.flush());
  EXPECT_FALSE(rt::file_exists(path("s")));
  EXPECT_TRUE(read_all(StreamReader(path("s"))).empty());
  EXPECT_EQ(StreamReader(path("s")).end().value(), Position{});
}

TEST_F(Joblog, times_never_go_backwards) {
  Writer writer = Writer::open(path("s"), 1 << 20).value();
  writer.add(Instant{100}, "a");
  writer.add(Instant{50}, "b");
  ASSERT_TRUE(writer.flush());
  Writer again = Writer::open(path("s"), 1 << 20).value();
  EXPECT_EQ(again.last_time(), Instant{100});
  again.add(Instant{70}, "c");
  ASSERT_TRUE(again.flush());
  const auto events = read_all(StreamReader(path("s")));
  EXPECT_EQ(events.size(), 3u);
  for (const Event& event : events) EXPECT_EQ(event.time, Instant{100});
}

TEST_F(Joblog, a_writer_tells_what_the_disk_did_not_take) {
  auto writer = Writer::open(path("log"), 1 << 20).value();
  writer.add(Instant{1000}, "before");
  ASSERT_TRUE(writer.flush());

  // A limit on the size of files does to a write what a full disk does.
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit tight{.rlim_cur = writer.end(), .rlim_max = usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  writer.add(Instant{2000}, "lost");
  EXPECT_FALSE(writer.flush());
  writer.add(Instant{3000}, "lost as well");
  EXPECT_FALSE(writer.flush());
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  std::signal(SIGXFSZ, before);

  writer.add(Instant{4000}, "after");
  ASSERT_TRUE(writer.flush());
  writer.add(Instant{5000}, "and on");
  ASSERT_TRUE(writer.flush());
  const auto events = read_all(StreamReader(path("log")));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].text, "before");
  EXPECT_THAT(events[1].text, testing::HasSubstr("bytes of output are missing here"));
  EXPECT_EQ(events[1].time, Instant{2000});
  EXPECT_EQ(events[2].text, "after");
  EXPECT_EQ(events[3].text, "and on");
}

TEST_F(Joblog, a_writer_goes_on_after_half_a_frame) {
  {
    Writer writer = Writer::open(path("s"), 1 << 20).value();
    writer.add(Instant{1}, "whole");
    writer.add(Instant{2}, "torn by a crash");
    ASSERT_TRUE(writer.flush());
  }
  const std::string file = segment_path(path("s"), 0);
  const std::string bytes = rt::read_file(file).value();
  for (std::size_t cut = 1; cut < 31; ++cut) {
    ASSERT_TRUE(rt::write_file_atomically(file, bytes.substr(0, bytes.size() - cut), {.durable = false}));
    EXPECT_EQ(texts(read_all(StreamReader(path("s")))), (std::vector<std::string>{"whole"}));
    EXPECT_EQ(texts(read_all_backwards(StreamReader(path("s")))), (std::vector<std::string>{"whole"}));
    Writer writer = Writer::open(path("s"), 1 << 20).value();
    writer.add(Instant{3}, "next");
    ASSERT_TRUE(writer.flush());
    EXPECT_EQ(texts(read_all(StreamReader(path("s")))), (std::vector<std::string>{"whole", "next"}));
  }
}

TEST_F(Joblog, a_log_past_its_bound_keeps_its_beginning_and_its_end) {
  constexpr std::uint64_t kMax = 4 << 20;
  Writer writer = Writer::open(path("s"), kMax).value();
  constexpr int kLines = 200'000;
  for (int i = 0; i < kLines; ++i) {
    writer.add(Instant{i + 1}, "line " + std::to_string(i) + std::string(60, '.'));
    if (i % 97 == 0) {
      ASSERT_TRUE(writer.flush());
      ASSERT_LE(files_bytes(path("s")), kMax);
    }
  }
  ASSERT_TRUE(writer.flush());
  EXPECT_GT(files_bytes(path("s")), kMax / 2);
  const auto forwards = read_all(StreamReader(path("s")));
  EXPECT_EQ(forwards.front().text.substr(0, 7), "line 0.");
  EXPECT_EQ(forwards.back().text.substr(0, 12), "line 199999.");
  std::size_t markers = 0;
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    if (!forwards[i].dropped) continue;
    ++markers;
    missing = forwards[i + 1].at.offset - forwards[i].at.offset;
    EXPECT_EQ(forwards[i].text, "[stoker: " + std::to_string(missing) + " bytes of the log are not kept]");
  }
  EXPECT_EQ(markers, 1u);
  EXPECT_EQ(missing + files_bytes(path("s")), writer.end());
  EXPECT_EQ(read_all_backwards(StreamReader(path("s")), {.events_max = 1000}), forwards);
  // A place within what was dropped leads to what is left.
  const Page page = StreamReader(path("s")).forward(Position{writer.end() / 2}, {.events_max = 2}).value();
  ASSERT_EQ(page.events.size(), 2u);
  EXPECT_TRUE(page.events[0].dropped);
  EXPECT_FALSE(page.events[1].dropped);
}

// ---- reader: against an obviously right twin ----

TEST_F(Joblog, reading_in_pages_of_any_size_gives_the_same_events) {
  Rng rng(11);
  for (int round = 0; round < 20; ++round) {
    const std::string dir = path(std::to_string(round));
    Writer writer = Writer::open(dir, rng.chance(1, 2) ? 0 : 64 << 20).value();
    std::vector<Event> twin;
    std::int64_t time = 1000;
    const int lines = static_cast<int>(rng.below(3000));
    for (int i = 0; i < lines; ++i) {
      time += static_cast<std::int64_t>(rng.below(3));
      const std::string text(rng.below(rng.chance(1, 20) ? 60'000 : 300),
                             static_cast<char>('a' + rng.below(26)));
      writer.add(Instant{time}, text);
      if (rng.chance(1, 10)) {
        ASSERT_TRUE(writer.flush());
      }
    }
    ASSERT_TRUE(writer.flush());
    const StreamReader reader(dir);
    const auto all = read_all(reader);
    const ReadLimits small{.events_max = 1 + rng.below(50), .bytes_max = 1 + rng.below(100'000)};
    EXPECT_EQ(read_all(reader, small), all);
    EXPECT_EQ(read_all_backwards(reader, small), all);
    // A position between two events gives exactly what follows and what precedes.
    for (int probe = 0; probe < 20 && !all.empty(); ++probe) {
      const std::size_t i = rng.below(all.size());
      EXPECT_EQ(reader.forward(all[i].at, {.events_max = 1}).value().events.at(0), all[i]);
      const auto before = reader.backward(all[i].at, {.events_max = 1}).value().events;
      if (i == 0)
        EXPECT_TRUE(before.empty());
      else
        EXPECT_EQ(before.at(0), all[i - 1]);
      const auto again = Position::parse(all[i].at.str());
      EXPECT_EQ(again, all[i].at);
    }
    // By time: the first event not before it.
    for (int probe = 0; probe < 20; ++probe) {
      const Instant when{1000 + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(time - 990)))};
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const Event& e) { return e.time >= when && !e.dropped; });
      const Page page = reader.forward(reader.at_time(when).value(), {.events_max = 2}).value();
      const auto got =
          std::find_if(page.events.begin(), page.events.end(), [](const Event& e) { return !e.dropped; });
      if (found == all.end())
        EXPECT_EQ(got, page.events.end());
      else
        EXPECT_EQ(got->at, found->at);
    }
  }
}

TEST_F(Joblog, forged_places_and_damaged_bytes_never_harm) {
  Writer writer = Writer::open(path("s"), 0).value();
  for (int i = 0; i < 5000; ++i)
    writer.add(Instant{i + 1}, std::string(static_cast<std::size_t>(i % 300), 'x'));
  ASSERT_TRUE(writer.flush());
  const StreamReader reader(path("s"));
  Rng rng(3);
  for (int i = 0; i < 2000; ++i) {
    const Position at{rng.chance(1, 10) ? rng.next() >> 1 : rng.below(writer.end() + 100)};
    const auto forward = reader.forward(at, {.events_max = 10});
    ASSERT_TRUE(forward);
    EXPECT_TRUE(forward->at_end || forward->next > at);
    ASSERT_TRUE(reader.backward(at, {.events_max = 10}));
  }
  for (const Segment& segment : segments_of(path("s"))) {
    std::string bytes = rt::read_file(segment_path(path("s"), segment.offset)).value();
    for (int i = 0; i < 50; ++i) bytes[rng.below(bytes.size())] = static_cast<char>(rng.next());
    ASSERT_TRUE(
        rt::write_file_atomically(segment_path(path("s"), segment.offset), bytes, {.durable = false}));
  }
  (void)read_all(reader, {.events_max = 100});
  (void)read_all_backwards(reader, {.events_max = 100});
  (void)Writer::open(path("s"), 0);
  (void)StreamReplica::open(path("s"), 0);
}

TEST(JoblogPosition, only_its_own_text_is_read) {
  EXPECT_EQ(Position::parse("00000000000000ff"), Position{255});
  for (const std::string_view bad : {"", "ff", "00000000000000fg", "ffffffffffffffff", "00000000000000ff0"})
    EXPECT_FALSE(Position::parse(bad)) << bad;
}

// ---- replica ----

TEST_F(Joblog, a_replica_of_shuffled_repeated_pieces_equals_the_source) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    const std::string from = path("from" + std::to_string(round));
    const std::string to = path("to" + std::to_string(round));
    Writer writer = Writer::open(from, 64 << 20).value();
    for (int i = 0; i < 3000; ++i) writer.add(Instant{i + 1}, std::string(rng.below(2000), 'y'));
    ASSERT_TRUE(writer.flush());
    std::string stream;
    for (const Segment& segment : segments_of(from))
      stream += rt::read_file(segment_path(from, segment.offset)).value();
    auto replica = StreamReplica::open(to, 64 << 20).value();
    std::uint64_t next = 0;
    while (next < stream.size()) {
      const std::uint64_t offset = next - rng.below(std::min<std::uint64_t>(next, 5000) + 1);
      const std::size_t size = rng.chance(1, 5) ? 1 + rng.below(20) : rng.below(300'000);
      const std::uint64_t before = next;
      next = replica.append(offset, std::string_view(stream).substr(offset, size)).value();
      ASSERT_EQ(next, std::max<std::uint64_t>(before, std::min<std::uint64_t>(offset + size, stream.size())));
      if (rng.chance(1, 10)) replica = StreamReplica::open(to, 64 << 20).value();
      ASSERT_EQ(replica.end(), next);
    }
    EXPECT_EQ(read_all(StreamReader(to)), read_all(StreamReader(from)));
    for (const Segment& segment : segments_of(to))
      EXPECT_EQ(whole_frames(segment_path(to, segment.offset)).value(), segment.bytes);
  }
}

TEST_F(Joblog, a_replica_accepts_a_gap_and_stays_within_its_bound) {
  auto replica = StreamReplica::open(path("s"), 2 << 20).value();
  std::string frames;
  append_frame(frames, Instant{1}, "first", 0);
  EXPECT_EQ(replica.append(0, frames).value(), frames.size());
  EXPECT_EQ(replica.append(1000, frames).value(), 1000 + frames.size());
  const auto events = read_all(StreamReader(path("s")));
  ASSERT_EQ(events.size(), 3u);
  EXPECT_TRUE(events[1].dropped);
  EXPECT_EQ(read_all_backwards(StreamReader(path("s"))), events);
  std::string big;
  for (int i = 0; i < 100; ++i) append_frame(big, Instant{2}, std::string(1000, 'z'), 0);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(replica.append(replica.end(), big));
  EXPECT_LE(files_bytes(path("s")), 2u << 20);
  EXPECT_EQ(replica.bytes(), files_bytes(path("s")));
  EXPECT_EQ(read_all(StreamReader(path("s"))).front().text, "first");
}

// ---- store ----

std::string token(int n) {
  std::string text = std::to_string(n);
  return std::string(32 - text.size(), 'a') + text;
}

TEST_F(Joblog, a_store_keeps_streams_over_a_restart_and_removes_the_old_ones) {
  std::string frames;
  append_frame(frames, Instant{1}, std::string(1000, 'l'), 0);
  const Instant now{std::int64_t{1'800'000'000'000}};
  {
    auto store = LogStore::open(path("logs")).value();
    EXPECT_EQ(store.next(token(1)).value(), 0u);
    for (int i = 0; i < 600; ++i)
      ASSERT_EQ(store.append(now + seconds(i), token(i), 0, frames, 1 << 20).value(), frames.size());
    EXPECT_EQ(store.streams(), 600u);
    EXPECT_EQ(store.bytes(), 600 * frames.size());
    EXPECT_FALSE(store.append(now, "../../etc/passwd", 0, frames, 1 << 20));
    EXPECT_FALSE(store.remove("../../../../../../../../tmp/xxxx"));
    EXPECT_EQ(store.append(now, token(3), 0, frames, 1 << 20).value(), frames.size());
    EXPECT_EQ(store.next(token(3)).value(), frames.size());
    EXPECT_EQ(store.next(token(700)).value(), 0u);
    EXPECT_EQ(read_all(store.reader(token(5))).size(), 1u);
    EXPECT_TRUE(read_all(store.reader("nonsense")).empty());
    // Too old: those that grew before the age; number 3 is in use.
    auto removed = store.enforce(now + seconds(110), seconds(100), UINT64_MAX,
                                 [](std::string_view t) { return t == token(3); });
    EXPECT_EQ(removed.size(), 9u);
    EXPECT_EQ(store.streams(), 591u);
    // Too many: the longest quiet go first.
    removed = store.enforce(now + seconds(110), hours(1), 100 * frames.size(), {});
    EXPECT_EQ(removed.size(), 491u);
    EXPECT_EQ(removed[0], token(3));
    EXPECT_EQ(removed.back(), token(499));
    EXPECT_EQ(store.bytes(), 100 * frames.size());
    EXPECT_TRUE(read_all(store.reader(token(3))).empty());
  }
  auto store = LogStore::open(path("logs")).value();
  EXPECT_EQ(store.streams(), 100u);
  EXPECT_EQ(store.bytes(), 100 * frames.size());
  EXPECT_EQ(store.append(now, token(550), frames.size(), frames, 1 << 20).value(), 2 * frames.size());
  ASSERT_TRUE(store.remove(token(550)));
  ASSERT_TRUE(store.remove(token(550)));
  EXPECT_EQ(store.bytes(), 99 * frames.size());
}

}  // namespace
}  // namespace stoker::joblog
