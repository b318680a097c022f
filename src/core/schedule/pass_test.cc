#include <gtest/gtest.h>

#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

constexpr Resources kNode{.cpus_milli = 4000, .memory_mib = 8000, .gpus = 4};

struct PassTest : ::testing::Test {
  Driver d;
  void SetUp() override {
    d.connect("local", kNode);
    d.define("gpu1", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    d.define("gpu4", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4});
    d.define("cpu1", {.cpus_milli = 1000, .memory_mib = 100});
  }
  void TearDown() override { d.check(); }
  // It can never run, and its queue cancels such a head after ten minutes.
  Uuid submit_stuck() {
    UpdateJobQueue update;
    update.name = "default";
    update.time_limit_actions = {
        {{"MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT", seconds(600), "CANCEL", "RUNNABLE"}}};
    EXPECT_TRUE(d.ask(update));
    d.define("huge", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 5});
    return d.submit("a", "huge");
  }
  const WaitReason& reason(const Uuid& id) { return *find_wait_reason(d.state(), d.job(id)); }
};

TEST_F(PassTest, a_gpu_is_given_to_one_job_at_a_time) {
  std::set<std::string> given;
  for (int i = 0; i < 4; ++i) d.submit("j", "gpu1");
  for (const StartRun& start : d.starts)
    for (const std::string& gpu : start.gpus) EXPECT_TRUE(given.insert(gpu).second) << gpu;
  EXPECT_EQ(given.size(), 4U);
}

TEST_F(PassTest, nothing_is_given_twice_and_the_next_takes_what_is_given_back) {
  const Uuid first = d.submit("a", "gpu4");
  const Uuid second = d.submit("b", "gpu4");
  EXPECT_EQ(d.status(second), "RUNNABLE");
  EXPECT_EQ(reason(second).kind, WaitKind::Resources);
  EXPECT_EQ(reason(second).text,
            "Waits for GPU in compute environment local: asks 1 vCPU, 100 MiB, 4 GPU; free on node local: 3 "
            "vCPU, 7900 MiB, 0 GPU");
  d.finish(first, 0);
  EXPECT_EQ(d.status(second), "STARTING");
}

TEST_F(PassTest, small_jobs_do_not_starve_a_large_one_before_them) {
  const Uuid running = d.submit("a", "gpu1");
  const Uuid large = d.submit("b", "gpu4");
  const Uuid small = d.submit("c", "gpu1");
  EXPECT_EQ(d.status(large), "RUNNABLE");
  EXPECT_EQ(d.status(small), "RUNNABLE") << "three GPUs are free, but kept for the large job";
  EXPECT_EQ(reason(small).kind, WaitKind::Order);
  EXPECT_NE(reason(small).text.find(large.str()), std::string::npos);
  const Uuid other = d.submit("d", "cpu1");
  EXPECT_EQ(d.status(other), "STARTING") << "asks for nothing the large job is short of";
  d.finish(running, 0);
  EXPECT_EQ(d.status(large), "STARTING");
  EXPECT_EQ(d.status(small), "RUNNABLE");
}

TEST_F(PassTest, of_queues_of_one_priority_the_job_that_came_first_goes_first) {
  for (const char* name : {"a-queue", "z-queue"}) {
    CreateJobQueue queue;
    queue.name = name;
    queue.priority = 7;
    queue.environments = {{.order = 1, .environment = "local"}};
    ASSERT_TRUE(d.ask(queue));
  }
  const auto submit = [&](const char* queue) {
    SubmitJob job;
    job.id = Uuid::from_random(d.ids.next(), d.ids.next());
    job.job_name = "j";
    job.queue = queue;
    job.definition = "gpu4";
    EXPECT_TRUE(d.ask(job));
    return job.id;
  };
  std::vector<Uuid> stream = {submit("a-queue"), submit("a-queue")};
  const Uuid other = submit("z-queue");
  std::size_t ended = 0;
  for (; d.status(other) == "RUNNABLE" && ended < 10; ++ended) {
    stream.push_back(submit("a-queue"));
    d.finish(stream[ended], 0);
  }
  EXPECT_EQ(ended, 2U) << "behind those that came before it, and no others";
}

TEST_F(PassTest, what_is_kept_for_another_job_is_not_called_free) {
  d.submit("a", "gpu1");
  const Uuid large = d.submit("b", "gpu4");
  d.define("cpu4", {.cpus_milli = 4000, .memory_mib = 100});
  const Uuid other = d.submit("c", "cpu4");
  EXPECT_EQ(reason(other).text,
            "Waits for vCPU in compute environment local: asks 4 vCPU, 100 MiB; free on node local: 3 vCPU, "
            "7900 MiB; the rest, and what becomes free there, is kept for job " +
                large.str());
}

TEST_F(PassTest, a_job_that_can_never_fit_says_so_and_blocks_nobody) {
  d.define("huge", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 5});
  const Uuid huge = d.submit("a", "huge");
  const Uuid small = d.submit("b", "gpu1");
  EXPECT_EQ(d.status(small), "STARTING");
  EXPECT_EQ(reason(huge).kind, WaitKind::NeverFits);
  EXPECT_TRUE(reason(huge).text.starts_with("MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - "))
      << reason(huge).text;
  EXPECT_NE(reason(huge).text.find("asks 1 vCPU, 100 MiB, 5 GPU"), std::string::npos);
}

TEST_F(PassTest, jobs_start_in_order_of_submission_and_retries_go_first) {
  d.define("retry", {.cpus_milli = 4000, .memory_mib = 100}, R"("retryStrategy":{"attempts":2})");
  const Uuid first = d.submit("a", "retry");
  const Uuid second = d.submit("b", "retry");
  d.finish(first, 1);
  EXPECT_EQ(d.status(first), "STARTING");
  EXPECT_EQ(d.status(second), "RUNNABLE");
}

TEST_F(PassTest, a_queue_of_higher_priority_goes_first) {
  CreateJobQueue urgent;
  urgent.name = "urgent";
  urgent.priority = 10;
  urgent.environments = {{.order = 1, .environment = "local"}};
  ASSERT_TRUE(d.ask(urgent));
  const Uuid running = d.submit("a", "gpu4");
  const Uuid low = d.submit("b", "gpu4");
  SubmitJob high;
  high.id = Uuid::from_random(1, 2);
  high.job_name = "c";
  high.queue = "urgent";
  high.definition = "gpu4";
  ASSERT_TRUE(d.ask(high));
  d.finish(running, 0);
  EXPECT_EQ(d.status(high.id), "STARTING");
  EXPECT_EQ(d.status(low), "RUNNABLE");
}

TEST_F(PassTest, units_of_a_consumable_resource_are_held_while_a_job_runs) {
  ASSERT_TRUE(d.ask(CreateConsumableResource{"license", 2, true, {}}));
  d.define(
      "licensed", {.cpus_milli = 1000, .memory_mib = 100},
      R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"license","quantity":2}]})");
  const Uuid first = d.submit("a", "licensed");
  const Uuid second = d.submit("b", "licensed");
  EXPECT_EQ(d.status(second), "RUNNABLE");
  EXPECT_EQ(reason(second).kind, WaitKind::Consumables);
  EXPECT_EQ(d.state().consumables.at("license").in_use, 2);
  d.finish(first, 0);
  EXPECT_EQ(d.status(second), "STARTING");
}

TEST_F(PassTest, who_asks_more_units_than_there_are_keeps_them_from_nobody) {
  ASSERT_TRUE(d.ask(CreateConsumableResource{"license", 2, true, {}}));
  const auto define = [&](const std::string& name, const std::string& quantity) {
    d.define(name, {.cpus_milli = 1000, .memory_mib = 100},
             R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"license",)"
             R"("quantity":)" +
                 quantity + "}]}");
  };
  define("five", "5");
  define("one", "1");
  const Uuid five = d.submit("a", "five");
  EXPECT_EQ(reason(five).kind, WaitKind::NeverFits);
  EXPECT_EQ(
      reason(five).text,
      "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job asks 5 of consumable resource license, of which "
      "there are 2 in all");
  EXPECT_EQ(d.status(d.submit("b", "one")), "STARTING");
  ASSERT_TRUE(d.ask(UpdateConsumableResource{"license", UpdateConsumableResource::Operation::Set, 6}));
  EXPECT_EQ(d.status(five), "STARTING");
}

TEST_F(PassTest, a_disconnected_node_gets_nothing_new) {
  d.event(NodeDisconnected{"local"});
  const Uuid job = d.submit("a", "cpu1");
  EXPECT_EQ(reason(job).kind, WaitKind::NoNodes);
  d.connect("local", kNode);
  EXPECT_EQ(d.status(job), "STARTING");
}

TEST_F(PassTest, a_head_that_waits_too_long_for_a_named_reason_is_cancelled) {
  const Uuid huge = submit_stuck();
  d.advance(seconds(599));
  EXPECT_EQ(d.status(huge), "RUNNABLE");
  d.advance(seconds(1));
  EXPECT_EQ(d.status(huge), "FAILED");
  EXPECT_EQ(d.job(huge).extra->status_reason,
            "Canceled by JobStateTimeLimit action due to reason: MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT");
}

TEST_F(PassTest, a_restart_does_not_begin_the_time_of_a_stuck_head_anew) {
  const Uuid huge = submit_stuck();
  d.advance(seconds(300));
  d.crash();
  d.advance(seconds(5));
  d.connect("local", kNode);
  d.advance(seconds(294));
  EXPECT_EQ(d.status(huge), "RUNNABLE");
  d.advance(seconds(1));
  EXPECT_EQ(d.status(huge), "FAILED");
  // A head that is one no more is not remembered for ever.
  EXPECT_FALSE(d.state().find_queue("default")->stuck.job);
}

}  // namespace
}  // namespace stoker::core
