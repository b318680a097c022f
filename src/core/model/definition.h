#pragma once
// Job definitions and what a submission makes of them.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/gpu.h"
#include "core/model/types.h"
#include "core/model/wishes.h"
#include "json/json.h"

namespace stoker::core {

// One entry of evaluateOnExit. A condition that is not given holds always.
struct RetryRule {
  std::optional<std::string> on_status_reason;
  std::optional<std::string> on_reason;
  std::optional<std::string> on_exit_code;
  bool retry = true;  // action RETRY, else EXIT
  bool operator==(const RetryRule&) const = default;
};
struct RetryStrategy {
  int attempts = 1;  // 1 to 10
  std::vector<RetryRule> rules;
  bool operator==(const RetryStrategy&) const = default;
};

enum class DefinitionKind : std::uint8_t { Container, EcsTask, EksPod, MultiNode };

// The part of containerProperties that the core acts on; `properties` is all of it, handed through.
struct ContainerSpec {
  std::string image;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;  // in the order given
  Resources resources;
  GpuNeed gpu;  // which GPUs will do, and MIG devices
  json::Shared properties;
};

// One revision. Immutable but for deregistration and tags, shared by the jobs made from it.
struct JobDefinition {
  std::string name;
  int revision = 1;
  bool active = true;
  DefinitionKind kind = DefinitionKind::Container;
  json::Shared document;    // the registration as it came: type, parameters, containerProperties, ...
  ContainerSpec container;  // kind Container only
  std::map<std::string, std::string> parameters;
  RetryStrategy retry;
  std::optional<Duration> timeout;
  std::optional<int> scheduling_priority;
  bool propagate_tags = false;
  bool fargate = false;
  std::vector<ConsumableNeed> consumables;
  Tags tags;
  Instant deregistered_at;

  [[nodiscard]] std::string id() const { return name + ":" + std::to_string(revision); }
};

// Nodes of a multi-node job that are alike.
struct NodeClass {
  ContainerSpec container;
  std::vector<ConsumableNeed> consumables;  // sorted by resource
};
// What a multi-node job consists of, with the overrides of its submission merged in.
struct NodePlan {
  int main_node = 0;
  std::vector<NodeClass> classes;
  std::vector<std::uint8_t> class_of;  // by node: an index into `classes`
  [[nodiscard]] int nodes() const { return static_cast<int>(class_of.size()); }
};

// A definition with the overrides of a submission merged in: everything that jobs submitted alike have in
// common. Shared by all of them, so that a waiting job costs little.
struct JobSpec {
  SpecNo no;
  std::shared_ptr<const JobDefinition> definition;
  json::Shared overrides;   // the members of SubmitJob that made it; null when there were none
  ContainerSpec container;  // of a multi-node job only the resources: what its nodes have together
  std::map<std::string, std::string> parameters;
  RetryStrategy retry;
  std::optional<Duration> timeout;
  int scheduling_priority = 0;
  std::string share;  // shareIdentifier, "" on FIFO queues
  bool propagate_tags = false;
  std::vector<ConsumableNeed> consumables;  // sorted by resource
  Tags wish_tags;                           // those of the definition and of the submission, as given
  Wishes wishes;                            // what they say
  ShapeNo shape;
  std::uint64_t jobs = 0;                           // how many jobs point here; the record goes with the last
  std::shared_ptr<const NodePlan> nodes = nullptr;  // multi-node jobs and their nodes
  int node_class = -1;                              // nodes: which of those classes they are; else -1
};

}  // namespace stoker::core
