#include "core/resources/quota_shares.h"

#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;
using Strategy = QuotaSharing::Strategy;

struct QuotaShareTest : ::testing::Test {
  World world;
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(make_queue(world)); }
  static CreateQuotaShare a_share(std::vector<std::pair<std::int64_t, std::string>> limits = {{4, "GPU"}},
                                  const std::string& name = "a") {
    CreateQuotaShare request{.name = name, .queue = "q"};
    for (auto& [max, unit] : limits) request.limits.push_back({.max = max, .given = unit, .unit = {}});
    return request;
  }
  std::string create(const CreateQuotaShare& request) {
    return complaint(create_quota_share(world, Instant{1}, request));
  }
  std::string update(const UpdateQuotaShare& request) {
    return complaint(update_quota_share(world, Instant{1}, request));
  }
  std::string remove(const std::string& name) {
    return complaint(delete_quota_share(world, Instant{1}, {"q", name}));
  }
  const QuotaShare* share(const std::string& name) {
    return world.state.find_quota_share(world.state.find_queue("q")->no, name);
  }
};

TEST_F(QuotaShareTest, limits_are_one_to_five_of_units_that_are_known) {
  struct Row {
    std::string_view sentence;
    std::vector<std::pair<std::int64_t, std::string>> limits;
    std::string_view refused_with;
  };
  int number = 0;
  for (const Row& row :
       {Row{"one", {{4, "GPU"}}, ""},
        {"five of all kinds", {{4, "GPU"}, {9, "VCPU"}, {1, "A100"}, {1, "T4"}, {2, "g5.xlarge"}}, ""},
        {"nothing of its own", {{0, "GPU"}}, ""},
        {"none", {}, "capacityLimits: must have 1 to 5 entries"},
        {"six",
         {{1, "A1"}, {1, "A2"}, {1, "A3"}, {1, "A4"}, {1, "A5"}, {1, "A6"}},
         "must have 1 to 5 entries"},
        {"less than nothing", {{-1, "GPU"}}, "capacityLimits[0].maxCapacity: must be between 0 and"},
        {"an unknown unit", {{1, "GPU"}, {1, "RAM"}}, "capacityLimits[1].capacityUnit: must be GPU, VCPU"},
        {"a number", {{1, "5"}}, "model of a GPU that this server knows, such as A100, or an instance type"},
        {"a number with a point", {{1, "1.5"}}, "not '1.5'"},
        {"a model that no machine has", {{1, "A1000"}}, "not 'A1000'"},
        {"what a driver says after a known model", {{1, "A100-80GB"}}, ""},
        {"a model of another case", {{1, "l40s"}}, ""},
        {"a type that is not in the catalogue", {{1, "m7i.large"}}, ""},
        {"one unit twice", {{1, "vCPU"}, {1, "VCPU"}}, "the unit VCPU is given twice"}}) {
    const std::string answer = create(a_share(row.limits, "s" + std::to_string(++number)));
    EXPECT_EQ(answer.empty(), row.refused_with.empty()) << row.sentence << ": " << answer;
    EXPECT_NE(answer.find(row.refused_with), std::string::npos) << row.sentence << ": " << answer;
  }
}

TEST_F(QuotaShareTest, models_of_connected_nodes_are_known_and_stay_legal_when_those_go) {
  EXPECT_NE(create(a_share({{1, "RTX 4090"}})), "");
  Node& node = world.state.nodes["n"];
  node.gpus.resize(1);
  node.gpus[0].model = "NVIDIA GeForce RTX 4090";
  EXPECT_EQ(create(a_share({{1, "RTX 4090"}})), "");
  world.state.nodes.clear();
  UpdateQuotaShare more{.queue = "q", .name = "a"};
  more.limits = {{.max = 2, .given = "RTX 4090", .unit = {}}};
  EXPECT_EQ(update(more), "");
  more.limits = {{.max = 2, .given = "RTX 5090", .unit = {}}};
  EXPECT_NE(update(more), "");
  EXPECT_EQ(share("a")->limits[0].given, "RTX 4090");
}

TEST_F(QuotaShareTest, a_borrow_limit_belongs_to_shares_that_borrow) {
  struct Row {
    Strategy strategy;
    std::int64_t percent;
    std::string_view refused_with;
  };
  int number = 0;
  for (const Row& row : {Row{Strategy::LendAndBorrow, 200, ""},
                         {Strategy::LendAndBorrow, 0, ""},
                         {Strategy::LendAndBorrow, -1, ""},
                         {Strategy::Lend, -1, ""},
                         {Strategy::LendAndBorrow, -2, "must be -1 for no limit, or between 0 and"},
                         {Strategy::Lend, 10, "only with the strategy LEND_AND_BORROW"},
                         {Strategy::Reserve, 0, "only with the strategy LEND_AND_BORROW"}}) {
    auto request = a_share({{1, "GPU"}}, "s" + std::to_string(++number));
    request.sharing = {row.strategy, row.percent};
    EXPECT_NE(create(request).find(row.refused_with), std::string::npos) << row.percent;
  }
}

TEST_F(QuotaShareTest, live_as_long_as_they_are_enabled_and_their_queue_is_there) {
  ASSERT_EQ(create(a_share()), "");
  EXPECT_NE(create(a_share()).find("Object already exists"), std::string::npos);
  auto elsewhere = a_share();
  elsewhere.queue = "x";
  EXPECT_NE(create(elsewhere).find("Job queue x does not exist"), std::string::npos);
  EXPECT_NE(create(a_share({{1, "GPU"}}, "-a")).find("should match valid pattern"), std::string::npos);
  EXPECT_NE(update({.queue = "q", .name = "b"}).find("does not exist"), std::string::npos);
  EXPECT_NE(remove("b").find("does not exist"), std::string::npos);
  EXPECT_NE(remove("a").find("must be DISABLED first"), std::string::npos);
  ASSERT_EQ(update({.queue = "q", .name = "a", .preempts_inside = true, .enabled = false}), "");
  EXPECT_TRUE(share("a")->preempts_inside);
  EXPECT_EQ(share("a")->limits.front().max, 4) << "what is not named stays";
  ASSERT_EQ(remove("a"), "");
  EXPECT_EQ(share("a"), nullptr);
  for (std::size_t i = 0; i < kQuotaSharesMax; ++i)
    ASSERT_EQ(create(a_share({{1, "GPU"}}, "s" + std::to_string(i))), "");
  EXPECT_NE(create(a_share()).find("has 20 quota shares"), std::string::npos);
  UpdateJobQueue off{.name = "q", .enabled = false};
  ASSERT_TRUE(update_job_queue(world, Instant{1}, off));
  ASSERT_TRUE(delete_job_queue(world, Instant{1}, {"q"}));
  EXPECT_TRUE(world.state.quota_shares.empty());
}

TEST_F(QuotaShareTest, an_update_that_is_refused_changes_nothing) {
  ASSERT_EQ(create(a_share()), "");
  UpdateQuotaShare change{
      .queue = "q", .name = "a", .sharing = QuotaSharing{Strategy::Lend, 5}, .enabled = false};
  change.limits = {{.max = 9, .given = "GPU", .unit = {}}};
  EXPECT_NE(update(change), "");
  EXPECT_TRUE(share("a")->enabled);
  EXPECT_EQ(share("a")->limits.front().max, 4);
}

}  // namespace
}  // namespace stoker::core
