#include "core/resources/quota_shares.h"
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
    const std::string answer = complaint(check_tag_bounds(row.tags));
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

// Each kind of resource, with a tag of this server that it knows; "" for none.
struct Holder {
  ResourceRef resource;
  const char* key;
  const char* value;
  const char* bad_value;
};
const std::vector<Holder>& holders(const Uuid& job) {
  static const std::vector<Holder> all = {
      {{ResourceKind::ComputeEnvironment, "e", 0}, "stoker:warm-window", "5m", "soon"},
      {{ResourceKind::JobQueue, "q", 0}, "stoker:max-running", "2", "0"},
      {{ResourceKind::SchedulingPolicy, "p", 0}, "stoker:max-running:team*", "2", "two"},
      {{ResourceKind::QuotaShare, "q/quota-share/s", 0}, "stoker:max-running", "2", "-2"},
      {{ResourceKind::JobDefinition, "d", 1}, "stoker:spot", "never", "maybe"},
      {{ResourceKind::Job, job.str(), 0}, "stoker:spot", "never", "maybe"},
      {{ResourceKind::ConsumableResource, "c", 0}, "", "", ""}};
  return all;
}

TEST_F(Tagging, of_every_kind_takes_of_our_tags_those_that_mean_something_there) {
  CreateQuotaShare share{.name = "s", .queue = "q"};
  share.limits = {{.max = 1, .given = "GPU", .unit = {}}};
  ASSERT_TRUE(create_quota_share(world, Instant{1}, share));
  for (const auto& [resource, key, value, bad_value] : holders(id)) {
    const int kind = static_cast<int>(resource.kind);
    for (const char* unknown : {"stoker:nonsense", "stoker:max-runing", "stoker:", "stoker:max-running:",
                                "stoker:max-running:A**", "stoker:max-running:a b", "stoker:Spot"}) {
      const std::string answer = tag(resource, {{unknown, "2"}, {"team", "x"}});
      EXPECT_TRUE(answer.starts_with("tags: " + std::string(unknown) + " is no tag of this server for "))
          << kind << answer;
      EXPECT_NE(answer.find("it knows "), std::string::npos) << kind << answer;
    }
    for (const char* wrong_case : {"Stoker:spot", "STOKER:max-running", "Stoker:anything"})
      EXPECT_EQ(
          tag(resource, {{wrong_case, "2"}}),
          "tags: " + std::string(wrong_case) + ": tags of this server begin with stoker: in small letters")
          << kind;
    EXPECT_EQ(tag(resource, {{"stokers:key", "of somebody else"}}), "") << kind;
    if (*key == '\0') continue;
    const std::string answer = tag(resource, {{key, bad_value}});
    EXPECT_TRUE(answer.starts_with("tags: " + std::string(key) + " must be ")) << kind << answer;
    EXPECT_TRUE(answer.ends_with(", not '" + std::string(bad_value) + "'")) << kind << answer;
    EXPECT_EQ(tag(resource, {{key, value}}), "") << kind;
    EXPECT_NE(tag(resource, {{key, bad_value}}), "") << kind << ": nor when a legal one stands there";
  }
  EXPECT_EQ(world.state.policies.at("p").tags,
            (Tags{{"stoker:max-running:team*", "2"}, {"stokers:key", "of somebody else"}}))
      << "what was refused changed nothing";
}

TEST_F(Tagging, at_the_creation_is_held_to_the_same_table) {
  const Tags bad = {{"stoker:nonsense", "1"}};
  const std::string environment = complaint(create_compute_environment(
      world, Instant{1},
      {.name = "e2", .managed = false, .enabled = true, .document = doc("{}"), .uuid = "", .tags = bad}));
  EXPECT_NE(environment.find("for compute environments; it knows stoker:age-max, "), std::string::npos);
  CreateJobQueue queue;
  queue.name = "q2";
  queue.environments = {{1, "e"}};
  queue.tags = bad;
  EXPECT_EQ(complaint(create_job_queue(world, Instant{1}, queue)),
            "tags: stoker:nonsense is no tag of this server for job queues; it knows stoker:max-running");
  EXPECT_EQ(complaint(create_scheduling_policy(world, Instant{1},
                                               {.name = "p2", .document = doc("{}"), .tags = bad})),
            "tags: stoker:nonsense is no tag of this server for scheduling policies; it knows "
            "stoker:max-running, and "
            "stoker:max-running:NAME, where NAME is a share, or begins shares and ends in '*'");
  EXPECT_EQ(complaint(create_consumable_resource(
                world, Instant{1}, {.name = "c2", .total = 1, .replenishable = true, .tags = bad})),
            "tags: stoker:nonsense is no tag of this server for consumable resources; it knows none");
  CreateQuotaShare share{.name = "s2", .queue = "q"};
  share.limits = {{.max = 1, .given = "GPU", .unit = {}}};
  share.tags = bad;
  EXPECT_EQ(complaint(create_quota_share(world, Instant{1}, share)),
            "tags: stoker:nonsense is no tag of this server for quota shares; it knows stoker:max-running");
  EXPECT_NE(
      complaint(register_job_definition(world, Instant{1},
                                        {.name = "d2", .document = doc(container_definition()), .tags = bad}))
          .find("for job definitions; it knows stoker:checkpoint, "),
      std::string::npos);
  EXPECT_TRUE(world.state.environments.contains("e") && !world.state.environments.contains("e2"));
}

TEST_F(Tagging, of_an_older_program_that_is_not_legal_can_be_taken_away_and_hinders_no_other) {
  world.state.policies.at("p").tags = {{"stoker:max-running:", "x"}, {"Stoker:spot", "maybe"}};
  const ResourceRef policy{ResourceKind::SchedulingPolicy, "p", 0};
  EXPECT_EQ(tag(policy, {{"team", "x"}}), "");
  EXPECT_EQ(untag(policy, {"Stoker:spot"}), "");
  EXPECT_EQ(untag(policy, {"stoker:max-running:"}), "");
  EXPECT_EQ(world.state.policies.at("p").tags, (Tags{{"team", "x"}}));
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
