#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

// computeResources of type EC2 that are complete but for `more`, which begins with a comma.
std::string ec2(std::string_view more = "", std::string_view type = "EC2") {
  return R"({"computeResources":{"type":")" + std::string(type) +
         R"(","maxvCpus":16,"subnets":["s"],"instanceTypes":["g5"],"instanceRole":"r","securityGroupIds":["g"])" +
         std::string(more) + "}}";
}
std::string fargate(std::string_view more = "") {
  return R"({"computeResources":{"type":"FARGATE","maxvCpus":16,"subnets":["s"],"securityGroupIds":["g"])" +
         std::string(more) + "}}";
}
std::string eks(std::string_view more = "", std::string_view name = "jobs") {
  std::string text = ec2(more);
  text.insert(
      1, R"("eksConfiguration":{"eksClusterArn":"arn","kubernetesNamespace":")" + std::string(name) + "\"},");
  return text;
}

struct Environments : ::testing::Test {
  World world;
  std::string create(const std::string& name, std::string_view document, bool managed = true) {
    CreateComputeEnvironment request;
    request.name = name;
    request.managed = managed;
    request.document = doc(document);
    return complaint(create_compute_environment(world, Instant{7}, request));
  }
  std::string update(const std::string& name, std::string_view document, std::optional<bool> enabled = {}) {
    return complaint(update_compute_environment(
        world, Instant{8}, {.name = name, .enabled = enabled, .document = doc(document)}));
  }
  std::string remove(const std::string& name) {
    return complaint(delete_compute_environment(world, Instant{9}, {name}));
  }
  const json::Value& resources(const std::string& name) {
    return *json::find(*world.state.environments.at(name).document, "computeResources");
  }
};

TEST_F(Environments, managed_ones_say_what_is_managed) {
  int n = 0;
  check_rules(
      {
          {"EC2", ec2(), ""},
          {"no resources", "{}", "computeResources: is required"},
          {"no type", R"({"computeResources":{"maxvCpus":1}})", "type: is required"},
          {"no most vCPUs", R"({"computeResources":{"type":"EC2"}})", "maxvCpus: is required"},
          {"no subnets",
           R"({"computeResources":{"type":"EC2","maxvCpus":1,"instanceTypes":["g5"],"instanceRole":"r","securityGroupIds":["g"]}})",
           "subnets: is required"},
          {"no instance types",
           R"({"computeResources":{"type":"EC2","maxvCpus":1,"subnets":["s"],"instanceRole":"r","securityGroupIds":["g"]}})",
           "instanceTypes: is required"},
          {"no role",
           R"({"computeResources":{"type":"EC2","maxvCpus":1,"subnets":["s"],"instanceTypes":["g5"],"securityGroupIds":["g"]}})",
           "instanceRole: is required"},
          {"no security group",
           R"({"computeResources":{"type":"EC2","maxvCpus":1,"subnets":["s"],"instanceTypes":["g5"],"instanceRole":"r"}})",
           "securityGroupIds: is required"},
          {"a launch template may name it",
           R"({"computeResources":{"type":"EC2","maxvCpus":1,"subnets":["s"],"instanceTypes":["g5"],"instanceRole":"r","launchTemplate":{"launchTemplateId":"lt"}}})",
           ""},
          {"a launch template is named once",
           ec2(R"(,"launchTemplate":{"launchTemplateId":"lt","launchTemplateName":"n"})"),
           "only one of launchTemplateId"},
          {"vCPUs in order", ec2(R"(,"minvCpus":2,"desiredvCpus":4)"), ""},
          {"more than the most", ec2(R"(,"minvCpus":17)"), "must not be above maxvCpus"},
          {"desired below the least", ec2(R"(,"minvCpus":4,"desiredvCpus":2)"),
           "between minvCpus and maxvCpus"},
          {"desired above the most", ec2(R"(,"desiredvCpus":20)"), "between minvCpus and maxvCpus"},
          {"spot wants a fleet role with BEST_FIT", ec2("", "SPOT"), "spotIamFleetRole: is required"},
          {"spot by capacity",
           ec2(R"(,"allocationStrategy":"SPOT_CAPACITY_OPTIMIZED","bidPercentage":60)", "SPOT"), ""},
          {"a bid is at most the full price",
           ec2(R"(,"allocationStrategy":"SPOT_CAPACITY_OPTIMIZED","bidPercentage":101)", "SPOT"),
           "between 1 and 100"},
          {"spot strategies are for spot", ec2(R"(,"allocationStrategy":"SPOT_CAPACITY_OPTIMIZED")"),
           "for type SPOT only"},
          {"a bid is for spot", ec2(R"(,"bidPercentage":50)"), "for type SPOT only"},
          {"unmanaged vCPUs are not for managed ones", R"({"unmanagedvCpus":4,"computeResources":{}})",
           "only for unmanaged"},
          {"Fargate", fargate(), ""},
          {"Fargate has no instances", fargate(R"(,"instanceTypes":["g5"])"),
           "instanceTypes: not applicable for FARGATE."},
          {"Kubernetes", eks(R"(,"allocationStrategy":"BEST_FIT_PROGRESSIVE")"), ""},
          {"Kubernetes does not know BEST_FIT", eks(R"(,"allocationStrategy":"BEST_FIT")"),
           "not applicable for Kubernetes"},
          {"Kubernetes has namespaces of its own", eks("", "default"), "kubernetesNamespace: must have"},
      },
      [&](const std::string& text) { return create("e" + std::to_string(n++), text); });
}

TEST_F(Environments, unmanaged_ones_need_nothing) {
  EXPECT_EQ(create("local", "{}", false), "");
  EXPECT_EQ(create("big", R"({"unmanagedvCpus":64})", false), "");
  EXPECT_NE(create("odd", ec2(), false).find("only for managed"), std::string::npos);
  EXPECT_NE(create("odd", R"({"unmanagedvCpus":-1})", false).find("unmanagedvCpus: must be 0 or more"),
            std::string::npos);
  EXPECT_FALSE(world.state.environments.at("local").fargate());
  EXPECT_EQ(create("f", fargate()), "");
  EXPECT_TRUE(world.state.environments.at("f").fargate());
}

TEST_F(Environments, names_are_unique_and_plain) {
  ASSERT_EQ(create("e", ec2()), "");
  EXPECT_NE(create("e", ec2()).find("Object already exists"), std::string::npos);
  EXPECT_NE(create("a b", ec2()).find("should match valid pattern"), std::string::npos);
  EXPECT_NE(create("", ec2()).find("should match valid pattern"), std::string::npos);
}

TEST_F(Environments, updates_merge_and_empty_values_clear) {
  ASSERT_EQ(create("e", ec2(R"(,"allocationStrategy":"BEST_FIT_PROGRESSIVE","ec2KeyPair":"k","tags":{"a":"b"},
      "launchTemplate":{"launchTemplateId":"lt","version":"3"})")),
            "");
  ASSERT_EQ(
      update("e",
             R"({"serviceRole":"role","computeResources":{"ec2KeyPair":"","securityGroupIds":[],"maxvCpus":32,
      "instanceTypes":["p4d"],"updateToLatestImageVersion":true}})"),
      "");
  EXPECT_EQ(json::write(resources("e")),
            R"({"type":"EC2","maxvCpus":32,"subnets":["s"],"instanceTypes":["p4d"],"instanceRole":"r",)"
            R"("allocationStrategy":"BEST_FIT_PROGRESSIVE","tags":{"a":"b"},)"
            R"("launchTemplate":{"launchTemplateId":"lt","version":"3"}})");
  ASSERT_EQ(update("e", R"({"computeResources":{"launchTemplate":{"launchTemplateName":"n"}}})"), "");
  EXPECT_EQ(json::write(*json::find(resources("e"), "launchTemplate")),
            R"({"version":"3","launchTemplateName":"n"})");
  EXPECT_NE(update("e", R"({"computeResources":{"launchTemplate":{"launchTemplateName":""}}})")
                .find("securityGroupIds: is required"),
            std::string::npos);
  EXPECT_NE(json::find(resources("e"), "launchTemplate"), nullptr) << "a refused update changes nothing";
  ASSERT_EQ(
      update("e",
             R"({"computeResources":{"securityGroupIds":["g"],"launchTemplate":{"launchTemplateName":""}}})"),
      "");
  EXPECT_EQ(json::find(resources("e"), "launchTemplate"), nullptr);
}

TEST_F(Environments, an_empty_list_means_unchanged_on_fargate) {
  ASSERT_EQ(create("f", fargate()), "");
  ASSERT_EQ(update("f", R"({"computeResources":{"subnets":[],"securityGroupIds":["h"],"maxvCpus":4}})"), "");
  EXPECT_EQ(json::write(resources("f")),
            R"({"type":"FARGATE","maxvCpus":4,"subnets":["s"],"securityGroupIds":["h"]})");
  EXPECT_NE(
      update("f", R"({"computeResources":{"instanceTypes":["g5"]}})").find("not applicable for FARGATE"),
      std::string::npos);
  EXPECT_NE(
      update("f", R"({"computeResources":{"type":"EC2"}})").find("cannot change between EC2 and Fargate"),
      std::string::npos);
  EXPECT_EQ(update("f", R"({"computeResources":{"type":"FARGATE_SPOT"}})"), "");
}

TEST_F(Environments, desired_vcpus_only_grow_by_hand) {
  ASSERT_EQ(create("e", ec2(R"(,"minvCpus":2,"desiredvCpus":8)")), "");
  EXPECT_EQ(update("e", R"({"computeResources":{"desiredvCpus":12}})"), "");
  EXPECT_EQ(update("e", R"({"computeResources":{"desiredvCpus":10}})"),
            "Manually scaling down compute environment is not supported. Disconnecting job queues from "
            "compute environment "
            "will cause it to scale-down to minvCpus");
  EXPECT_NE(update("e", R"({"computeResources":{"desiredvCpus":17}})").find("between minvCpus and maxvCpus"),
            std::string::npos);
  EXPECT_EQ(update("e", R"({"computeResources":{"maxvCpus":8}})"), "") << "the way to shrink";
  EXPECT_EQ(json::get_int(resources("e"), "desiredvCpus"), 8);
  ASSERT_EQ(create("k", eks()), "");
  EXPECT_NE(update("k", R"({"computeResources":{"desiredvCpus":4}})").find("not applicable for Kubernetes"),
            std::string::npos);
}

TEST_F(Environments, best_fit_does_not_replace_instances) {
  ASSERT_EQ(create("e", ec2()), "");
  EXPECT_NE(update("e", R"({"computeResources":{"instanceTypes":["p4d"]}})")
                .find("do not support infrastructure updates"),
            std::string::npos);
  EXPECT_EQ(update("e", R"({"computeResources":{"instanceTypes":["g5"],"minvCpus":1}})"), "")
      << "what is so already is no change";
}

TEST_F(Environments, an_update_policy_has_bounds) {
  ASSERT_EQ(create("e", ec2()), "");
  EXPECT_EQ(
      update("e", R"({"updatePolicy":{"terminateJobsOnUpdate":true,"jobExecutionTimeoutMinutes":7200}})"),
      "");
  EXPECT_NE(update("e", R"({"updatePolicy":{"jobExecutionTimeoutMinutes":0}})").find("between 1 and 7200"),
            std::string::npos);
  EXPECT_NE(update("e", R"({"unmanagedvCpus":1})").find("only for unmanaged"), std::string::npos);
  EXPECT_NE(update("x", "{}").find("Compute environment x does not exist"), std::string::npos);
}

TEST_F(Environments, are_deleted_when_disabled_and_detached) {
  ASSERT_EQ(create("e", "{}", false), "");
  CreateJobQueue queue;
  queue.name = "q";
  queue.environments = {{1, "e"}};
  queue.enabled = false;
  ASSERT_TRUE(create_job_queue(world, Instant{1}, queue));
  EXPECT_NE(remove("e").find("must be DISABLED first"), std::string::npos);
  ASSERT_EQ(update("e", "{}", false), "");
  EXPECT_NE(remove("e").find("Cannot delete, found existing JobQueue relationship"), std::string::npos);
  ASSERT_TRUE(delete_job_queue(world, Instant{1}, {"q"}));
  EXPECT_EQ(remove("e"), "");
  EXPECT_NE(remove("e").find("does not exist"), std::string::npos);
}

}  // namespace
}  // namespace stoker::core
