// The face checks the shape of requests. Should one slip through, it is refused or read as nothing: never a
// crash, and never a change by a request that was refused.
#include "base/rng.h"
#include "core/records/documents.h"
#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

json::Value odd_value(Rng& rng) {
  switch (rng.below(9)) {
    case 0:
      return nullptr;
    case 1:
      return true;
    case 2:
      return -1;
    case 3:
      return INT64_MAX;
    case 4:
      return 0.5;
    case 5:
      return "";
    case 6:
      return json::Value(std::string(300, '*'));
    case 7:
      return json::Array{json::Object{}, 1, "Ref::"};
    default:
      return json::Object{{"name", 1}, {"type", json::Array{}}};
  }
}

// Replaces about one in `odds` of the values.
void mutate(json::Value& value, Rng& rng, std::uint64_t odds) {
  if (rng.below(odds) == 0) {
    value = odd_value(rng);
  } else if (value.is_array()) {
    for (auto& entry : value.get_array()) mutate(entry, rng, odds);
  } else if (value.is_object()) {
    for (auto& member : value.get_object()) mutate(member.value(), rng, odds);
  }
}

json::Shared mutated(std::string_view text, Rng& rng) {
  json::Value value = json::parse(text).value();
  for (auto& member : value.get_object()) mutate(member.value(), rng, 12);
  return std::make_shared<const json::Value>(std::move(value));
}

constexpr std::string_view kDefinitions[] = {
    R"({"type":"container","parameters":{"a":"b"},"schedulingPriority":1,"propagateTags":false,
        "platformCapabilities":["EC2"],"timeout":{"attemptDurationSeconds":60},
        "retryStrategy":{"attempts":2,"evaluateOnExit":[{"onReason":"*","action":"EXIT"}]},
        "consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"a","quantity":1}]},
        "containerProperties":{"image":"a","command":["Ref::a","b"],"vcpus":1,"user":"a:b",
          "resourceRequirements":[{"type":"MEMORY","value":"64"},{"type":"GPU","value":"1"}],
          "environment":[{"name":"A","value":"1"}],"secrets":[{"name":"S","valueFrom":"x"}],
          "volumes":[{"name":"v","host":{"sourcePath":"/x"}},{"name":"w","efsVolumeConfiguration":{"fileSystemId":"f",
            "authorizationConfig":{"iam":"ENABLED"},"transitEncryption":"ENABLED"}}],
          "mountPoints":[{"sourceVolume":"v","containerPath":"/x"}],"ulimits":[{"name":"core","softLimit":0,"hardLimit":1}],
          "logConfiguration":{"logDriver":"awslogs","options":{"a":"b"}},
          "linuxParameters":{"devices":[{"hostPath":"/dev/x"}],"tmpfs":[{"containerPath":"/t","size":1,"mountOptions":["ro"]}],
            "swappiness":1}}})",
    R"({"type":"container","ecsProperties":{"taskProperties":[{"ipcMode":"task","volumes":[{"name":"v"}],"containers":[
        {"name":"a","image":"a","essential":true,"vcpus":1,"memory":4},
        {"name":"b","image":"b","vcpus":1,"memory":4,"dependsOn":[{"containerName":"a","condition":"START"}]}]}]}})",
    R"({"type":"container","eksProperties":{"podProperties":{"volumes":[{"name":"v","emptyDir":{"medium":"Memory"}}],
        "containers":[{"image":"a","env":[{"name":"A"}],"resources":{"limits":{"cpu":"1","memory":"4Mi"}},
          "volumeMounts":[{"name":"v","mountPath":"/v"}]}],"metadata":{"namespace":"a"}}}})",
    R"({"type":"multinode","nodeProperties":{"numNodes":2,"mainNode":0,"nodeRangeProperties":[
        {"targetNodes":"0:","instanceTypes":["g5"],"container":{"image":"a","vcpus":1,"memory":4}}]}})"};

constexpr std::string_view kOverrides =
    R"({"parameters":{"a":"c"},"shareIdentifier":"a","schedulingPriorityOverride":1,
    "containerOverrides":{"command":["x","Ref::a"],"environment":[{"name":"A","value":"2"}],
      "resourceRequirements":[{"type":"GPU","value":"2"}]},"retryStrategy":{"attempts":2},
    "timeout":{"attemptDurationSeconds":60},"propagateTags":true,
    "consumableResourcePropertiesOverride":{"consumableResourceList":[{"consumableResource":"a","quantity":1}]}})";

constexpr std::string_view kEnvironment =
    R"({"serviceRole":"r","computeResources":{"type":"SPOT","maxvCpus":8,"minvCpus":1,
    "desiredvCpus":2,"subnets":["s"],"instanceTypes":["g5"],"instanceRole":"r","securityGroupIds":["g"],
    "allocationStrategy":"SPOT_CAPACITY_OPTIMIZED","bidPercentage":50,"scalingPolicy":{"minScaleDownDelayMinutes":20},
    "launchTemplate":{"launchTemplateId":"i","overrides":[{"launchTemplateId":"k","targetInstanceTypes":["g5"]}]}}})";

constexpr std::string_view kPolicy = R"({"fairsharePolicy":{"shareDecaySeconds":1,"computeReservation":1,
    "shareDistribution":[{"shareIdentifier":"a","weightFactor":2.0},{"shareIdentifier":"b*"}]}})";

// What was accepted can be stored and read again.
void check_round_trip(World& world) {
  World loaded;
  std::vector<DocumentRecord> records;
  for (const auto& [name, one] : world.state.definitions)
    for (const auto& [revision, definition] : one.revisions) records.push_back(to_record(*definition));
  for (const auto& [name, environment] : world.state.environments) records.push_back(to_record(environment));
  for (const auto& [name, policy] : world.state.policies) records.push_back(to_record(policy));
  for (const auto& record : records) {
    ASSERT_TRUE(load_document(loaded, record)) << record.body;
    EXPECT_EQ(document_record(loaded.state, record.kind, record.key), record);
  }
}

TEST(OddRequests, are_refused_and_change_nothing) {
  int accepted = 0;
  int refused = 0;
  const auto count = [&](bool good) { ++(good ? accepted : refused); };
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng rng(seed);
    World world;
    const auto definition = register_job_definition(
        world, Instant{1}, {.name = "d", .document = mutated(kDefinitions[rng.below(4)], rng), .tags = {}});
    count(definition.has_value());
    EXPECT_EQ(definition.has_value(), !world.state.definitions.empty());
    auto base = read_definition("d", 1, doc(kDefinitions[0]), {});
    ASSERT_TRUE(base) << complaint(base);
    count(resolve_spec(std::make_shared<const JobDefinition>(*base), mutated(kOverrides, rng),
                       rng.below(2) == 0 ? ShareRule::Fair : ShareRule::None)
              .has_value());
    if (definition)
      (void)resolve_spec(world.state.find_definition("d"), mutated(kOverrides, rng), ShareRule::Fair);

    CreateComputeEnvironment create;
    create.name = "e";
    create.document = rng.below(2) == 0 ? doc(kEnvironment) : mutated(kEnvironment, rng);
    if (create_compute_environment(world, Instant{1}, create)) {
      const auto before = world.state.environments.at("e").document;
      const bool good =
          update_compute_environment(world, Instant{2},
                                     {.name = "e", .enabled = {}, .document = mutated(kEnvironment, rng)})
              .has_value();
      count(good);
      EXPECT_EQ(good, world.state.environments.at("e").document != before);
    }
    count(create_scheduling_policy(world, Instant{1},
                                   {.name = "p", .document = mutated(kPolicy, rng), .tags = {}})
              .has_value());
    check_round_trip(world);
  }
  EXPECT_GT(accepted, 50) << "the mutations leave something whole";
  EXPECT_GT(refused, 50) << "the mutations break something";
}

}  // namespace
}  // namespace stoker::core
