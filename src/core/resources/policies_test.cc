#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

struct Policies : ::testing::Test {
  World world;
  std::string create(const std::string& name, std::string_view document) {
    return complaint(
        create_scheduling_policy(world, Instant{1}, {.name = name, .document = doc(document), .tags = {}}));
  }
  std::string update(const std::string& name, std::string_view document) {
    return complaint(update_scheduling_policy(world, Instant{1}, {.name = name, .document = doc(document)}));
  }
  std::string remove(const std::string& name) {
    return complaint(delete_scheduling_policy(world, Instant{1}, {name}));
  }
  std::string document(const std::string& name) {
    return json::write(*world.state.policies.at(name).document);
  }
};

TEST_F(Policies, have_bounds_and_shares_that_do_not_overlap) {
  const auto shares = [](std::string_view list) {
    return R"({"fairsharePolicy":{"shareDistribution":[)" + std::string(list) + "]}}";
  };
  const auto share = [](std::string_view id, std::string_view weight = "1.0") {
    return R"({"shareIdentifier":")" + std::string(id) + R"(","weightFactor":)" + std::string(weight) + "}";
  };
  std::string many = share("s0");
  for (int i = 1; i <= 500; ++i) many += "," + share("s" + std::to_string(i) + "x");
  int n = 0;
  check_rules(
      {
          {"nothing but a name", "{}", ""},
          {"a week of decay", R"({"fairsharePolicy":{"shareDecaySeconds":604800,"computeReservation":99}})",
           ""},
          {"more than a week", R"({"fairsharePolicy":{"shareDecaySeconds":604801}})", "between 0 and 604800"},
          {"everything reserved", R"({"fairsharePolicy":{"computeReservation":100}})", "between 0 and 99"},
          {"two shares", shares(share("UserA") + "," + share("UserB")), ""},
          {"a prefix and another id", shares(share("UserA*") + "," + share("UserB1")), ""},
          {"a prefix and an id of it", shares(share("UserA*") + "," + share("UserA1")), "overlap"},
          {"an id and its prefix", shares(share("UserA1") + "," + share("UserA*")), "overlap"},
          {"a prefix of a prefix", shares(share("UserAB*") + "," + share("UserA*")), "overlap"},
          {"an id twice", shares(share("UserA") + "," + share("UserA")), "overlap"},
          {"an id that begins like another", shares(share("UserA") + "," + share("UserA1")), ""},
          {"punctuation", shares(share("User-A")), "up to 255 letters"},
          {"the least weight", shares(share("a", "0.0001")), ""},
          {"less", shares(share("a", "0.00001")), "between 0.0001 and 999.9999"},
          {"the largest weight", shares(share("a", "999.9999")), ""},
          {"more", shares(share("a", "1000")), "between 0.0001 and 999.9999"},
          {"a whole number is a weight", shares(share("a", "3")), ""},
          {"501 shares", shares(many), "at most 500"},
          {"both kinds",
           R"({"fairsharePolicy":{},"quotaSharePolicy":{"idleResourceAssignmentStrategy":"FIFO"}})",
           "only one of"},
          {"quota shares", R"({"quotaSharePolicy":{"idleResourceAssignmentStrategy":"FIFO"}})", ""},
          {"quota shares without a strategy", R"({"quotaSharePolicy":{}})", "is required"},
      },
      [&](const std::string& text) { return create("p" + std::to_string(n++), text); });
}

TEST_F(Policies, are_kept_complete_with_defaults) {
  ASSERT_EQ(create("p", R"({"name":"p","fairsharePolicy":{"shareDistribution":[{"shareIdentifier":"a"}]}})"),
            "");
  EXPECT_EQ(document("p"), R"({"fairsharePolicy":{"shareDecaySeconds":0,"computeReservation":0,)"
                           R"("shareDistribution":[{"shareIdentifier":"a","weightFactor":1}]}})");
  ASSERT_EQ(update("p", R"({"arn":"x","fairsharePolicy":{"shareDecaySeconds":60}})"), "");
  EXPECT_EQ(document("p"),
            R"({"fairsharePolicy":{"shareDecaySeconds":60,"computeReservation":0,"shareDistribution":[]}})");
  EXPECT_EQ(update("p", R"({"arn":"x"})"), "");
  EXPECT_NE(document("p").find("60"), std::string::npos) << "an update of nothing changes nothing";
}

TEST_F(Policies, keep_their_kind_and_their_name) {
  ASSERT_EQ(create("p", "{}"), "");
  EXPECT_NE(update("p", R"({"quotaSharePolicy":{"idleResourceAssignmentStrategy":"FIFO"}})")
                .find("cannot be changed"),
            std::string::npos);
  EXPECT_NE(create("p", "{}").find("Object already exists"), std::string::npos);
  EXPECT_NE(update("x", "{}").find("does not exist"), std::string::npos);
}

TEST_F(Policies, in_use_cannot_be_deleted) {
  ASSERT_EQ(create("p", "{}"), "");
  CreateJobQueue queue;
  queue.scheduling_policy = "p";
  queue.enabled = false;
  ASSERT_NO_FATAL_FAILURE(make_queue(world, queue));
  EXPECT_NE(remove("p").find("is used by job queue q"), std::string::npos);
  ASSERT_TRUE(delete_job_queue(world, Instant{1}, {"q"}));
  EXPECT_EQ(remove("p"), "");
  EXPECT_NE(remove("p").find("does not exist"), std::string::npos);
}

}  // namespace
}  // namespace stoker::core
