#include "core/resources/references.h"
#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

std::shared_ptr<const JobDefinition> definition_of(std::string_view text) {
  auto definition = read_definition("d", 1, doc(text), {});
  EXPECT_TRUE(definition) << complaint(definition);
  return std::make_shared<const JobDefinition>(definition ? *std::move(definition) : JobDefinition{});
}

Result<JobSpec> resolve(const std::shared_ptr<const JobDefinition>& definition, std::string_view overrides,
                        ShareRule shares = ShareRule::None) {
  return resolve_spec(definition, doc(overrides), shares);
}

const std::string kDefinition = R"({"type":"container","parameters":{"in":"a.txt","lr":"0.1"},
    "timeout":{"attemptDurationSeconds":100},"retryStrategy":{"attempts":4},"schedulingPriority":5,
    "consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"license","quantity":1},
                                                              {"consumableResource":"token","quantity":1}]},
    "containerProperties":{"image":"busybox","command":["run","Ref::in","--lr=Ref::lr"],
      "environment":[{"name":"A","value":"1"},{"name":"B","value":"2"}],
      "resourceRequirements":[{"type":"VCPU","value":"2"},{"type":"MEMORY","value":"64"},{"type":"GPU","value":"1"}]}})";

TEST(Spec, without_overrides_is_the_definition) {
  const auto definition = definition_of(container_definition(R"(,"command":["true"])"));
  const auto spec = resolve_spec(definition, nullptr, ShareRule::None);
  ASSERT_TRUE(spec) << complaint(spec);
  EXPECT_EQ(spec->container.properties, definition->container.properties) << "shared, not copied";
  EXPECT_EQ(spec->overrides, nullptr);
  EXPECT_EQ(resolve(definition, "{}")->overrides, nullptr) << "no members are no overrides";
  // Clients send empty ones; those of another kind of definition say nothing, too.
  for (const char* nothing :
       {R"({"nodeOverrides":{}})", R"({"containerOverrides":{}})", R"({"nodeOverrides":null})"})
    EXPECT_TRUE(resolve(definition, nothing)) << nothing;
  const auto gang = definition_of(
      R"({"type":"multinode","nodeProperties":{"numNodes":2,"mainNode":0,"nodeRangeProperties":[{"targetNodes":"0:",
          "container":{"image":"a","resourceRequirements":[{"type":"VCPU","value":"1"},{"type":"MEMORY","value":"8"}]}}]}})");
  for (const char* nothing :
       {R"({"nodeOverrides":{}})", R"({"containerOverrides":{}})", R"({"containerOverrides":null})"})
    EXPECT_TRUE(resolve(gang, nothing)) << nothing;
  EXPECT_EQ(spec_key(*definition, nullptr), "d:1");
  EXPECT_EQ(spec_key(*definition, doc("{}")), "d:1");
  EXPECT_EQ(spec_key(*definition, doc(R"({"propagateTags":true})")), "d:1\n{\"propagateTags\":true}");
}

TEST(Spec, commands_environments_and_parameters_merge) {
  const auto spec = resolve(definition_of(kDefinition), R"({"parameters":{"in":"b.txt"},
      "containerOverrides":{"environment":[{"name":"B","value":"3"},{"name":"C","value":"4"}]}})");
  ASSERT_TRUE(spec) << complaint(spec);
  EXPECT_EQ(spec->container.command, (std::vector<std::string>{"run", "b.txt", "--lr=0.1"}));
  EXPECT_EQ(spec->container.environment,
            (std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", "3"}, {"C", "4"}}));
  EXPECT_EQ(json::write(json::get_array(*spec->container.properties, "command")),
            R"(["run","b.txt","--lr=0.1"])");
  EXPECT_EQ(json::write(json::get_array(*spec->container.properties, "environment")),
            R"([{"name":"A","value":"1"},{"name":"B","value":"3"},{"name":"C","value":"4"}])");
  EXPECT_EQ(json::get_string(*spec->container.properties, "image"), "busybox");
  EXPECT_EQ(spec->parameters.at("in"), "b.txt");

  const auto replaced =
      resolve(definition_of(kDefinition), R"({"containerOverrides":{"command":["echo","Ref::lr"]}})");
  ASSERT_TRUE(replaced) << complaint(replaced);
  EXPECT_EQ(replaced->container.command, (std::vector<std::string>{"echo", "0.1"}));
}

TEST(Spec, resource_requirements_are_replaced_type_by_type) {
  const auto spec =
      resolve(definition_of(kDefinition),
              R"({"containerOverrides":{"resourceRequirements":[{"type":"MEMORY","value":"128"}]}})");
  ASSERT_TRUE(spec) << complaint(spec);
  EXPECT_EQ(spec->container.resources, (Resources{.cpus_milli = 2000, .memory_mib = 128, .gpus = 1}));
  EXPECT_EQ(json::write(json::get_array(*spec->container.properties, "resourceRequirements")),
            R"([{"type":"VCPU","value":"2"},{"type":"MEMORY","value":"128"},{"type":"GPU","value":"1"}])");
}

TEST(Spec, older_members_are_overridden_in_either_form) {
  const auto old =
      definition_of(R"({"type":"container","containerProperties":{"image":"a","vcpus":1,"memory":64}})");
  const auto legacy = resolve(old, R"({"containerOverrides":{"vcpus":4}})");
  ASSERT_TRUE(legacy) << complaint(legacy);
  EXPECT_EQ(legacy->container.resources, (Resources{.cpus_milli = 4000, .memory_mib = 64, .gpus = 0}));
  EXPECT_EQ(json::write(*legacy->container.properties), R"({"image":"a","vcpus":4,"memory":64})");
  const auto moved =
      resolve(old, R"({"containerOverrides":{"resourceRequirements":[{"type":"VCPU","value":"2"}]}})");
  ASSERT_TRUE(moved) << complaint(moved);
  EXPECT_EQ(moved->container.resources, (Resources{.cpus_milli = 2000, .memory_mib = 64, .gpus = 0}));
  EXPECT_EQ(json::find(*moved->container.properties, "vcpus"), nullptr);
}

TEST(Spec, retries_time_limits_and_needs_are_replaced_as_a_whole) {
  const auto spec = resolve(definition_of(kDefinition), R"({"retryStrategy":{"attempts":2},
      "timeout":{"attemptDurationSeconds":60},"propagateTags":true,
      "consumableResourcePropertiesOverride":{"consumableResourceList":[{"consumableResource":"token","quantity":3}]}})");
  ASSERT_TRUE(spec) << complaint(spec);
  EXPECT_EQ(spec->retry.attempts, 2);
  EXPECT_EQ(spec->timeout, seconds(60));
  EXPECT_TRUE(spec->propagate_tags);
  EXPECT_EQ(spec->consumables, (std::vector<ConsumableNeed>{{"token", 3}}));
  EXPECT_EQ(spec->scheduling_priority, 5);
  const auto plain = resolve(definition_of(kDefinition), "{}");
  EXPECT_EQ(plain->retry.attempts, 4);
  EXPECT_EQ(plain->timeout, seconds(100));
  EXPECT_EQ(plain->consumables.size(), 2U);
}

TEST(Spec, overrides_follow_the_rules_of_definitions) {
  const auto definition = definition_of(kDefinition);
  check_rules(
      {
          {"an argument is not empty", R"({"containerOverrides":{"command":["a",""]}})",
           "must not hold an empty string"},
          {"variables of the service are its own",
           R"({"containerOverrides":{"environment":[{"name":"AWS_BATCH_X","value":"1"}]}})",
           "must not begin with AWS_BATCH"},
          {"the older form against requirements", R"({"containerOverrides":{"vcpus":2}})",
           "This value was submitted in a deprecated key and may conflict with the value provided by the job "
           "definition's resource requirements."},
          {"the older memory against requirements", R"({"containerOverrides":{"memory":64}})",
           "containerOverrides.memory: This value was submitted in a deprecated key"},
          {"a type is given once",
           R"({"containerOverrides":{"resourceRequirements":[{"type":"VCPU","value":"1"},{"type":"VCPU","value":"2"}]}})",
           "VCPU must be given once"},
          {"VCPU is whole",
           R"({"containerOverrides":{"resourceRequirements":[{"type":"VCPU","value":"0.5"}]}})",
           "VCPU must be a whole number"},
          {"an instance type is for multi-node jobs",
           R"({"containerOverrides":{"instanceType":"p3.2xlarge"}})", "only for multi-node"},
          {"node overrides are for multi-node jobs", R"({"nodeOverrides":{"numNodes":2}})",
           "nodeOverrides: is not applicable"},
          {"11 attempts are too many", R"({"retryStrategy":{"attempts":11}})", "between 1 and 10"},
          {"a time limit is at least a minute", R"({"timeout":{"attemptDurationSeconds":1}})",
           "must be 60 or more"},
          {"no text holds NUL", R"({"parameters":{"in":"a\u0000"}})", "parameters.in: must not hold a NUL"},
          {"a need is of at least 1",
           R"({"consumableResourcePropertiesOverride":{"consumableResourceList":[{"consumableResource":"a","quantity":0}]}})",
           "quantity: must be"},
          {"a placeholder has a parameter", R"({"containerOverrides":{"command":["Ref::x"]}})",
           "Unable to substitute value. No parameter found for reference x"},
          {"share ids need a fair-share queue", R"({"shareIdentifier":"a"})",
           "Job with shareIdentifier or schedulingPriority can onlybe submitted to job queue with fair share "
           "scheduling policy."},
          {"priorities need a fair-share queue", R"({"schedulingPriorityOverride":1})",
           "Job with shareIdentifier or schedulingPriority can onlybe submitted"},
      },
      [&](const std::string& text) { return complaint(resolve(definition, text)); });
}

TEST(Spec, fair_share_queues_ask_for_a_share) {
  const auto definition = definition_of(kDefinition);
  check_rules(
      {
          {"a share is required", "{}", "shareIdentifier: is required"},
          {"a share is letters and digits", R"({"shareIdentifier":"a-b"})", "up to 255 letters and digits"},
          {"a share may end in a star", R"({"shareIdentifier":"teamA*"})", ""},
          {"a star alone is no share", R"({"shareIdentifier":"*"})", "up to 255 letters"},
          {"256 characters are too many", R"({"shareIdentifier":")" + std::string(256, 'a') + "\"}",
           "up to 255"},
          {"a priority goes to 9999", R"({"shareIdentifier":"a","schedulingPriorityOverride":10000})",
           "between 0 and 9999"},
      },
      [&](const std::string& text) { return complaint(resolve(definition, text, ShareRule::Fair)); });
  const auto spec =
      resolve(definition, R"({"shareIdentifier":"a","schedulingPriorityOverride":9})", ShareRule::Fair);
  EXPECT_EQ(spec->share, "a");
  EXPECT_EQ(spec->scheduling_priority, 9);
}

TEST(Spec, fargate_pairs_hold_after_the_overrides) {
  const auto definition = definition_of(
      R"({"type":"container","platformCapabilities":["FARGATE"],"containerProperties":{"image":"a","executionRoleArn":"r",
          "resourceRequirements":[{"type":"VCPU","value":"0.25"},{"type":"MEMORY","value":"512"}]}})");
  EXPECT_NE(
      complaint(resolve(definition,
                        R"({"containerOverrides":{"resourceRequirements":[{"type":"VCPU","value":"1"}]}})"))
          .find("does not offer"),
      std::string::npos);
  EXPECT_TRUE(resolve(
      definition, R"({"containerOverrides":{"resourceRequirements":[{"type":"MEMORY","value":"1024"}]}})"));
}

TEST(Spec, definitions_of_other_kinds_do_not_run_yet) {
  const auto definition = definition_of(
      R"({"type":"container","ecsProperties":{"taskProperties":[{"containers":[
      {"name":"a","image":"a","resourceRequirements":[{"type":"VCPU","value":"1"},{"type":"MEMORY","value":"4"}]}]}]}})");
  const auto spec = resolve(definition, "{}");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().code, Code::NotSupported);
  EXPECT_NE(spec.error().message.find("accepts and keeps such job definitions but does not run them yet"),
            std::string::npos);
}

TEST(References, are_replaced_inside_arguments_longest_name_first) {
  const std::map<std::string, std::string> parameters{{"", "empty"},  {"in", "I"},         {"in.x", "Y"},
                                                      {"input", "J"}, {"self", "Ref::in"}, {"e", ""}};
  struct Row {
    const char* sentence;
    const char* argument;
    const char* expected;
  };
  for (const Row& row : {Row{"a whole argument", "Ref::in", "I"},
                         {"inside an argument", "--a=Ref::in,Ref::input/", "--a=I,J/"},
                         {"the longest name wins", "Ref::input", "J"},
                         {"a shorter name and the rest", "Ref::in.txt", "I.txt"},
                         {"a name with a point", "Ref::in.x.y", "Y.y"},
                         {"what was put in is final", "Ref::self", "Ref::in"},
                         {"an empty value", "aRef::e", "a"},
                         {"no name at all", "Ref:: Ref::", "Ref:: Ref::"},
                         {"a shorter one after a longer miss", "Ref::inpux", "Ipux"}}) {
    const auto replaced = replace_references({row.argument}, parameters);
    ASSERT_TRUE(replaced) << row.sentence << ": " << complaint(replaced);
    EXPECT_EQ(replaced->front(), row.expected) << row.sentence;
  }
  EXPECT_EQ(complaint(replace_references({"Ref::out"}, parameters)),
            "Unable to substitute value. No parameter found for reference out");
}

TEST(References, cannot_blow_up_a_command) {
  std::string argument;
  for (int i = 0; i < 4000; ++i) argument += "Ref::p";
  const auto replaced = replace_references({argument}, {{"p", std::string(20'000, 'x')}});
  EXPECT_NE(complaint(replaced).find("256 KiB"), std::string::npos);
}

}  // namespace
}  // namespace stoker::core
