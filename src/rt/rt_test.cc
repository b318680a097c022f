#include <set>

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "rt/clock.h"
#include "rt/fd.h"
#include "rt/file.h"
#include "rt/queue.h"
#include "rt/signals.h"
#include "rt/subprocess.h"
#include "rt/thread.h"

namespace stoker::rt {
namespace {

TEST(Clock, TimeIsNowAndMonotonicTimeGrows) {
  EXPECT_GT(now().ms, Instant{1'700'000'000'000}.ms);
  const auto first = monotonic_us();
  EXPECT_GE(monotonic_us(), first);
}

TEST(Clock, RandomBitsDifferAlsoBetweenThreads) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(entropy());
  std::set<std::uint64_t> others;
  Thread("other", [&] {
    for (int i = 0; i < 1000; ++i) others.insert(entropy());
  }).join();
  seen.insert(others.begin(), others.end());
  EXPECT_EQ(seen.size(), 2000u);
  EXPECT_EQ(new_uuid().str()[14], '4');
  EXPECT_NE(new_uuid(), new_uuid());
}

TEST(UniqueFd, ClosesOnceAndMoves) {
  Pipe pipe = make_pipe().value();
  const int raw = pipe.write.get();
  UniqueFd moved = std::move(pipe.write);
  EXPECT_FALSE(pipe.write);  // NOLINT(bugprone-use-after-move): that it holds nothing is the point
  EXPECT_EQ(moved.get(), raw);
  moved.reset();
  char byte = 0;
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 0);  // the last writer is gone
}

TEST(Queue, TakesAllAtOnceAndWaitsNoLongerThanAsked) {
  Queue<int> queue;
  std::vector<int> got;
  queue.take_all(got, milliseconds(5));
  EXPECT_TRUE(got.empty());
  Thread producer("producer", [&] {
    for (int i = 0; i < 1000; ++i) queue.push(i);
  });
  std::vector<int> all;
  while (all.size() < 1000) {
    queue.take_all(got, seconds(30));
    ASSERT_FALSE(got.empty());
    all.insert(all.end(), got.begin(), got.end());
  }
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
}

TEST(Thread, HasAName) {
  char name[16] = {};
  Thread("a-rather-long-name", [&] { ::pthread_getname_np(::pthread_self(), name, sizeof name); }).join();
  EXPECT_STREQ(name, "a-rather-long-n");
}

TEST(Signals, ArriveAsValues) {
  auto signals = Signals::block({SIGTERM, SIGINT});
  ASSERT_TRUE(signals);
  EXPECT_FALSE((*signals)->wait(milliseconds(5)));
  ::kill(::getpid(), SIGTERM);
  EXPECT_EQ((*signals)->wait(seconds(30)), SIGTERM);
  Thread sender("sender", [] { ::kill(::getpid(), SIGINT); });
  EXPECT_EQ((*signals)->wait(seconds(30)), SIGINT);
  EXPECT_FALSE((*signals)->wait(Duration{}));
}

}  // namespace
}  // namespace stoker::rt
