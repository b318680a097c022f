#include "core/resources/node_plan.h"

#include <gtest/gtest.h>

#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using testing::complaint;
using testing::doc;

// A main node with a GPU and workers without; node 2 has a program of its own.
constexpr std::string_view kNodes = R"({"numNodes":4,"mainNode":0,"nodeRangeProperties":[
    {"targetNodes":"0:","container":{"image":"a","command":["work"],"environment":[{"name":"A","value":"1"}],
      "resourceRequirements":[{"type":"VCPU","value":"2"},{"type":"MEMORY","value":"100"}]},
      "consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"seat","quantity":2}]}},
    {"targetNodes":"0:0","container":{"resourceRequirements":[{"type":"GPU","value":"1"}]}},
    {"targetNodes":"2","container":{"command":["Ref::other"]}}]})";

std::shared_ptr<const NodePlan> plan(const char* overrides, std::vector<ConsumableNeed> common = {}) {
  const std::map<std::string, std::string> parameters{{"other", "special"}};
  auto made = plan_nodes(*doc(kNodes), *doc(overrides), parameters, common);
  EXPECT_TRUE(made) << complaint(made);
  return made ? *made : nullptr;
}

const NodeClass& at(const NodePlan& plan, std::size_t node) {
  return plan.classes[plan.class_of.at(node)];
}

TEST(NodePlan, inner_ranges_win_member_by_member_and_equal_nodes_are_one_class) {
  const auto made = plan("{}");
  EXPECT_EQ(made->nodes(), 4);
  EXPECT_EQ(made->classes.size(), 3U);
  EXPECT_EQ(made->class_of[1], made->class_of[3]);
  EXPECT_EQ(at(*made, 0).container.resources, (Resources{.cpus_milli = 2000, .memory_mib = 100, .gpus = 1}));
  EXPECT_EQ(at(*made, 1).container.resources, (Resources{.cpus_milli = 2000, .memory_mib = 100}));
  EXPECT_EQ(at(*made, 2).container.command, std::vector<std::string>{"special"});
  EXPECT_EQ(at(*made, 2).container.environment.size(), 1U);
  EXPECT_EQ(resources_of(*made), (Resources{.cpus_milli = 8000, .memory_mib = 400, .gpus = 1}));
  EXPECT_EQ(consumables_of(*made), (std::vector<ConsumableNeed>{{"seat", 8}}));
}

TEST(NodePlan, overrides_change_their_nodes_and_how_many_there_are) {
  const auto made = plan(R"({"numNodes":6,"nodePropertyOverrides":[
      {"targetNodes":"0:","containerOverrides":{"environment":[{"name":"B","value":"2"}]}},
      {"targetNodes":"5:","containerOverrides":{"command":["last"],
        "resourceRequirements":[{"type":"VCPU","value":"4"}]}}]})");
  EXPECT_EQ(made->nodes(), 6);
  EXPECT_EQ(at(*made, 1).container.environment.size(), 2U);
  EXPECT_EQ(at(*made, 5).container.command, std::vector<std::string>{"last"});
  EXPECT_EQ(at(*made, 5).container.resources, (Resources{.cpus_milli = 4000, .memory_mib = 100}));
  EXPECT_EQ(made->class_of[3], made->class_of[4]);
}

TEST(NodePlan, the_main_node_holds_what_the_whole_job_holds) {
  const auto made = plan("{}", {{"license", 3}, {"seat", 1}});
  EXPECT_EQ(at(*made, 0).consumables, (std::vector<ConsumableNeed>{{"license", 3}, {"seat", 3}}));
  EXPECT_EQ(at(*made, 1).consumables, (std::vector<ConsumableNeed>{{"seat", 2}}));
}

TEST(NodeOverrides, are_checked_against_the_definition) {
  struct Row {
    const char* overrides;
    const char* complaint;
  };
  for (
      const Row& row : {
          Row{R"({"numNodes":1000})", ""},
          {R"({"numNodes":0})", "numNodes"},
          {R"({"numNodes":1001})", "numNodes"},
          {R"({"numNodes":2})", "must be above the lower end of every range"},
          {R"({"nodePropertyOverrides":[{"targetNodes":"1:2"}]})", ""},
          {R"({"nodePropertyOverrides":[{"targetNodes":"4:"}]})", "must be a range of nodes"},
          {R"({"nodePropertyOverrides":[{"targetNodes":"0:","instanceTypes":["a","b"]}]})",
           "at most one entry"},
          {R"({"nodePropertyOverrides":[{"targetNodes":"0:","ecsPropertiesOverride":{"taskProperties":[]}}]})",
           "is not applicable"},
          {R"({"nodePropertyOverrides":[{"targetNodes":"0:","containerOverrides":{"command":[""]}}]})",
           "must not hold an empty string"},
          {R"({"nodePropertyOverrides":[{"targetNodes":"0:","containerOverrides":{"instanceType":"g5.xlarge"}}]})",
           ""},
          {R"({"nodePropertyOverrides":[{"targetNodes":"0:","containerOverrides":
               {"environment":[{"name":"AWS_BATCH_X","value":"1"}]}}]})",
           "AWS_BATCH"},
      }) {
    const auto checked = check_node_overrides(*doc(kNodes), *doc(row.overrides), "nodeOverrides");
    EXPECT_EQ(checked.has_value(), std::string_view(row.complaint).empty()) << row.overrides;
    if (!checked) {
      EXPECT_NE(checked.error().message.find(row.complaint), std::string::npos) << row.overrides;
    }
  }
  const auto closed = doc(R"({"numNodes":2,"mainNode":0,"nodeRangeProperties":[{"targetNodes":"0:1",
      "container":{"image":"a","vcpus":1,"memory":4}}]})");
  const auto checked = check_node_overrides(*closed, *doc(R"({"numNodes":3})"), "nodeOverrides");
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("needs a range with an open end"), std::string::npos);
}

}  // namespace
}  // namespace stoker::core
