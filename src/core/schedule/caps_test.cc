// Limits of how many run at a time (docs/job-tags.md).
#include <gtest/gtest.h>

#include "core/resources/max_running.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

const std::string kKey{kMaxRunning};

struct Caps : ::testing::Test {
  Driver d;
  void SetUp() override {
    d.connect("local", {.cpus_milli = 8000, .memory_mib = 8000});
    d.define("one", {.cpus_milli = 1000, .memory_mib = 4});
  }
  void TearDown() override { d.check(); }
  static int count(const Driver& d) {
    int runs = 0;
    for (const auto& [name, node] : d.state().nodes) runs += static_cast<int>(node.runs.size());
    return runs;
  }
  const WaitReason& reason(const Uuid& id, int index = -1) {
    return *find_wait_reason(d.state(), d.job(id, index));
  }
  Result<Answer> tag(ResourceKind kind, const std::string& name, Tags tags, int revision = 0) {
    return d.ask(TagResource{{kind, name, revision}, std::move(tags)});
  }
};

TEST_F(Caps, a_queue_can_be_limited_and_the_limit_raised_while_jobs_wait) {
  ASSERT_TRUE(tag(ResourceKind::JobQueue, "default", {{kKey, "2"}}));
  for (int i = 0; i < 4; ++i) d.submit("j", "one");
  EXPECT_EQ(count(d), 2);
  const Uuid last = d.submit("j", "one");
  EXPECT_EQ(reason(last).kind, WaitKind::Cap);
  EXPECT_EQ(reason(last).text,
            "Waits for one of the 2 running jobs of job queue default to end: its limit is 2 at a time "
            "(stoker:max-running)");
  ASSERT_TRUE(tag(ResourceKind::JobQueue, "default", {{kKey, "4"}}));
  EXPECT_EQ(count(d), 4);
  ASSERT_TRUE(d.ask(UntagResource{{ResourceKind::JobQueue, "default", 0}, {kKey}}));
  EXPECT_EQ(count(d), 5);
}

TEST_F(Caps, a_definition_is_limited_over_all_its_revisions_as_each_says) {
  const auto document = d.state().find_definition("one")->document;
  ASSERT_TRUE(d.ask(RegisterJobDefinition{"few", document, {{kKey, "1"}}}));
  const Uuid first = d.submit("a", "few");
  const Uuid second = d.submit("b", "few");
  const Uuid other = d.submit("c", "one");
  EXPECT_EQ(d.status(first), "STARTING");
  EXPECT_EQ(d.status(second), "RUNNABLE");
  EXPECT_EQ(d.status(other), "STARTING") << "of the same shape, but not of the definition";
  ASSERT_TRUE(d.ask(RegisterJobDefinition{"few", document, {{kKey, "2"}}}));
  EXPECT_EQ(d.status(d.submit("d", "few")), "STARTING");
  EXPECT_EQ(d.status(second), "RUNNABLE") << "its revision says one";
  d.crash();
  d.connect("local", {.cpus_milli = 8000, .memory_mib = 8000}, {{d.token(first)}, {d.token(other)}});
  d.check();
  EXPECT_EQ(d.state().definitions.at("few").active, 2);
}

TEST_F(Caps, an_array_can_be_limited_and_changed_while_it_waits) {
  SubmitJob request;
  request.id = Uuid::from_random(d.ids.next(), d.ids.next());
  request.job_name = "array";
  request.queue = "default";
  request.definition = "one";
  request.array_size = 6;
  request.tags = Tags{{kKey, "2"}};
  ASSERT_TRUE(d.ask(request));
  EXPECT_EQ(count(d), 2);
  EXPECT_EQ(reason(request.id, 5).kind, WaitKind::Cap);
  EXPECT_EQ(d.status(d.submit("other", "one")), "STARTING");
  d.finish(request.id, 0, 0);
  EXPECT_EQ(d.status(request.id, 2), "STARTING");
  ASSERT_TRUE(tag(ResourceKind::Job, request.id.str(), {{kKey, "3"}}));
  EXPECT_EQ(d.status(request.id, 3), "STARTING");
  ASSERT_TRUE(d.ask(UntagResource{{ResourceKind::Job, request.id.str(), 0}, {kKey}}));
  EXPECT_EQ(d.status(request.id, 5), "STARTING");
}

TEST_F(Caps, the_shares_of_a_policy_can_be_limited_each_or_by_name) {
  const Tags tags = {{kKey, "3"}, {kKey + ":big", "9"}, {kKey + ":team*", "2"}, {kKey + ":teamA*", "1"}};
  EXPECT_EQ(max_running_of_share(tags, "other"), 3);
  EXPECT_EQ(max_running_of_share(tags, "big"), 9);
  EXPECT_EQ(max_running_of_share(tags, "teamB"), 2);
  EXPECT_EQ(max_running_of_share(tags, "teamA7"), 1);
  EXPECT_EQ(max_running_of_share({{"a", "1"}}, "big"), std::nullopt);

  ASSERT_TRUE(d.ask(CreateSchedulingPolicy{"policy", nullptr, {{kKey + ":a", "1"}}}));
  CreateJobQueue queue;
  queue.name = "fair";
  queue.environments = {{.order = 1, .environment = "local"}};
  queue.scheduling_policy = "policy";
  ASSERT_TRUE(d.ask(queue));
  for (const char* share : {"a", "a", "b", "b"})
    d.submit(share, "one", 0, {}, R"({"shareIdentifier":")" + std::string(share) + "\"}", "fair");
  EXPECT_EQ(count(d), 3);
}

TEST_F(Caps, a_quota_share_can_be_limited_also_over_a_restart) {
  CreateQuotaShare share{.name = "vision", .queue = "default"};
  share.limits = {{.max = 8, .given = "VCPU", .unit = {}}};
  share.tags = {{kKey, "1"}};
  ASSERT_TRUE(d.ask(share));
  share.name = "speech";
  share.tags.clear();
  ASSERT_TRUE(d.ask(share));
  const auto submit = [&](const char* name) {
    return d.submit("j", "one", 0, {}, R"({"shareIdentifier":")" + std::string(name) + "\"}");
  };
  const Uuid first = submit("vision");
  const Uuid second = submit("vision");
  const Uuid third = submit("vision");
  EXPECT_EQ(d.status(submit("speech")), "STARTING") << "a limit of one share only";
  EXPECT_EQ(count(d), 2);
  EXPECT_EQ(reason(third).kind, WaitKind::Cap);
  EXPECT_EQ(
      reason(third).text,
      "Waits for the running job of quota share vision in job queue default to end: its limit is 1 at a time "
      "(stoker:max-running)");
  d.crash();
  d.connect("local", {.cpus_milli = 8000, .memory_mib = 8000}, {{d.token(first)}});
  d.check();
  EXPECT_EQ(d.status(second), "RUNNABLE") << "the limit and what it counts are remembered";
  d.finish(first, 0);
  EXPECT_EQ(d.status(second), "STARTING");
  EXPECT_EQ(d.status(third), "RUNNABLE");
  const ResourceRef vision{ResourceKind::QuotaShare, "default/quota-share/vision", 0};
  ASSERT_TRUE(d.ask(TagResource{vision, {{kKey, "3"}}}));
  EXPECT_EQ(d.status(third), "STARTING");
  EXPECT_EQ(d.status(submit("vision")), "STARTING");
  const Uuid last = submit("vision");
  EXPECT_EQ(d.status(last), "RUNNABLE");
  ASSERT_TRUE(d.ask(UntagResource{vision, {kKey}}));
  EXPECT_EQ(d.status(last), "STARTING");
}

TEST_F(Caps, what_is_no_limit_is_refused_where_it_is_given) {
  for (const char* value : {"0", "-1", "many", "1.5", "", "1000001"}) {
    const auto answer = tag(ResourceKind::JobQueue, "default", {{kKey, value}});
    ASSERT_FALSE(answer) << value;
    EXPECT_EQ(answer.error().message,
              "tags: stoker:max-running must be a whole number from 1 to 1000000, not '" +
                  std::string(value) + "'");
  }
  EXPECT_FALSE(d.ask(CreateSchedulingPolicy{"p", nullptr, {{kKey + ":a", "x"}}}));
  SubmitJob plain;
  plain.id = Uuid::from_random(1, 1);
  plain.job_name = "plain";
  plain.queue = "default";
  plain.definition = "one";
  plain.tags = Tags{{kKey, "2"}};
  const auto refused = d.ask(plain);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "tags: stoker:max-running is for array jobs, whose children it limits");
}

}  // namespace
}  // namespace stoker::core
