// What is kept for a multi-node job that waits at the head: decision 065.
#include "core/schedule/gang_outlook.h"

#include <gtest/gtest.h>

#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

constexpr Resources kNode{.cpus_milli = 4000, .memory_mib = 8000, .gpus = 4};

struct GangsKeep : ::testing::Test {
  Driver d;
  void SetUp() override {
    for (const char* name : {"n1", "n2", "n3"}) d.connect(name, kNode);
    d.define("gpu1", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    d.define("gpu4", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4});
    d.define("hour", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4},
             R"("timeout":{"attemptDurationSeconds":3600})");
    d.define("day", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4},
             R"("timeout":{"attemptDurationSeconds":86400})");
    d.define("minutes", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1},
             R"("timeout":{"attemptDurationSeconds":600})");
    d.define_gang("gang", 2, {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4});
  }
  void TearDown() override { d.check(); }
  std::string places(const Uuid& id) {
    std::string text;
    for (const Job& node : d.job(id).children())
      if (is_active(node.status)) text += (text.empty() ? "" : " ") + node.extra->attempts.back().node;
    return text;
  }
  std::string reason(const Uuid& id) { return find_wait_reason(d.state(), d.job(id))->text; }
};

TEST_F(GangsKeep, the_machines_that_are_free_first_as_far_as_time_limits_tell) {
  const Uuid hour = d.submit("hour", "hour");
  const Uuid day = d.submit("day", "day");
  const Uuid other = d.submit("hour", "hour");
  for (const Uuid& id : {hour, day, other}) d.start(id);
  const Uuid gang = d.submit("gang", "gang");
  const Uuid small = d.submit("small", "gpu1");
  const std::string free_last = d.job(day).extra->attempts.back().node;
  d.finish(day, 0);
  EXPECT_EQ(d.job(small).extra->attempts.back().node, free_last) << "that one is not kept";
  d.finish(hour, 0);
  EXPECT_EQ(d.status(gang), "RUNNABLE");
  const Uuid late = d.submit("late", "gpu1");
  EXPECT_EQ(d.job(late).extra->attempts.back().node, free_last);
  const Uuid brief = d.submit("brief", "minutes");
  EXPECT_TRUE(is_active(d.job(brief).status)) << "it ends before the other hour does";
  d.finish(brief, 0);
  d.finish(other, 0);
  EXPECT_EQ(d.status(gang), "STARTING");
  EXPECT_EQ(places(gang).find(free_last), std::string::npos);
}

TEST_F(GangsKeep, nothing_where_it_could_never_run) {
  const Uuid large = d.submit("large", "gang", 0, {}, R"({"nodeOverrides":{"numNodes":4}})");
  EXPECT_NE(reason(large).find("hold at most 3 of them, even when empty"), std::string::npos);
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(is_active(d.job(d.submit("s", "gpu1")).status));
}

TEST_F(GangsKeep, a_machine_that_goes_is_replaced) {
  const Uuid a = d.submit("a", "gpu4");
  const Uuid b = d.submit("b", "gpu4");
  const Uuid gang = d.submit("gang", "gang");
  const std::string lost = d.job(a).extra->attempts.back().node;
  d.event(NodeLost{lost, "gone"});
  EXPECT_EQ(d.status(a), "STARTING") << "it was first, and took the third machine";
  d.finish(b, 0);
  const Uuid small = d.submit("small", "gpu1");
  EXPECT_EQ(d.status(small), "RUNNABLE") << "both that are left are kept";
  d.finish(a, 0);
  EXPECT_EQ(d.status(gang), "STARTING");
}

// Small jobs do not take machines one by one as they come back; for ten seconds, since others may never do.
TEST_F(GangsKeep, what_has_connected_after_a_restart_while_others_may) {
  for (const bool all_come_back : {true, false}) {
    SCOPED_TRACE(all_come_back);
    d = Driver();
    SetUp();
    const Uuid a = d.submit("a", "gpu4");
    const Uuid b = d.submit("b", "gpu4");
    d.submit("c", "gpu4");
    const Uuid gang = d.submit("gang", "gang");
    const Uuid small = d.submit("small", "gpu1");
    const std::string of_a = d.job(a).extra->attempts.back().node;
    const std::string of_b = d.job(b).extra->attempts.back().node;
    for (const Uuid& id : {a, b}) ASSERT_TRUE(d.ask(TerminateJob{id, -1, "no"}));
    d.crash();
    d.connect(of_a, kNode);
    EXPECT_EQ(d.status(small), "RUNNABLE");
    if (all_come_back) {
      d.connect(of_b, kNode);
      EXPECT_EQ(d.status(gang), "STARTING");
      continue;
    }
    d.advance(seconds(9));
    EXPECT_EQ(d.status(small), "RUNNABLE");
    d.advance(seconds(1));
    EXPECT_EQ(d.status(small), "STARTING");
  }
}

// The bound: a multi-node job at the head starts no later than when all runs have ended that ran when it came
// there. Another one behind it does not hold it up.
TEST_F(GangsKeep, starts_after_at_most_the_runs_of_its_machines_whatever_else_comes) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Driver w;
    Rng rng(seed);
    for (int n = 0; n < 5; ++n) w.connect("n" + std::to_string(n), kNode);
    w.define("gpu1", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    w.define("gpu2", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 2});
    w.define("cpu1", {.cpus_milli = 1000, .memory_mib = 100});
    w.define_gang("gang", 3, {.cpus_milli = 2000, .memory_mib = 100, .gpus = 3});
    static const char* kSmall[] = {"gpu1", "gpu2", "cpu1"};
    for (int i = 0; i < 30; ++i) w.submit("s", kSmall[rng.below(3)]);
    const Uuid gang = w.submit("gang", "gang");
    const Uuid next = w.submit("gang", "gang");
    std::set<JobNo> before;
    bool at_head = false;
    int turns = 0;
    while (w.status(gang) == "RUNNABLE") {
      ASSERT_LT(++turns, 500) << "starved, seed " << seed;
      const Job& waits = w.job(gang);
      if (!at_head) {
        at_head = true;
        for (const auto& [key, group] : w.state().waiting.begin()->second)
          at_head = at_head && *group.jobs.first() >= waits.no;
        if (at_head)
          for (const auto& [name, node] : w.state().nodes) before.insert(node.runs.begin(), node.runs.end());
      }
      std::vector<JobNo> runs;
      for (const auto& [name, node] : w.state().nodes)
        runs.insert(runs.end(), node.runs.begin(), node.runs.end());
      const JobNo one = runs[rng.below(runs.size())];
      before.erase(one);
      w.now = w.now + milliseconds(1);
      w.finish(w.state().jobs.find(one)->id, 0);
      w.submit("s", kSmall[rng.below(3)]);
      w.submit("s", kSmall[rng.below(3)]);
      if (at_head && before.empty()) {
        ASSERT_NE(w.status(gang), "RUNNABLE") << "all that ran before it have ended, seed " << seed;
      }
      w.check();
    }
    EXPECT_EQ(w.status(next), "RUNNABLE") << "there is room for one at a time, seed " << seed;
  }
}

}  // namespace
}  // namespace stoker::core
