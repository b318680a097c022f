#include "core/resources/limits.h"
#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;
using Operation = UpdateConsumableResource::Operation;

struct Consumables : ::testing::Test {
  World world;
  std::string create(const std::string& name, std::int64_t total) {
    return complaint(create_consumable_resource(
        world, Instant{1}, {.name = name, .total = total, .replenishable = true, .tags = {}}));
  }
  std::string update(Operation operation, std::int64_t quantity, const std::string& token = "",
                     Instant now = {1000}) {
    return complaint(update_consumable_resource(
        world, now, {.name = "r", .operation = operation, .quantity = quantity, .client_token = token}));
  }
  std::string remove() { return complaint(delete_consumable_resource(world, Instant{1}, {"r"})); }
  std::int64_t total() { return world.state.consumables.at("r").total; }
};

TEST_F(Consumables, are_set_added_to_and_taken_from) {
  ASSERT_EQ(create("r", 5), "");
  EXPECT_EQ(update(Operation::Add, 3), "");
  EXPECT_EQ(total(), 8);
  EXPECT_EQ(update(Operation::Remove, 2), "");
  EXPECT_EQ(total(), 6);
  EXPECT_EQ(update(Operation::Set, 0), "");
  EXPECT_EQ(total(), 0);
}

TEST_F(Consumables, quantities_have_bounds) {
  EXPECT_NE(create("r", -1).find("totalQuantity: must be between 0"), std::string::npos);
  EXPECT_NE(create("r", kConsumableMax + 1).find("totalQuantity"), std::string::npos);
  ASSERT_EQ(create("r", 5), "");
  EXPECT_NE(create("r", 5).find("Object already exists"), std::string::npos);
  EXPECT_NE(update(Operation::Remove, 6).find("total quantity of 5"), std::string::npos);
  EXPECT_NE(update(Operation::Set, -1).find("quantity: must be"), std::string::npos);
  EXPECT_NE(update(Operation::Add, kConsumableMax).find("would be above"), std::string::npos);
  EXPECT_NE(update(Operation::Add, INT64_MAX).find("quantity: must be"), std::string::npos);
  EXPECT_EQ(total(), 5);
}

TEST_F(Consumables, may_shrink_below_what_is_in_use) {
  ASSERT_EQ(create("r", 5), "");
  world.state.consumables.at("r").in_use = 4;
  EXPECT_EQ(update(Operation::Set, 1), "");
  EXPECT_EQ(total(), 1);
  EXPECT_EQ(world.state.consumables.at("r").in_use, 4);
}

TEST_F(Consumables, a_repeated_token_is_answered_and_not_applied_again) {
  ASSERT_EQ(create("r", 5), "");
  EXPECT_EQ(update(Operation::Add, 1, "t", {1000}), "");
  EXPECT_EQ(update(Operation::Add, 1, "t", Instant{1000} + hours(8) - milliseconds(1)), "");
  EXPECT_EQ(total(), 6);
  EXPECT_EQ(update(Operation::Add, 1, "t", Instant{1000} + hours(8)), "");
  EXPECT_EQ(total(), 7) << "a token lives for 8 hours";
  EXPECT_EQ(world.state.consumables.at("r").update_tokens.size(), 1U);
}

TEST_F(Consumables, a_refused_update_does_not_use_its_token) {
  ASSERT_EQ(create("r", 5), "");
  EXPECT_NE(update(Operation::Remove, 6, "t"), "");
  EXPECT_EQ(update(Operation::Remove, 5, "t"), "");
  EXPECT_EQ(total(), 0);
}

TEST_F(Consumables, tokens_are_bounded_the_oldest_goes) {
  ASSERT_EQ(create("r", 0), "");
  for (std::size_t i = 0; i <= kTokensMax; ++i)
    ASSERT_EQ(update(Operation::Add, 1, "t" + std::to_string(i)), "");
  EXPECT_EQ(world.state.consumables.at("r").update_tokens.size(), kTokensMax);
  EXPECT_EQ(world.state.consumables.at("r").update_tokens.front().first, "t1");
}

TEST_F(Consumables, needed_by_a_job_cannot_be_deleted) {
  ASSERT_EQ(create("r", 5), "");
  auto spec = std::make_unique<JobSpec>();
  spec->no = SpecNo{1};
  spec->consumables = {{"r", 1}};
  auto job = std::make_unique<Job>();
  job->no = world.state.jobs.next_no();
  job->id = Uuid::from_random(1, 2);
  job->queue = QueueNo{1};
  job->spec = spec.get();
  world.state.specs.emplace(SpecNo{1}, std::move(spec));
  Job& waiting = world.state.jobs.add(std::move(job), 0);
  EXPECT_NE(remove().find("is needed by job " + waiting.id.str()), std::string::npos);
  world.state.jobs.set_status(waiting, JobStatus::Failed, Instant{2});
  EXPECT_EQ(remove(), "") << "jobs that ended need nothing";
  EXPECT_NE(remove().find("Consumable resource r does not exist"), std::string::npos);
}

}  // namespace
}  // namespace stoker::core
