#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

TEST(Tags, have_bounds) {
  Tags fifty;
  for (int i = 0; i < 50; ++i) fifty["k" + std::to_string(i)] = "";
  Tags more = fifty;
  more["k"] = "";
  std::string wide;
  for (int i = 0; i < 128; ++i) wide += "é";
  struct Row {
    const char* sentence;
    Tags tags;
    const char* refused_with;
  };
  for (const Row& row : {
           Row{"none", {}, ""},
           {"50", fifty, ""},
           {"51", more, "at most 50"},
           {"an empty key", {{"", "x"}}, "1 to 128"},
           {"a key of 128 characters of two bytes", {{wide, "x"}}, ""},
           {"a key of 129", {{wide + "x", "x"}}, "1 to 128"},
           {"a value of 256", {{"k", std::string(256, 'v')}}, ""},
           {"a value of 257", {{"k", std::string(257, 'v')}}, "at most 256"},
           {"a reserved prefix in any case", {{"AwS:x", "v"}}, "aws: is reserved"},
           {"a key that only begins alike", {{"awsome", "v"}}, ""},
       }) {
    const std::string answer = complaint(check_tags(row.tags));
    EXPECT_EQ(answer.empty(), row.refused_with[0] == '\0') << row.sentence << ": " << answer;
    EXPECT_NE(answer.find(row.refused_with), std::string::npos) << row.sentence << ": " << answer;
  }
}

struct Tagging : ::testing::Test {
  World world;
  Uuid id = Uuid::from_random(1, 2);
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(make_queue(world));
    ASSERT_TRUE(
        create_scheduling_policy(world, Instant{1}, {.name = "p", .document = doc("{}"), .tags = {}}));
    ASSERT_TRUE(create_consumable_resource(world, Instant{1},
                                           {.name = "c", .total = 1, .replenishable = true, .tags = {}}));
    ASSERT_TRUE(register_job_definition(
        world, Instant{1}, {.name = "d", .document = doc(container_definition()), .tags = {{"old", "1"}}}));
    auto job = std::make_unique<Job>();
    job->no = world.state.jobs.next_no();
    job->id = id;
    job->queue = QueueNo{1};
    job->extra = std::make_unique<JobExtra>();
    world.state.jobs.add(std::move(job), 0);
  }
  std::string tag(ResourceRef resource, Tags tags) {
    return complaint(tag_resource(world, Instant{1}, {std::move(resource), std::move(tags)}));
  }
  std::string untag(ResourceRef resource, std::vector<std::string> keys) {
    return complaint(untag_resource(world, Instant{1}, {std::move(resource), std::move(keys)}));
  }
};

TEST_F(Tagging, reaches_every_kind_of_resource) {
  const State& state = world.state;
  const Tags tags{{"team", "vision"}};
  EXPECT_EQ(tag({ResourceKind::ComputeEnvironment, "e", 0}, tags), "");
  EXPECT_EQ(state.environments.at("e").tags, tags);
  EXPECT_EQ(tag({ResourceKind::JobQueue, "q", 0}, tags), "");
  EXPECT_EQ(state.find_queue("q")->tags, tags);
  EXPECT_EQ(tag({ResourceKind::SchedulingPolicy, "p", 0}, tags), "");
  EXPECT_EQ(state.policies.at("p").tags, tags);
  EXPECT_EQ(tag({ResourceKind::ConsumableResource, "c", 0}, tags), "");
  EXPECT_EQ(state.consumables.at("c").tags, tags);
  EXPECT_EQ(tag({ResourceKind::JobDefinition, "d", 1}, tags), "");
  EXPECT_EQ(state.find_definition("d:1")->tags, (Tags{{"old", "1"}, {"team", "vision"}}))
      << "what is not named stays";
  EXPECT_EQ(tag({ResourceKind::Job, id.str(), 0}, tags), "");
  EXPECT_EQ(state.jobs.find(id)->extra->tags, tags);
  EXPECT_TRUE(state.jobs.find(id)->changed);
}

TEST_F(Tagging, takes_tags_away_and_ignores_those_that_are_not_there) {
  EXPECT_EQ(untag({ResourceKind::JobDefinition, "d", 1}, {"old", "other"}), "");
  EXPECT_TRUE(world.state.find_definition("d:1")->tags.empty());
}

TEST_F(Tagging, of_what_does_not_exist_says_so) {
  for (const ResourceRef& resource : {ResourceRef{ResourceKind::ComputeEnvironment, "x", 0},
                                      {ResourceKind::JobQueue, "x", 0},
                                      {ResourceKind::SchedulingPolicy, "x", 0},
                                      {ResourceKind::ConsumableResource, "x", 0},
                                      {ResourceKind::JobDefinition, "d", 2},
                                      {ResourceKind::Job, "x", 0},
                                      {ResourceKind::Job, Uuid::from_random(3, 4).str(), 0}})
    EXPECT_NE(tag(resource, {{"a", "b"}}).find("does not exist"), std::string::npos) << resource.name;
}

TEST_F(Tagging, is_not_for_child_jobs) {
  EXPECT_NE(tag({ResourceKind::Job, id.str() + ":0", 0}, {{"a", "b"}}).find("cannot be tagged"),
            std::string::npos);
  EXPECT_NE(tag({ResourceKind::Job, id.str() + "#0", 0}, {{"a", "b"}}).find("cannot be tagged"),
            std::string::npos);
}

TEST_F(Tagging, keeps_the_bounds_over_all_tags_of_a_resource) {
  Tags forty;
  for (int i = 0; i < 40; ++i) forty["k" + std::to_string(i)] = "";
  Tags others;
  for (int i = 0; i < 20; ++i) others["o" + std::to_string(i)] = "";
  ASSERT_EQ(tag({ResourceKind::JobQueue, "q", 0}, forty), "");
  EXPECT_NE(tag({ResourceKind::JobQueue, "q", 0}, others).find("at most 50"), std::string::npos);
  EXPECT_EQ(world.state.find_queue("q")->tags.size(), 40U) << "a refused request changes nothing";
}

}  // namespace
}  // namespace stoker::core
