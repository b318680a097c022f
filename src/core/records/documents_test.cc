#include "core/records/documents.h"

#include "core/job/submit.h"
#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

// Everything that is a document, with every member in use.
void fill(World& world) {
  const Instant now{1234};
  ASSERT_TRUE(create_compute_environment(world, now,
                                         {.name = "e",
                                          .managed = false,
                                          .enabled = true,
                                          .document = doc(R"({"unmanagedvCpus":4})"),
                                          .uuid = "some",
                                          .tags = {{"a", "é\n"}}}));
  ASSERT_TRUE(create_scheduling_policy(
      world, now,
      {.name = "p",
       .document =
           doc(R"({"fairsharePolicy":{"shareDistribution":[{"shareIdentifier":"x","weightFactor":0.1}]}})"),
       .tags = {{"b", ""}}}));
  ASSERT_TRUE(
      create_consumable_resource(world, now, {.name = "c", .total = 7, .replenishable = false, .tags = {}}));
  ASSERT_TRUE(update_consumable_resource(world, now,
                                         {.name = "c",
                                          .operation = UpdateConsumableResource::Operation::Add,
                                          .quantity = 2,
                                          .client_token = "token"}));
  CreateJobQueue queue;
  queue.name = "q";
  queue.enabled = false;
  queue.priority = 9;
  queue.environments = {{3, "e"}};
  queue.scheduling_policy = "p";
  queue.type = "ECS";
  queue.time_limit_actions = {
      {"MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT", seconds(600), "CANCEL", "RUNNABLE"}};
  queue.tags = {{"t", "u"}};
  ASSERT_TRUE(create_job_queue(world, now, queue));
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(register_job_definition(
        world, now,
        {.name = "d",
         .document = doc(container_definition(R"(,"command":["Ref::x"])",
                                              R"(,"parameters":{"x":"1"},"retryStrategy":{"attempts":2})")),
         .tags = {{"k", "v"}}}));
  for (const bool fair : {false, true})
    ASSERT_TRUE(find_or_make_spec(
        world, world.state.find_definition("d"),
        fair ? doc(R"({"shareIdentifier":"x","schedulingPriorityOverride":3,"parameters":{"x":"2"}})")
             : nullptr,
        fair ? ShareRule::Fair : ShareRule::None));
  ASSERT_TRUE(deregister_job_definition(world, now, {.name = "d", .revision = 2}));
}

std::vector<DocumentRecord> records_of(const State& state) {
  std::vector<DocumentRecord> records;
  const auto add = [&](DocumentKind kind, const std::string& key) {
    auto record = document_record(state, kind, key);
    EXPECT_TRUE(record) << key;
    if (record) records.push_back(*record);
  };
  add(DocumentKind::JobDefinition, "d:1");
  add(DocumentKind::JobDefinition, "d:2");
  for (const auto& [no, spec] : state.specs) add(DocumentKind::JobSpec, std::to_string(no.value));
  for (const auto& [no, queue] : state.queues) add(DocumentKind::JobQueue, std::to_string(no.value));
  add(DocumentKind::ComputeEnvironment, "e");
  add(DocumentKind::SchedulingPolicy, "p");
  add(DocumentKind::ConsumableResource, "c");
  return records;
}

TEST(Documents, come_back_as_they_were) {
  World world;
  fill(world);
  const auto records = records_of(world.state);
  ASSERT_EQ(records.size(), 8U);
  World loaded;
  for (const auto& record : records) {
    const auto result = load_document(loaded, record);
    ASSERT_TRUE(result) << complaint(result);
  }
  EXPECT_EQ(records_of(loaded.state), records);

  EXPECT_EQ(loaded.state.definitions.at("d").last_revision, 2);
  EXPECT_FALSE(loaded.state.find_definition("d:2")->active);
  EXPECT_EQ(loaded.state.find_definition("d:2")->deregistered_at, Instant{1234});
  EXPECT_EQ(loaded.state.find_definition("d:1")->retry.attempts, 2);
  EXPECT_EQ(loaded.next_queue, world.next_queue);
  EXPECT_EQ(loaded.next_spec, world.next_spec);
  EXPECT_EQ(loaded.state.find_queue("q")->environments, (std::vector<std::string>{"e"}));
  EXPECT_EQ(loaded.state.find_queue("q")->time_limit_actions,
            world.state.find_queue("q")->time_limit_actions);
  EXPECT_EQ(loaded.state.consumables.at("c").update_tokens, world.state.consumables.at("c").update_tokens);
  EXPECT_FALSE(loaded.state.consumables.at("c").replenishable);
  EXPECT_EQ(loaded.state.environments.at("e").tags, world.state.environments.at("e").tags);
}

TEST(Documents, specs_are_merged_again_and_found_under_the_same_key) {
  World world;
  fill(world);
  World loaded;
  for (const auto& record : records_of(world.state)) ASSERT_TRUE(load_document(loaded, record));
  ASSERT_EQ(loaded.state.specs.size(), 2U);
  for (const auto& [no, spec] : world.state.specs) {
    const JobSpec& again = *loaded.state.specs.at(no);
    EXPECT_EQ(again.container.command, spec->container.command);
    EXPECT_EQ(again.container.resources, spec->container.resources);
    EXPECT_EQ(again.share, spec->share);
    EXPECT_EQ(again.scheduling_priority, spec->scheduling_priority);
    EXPECT_EQ(again.definition, loaded.state.find_definition("d:2")) << "the revision itself, not a copy";
  }
  std::vector<std::string> keys;
  for (const auto& [key, spec] : world.spec_index) {
    keys.push_back(key);
    ASSERT_TRUE(loaded.spec_index.contains(key)) << key;
    EXPECT_EQ(loaded.spec_index.at(key)->no, spec->no);
  }
  EXPECT_EQ(keys.front(), "d:2");
}

TEST(Documents, that_are_gone_have_no_record) {
  const World world;
  for (std::size_t kind = 0; kind < kDocumentKindCount; ++kind)
    EXPECT_FALSE(document_record(world.state, static_cast<DocumentKind>(kind), "1"));
}

TEST(Documents, deleted_queues_keep_their_number_and_give_up_their_name) {
  World world;
  fill(world);
  world.state.queues.begin()->second.jobs = 1;
  ASSERT_TRUE(delete_job_queue(world, Instant{1}, {"q"}));
  World loaded;
  for (const auto& record : records_of(world.state)) ASSERT_TRUE(load_document(loaded, record));
  EXPECT_EQ(loaded.state.find_queue("q"), nullptr);
  EXPECT_TRUE(loaded.state.queues.begin()->second.deleted);
}

TEST(Documents, broken_ones_are_named_and_not_loaded) {
  struct Row {
    const char* sentence;
    DocumentRecord record;
    const char* text;
  };
  const auto of = [](DocumentKind kind, std::string body, int version = 1) {
    return DocumentRecord{.kind = kind, .key = "k", .version = version, .body = std::move(body)};
  };
  for (const Row& row : {
           Row{"no JSON", of(DocumentKind::JobQueue, "{"), "loading job_queues k: JSON"},
           {"a version to come", of(DocumentKind::JobQueue, "{}", 2), "version 2"},
           {"no name", of(DocumentKind::ComputeEnvironment, "{}"), "no name"},
           {"no document", of(DocumentKind::SchedulingPolicy, R"({"name":"p"})"), "no document"},
           {"no number", of(DocumentKind::JobQueue, R"({"name":"q"})"), "no number"},
           {"no revision", of(DocumentKind::JobDefinition, R"({"name":"d","document":{}})"), "no revision"},
           {"a spec without its definition", of(DocumentKind::JobSpec, R"({"no":1,"definition":"d:1"})"),
            "job definition d:1 is missing"},
           {"not an object", of(DocumentKind::ConsumableResource, "[]"), "no name"},
       }) {
    World world;
    const auto result = load_document(world, row.record);
    ASSERT_FALSE(result) << row.sentence;
    EXPECT_EQ(result.error().code, Code::Internal) << row.sentence;
    EXPECT_NE(result.error().message.find(row.text), std::string::npos)
        << row.sentence << ": " << result.error().message;
  }
}

}  // namespace
}  // namespace stoker::core
