#include "core/testing/fake_cloud.h"

#include "base/assert.h"
#include "core/placement/mig.h"

namespace stoker::core::testing {
namespace {

const fleet::InstanceType& type_of(const fleet::Pool& pool) {
  static const fleet::Catalogue kCatalogue = fleet::Catalogue::builtin();
  return *kCatalogue.find(pool.type);
}

}  // namespace

Settings FakeCloud::settings() {
  Settings settings;
  settings.launching = std::make_shared<const Launching>();
  return settings;
}

void FakeCloud::create(const std::string& more, Tags tags, const std::string& type,
                       const std::string& types) {
  CreateComputeEnvironment request;
  request.name = "gpu";
  request.uuid = "12345678-1234";
  request.tags = std::move(tags);
  request.document = std::make_shared<const json::Value>(
      json::parse(R"({"computeResources":{"type":")" + type +
                  R"(","maxvCpus":64,"subnets":["sa","sb"],"instanceRole":"r","securityGroupIds":["g"],)"
                  R"("allocationStrategy":"BEST_FIT_PROGRESSIVE","instanceTypes":[)" +
                  types + "]" + more + "}}")
          .value());
  const auto created = d_.ask(request);
  ASSERT(created.has_value(), created ? "" : created.error().message);
  UpdateJobQueue queue;
  queue.name = "default";
  queue.environments = {{.order = 1, .environment = "gpu"}};
  ASSERT(d_.ask(queue).has_value());
  absorb();
}

void FakeCloud::absorb() {
  for (const FindSubnets& search : std::exchange(d_.searches, {})) {
    SubnetsFound found{search.environment, {}};
    for (const std::string& subnet : search.subnets) found.zones[subnet] = subnet.substr(1);
    d_.event(std::move(found));
  }
  for (LaunchNodes& launch : std::exchange(d_.launches, {}))
    for (const std::string& name : launch.nodes) {
      const auto [at, fresh] = machines.try_emplace(name);
      Machine& machine = at->second;
      ASSERT(fresh || machine.pool == launch.pool, "a token is used for one thing only");
      ASSERT(machine.phase != Phase::Gone, "a machine that is gone is not launched again");
      machine.environment = launch.environment;
      machine.pool = launch.pool;
      machine.mig = launch.mig;
    }
  for (const RetireNode& retire : std::exchange(d_.retirements, {})) machines[retire.node].retired = true;
}

void FakeCloud::launching(const std::string& name) {
  Machine& machine = machines.at(name);
  if (machine.phase == Phase::Asked) machine.phase = Phase::Launching;
  d_.event(NodeLaunching{name, "i-" + name});
}

void FakeCloud::running(const std::string& name) {
  Machine& machine = machines.at(name);
  if (machine.phase < Phase::Running) machine.phase = Phase::Running;
  d_.event(NodeLaunched{name, "i-" + name, d_.now});
}

void FakeCloud::hello(const std::string& name) {
  Machine& machine = machines.at(name);
  machine.phase = Phase::Ready;
  machine.connected = true;
  const fleet::InstanceType& type = type_of(machine.pool);
  Node node = Driver::a_node(
      name, {.cpus_milli = type.vcpus * 1000, .memory_mib = type.memory_offered_mib(), .gpus = type.gpus},
      type.gpu_model, type.gpu_memory_mib);
  node.environment = machine.environment;
  for (NodeGpu& gpu : node.gpus)
    if (machine.mig && mig_table(gpu.model, gpu.memory_mib) != nullptr) gpu.mig = MigMode::Dynamic;
  d_.connect(std::move(node), machine.runs);
}

void FakeCloud::boot(const std::string& name) {
  launching(name);
  running(name);
  hello(name);
}

void FakeCloud::boot_all() {
  absorb();
  for (const std::string& name : in(Phase::Asked)) boot(name);
}

void FakeCloud::fail(const std::string& name, std::optional<fleet::LaunchFailure> failure) {
  machines.at(name).phase = Phase::Gone;
  d_.event(LaunchFailed{name, failure, "CLIENT_ERROR - no such image"});
}

void FakeCloud::gone(const std::string& name, bool reclaimed) {
  Machine& machine = machines.at(name);
  machine.phase = Phase::Gone;
  machine.connected = false;
  machine.runs.clear();
  d_.event(NodeLost{name, "gone", reclaimed});
}

void FakeCloud::end_retired() {
  absorb();
  for (const auto& [name, machine] : std::map(machines))
    if (machine.retired && machine.phase != Phase::Gone) gone(name);
  absorb();
}

std::vector<std::string> FakeCloud::in(Phase phase) const {
  std::vector<std::string> names;
  for (const auto& [name, machine] : machines)
    if (machine.phase == phase) names.push_back(name);
  return names;
}

std::string FakeCloud::summary() const {
  std::map<fleet::Pool, int> counts;
  for (const auto& [name, machine] : machines)
    if (machine.phase != Phase::Gone) ++counts[machine.pool];
  std::string text;
  for (const auto& [pool, count] : counts)
    text += (text.empty() ? "" : "; ") + std::to_string(count) + " " + fleet::describe(pool);
  return text;
}

std::int64_t FakeCloud::vcpus() const {
  std::int64_t sum = 0;
  for (const auto& [name, machine] : machines)
    if (machine.phase != Phase::Gone) sum += type_of(machine.pool).vcpus;
  return sum;
}

}  // namespace stoker::core::testing
