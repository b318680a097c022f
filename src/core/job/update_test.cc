// Changing a job that waits.
#include "core/job/update.h"

#include <gtest/gtest.h>

#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

struct Update : ::testing::Test {
  Driver d;
  void SetUp() override {
    ASSERT_TRUE(d.ask(CreateSchedulingPolicy{"policy", nullptr, {}}));
    for (const char* name : {"fair", "second"}) {
      CreateJobQueue queue;
      queue.name = name;
      queue.environments = {{.order = 1, .environment = "local"}};
      if (std::string(name) == "fair") queue.scheduling_policy = "policy";
      ASSERT_TRUE(d.ask(queue));
    }
    d.define("one", {.cpus_milli = 1000, .memory_mib = 4}, R"("retryStrategy":{"attempts":3})");
  }
  void TearDown() override { d.check(); }
  void connect() { d.connect("local", {.cpus_milli = 1000, .memory_mib = 8000}); }
  Uuid fair(const std::string& share, int priority, int array = 0) {
    return d.submit("j", "one", array, {},
                    R"({"shareIdentifier":")" + share + R"(","schedulingPriorityOverride":)" +
                        std::to_string(priority) + "}",
                    "fair");
  }
  Result<Answer> update(const Uuid& id, std::optional<int> priority, std::optional<std::string> share = {},
                        std::optional<std::string> queue = {}, int index = -1) {
    auto answer = d.ask(UpdateJob{id, index, priority, std::move(share), std::move(queue)});
    d.check();
    return answer;
  }
  std::string refusal(const Result<Answer>& answer) { return answer ? "" : answer.error().message; }
  const std::string& queue_of(const Uuid& id) { return d.state().queues.at(d.job(id).queue).name; }
};

TEST_F(Update, a_higher_priority_goes_first_at_once_and_after_a_restart) {
  const Uuid first = fair("a", 1);
  const Uuid second = fair("a", 1);
  ASSERT_TRUE(update(second, 5));
  d.crash();
  connect();
  EXPECT_EQ(d.status(second), "STARTING");
  EXPECT_EQ(d.status(first), "RUNNABLE");
}

TEST_F(Update, a_job_moves_between_shares_and_queues) {
  const Uuid job = fair("a", 7);
  ASSERT_TRUE(update(job, {}, "b"));
  EXPECT_EQ(d.job(job).spec->share, "b");
  EXPECT_EQ(d.job(job).spec->scheduling_priority, 7);
  ASSERT_TRUE(update(job, {}, {}, "default"));
  EXPECT_EQ(queue_of(job), "default");
  EXPECT_EQ(d.job(job).spec->share, "");
  EXPECT_EQ(refusal(update(job, {}, {}, "fair")),
            "shareIdentifier: is required: the job queue has a fair share scheduling policy");
  ASSERT_TRUE(update(job, 3, "c", "fair"));
  EXPECT_EQ(queue_of(job), "fair");
  connect();
  EXPECT_EQ(d.status(job), "STARTING");
}

TEST_F(Update, what_runs_or_has_ended_or_is_not_there_is_refused) {
  connect();
  const Uuid job = fair("a", 1);
  EXPECT_EQ(refusal(update(job, 2)),
            "Job " + job.str() + " runs (STARTING): only a job that waits can be updated");
  d.finish(job, 0);
  EXPECT_EQ(refusal(update(job, 2)),
            "Job " + job.str() + " has ended (SUCCEEDED): only a job that waits can be updated");
  EXPECT_EQ(refusal(update(Uuid::from_random(5, 5), 2)),
            "Job " + Uuid::from_random(5, 5).str() + " does not exist");
}

TEST_F(Update, what_makes_no_sense_is_refused_and_changes_nothing) {
  const Uuid job = d.submit("j", "one");
  EXPECT_EQ(refusal(update(job, {})),
            "One of schedulingPriority, shareIdentifier and jobQueue must be given");
  const std::string words =
      ": job queue default has no scheduling policy: its jobs have neither priority nor share, and go in the "
      "order "
      "in which they were submitted";
  EXPECT_EQ(refusal(update(job, 5)), "schedulingPriority" + words);
  EXPECT_EQ(refusal(update(job, {}, "a")), "shareIdentifier" + words);
  EXPECT_EQ(refusal(update(job, {}, {}, "nowhere")), "Job queue nowhere does not exist");
  ASSERT_TRUE(update(job, {}, {}, "second"));
  const Uuid fair_job = fair("a", 1);
  EXPECT_NE(refusal(update(fair_job, {}, "not a share!")), "");
}

TEST_F(Update, an_array_takes_its_waiting_children_along) {
  const Uuid array = fair("a", 1, 3);
  ASSERT_TRUE(update(array, 9, "b"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(d.job(array, i).spec, d.job(array).spec);
  ASSERT_TRUE(update(array, {}, {}, "default"));
  d.crash();
  d.check();
  connect();
  EXPECT_EQ(d.status(array, 0), "STARTING");
  EXPECT_EQ(refusal(update(array, {}, {}, "second")),
            "jobQueue: 1 children of array job " + array.str() +
                " run; it cannot move to job queue second before they have ended");
  EXPECT_EQ(refusal(update(array, {}, {}, "second", 1)),
            "jobQueue: a child stays in the job queue of its array; move the array as a whole");
}

TEST_F(Update, a_child_alone_can_be_put_first_and_what_runs_keeps_its_share) {
  const Uuid array = fair("a", 1, 3);
  ASSERT_TRUE(update(array, 8, {}, {}, 2));
  connect();
  EXPECT_EQ(d.status(array, 2), "STARTING");
  ASSERT_TRUE(update(array, {}, "b"));
  EXPECT_EQ(d.job(array, 2).spec->share, "a");
  EXPECT_EQ(d.job(array, 1).spec->share, "b");
  d.crash();
  d.check();
  connect();
  d.finish(array, 0, 2);
  d.finish(array, 0, 0);
  d.finish(array, 0, 1);
  EXPECT_EQ(d.status(array), "SUCCEEDED");
  d.advance(days(8));
  EXPECT_TRUE(d.state().specs.empty());
}

}  // namespace
}  // namespace stoker::core
