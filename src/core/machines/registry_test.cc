// State machines, versions, aliases, activities and tags: what is accepted, what is refused and how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/machines/errors.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

constexpr std::string_view kPass = R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}})";
constexpr std::string_view kOther = R"({"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}})";
const std::string kArn = "arn:aws:states:us-east-1:000000000000:stateMachine:m";

CreateStateMachine machine(const std::string& name = "m", std::string_view definition = kPass) {
  CreateStateMachine out;
  out.name = name;
  out.definition = definition;
  out.role_arn = "role";
  return out;
}
UpdateStateMachine update(std::string_view definition, const std::string& revision) {
  UpdateStateMachine out;
  out.arn = kArn;
  out.definition = std::string(definition);
  out.revision_id = revision;
  return out;
}

template <class T>
T must(const Result<Answer>& answer) {
  EXPECT_TRUE(answer) << (answer ? "" : answer.error().message);
  return std::get<T>(*answer);
}
// "NAME: message"
std::string refusal(const Result<Answer>& answer) {
  return answer ? "" : std::string(answer.error().name) + ": " + answer.error().message;
}

TEST(Registry, CreatingTheSameMachineTwiceIsOneMachine) {
  Driver d;
  const auto first = must<ArnCreated>(d.ask(machine()));
  EXPECT_EQ(first.arn, kArn);
  d.advance(seconds(1));
  CreateStateMachine again = machine();
  again.role_arn = "another";
  again.tags = {{"k", "v"}};
  const auto second = must<ArnCreated>(d.ask(again));
  EXPECT_EQ(second.at, first.at) << "role and tags do not count";
  EXPECT_EQ(refusal(d.ask(machine("m", kOther))),
            "StateMachineAlreadyExists: State Machine Already Exists: '" + kArn + "'");
  d.check();
}

TEST(Registry, NamesKeepToTheRules) {
  Driver d;
  for (const std::string name : {"a b", "a/b", "a\x1f", "a\x7f", "a:b", "a*", "a\xc2\x85", "a\xef\xbf\xbf"})
    EXPECT_EQ(refusal(d.ask(machine(name))), "InvalidName: Invalid Name: '" + name + "'");
  for (const std::string name : {"a-b", "a.b", "a_b", "ä", "A1"})
    EXPECT_EQ(refusal(d.ask(machine(name))), "");
}

TEST(Registry, AnUpdateMakesARevisionOnlyWhenSomethingChanges) {
  Driver d;
  must<ArnCreated>(d.ask(machine()));
  EXPECT_EQ(must<StateMachineUpdated>(d.ask(update(kPass, "r1"))).revision_id, "") << "nothing changed";
  EXPECT_EQ(must<StateMachineUpdated>(d.ask(update(kOther, "r2"))).revision_id, "r2");
  EXPECT_EQ(must<StateMachineUpdated>(d.ask(update(kOther, "r3"))).revision_id, "r2");
  UpdateStateMachine nothing;
  nothing.arn = kArn;
  EXPECT_EQ(refusal(d.ask(nothing)),
            "MissingRequiredParameter: Either the definition, the role ARN, the LoggingConfiguration, or the "
            "TracingConfiguration must be specified");
  EXPECT_EQ(d.state().machines.revisions.size(), 1U) << "an old revision that nobody uses goes";
  d.check();
}

TEST(Registry, VersionsAreNumberedOnceAndForAll) {
  Driver d;
  must<ArnCreated>(d.ask(machine()));
  EXPECT_EQ(must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""})).arn, kArn + ":1");
  EXPECT_EQ(must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""})).arn, kArn + ":1")
      << "an unchanged revision has its version already";
  must<StateMachineUpdated>(d.ask(update(kOther, "r2")));
  EXPECT_EQ(refusal(d.ask(PublishStateMachineVersion{kArn, "stale", ""})),
            "ConflictException: Failed to publish the State Machine version for revision stale. The current "
            "State Machine revision is r2.");
  EXPECT_EQ(must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "r2", ""})).arn, kArn + ":2");
  must<Done>(d.ask(DeleteStateMachineVersion{kArn + ":2"}));
  must<Done>(d.ask(DeleteStateMachineVersion{kArn + ":2"}));
  EXPECT_EQ(must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""})).arn, kArn + ":3");
  d.check();
  d.crash();
  EXPECT_EQ(must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""})).arn, kArn + ":3");
}

TEST(Registry, ADescriptionNeedsAPublication) {
  Driver d;
  CreateStateMachine asked = machine();
  asked.version_description = "first";
  EXPECT_EQ(refusal(d.ask(asked)),
            "ValidationException: Version description can only be set when publish is true");
  asked.publish = true;
  EXPECT_EQ(must<ArnCreated>(d.ask(asked)).version_arn, kArn + ":1");
  EXPECT_EQ(must<ArnCreated>(d.ask(asked)).version_arn, kArn + ":1");
}

TEST(Registry, AliasesPointToVersionsOfOneMachine) {
  Driver d;
  must<ArnCreated>(d.ask(machine()));
  must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""}));
  must<StateMachineUpdated>(d.ask(update(kOther, "r2")));
  must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""}));
  const auto create = [&](std::vector<AliasRoute> routes, const std::string& name = "live") {
    return d.ask(CreateStateMachineAlias{name, "", std::move(routes)});
  };
  EXPECT_EQ(
      refusal(create({{kArn, 100}})),
      "ValidationException: Routing configuration must contain state machine version ARNs. Received: [" +
          kArn + "]");
  EXPECT_EQ(refusal(create({{kArn + ":1", 50}, {kArn + ":1", 50}})),
            "ValidationException: Routing configuration must contain distinct state machine version ARNs. "
            "Received: [" +
                kArn + ":1, " + kArn + ":1]");
  EXPECT_EQ(refusal(create({{kArn + ":1", 70}, {kArn + ":2", 29}})),
            "ValidationException: Sum of routing configuration weights must equal 100. Received: [70, 29]");
  EXPECT_EQ(refusal(create({{kArn + ":9", 100}})),
            "ResourceNotFound: Request references a resource that does not exist.");
  EXPECT_EQ(must<ArnCreated>(create({{kArn + ":1", 100}})).arn, kArn + ":live");
  EXPECT_EQ(refusal(create({{kArn + ":1", 100}})), "");
  EXPECT_EQ(refusal(create({{kArn + ":2", 100}})),
            "ConflictException: Failed to create alias because an alias with the same name and a different "
            "routing configuration already exists.");
  EXPECT_EQ(refusal(d.ask(DeleteStateMachineVersion{kArn + ":1"})),
            "ConflictException: Version to be deleted must not be referenced by an alias. Current list of "
            "aliases referencing this version: [live]");
  must<StateMachineUpdated>(d.ask(UpdateStateMachineAlias{
      .arn = kArn + ":live", .description = "d", .routes = std::vector<AliasRoute>{{kArn + ":2", 100}}}));
  must<Done>(d.ask(DeleteStateMachineVersion{kArn + ":1"}));
  EXPECT_EQ(refusal(d.ask(UpdateStateMachineAlias{.arn = kArn + ":none", .description = "d", .routes = {}})),
            "ResourceNotFound: Request references a resource that does not exist.");
  must<Done>(d.ask(DeleteStateMachineAlias{kArn + ":none"}));
  d.check();
}

TEST(Registry, AMachineGoesWithEverythingItHas) {
  Driver d;
  must<ArnCreated>(d.ask(machine()));
  must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""}));
  must<ArnCreated>(d.ask(CreateStateMachineAlias{"live", "", {{kArn + ":1", 100}}}));
  must<Done>(d.ask(DeleteStateMachine{kArn}));
  must<Done>(d.ask(DeleteStateMachine{kArn}));
  EXPECT_TRUE(d.state().machines.revisions.empty());
  EXPECT_EQ(refusal(d.ask(PublishStateMachineVersion{kArn, "", ""})),
            "StateMachineDoesNotExist: State Machine Does Not Exist: '" + kArn + "'");
  d.check();
}

TEST(Registry, WrongArnsAreToldApart) {
  Driver d;
  EXPECT_EQ(refusal(d.ask(PublishStateMachineVersion{"nonsense", "", ""})),
            "InvalidArn: Invalid Arn: 'Invalid ARN prefix: nonsense'");
  EXPECT_EQ(refusal(d.ask(PublishStateMachineVersion{"arn:aws:states:us-east-1:1:execution:m:x", "", ""})),
            "InvalidArn: Invalid Arn: 'Resource type not valid in this context: execution'");
}

TEST(Registry, LoggingNeedsOneDestination) {
  Driver d;
  CreateStateMachine asked = machine();
  asked.logging = std::make_shared<const json::Value>(json::Object{{"level", "ALL"}});
  EXPECT_EQ(refusal(d.ask(asked)),
            "InvalidLoggingConfiguration: Invalid Logging Configuration: Must specify exactly one Log "
            "Destination.");
  asked.logging = std::make_shared<const json::Value>(json::Object{{"level", "OFF"}});
  EXPECT_EQ(refusal(d.ask(asked)), "");
}

TEST(Registry, TagsBelongToMachinesAndActivities) {
  Driver d;
  must<ArnCreated>(d.ask(machine()));
  must<ArnCreated>(d.ask(PublishStateMachineVersion{kArn, "", ""}));
  must<Done>(d.ask(TagMachineResource{kArn, {{"a", "1"}, {"b", "2"}}}));
  must<Done>(d.ask(UntagMachineResource{kArn, {"a", "none"}}));
  EXPECT_EQ(d.state().machines.find_machine("m")->tags, (Tags{{"b", "2"}}));
  EXPECT_EQ(refusal(d.ask(TagMachineResource{kArn + ":1", {{"a", "1"}}})),
            "ResourceNotFound: Resource not found: '" + kArn + ":1'");
  Tags many;
  for (int i = 0; i < 60; ++i) many["k" + std::to_string(i)] = "v";
  EXPECT_THAT(refusal(d.ask(TagMachineResource{kArn, many})), ::testing::StartsWith("TooManyTags"));
  const std::string ours =
      "ValidationException: stoker:spot is no tag of this server for state machines and activities; it knows "
      "none";
  EXPECT_EQ(refusal(d.ask(TagMachineResource{kArn, {{"stoker:spot", "only"}}})), ours);
  CreateStateMachine other = machine();
  other.name = "other";
  other.tags = {{"stoker:spot", "only"}};
  EXPECT_EQ(refusal(d.ask(other)), ours);
  EXPECT_EQ(refusal(d.ask(CreateActivity{.name = "work", .encryption = {}, .tags = other.tags})), ours);
  d.check();
}

TEST(Registry, ActivitiesAreMadeOnce) {
  Driver d;
  const auto first = must<ArnCreated>(d.ask(CreateActivity{.name = "work", .encryption = {}, .tags = {}}));
  d.advance(seconds(1));
  EXPECT_EQ(must<ArnCreated>(d.ask(CreateActivity{.name = "work", .encryption = {}, .tags = {}})).at,
            first.at);
  must<Done>(d.ask(DeleteActivity{first.arn}));
  must<Done>(d.ask(DeleteActivity{first.arn}));
  EXPECT_EQ(refusal(d.ask(GetActivityTask{first.arn, {}})),
            "ActivityDoesNotExist: Activity Does Not Exist: '" + first.arn + "'");
  d.check();
}

}  // namespace
}  // namespace stoker::core
