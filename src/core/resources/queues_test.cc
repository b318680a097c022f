#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

constexpr std::string_view kEc2 =
    R"({"computeResources":{"type":"EC2","maxvCpus":8,"subnets":["s"],"instanceTypes":["g5"],
    "instanceRole":"r","securityGroupIds":["g"]}})";
constexpr std::string_view kFargate =
    R"({"computeResources":{"type":"FARGATE","maxvCpus":8,"subnets":["s"],"securityGroupIds":["g"]}})";

struct Queues : ::testing::Test {
  World world;
  void SetUp() override {
    environment("local", false, "{}");
    environment("cloud", true, kEc2);
    environment("third", true, kEc2);
    environment("fourth", true, kEc2);
    environment("fargate", true, kFargate);
    for (const char* name : {"fair", "fairer"})
      ASSERT_TRUE(
          create_scheduling_policy(world, Instant{1}, {.name = name, .document = doc("{}"), .tags = {}}));
    ASSERT_TRUE(create_scheduling_policy(
        world, Instant{1},
        {.name = "quota",
         .document = doc(R"({"quotaSharePolicy":{"idleResourceAssignmentStrategy":"FIFO"}})"),
         .tags = {}}));
  }
  void environment(const std::string& name, bool managed, std::string_view document) {
    const auto answer = create_compute_environment(world, Instant{1},
                                                   {.name = name,
                                                    .managed = managed,
                                                    .enabled = true,
                                                    .document = doc(document),
                                                    .uuid = "u",
                                                    .tags = {}});
    ASSERT_TRUE(answer) << complaint(answer);
  }
  static CreateJobQueue a_queue(std::vector<EnvironmentOrder> environments = {{1, "local"}}) {
    CreateJobQueue request;
    request.name = "q";
    request.environments = std::move(environments);
    return request;
  }
  std::string create(const CreateJobQueue& request) {
    return complaint(create_job_queue(world, Instant{1}, request));
  }
  std::string update(const UpdateJobQueue& request) {
    return complaint(update_job_queue(world, Instant{1}, request));
  }
  std::string remove(const std::string& name) {
    return complaint(delete_job_queue(world, Instant{1}, {name}));
  }
  const JobQueue& queue() { return *world.state.find_queue("q"); }
};

TEST_F(Queues, environments_exist_fit_together_and_are_few) {
  struct Row {
    const char* sentence;
    std::vector<EnvironmentOrder> environments;
    const char* type;
    const char* refused_with;
  };
  for (const Row& row : {
           Row{"one environment", {{1, "local"}}, "", ""},
           {"three environments", {{1, "local"}, {2, "cloud"}, {3, "third"}}, "", ""},
           {"no environment", {}, "", "1 to 3"},
           {"four environments", {{1, "local"}, {2, "cloud"}, {3, "third"}, {4, "fourth"}}, "", "1 to 3"},
           {"an unknown one", {{1, "nowhere"}}, "", "Compute environment nowhere does not exist"},
           {"one twice", {{1, "local"}, {2, "local"}}, "", "is named twice"},
           {"one place for two", {{1, "local"}, {1, "cloud"}}, "", "the order 1 is given twice"},
           {"EC2 beside Fargate", {{1, "cloud"}, {2, "fargate"}}, "", "cannot be mixed"},
           {"Fargate alone", {{1, "fargate"}}, "ECS_FARGATE", ""},
           {"Fargate in a queue for EC2", {{1, "fargate"}}, "ECS", "does not fit a job queue of type ECS"},
           {"EC2 in a queue for Kubernetes", {{1, "cloud"}}, "EKS", "does not fit a job queue of type EKS"},
           {"training jobs", {{1, "cloud"}}, "SAGEMAKER_TRAINING", "not supported yet"},
       }) {
    auto request = a_queue(row.environments);
    request.type = row.type;
    const std::string answer = create(request);
    if (row.refused_with[0] == '\0') {
      EXPECT_EQ(answer, "") << row.sentence;
      ASSERT_EQ(update({.name = "q",
                        .enabled = false,
                        .priority = {},
                        .environments = {},
                        .scheduling_policy = {},
                        .time_limit_actions = {}}),
                "");
      EXPECT_EQ(remove("q"), "") << row.sentence;
    } else {
      EXPECT_NE(answer.find(row.refused_with), std::string::npos) << row.sentence << ": " << answer;
      EXPECT_EQ(world.state.find_queue("q"), nullptr) << row.sentence;
    }
  }
}

TEST_F(Queues, environments_are_tried_by_order) {
  ASSERT_EQ(create(a_queue({{5, "cloud"}, {2, "local"}})), "");
  EXPECT_EQ(queue().environments, (std::vector<std::string>{"cloud", "local"})) << "kept as sent";
  EXPECT_EQ(queue().environments_by_order(), (std::vector<std::string>{"local", "cloud"}));
}

TEST_F(Queues, names_are_unique_and_numbers_are_never_used_again) {
  ASSERT_EQ(create(a_queue()), "");
  const QueueNo first = queue().no;
  EXPECT_NE(create(a_queue()).find("Object already exists"), std::string::npos);
  EXPECT_NE(remove("q").find("must be DISABLED first"), std::string::npos);
  UpdateJobQueue disable;
  disable.name = "q";
  disable.enabled = false;
  ASSERT_EQ(update(disable), "");
  ASSERT_EQ(remove("q"), "");
  EXPECT_NE(remove("q").find("does not exist"), std::string::npos);
  EXPECT_NE(update(disable).find("does not exist"), std::string::npos);
  ASSERT_EQ(create(a_queue()), "");
  EXPECT_NE(queue().no, first);
}

TEST_F(Queues, with_remembered_jobs_stay_until_these_are_forgotten) {
  auto request = a_queue();
  request.enabled = false;
  ASSERT_EQ(create(request), "");
  const QueueNo no = queue().no;
  world.state.queues.at(no).jobs = 1;
  ASSERT_EQ(remove("q"), "");
  EXPECT_TRUE(world.state.queues.at(no).deleted);
  EXPECT_EQ(world.state.find_queue("q"), nullptr);
  const auto gone = delete_compute_environment(world, Instant{1}, {"local"});
  EXPECT_EQ(complaint(gone), "Cannot delete, compute environment local must be DISABLED first")
      << "not held by the queue";
}

TEST_F(Queues, a_fair_share_policy_is_replaced_but_never_added_or_removed) {
  ASSERT_EQ(create(a_queue()), "");
  UpdateJobQueue change;
  change.name = "q";
  change.scheduling_policy = "fair";
  EXPECT_NE(update(change).find("cannot be added"), std::string::npos);

  auto fair = a_queue();
  fair.name = "f";
  fair.scheduling_policy = "missing";
  EXPECT_NE(create(fair).find("Scheduling policy missing does not exist"), std::string::npos);
  fair.scheduling_policy = "quota";
  ASSERT_EQ(create(fair), "");
  change.name = "f";
  EXPECT_NE(update(change).find("cannot replace each other"), std::string::npos) << "its kind stays";
  ASSERT_EQ(update({.name = "f", .enabled = false}), "");
  ASSERT_EQ(remove("f"), "");
  fair.scheduling_policy = "fair";
  ASSERT_EQ(create(fair), "");
  change.name = "f";
  change.scheduling_policy = "";
  EXPECT_NE(update(change).find("replaced but not removed"), std::string::npos);
  change.scheduling_policy = "fairer";
  EXPECT_EQ(update(change), "");
  EXPECT_EQ(world.state.find_queue("f")->scheduling_policy, "fairer");
}

TEST_F(Queues, time_limits_are_for_reasons_that_a_person_can_act_on) {
  struct Row {
    const char* sentence;
    TimeLimitAction action;
    const char* refused_with;
  };
  const std::string reason = "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT";
  for (const Row& row : {
           Row{"ten minutes", {reason, seconds(600), "CANCEL", "RUNNABLE"}, ""},
           {"a day", {reason, seconds(86'400), "CANCEL", "RUNNABLE"}, ""},
           {"too short", {reason, seconds(599), "CANCEL", "RUNNABLE"}, "between 600 and 86400"},
           {"too long", {reason, seconds(86'401), "CANCEL", "RUNNABLE"}, "between 600 and 86400"},
           {"terminate is for service jobs",
            {reason, seconds(600), "TERMINATE", "RUNNABLE"},
            "must be CANCEL"},
           {"another state", {reason, seconds(600), "CANCEL", "PENDING"}, "must be RUNNABLE"},
           {"no reason to act on", {"UNDETERMINED", seconds(600), "CANCEL", "RUNNABLE"}, "is not a reason"},
       }) {
    auto request = a_queue();
    request.name = "t" + std::to_string(world.next_queue);
    request.time_limit_actions = {row.action};
    const std::string answer = create(request);
    EXPECT_EQ(answer.empty(), row.refused_with[0] == '\0') << row.sentence << ": " << answer;
    EXPECT_NE(answer.find(row.refused_with), std::string::npos) << row.sentence << ": " << answer;
  }
}

TEST_F(Queues, a_refused_update_changes_nothing) {
  ASSERT_EQ(create(a_queue()), "");
  UpdateJobQueue change;
  change.name = "q";
  change.priority = 7;
  change.environments = {{1, "nowhere"}};
  EXPECT_NE(update(change).find("does not exist"), std::string::npos);
  EXPECT_EQ(queue().priority, 0);
  change.environments = {{1, "cloud"}};
  EXPECT_EQ(update(change), "");
  EXPECT_EQ(queue().priority, 7);
  EXPECT_EQ(queue().environments, (std::vector<std::string>{"cloud"}));
}

}  // namespace
}  // namespace stoker::core
