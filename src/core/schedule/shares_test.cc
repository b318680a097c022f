// Fair share through the core's own events: who runs, in which order, and what is remembered.
#include "core/schedule/shares.h"

#include <gtest/gtest.h>

#include "core/schedule/order.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

struct FairShareTest : ::testing::Test {
  Driver d;
  void make(const std::string& policy, std::int64_t cpus) {
    auto document = json::parse(R"({"fairsharePolicy":)" + policy + "}");
    ASSERT_TRUE(d.ask(
        CreateSchedulingPolicy{"policy", std::make_shared<const json::Value>(*std::move(document)), {}}));
    CreateJobQueue queue;
    queue.name = "fair";
    queue.priority = 1;
    queue.environments = {{.order = 1, .environment = "local"}};
    queue.scheduling_policy = "policy";
    ASSERT_TRUE(d.ask(queue));
    d.define("cpu1", {.cpus_milli = 1000, .memory_mib = 4});
    d.define("cpu4", {.cpus_milli = 4000, .memory_mib = 4});
    connect(cpus);
  }
  void connect(std::int64_t cpus, std::int64_t gpus = 0) {
    d.connect("local", {.cpus_milli = cpus * 1000, .memory_mib = 100'000, .gpus = gpus});
  }
  void TearDown() override { d.check(); }

  SubmitJob job_of(const std::string& share, const std::string& definition = "cpu1", int priority = -1) {
    SubmitJob job;
    job.id = Uuid::from_random(d.ids.next(), d.ids.next());
    job.job_name = share;
    job.queue = "fair";
    job.definition = definition;
    json::Object overrides{{"shareIdentifier", share}};
    if (priority >= 0) overrides["schedulingPriorityOverride"] = priority;
    job.overrides = std::make_shared<const json::Value>(std::move(overrides));
    return job;
  }
  Uuid submit(const std::string& share, const std::string& definition = "cpu1", int priority = -1) {
    const SubmitJob job = job_of(share, definition, priority);
    const auto answer = d.ask(job);
    EXPECT_TRUE(answer) << answer.error().message;
    return job.id;
  }
  void fill() { fill_ = submit("filler", "cpu4"); }
  void make_room() { d.finish(fill_, 0); }
  // How many jobs of each share run.
  std::map<std::string, int> running() {
    std::map<std::string, int> counts;
    for (const auto& [name, node] : d.state().nodes)
      for (const JobNo no : node.runs) ++counts[d.state().jobs.find(no)->spec->share];
    return counts;
  }
  Uuid fill_;
};

TEST_F(FairShareTest, equal_shares_get_equal_parts_whoever_came_first) {
  make("{}", 4);
  fill();
  for (int i = 0; i < 6; ++i) submit("first");
  for (int i = 0; i < 6; ++i) submit("second");
  make_room();
  EXPECT_EQ(running(), (std::map<std::string, int>{{"first", 2}, {"second", 2}}));
}

TEST_F(FairShareTest, a_third_of_the_weight_is_three_times_the_part) {
  make(R"({"shareDistribution":[{"shareIdentifier":"big","weightFactor":0.25},
           {"shareIdentifier":"team*","weightFactor":0.75}]})",
       4);
  fill();
  for (int i = 0; i < 6; ++i) submit("teamA");
  for (int i = 0; i < 6; ++i) submit("big");
  make_room();
  EXPECT_EQ(running(), (std::map<std::string, int>{{"big", 3}, {"teamA", 1}}));
}

TEST_F(FairShareTest, inside_a_share_higher_priority_goes_first_and_then_who_came_first) {
  make("{}", 4);
  fill();
  const Uuid low = submit("a", "cpu1", 1);
  const Uuid high = submit("a", "cpu1", 9);
  const Uuid default_priority = submit("a");
  const Uuid high_later = submit("a", "cpu4", 9);
  std::vector<Uuid> order;
  Order walk(d.state(), *d.state().find_queue("fair"), d.now);
  for (auto next = walk.next(); next; walk.take(), next = walk.next())
    order.push_back(d.state().jobs.find(next->job)->id);
  EXPECT_EQ(order, (std::vector<Uuid>{high, high_later, low, default_priority}));
}

TEST_F(FairShareTest, who_used_much_lately_waits_for_who_did_not_and_is_forgiven_later) {
  make(R"({"shareDecaySeconds":600})", 4);
  const Uuid used = submit("heavy", "cpu4");
  d.advance(hours(2));
  d.finish(used, 0);
  fill();
  for (int i = 0; i < 4; ++i) submit("heavy");
  for (int i = 0; i < 4; ++i) submit("light");
  make_room();
  EXPECT_EQ(running(), (std::map<std::string, int>{{"light", 4}})) << "heavy held 4 vCPUs until just now";
  const auto shares = d.state().shares.begin()->second;
  const FairShare policy;
  EXPECT_GT(weighted_use(policy, "heavy", shares.at("heavy"), d.now),
            weighted_use(policy, "heavy", shares.at("heavy"), d.now + hours(1)));
  EXPECT_EQ(weighted_use(policy, "heavy", shares.at("heavy"), d.now + hours(24)), WeightedUse{0});
}

TEST_F(FairShareTest, a_restart_changes_nothing_in_the_order) {
  make("{}", 4);
  const Uuid used = submit("b", "cpu4");
  d.advance(seconds(400));
  d.finish(used, 0);
  fill();
  d.advance(seconds(100));
  for (int i = 0; i < 4; ++i) submit("a");
  for (int i = 0; i < 4; ++i) submit("b");
  const auto order = [&] {
    std::vector<JobNo> jobs;
    Order walk(d.state(), *d.state().find_queue("fair"), d.now + seconds(33));
    for (auto next = walk.next(); next; walk.take(), next = walk.next()) jobs.push_back(next->job);
    return jobs;
  };
  const auto before = order();
  EXPECT_EQ(before.size(), 8U);
  d.crash();
  EXPECT_EQ(order(), before);
}

TEST_F(FairShareTest, gpus_are_charged_as_eight_vcpus) {
  EXPECT_EQ(charge_of({.cpus_milli = 4000}), 4000);
  EXPECT_EQ(charge_of({.cpus_milli = 4000, .gpus = 1}), 8000);
  EXPECT_EQ(charge_of({.cpus_milli = 12'000, .gpus = 1}), 12'000);
  EXPECT_EQ(charge_of({.gpu_milli = 500}), 4000);
}

TEST_F(FairShareTest, a_part_is_kept_free_for_shares_to_come) {
  make(R"({"computeReservation":50})", 4);
  for (int i = 0; i < 4; ++i) submit("a");
  EXPECT_EQ(running(), (std::map<std::string, int>{{"a", 2}})) << "a half is kept";
  const Uuid waits = submit("a");
  const WaitReason& why = *find_wait_reason(d.state(), d.job(waits));
  EXPECT_EQ(why.kind, WaitKind::Reservation);
  EXPECT_EQ(why.text,
            "Waits for running jobs of job queue fair: its policy keeps 50 % to the power of 1 active shares "
            "free for others (computeReservation), so that it may hold 2 vCPU in all; it holds 2 vCPU and "
            "the job asks 1 vCPU");
  submit("b");
  submit("b");
  EXPECT_EQ(running(), (std::map<std::string, int>{{"a", 2}, {"b", 1}})) << "a quarter is kept";
}

TEST_F(FairShareTest, a_job_larger_than_what_is_not_reserved_still_runs) {
  make(R"({"computeReservation":50})", 4);
  const Uuid large = submit("a", "cpu4");
  EXPECT_EQ(d.status(large), "STARTING");
}

TEST_F(FairShareTest, what_is_kept_free_is_kept_from_jobs_larger_than_the_rest) {
  make(R"({"computeReservation":90})", 4);  // 0.4 vCPU are left
  const Uuid first = submit("a");
  const Uuid second = submit("a");
  EXPECT_EQ(running(), (std::map<std::string, int>{{"a", 1}})) << "only where nothing is held";
  d.finish(first, 0);
  EXPECT_EQ(d.status(second), "STARTING");
}

TEST_F(FairShareTest, a_job_larger_than_what_is_not_reserved_is_not_passed_for_ever) {
  make(R"({"computeReservation":50})", 8);
  const Uuid small = submit("a");
  d.define("cpu6", {.cpus_milli = 6000, .memory_mib = 4});
  const Uuid large = submit("a", "cpu6");
  const Uuid later = submit("a");
  EXPECT_EQ(d.status(large), "RUNNABLE") << "one held and six more would leave one";
  EXPECT_EQ(d.status(later), "RUNNABLE");
  const WaitReason& why = *find_wait_reason(d.state(), d.job(later));
  EXPECT_EQ(why.text,
            "Waits behind job " + large.str() +
                ", which asks for more than computeReservation leaves and starts when its queue holds none");
  d.finish(small, 0);
  EXPECT_EQ(d.status(large), "STARTING");
  EXPECT_EQ(d.status(later), "RUNNABLE");
}

TEST_F(FairShareTest, there_are_at_most_500_active_shares) {
  make("{}", 1);
  for (int i = 0; i < 500; ++i) submit("s" + std::to_string(i));
  const auto refused = d.ask(job_of("onemore"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "shareIdentifier: job queue fair has 500 active shares, which is the most");
  submit("s7");
}

TEST_F(FairShareTest, faded_shares_are_forgotten_when_others_come) {
  make("{}", 4);
  d.finish(submit("old"), 0);
  d.advance(days(1));
  submit("new");
  EXPECT_EQ(d.state().shares.begin()->second.size(), 1U);
}

}  // namespace
}  // namespace stoker::core
