// Who is stopped for a multi-node job, and what is kept for it meanwhile. Team a has a right to the GPUs of
// the queue and lends them, team b borrows.
#include "core/schedule/preempt/gang_plan.h"

#include <map>

#include <gtest/gtest.h>

#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

struct PreemptForGang : ::testing::Test {
  Driver d;
  std::map<std::string, Uuid> jobs;

  void SetUp() override {
    d.define("one", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    d.define("wide", {.cpus_milli = 3000, .memory_mib = 100, .gpus = 1});
    d.define("day", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1},
             R"("timeout":{"attemptDurationSeconds":86400})");
    d.define("brief", {.cpus_milli = 1000, .memory_mib = 101, .gpus = 1},
             R"("timeout":{"attemptDurationSeconds":600})");
    d.define("two", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 2});
    d.define("brief2", {.cpus_milli = 1000, .memory_mib = 102, .gpus = 2},
             R"("timeout":{"attemptDurationSeconds":600})");
    d.define_gang("gang1", 2, {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    d.define_gang("gang2", 2, {.cpus_milli = 1000, .memory_mib = 100, .gpus = 2});
    CreateJobQueue first;
    first.name = "first";
    first.priority = 10;
    first.environments = {{.order = 1, .environment = "local"}};
    ASSERT_TRUE(d.ask(first));
    CreateJobQueue last = first;
    last.name = "last";
    last.priority = 0;
    ASSERT_TRUE(d.ask(last));
  }
  void TearDown() override { d.check(); }

  void nodes(int count, std::int64_t gpus) {
    for (int i = 1; i <= count; ++i)
      d.connect("n" + std::to_string(i), {.cpus_milli = 4000, .memory_mib = 8000, .gpus = gpus});
  }
  enum class PreemptsInside : std::uint8_t { No, Yes };
  void shares(std::int64_t limit_of_a, PreemptsInside inside = PreemptsInside::No) {
    const auto create = [&](const char* name, std::int64_t limit, QuotaSharing::Strategy strategy) {
      CreateQuotaShare share;
      share.name = name;
      share.queue = "default";
      share.limits = {{.max = limit, .given = "GPU", .unit = {}}};
      share.sharing.strategy = strategy;
      share.preempts_inside = inside == PreemptsInside::Yes;
      ASSERT_TRUE(d.ask(share));
    };
    create("a", limit_of_a, QuotaSharing::Strategy::Lend);
    create("b", 0, QuotaSharing::Strategy::LendAndBorrow);
  }
  Uuid submit(const std::string& name, const std::string& definition, const std::string& share) {
    const std::string overrides = share.empty() ? "" : R"({"shareIdentifier":")" + share + "\"}";
    jobs[name] = d.submit(name, definition, 0, {}, overrides, share.empty() ? "first" : "default");
    return jobs[name];
  }
  void run(const std::string& name, const std::string& definition, const std::string& share) {
    const Uuid id = submit(name, definition, share);
    ASSERT_EQ(d.status(id), "STARTING") << name;
    d.start(id);
  }
  std::string status(const std::string& name) { return d.status(jobs.at(name)); }
  std::string node(const std::string& name) { return d.job(jobs.at(name)).extra->attempts.back().node; }
  std::set<std::string> stopped() {
    std::set<std::string> names;
    for (const StopRun& stop : d.stops)
      for (const auto& [name, id] : jobs)
        if (is_active(d.job(id).status) && !d.job(id).is_gang() && d.token(id) == stop.token)
          names.insert(name);
    return names;
  }
};

TEST_F(PreemptForGang, what_becomes_free_is_kept_from_queues_that_go_first) {
  nodes(2, 2);
  shares(4);
  for (const char* name : {"b1", "b2", "b3", "b4"}) run(name, "day", "b");
  submit("gang", "gang2", "a");
  const std::set<std::string> all = stopped();
  EXPECT_EQ(all, (std::set<std::string>{"b1", "b2", "b3", "b4"}));
  submit("urgent", "one", "");
  submit("brief", "brief", "");
  for (const std::string& name : all) {
    EXPECT_EQ(status("gang"), "RUNNABLE");
    d.finish(jobs.at(name), 143);
    EXPECT_EQ(status("urgent"), "RUNNABLE") << "after " << name;
    EXPECT_EQ(status("brief"), "RUNNABLE") << "after " << name;
    d.check();
  }
  EXPECT_EQ(status("gang"), "STARTING");
}

// Other machines are free sooner, as far as time limits tell; they are not those where others were stopped.
TEST_F(PreemptForGang, the_same_after_a_restart) {
  nodes(4, 2);
  shares(8);
  for (const char* name : {"a1", "a2", "a3", "a4"}) run(name, "brief", "a");
  for (const char* name : {"b1", "b2", "b3", "b4"}) run(name, "one", "b");
  submit("gang", "gang2", "a");
  EXPECT_EQ(stopped(), (std::set<std::string>{"b1", "b2", "b3", "b4"}));
  d.finish(jobs.at("b1"), 143);
  std::map<std::string, std::vector<KnownRun>> runs;
  for (const char* name : {"a1", "a2", "a3", "a4", "b2", "b3", "b4"})
    runs[node(name)].push_back({.token = d.token(jobs.at(name)), .started = true});
  d.crash();
  for (const auto& [name, known] : runs)
    d.connect(name, {.cpus_milli = 4000, .memory_mib = 8000, .gpus = 2}, known);
  submit("urgent", "one", "");
  EXPECT_EQ(status("urgent"), "RUNNABLE");
  for (const char* name : {"b2", "b3", "b4"}) {
    EXPECT_EQ(status("gang"), "RUNNABLE");
    d.finish(jobs.at(name), 143);
    EXPECT_EQ(status("urgent"), "RUNNABLE") << "after " << name;
  }
  EXPECT_EQ(status("gang"), "STARTING");
}

TEST_F(PreemptForGang, on_other_machines_than_it_would_wait_for) {
  nodes(3, 1);
  shares(3);
  run("a1", "brief", "a");
  for (const char* name : {"b1", "b2"}) run(name, "one", "b");
  submit("gang", "gang1", "a");
  EXPECT_EQ(stopped(), (std::set<std::string>{"b1", "b2"})) << "nobody may stop what is a's own";
  for (const char* name : {"b1", "b2"}) d.finish(jobs.at(name), 143);
  EXPECT_EQ(status("gang"), "STARTING");
}

// Two machines are free soon, and were kept for it; then a third one is free, and the fourth can be made so.
TEST_F(PreemptForGang, the_machines_of_the_plan_are_kept_at_once) {
  nodes(4, 1);
  shares(4);
  run("a1", "brief", "a");
  run("a2", "brief", "a");
  run("x", "one", "");
  run("b", "one", "b");
  submit("gang", "gang1", "a");
  EXPECT_TRUE(stopped().empty());
  jobs["late"] = d.submit("late", "one", 0, {}, "", "last");
  d.finish(jobs.at("x"), 0);
  EXPECT_EQ(stopped(), (std::set<std::string>{"b"}));
  EXPECT_EQ(status("late"), "RUNNABLE");
  d.finish(jobs.at("b"), 143);
  EXPECT_EQ(status("gang"), "STARTING");
}

TEST_F(PreemptForGang, no_more_than_it_needs_and_nobody_when_it_would_not_start) {
  nodes(3, 2);
  shares(6);
  for (const char* name : {"b1", "b2", "b3", "b4", "b5", "b6"}) run(name, "one", "b");
  submit("small", "gang1", "a");
  EXPECT_EQ(stopped().size(), 2U);
  for (const std::string& name : stopped()) d.finish(jobs.at(name), 143);
  EXPECT_EQ(status("small"), "STARTING");
  d.stops.clear();
  submit("large", "gang2", "a");
  EXPECT_EQ(stopped().size(), 4U);
}

// Whoever comes to the head of an environment has machines kept there; who has a right to others gets those.
TEST_F(PreemptForGang, one_that_is_not_the_first_is_helped_on_machines_that_are_not_kept_for_the_first) {
  nodes(4, 2);
  shares(8);
  for (const char* name : {"x1", "x2"}) run(name, "brief2", "");
  for (const char* name : {"b1", "b2", "b3", "b4"}) run(name, "one", "b");
  submit("first", "gang2", "");
  const std::set<std::string> kept = {node("x1"), node("x2")};
  submit("gang", "gang2", "a");
  EXPECT_EQ(stopped(), (std::set<std::string>{"b1", "b2", "b3", "b4"}));
  for (const char* name : {"b1", "b2", "b3", "b4"}) {
    EXPECT_FALSE(kept.contains(node(name)));
    d.finish(jobs.at(name), 143);
  }
  EXPECT_EQ(status("gang"), "STARTING");
  EXPECT_EQ(status("first"), "RUNNABLE");
  d.finish(jobs.at("x1"), 0);
  d.finish(jobs.at("x2"), 0);
  EXPECT_EQ(status("first"), "STARTING") << "nothing of what was kept for it went to the other";
}

TEST_F(PreemptForGang, one_that_would_fit_on_what_is_kept_for_the_first_is_helped_too) {
  nodes(4, 2);
  shares(8);
  run("x", "brief2", "");
  for (const char* name : {"b1", "b2"}) run(name, "two", "b");
  submit("first", "gang2", "");
  submit("gang", "gang1", "a");
  EXPECT_EQ(find_wait_reason(d.state(), d.job(jobs.at("gang")))->behind, d.job(jobs.at("first")).no);
  EXPECT_EQ(stopped(), (std::set<std::string>{"b2"}));
  d.finish(jobs.at("b2"), 143);
  EXPECT_EQ(status("gang"), "STARTING");
  d.finish(jobs.at("x"), 0);
  EXPECT_EQ(status("first"), "STARTING");
}

TEST_F(PreemptForGang, several_have_their_machines_kept_at_a_time) {
  nodes(4, 2);
  shares(8);
  for (int i = 1; i <= 8; ++i) run("b" + std::to_string(i), "one", "b");
  submit("g1", "gang2", "a");
  submit("g2", "gang2", "a");
  const std::set<std::string> all = stopped();
  EXPECT_EQ(all.size(), 8U);
  submit("urgent", "one", "");
  for (const std::string& name : all) {
    EXPECT_EQ(status("urgent"), "RUNNABLE") << "before the end of " << name;
    d.finish(jobs.at(name), 143);
    d.check();
  }
  EXPECT_EQ(status("g1"), "STARTING");
  EXPECT_EQ(status("g2"), "STARTING");
}

TEST_F(PreemptForGang, one_that_only_its_share_holds_takes_the_place_of_lower_priorities) {
  nodes(3, 2);
  shares(4, PreemptsInside::Yes);
  const auto with_priority = [&](const std::string& name, const std::string& definition, int priority) {
    jobs[name] =
        d.submit(name, definition, 0, {},
                 R"({"shareIdentifier":"a","schedulingPriorityOverride":)" + std::to_string(priority) + "}");
  };
  for (const char* name : {"low1", "low2", "high", "low3"}) {
    with_priority(name, "one", name[0] == 'h' ? 9 : 1);
    d.start(jobs.at(name));
  }
  with_priority("gang", "gang1", 5);
  EXPECT_EQ(stopped(), (std::set<std::string>{"low2", "low3"})) << "the youngest of the lowest priority";
  for (const char* name : {"low2", "low3"}) {
    EXPECT_EQ(status("gang"), "RUNNABLE");
    d.finish(jobs.at(name), 143);
  }
  EXPECT_EQ(status("gang"), "STARTING");
  EXPECT_EQ(status("low2"), "RUNNABLE");
}

TEST_F(PreemptForGang, what_cannot_be_is_not_planned_again_until_something_changes) {
  nodes(2, 2);
  shares(4);
  for (const char* name : {"x1", "x2"}) run(name, "wide", "");
  for (const char* name : {"b1", "b2"}) run(name, "one", "b");
  submit("gang", "gang2", "a");
  const auto& waiting = d.state().waiting.at(d.state().find_queue("default")->no);
  ASSERT_EQ(waiting.size(), 1U);
  const NoPreemption known = waiting.begin()->second.no_preemption;
  EXPECT_EQ(known.job, d.job(jobs.at("gang")).no);
  d.now = d.now + milliseconds(1);
  d.event(NodeDisconnected{"no such node"});  // a pass, and nothing else
  EXPECT_EQ(waiting.begin()->second.no_preemption.at, known.at);
  EXPECT_EQ(waiting.begin()->second.no_preemption.room_version, known.room_version);
}

TEST_F(PreemptForGang, owners_behind_one_that_nobody_can_help_get_their_own) {
  nodes(3, 2);
  shares(5);
  for (const char* name : {"x1", "x2", "x3"}) run(name, "wide", "");  // one on each machine
  for (const char* name : {"b1", "b2", "b3"}) run(name, "one", "b");
  submit("gang", "gang2", "a");
  EXPECT_TRUE(stopped().empty()) << "it would not start";
  submit("a1", "one", "a");
  const std::set<std::string> victims = stopped();
  ASSERT_EQ(victims.size(), 1U) << "one machine is not kept for the multi-node job";
  d.finish(jobs.at(*victims.begin()), 143);
  EXPECT_EQ(status("a1"), "STARTING");
  EXPECT_EQ(status("gang"), "RUNNABLE");
}

}  // namespace
}  // namespace stoker::core
