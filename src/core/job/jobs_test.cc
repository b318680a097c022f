#include <gtest/gtest.h>

#include "core/job/retry.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;
using testing::on;

constexpr Resources kSmall{.cpus_milli = 1000, .memory_mib = 100};
constexpr Resources kNode{.cpus_milli = 4000, .memory_mib = 8000, .gpus = 4};

TEST(RunToken, text_goes_there_and_back) {
  const RunToken token{JobNo{42}, 3, 0xa1b2c3d4e5f6};
  EXPECT_EQ(token.str(), "000000000000002a0003a1b2c3d4e5f6");
  EXPECT_EQ(RunToken::parse(token.str()), token);
  for (const char* bad : {"", "000000000000002a0003a1b2c3d4e5fg", "2a"})
    EXPECT_FALSE(RunToken::parse(bad)) << bad;
}

struct Jobs : ::testing::Test {
  Driver d;
  void SetUp() override {
    d.connect("local", kNode);
    d.define("small", kSmall);
  }
  void TearDown() override { d.check(); }
};

TEST_F(Jobs, a_job_runs_from_submission_to_success) {
  const Uuid job = d.submit("one", "small");
  EXPECT_EQ(d.status(job), "STARTING");
  ASSERT_EQ(d.starts.size(), 1U);
  EXPECT_EQ(d.starts[0].token, d.token(job));
  d.start(job);
  EXPECT_EQ(d.status(job), "RUNNING");
  d.finish(job, 0);
  EXPECT_EQ(d.status(job), "SUCCEEDED");
  EXPECT_EQ(d.job(job).extra->status_reason, "Essential container in task exited");
  EXPECT_EQ(d.forgets.size(), 1U);
}

// Its ended job is still known, and with it what was checked when that was submitted.
TEST_F(Jobs, what_needs_a_deleted_consumable_resource_is_refused) {
  ASSERT_TRUE(d.ask(CreateConsumableResource{"license", 2, true, {}}));
  d.define("licensed", kSmall,
           R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"license",)"
           R"("quantity":1}]})");
  d.finish(d.submit("a", "licensed"), 0);
  ASSERT_TRUE(d.ask(DeleteConsumableResource{"license"}));
  SubmitJob again;
  again.id = Uuid::from_random(1, 2);
  again.job_name = "b";
  again.queue = "default";
  again.definition = "licensed";
  const auto answer = d.ask(again);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().message, "Consumable resource license does not exist");
  EXPECT_EQ(d.state().jobs.find(again.id), nullptr);
}

TEST_F(Jobs, a_failed_attempt_is_tried_again_as_often_as_allowed) {
  d.define("retry", kSmall, R"("retryStrategy":{"attempts":3})");
  const Uuid job = d.submit("r", "retry");
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(d.status(job), "STARTING") << attempt;
    EXPECT_EQ(d.job(job).attempts_used, attempt);
    d.finish(job, 1);
  }
  EXPECT_EQ(d.status(job), "FAILED");
  EXPECT_EQ(d.starts.size(), 3U);
  EXPECT_EQ(d.starts[2].environment.back(),
            (std::pair<std::string, std::string>{"AWS_BATCH_JOB_ATTEMPT", "3"}));
}

TEST_F(Jobs, the_first_matching_rule_of_evaluate_on_exit_decides) {
  d.define(
      "spot", kSmall,
      R"("retryStrategy":{"attempts":5,"evaluateOnExit":[{"onStatusReason":"Host EC2*","action":"RETRY"},{"onReason":"*","action":"EXIT"}]})");
  const Uuid job = d.submit("s", "spot");
  RunEnded lost{.node = "local",
                .token = d.token(job),
                .started_at = d.now,
                .at = d.now,
                .exit_code = {},
                .reason = {},
                .started = true,
                .node_failure = true};
  d.event(lost);
  EXPECT_EQ(d.status(job), "STARTING") << "a lost host is retried";
  EXPECT_EQ(d.job(job).extra->attempts[0].status_reason, "Host EC2 (instance local) terminated.");
  d.finish(job, 1);
  EXPECT_EQ(d.status(job), "FAILED") << "a plain failure is not";
}

TEST_F(Jobs, a_lost_machine_uses_up_no_attempt_but_not_for_ever) {
  d.define("twice", kSmall, R"("retryStrategy":{"attempts":2})");
  const Uuid job = d.submit("t", "twice");
  const auto lose = [&] {
    d.event(RunEnded{.node = "local",
                     .token = d.token(job),
                     .started_at = d.now,
                     .at = d.now,
                     .exit_code = {},
                     .reason = {},
                     .started = true,
                     .node_failure = true});
  };
  for (int i = 0; i < kLostAttemptsMax; ++i) lose();
  EXPECT_EQ(d.status(job), "STARTING");
  EXPECT_EQ(d.job(job).attempts_counted(), 1);
  EXPECT_EQ(d.starts.back().environment.back().second, "1");
  d.crash();
  d.check();
  d.connect("local", {.cpus_milli = 8000, .memory_mib = 16'000}, {{d.token(job)}});
  lose();
  EXPECT_EQ(d.status(job), "STARTING") << "counts now, and two attempts are allowed";
  EXPECT_EQ(d.job(job).attempts_counted(), 2);
  lose();
  EXPECT_EQ(d.status(job), "FAILED");
  EXPECT_EQ(d.job(job).extra->status_reason, "Host EC2 (instance local) terminated.");
}

TEST_F(Jobs, an_attempt_knows_that_its_machine_was_lost_whatever_it_says) {
  d.define("once", kSmall,
           R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"onReason":"*","action":"EXIT"}]})");
  const Uuid lost = d.submit("t", "once");
  d.define("plain", kSmall);
  const Uuid ended = d.submit("t", "plain");
  d.start(ended);
  ASSERT_TRUE(d.ask(TerminateJob{ended, -1, "Host EC2 was wanted by somebody else"}));
  d.finish(ended, 143);
  d.event(NodeLost{"local", "gone"});
  EXPECT_EQ(d.status(lost), "FAILED");
  const auto check = [&](const char* when) {
    EXPECT_TRUE(d.job(lost).extra->attempts[0].lost) << when;
    EXPECT_FALSE(d.job(ended).extra->attempts[0].lost) << when << ", by the words of its owner";
  };
  check("at its end");
  d.crash();
  check("after a restart");
}

TEST_F(Jobs, a_lost_attempt_of_an_older_record_is_known_by_its_reason) {
  d.define("twice", kSmall, R"("retryStrategy":{"attempts":2})");
  const Uuid job = d.submit("t", "twice");
  d.event(NodeLost{"local", "gone"});
  ASSERT_EQ(d.status(job), "RUNNABLE");
  // The programs before wrote the member only when the job went on, and then as 1.
  for (const std::string member : {"", R"(,"lost":1)"}) {
    Records older;
    older.jobs = d.store().all().jobs;
    ASSERT_EQ(older.jobs.size(), 1U);
    std::string& extra = older.jobs[0].extra;
    const std::string reason = R"("statusReason":"Host EC2 (instance local) terminated.")";
    ASSERT_NE(extra.find(reason + '}'), std::string::npos) << extra;
    extra.replace(extra.find(reason), reason.size(), reason + member);
    d.store().commit(older);
    d.crash();
    EXPECT_TRUE(d.job(job).extra->attempts[0].lost);
    EXPECT_EQ(d.job(job).attempts_counted(), 0);
  }
}

TEST_F(Jobs, a_rule_that_says_exit_holds_for_lost_machines_too) {
  d.define(
      "once", kSmall,
      R"("retryStrategy":{"attempts":2,"evaluateOnExit":[{"onStatusReason":"Host EC2*","action":"EXIT"}]})");
  const Uuid job = d.submit("t", "once");
  d.event(NodeLost{"local", "gone"});
  EXPECT_EQ(d.status(job), "FAILED");
}

TEST_F(Jobs, late_and_doubled_news_change_nothing) {
  d.define("retry", kSmall, R"("retryStrategy":{"attempts":2})");
  const Uuid job = d.submit("r", "retry");
  const RunToken first = d.token(job);
  d.finish(job, 1);
  RunEnded again{
      .node = "local", .token = first, .started_at = {}, .at = d.now, .exit_code = 0, .reason = {}};
  d.event(again);
  d.event(RunStarted{first, d.now});
  EXPECT_EQ(d.status(job), "STARTING");
  EXPECT_EQ(d.forgets.size(), 2U) << "the node may forget what is over, each time it asks";
  d.start(job);
  d.start(job);
  d.finish(job, 0);
  EXPECT_EQ(d.status(job), "SUCCEEDED");
}

TEST_F(Jobs, a_time_out_stops_the_attempt_and_is_not_retried) {
  d.define("timed", kSmall, R"("timeout":{"attemptDurationSeconds":60},"retryStrategy":{"attempts":3})");
  const Uuid job = d.submit("t", "timed");
  d.start(job);
  d.advance(seconds(59));
  EXPECT_TRUE(d.stops.empty());
  d.advance(seconds(1));
  ASSERT_EQ(d.stops.size(), 1U);
  EXPECT_EQ(d.stops[0].grace, seconds(30));
  d.finish(job, 137);
  EXPECT_EQ(d.status(job), "FAILED");
  EXPECT_EQ(d.job(job).extra->status_reason, "Job attempt duration exceeded timeout");
}

TEST_F(Jobs, cancel_ends_what_has_not_started_and_leaves_alone_what_has) {
  const Uuid running = d.submit("a", "small");
  const Uuid waiting = d.submit("b", "small", 0, {on(running)});
  EXPECT_EQ(d.status(waiting), "PENDING");
  EXPECT_TRUE(d.ask(CancelJob{running, -1, "no"}));
  EXPECT_EQ(d.status(running), "STARTING");
  EXPECT_TRUE(d.ask(CancelJob{waiting, -1, "changed my mind"}));
  EXPECT_EQ(d.status(waiting), "FAILED");
  EXPECT_EQ(d.job(waiting).extra->status_reason, "changed my mind");
  EXPECT_TRUE(d.ask(CancelJob{Uuid::from_random(1, 1), -1, "unknown"})) << "unknown ids are no error";
  d.finish(running, 0);
  EXPECT_EQ(d.status(waiting), "FAILED");
}

TEST_F(Jobs, terminate_stops_a_running_job_with_the_callers_reason) {
  d.define("retry", kSmall, R"("retryStrategy":{"attempts":3})");
  const Uuid job = d.submit("r", "retry");
  d.start(job);
  EXPECT_TRUE(d.ask(TerminateJob{job, -1, "enough"}));
  EXPECT_EQ(d.status(job), "RUNNING");
  EXPECT_EQ(d.stops.size(), 1U);
  d.finish(job, 143);
  EXPECT_EQ(d.status(job), "FAILED");
  EXPECT_EQ(d.job(job).extra->status_reason, "enough");
  EXPECT_EQ(d.job(job).attempts_used, 1);
}

TEST_F(Jobs, dependents_follow_success_and_fail_with_failure_through_any_chain) {
  const Uuid a = d.submit("a", "small");
  const Uuid b = d.submit("b", "small", 0, {on(a)});
  const Uuid c = d.submit("c", "small", 0, {on(b)});
  std::vector<Uuid> chain = {c};
  for (int i = 0; i < 2000; ++i) chain.push_back(d.submit("n", "small", 0, {on(chain.back())}));
  d.finish(a, 0);
  EXPECT_EQ(d.status(b), "STARTING");
  d.finish(b, 7);
  EXPECT_EQ(d.status(c), "FAILED");
  EXPECT_EQ(d.job(c).extra->status_reason, "Dependent Job failed");
  EXPECT_EQ(d.status(chain.back()), "FAILED");
  const Uuid late = d.submit("late", "small", 0, {on(b)});
  EXPECT_EQ(d.status(late), "FAILED") << "a dependency that has failed already";
  const Uuid fine = d.submit("fine", "small", 0, {on(a)});
  EXPECT_EQ(d.status(fine), "STARTING");
}

TEST_F(Jobs, an_array_ends_with_its_children) {
  const Uuid array = d.submit("arr", "small", 6);
  EXPECT_EQ(d.status(array), "PENDING");
  EXPECT_EQ(d.starts.size(), 4U) << "four vCPUs";
  for (int i = 0; i < 6; ++i) d.finish(array, i == 3 ? 1 : 0, i);
  EXPECT_EQ(d.status(array), "FAILED");
  EXPECT_EQ(d.status(array, 3), "FAILED");
  EXPECT_EQ(d.status(array, 5), "SUCCEEDED");
  EXPECT_EQ(d.job(array).extra->array->counts[static_cast<std::size_t>(JobStatus::Succeeded)], 5U);
}

TEST_F(Jobs, n_to_n_binds_children_of_one_index) {
  const Uuid a = d.submit("a", "small", 3);
  const Uuid b = d.submit("b", "small", 3, {on(a, DependencyType::NToN)});
  EXPECT_EQ(d.status(b, 1), "PENDING");
  d.finish(a, 0, 1);
  EXPECT_EQ(d.status(b, 1), "STARTING");
  EXPECT_EQ(d.status(b, 0), "PENDING");
  d.finish(a, 9, 0);
  EXPECT_EQ(d.status(b, 0), "FAILED");
  d.finish(a, 0, 2);
  d.finish(b, 0, 1);
  d.finish(b, 0, 2);
  EXPECT_EQ(d.status(b), "FAILED");
}

TEST_F(Jobs, n_to_n_with_a_child_that_failed_before_fails_that_child) {
  const Uuid a = d.submit("a", "small", 2);
  d.finish(a, 1, 0);
  const Uuid b = d.submit("b", "small", 2, {on(a, DependencyType::NToN)});
  EXPECT_EQ(d.status(b, 0), "FAILED");
  EXPECT_EQ(d.status(b, 1), "PENDING");
}

TEST_F(Jobs, sequential_children_run_one_after_the_other) {
  const Uuid a = d.submit("a", "small", 3, {Dependency{{}, -1, DependencyType::Sequential}});
  EXPECT_EQ(d.status(a, 0), "STARTING");
  EXPECT_EQ(d.status(a, 1), "PENDING");
  d.finish(a, 0, 0);
  EXPECT_EQ(d.status(a, 1), "STARTING");
  EXPECT_EQ(d.status(a, 2), "PENDING");
  d.finish(a, 1, 1);
  EXPECT_EQ(d.status(a, 2), "FAILED");
  EXPECT_EQ(d.status(a), "FAILED");
}

TEST_F(Jobs, refused_submissions_say_why_and_change_nothing) {
  const Uuid array = d.submit("arr", "small", 3);
  const auto records = d.core().all_records();
  struct Row {
    const char* why;
    SubmitJob request;
    std::string text;
  };
  const auto request = [&](auto change) {
    SubmitJob r;
    r.id = Uuid::from_random(d.ids.next(), d.ids.next());
    r.job_name = "x";
    r.queue = "default";
    r.definition = "small";
    change(r);
    return r;
  };
  const Row rows[] = {
      {"an unknown queue", request([](SubmitJob& r) { r.queue = "nope"; }), "does not exist"},
      {"an unknown definition", request([](SubmitJob& r) { r.definition = "nope"; }), "does not exist"},
      {"an unknown revision", request([](SubmitJob& r) { r.definition = "small:9"; }), "does not exist"},
      {"an array of one", request([](SubmitJob& r) { r.array_size = 1; }), "between 2 and 10000"},
      {"an array too large", request([](SubmitJob& r) { r.array_size = 10'001; }), "between 2 and 10000"},
      {"an unknown dependency", request([&](SubmitJob& r) { r.depends_on = {on(Uuid::from_random(3, 3))}; }),
       "does not exist"},
      {"N_TO_N of a plain job",
       request([&](SubmitJob& r) { r.depends_on = {on(array, DependencyType::NToN)}; }), "N_TO_N"},
      {"N_TO_N of another size", request([&](SubmitJob& r) {
         r.array_size = 4;
         r.depends_on = {on(array, DependencyType::NToN)};
       }),
       "one size"},
      {"SEQUENTIAL of a plain job",
       request([](SubmitJob& r) { r.depends_on = {Dependency{{}, -1, DependencyType::Sequential}}; }),
       "array job"},
      {"21 dependencies", request([&](SubmitJob& r) { r.depends_on.assign(21, on(array)); }), "at most 20"},
  };
  for (const Row& row : rows) {
    const auto answer = d.ask(row.request);
    ASSERT_FALSE(answer) << row.why;
    EXPECT_NE(answer.error().message.find(row.text), std::string::npos)
        << row.why << ": " << answer.error().message;
  }
  EXPECT_EQ(d.core().all_records(), records);
}

TEST_F(Jobs, a_submission_repeated_with_its_id_is_one_job) {
  SubmitJob request;
  request.id = Uuid::from_random(5, 6);
  request.job_name = "x";
  request.queue = "default";
  request.definition = "small";
  EXPECT_TRUE(d.ask(request));
  EXPECT_TRUE(d.ask(request));
  EXPECT_EQ(d.state().jobs.size(), 1U);
}

TEST_F(Jobs, ended_jobs_are_forgotten_after_the_history) {
  const Uuid job = d.submit("one", "small");
  const Uuid array = d.submit("arr", "small", 2);
  d.finish(job, 0);
  d.finish(array, 0, 0);
  d.finish(array, 0, 1);
  d.advance(days(7) - milliseconds(1));
  EXPECT_EQ(d.state().jobs.size(), 2U);
  d.advance(milliseconds(1));
  EXPECT_EQ(d.state().jobs.size(), 0U);
  EXPECT_TRUE(d.state().specs.empty());
}

TEST_F(Jobs, a_crash_repeats_what_is_owed_when_the_node_is_back) {
  const Uuid unknown_there = d.submit("a", "small");
  const Uuid running = d.submit("b", "small");
  const Uuid lost = d.submit("c", "small");
  d.start(running);
  d.start(lost);
  d.ask(TerminateJob{running, -1, "enough"});
  d.crash();
  d.starts.clear();
  d.stops.clear();
  EXPECT_EQ(d.status(running), "RUNNING");
  d.connect("local", kNode, {{d.token(running), true, false}});
  ASSERT_EQ(d.starts.size(), 2U) << "the start that never arrived, and the one below";
  EXPECT_EQ(d.starts[0].token, d.token(unknown_there));
  EXPECT_EQ(d.stops.size(), 1U) << "the stop that was asked for";
  EXPECT_EQ(d.job(lost).attempts_used, 2) << "ran, and its node knows nothing of it: once more";
}

TEST_F(Jobs, runs_that_the_server_gave_up_are_stopped_and_forgotten) {
  const Uuid job = d.submit("a", "small");
  const RunToken token = d.token(job);
  d.event(NodeLost{"local", "gone"});
  EXPECT_EQ(d.status(job), "RUNNABLE");
  d.connect("local", kNode, {{token, true, false}});
  EXPECT_EQ(d.stops.size(), 1U);
}

TEST_F(Jobs, deleting_a_queue_ends_its_jobs) {
  const Uuid running = d.submit("a", "small");
  const Uuid waiting = d.submit("b", "small", 0, {on(running)});
  EXPECT_FALSE(d.ask(DeleteJobQueue{"default"})) << "enabled";
  UpdateJobQueue disable;
  disable.name = "default";
  disable.enabled = false;
  EXPECT_TRUE(d.ask(disable));
  EXPECT_TRUE(d.ask(DeleteJobQueue{"default"}));
  EXPECT_EQ(d.status(waiting), "FAILED");
  EXPECT_EQ(d.stops.size(), 1U);
  d.finish(running, 143);
  EXPECT_EQ(d.status(running), "FAILED");
}

}  // namespace
}  // namespace stoker::core
