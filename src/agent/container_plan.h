#pragma once
// From a run to the container that runs it: every member of Batch's containerProperties in plain values, and
// those in the two dialects of creating a container. Pure: reads nothing, decides everything.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/container_engine.h"
#include "agent/container_gpus.h"
#include "agent/driver.h"
#include "base/result.h"
#include "json/json.h"

namespace stoker::agent {

struct Mount {
  bool bind = true;    // else a volume of the engine
  std::string source;  // path of the node, or the volume's name
  std::string target;
  bool read_only = false;
  bool operator==(const Mount&) const = default;
};
struct Device {
  std::string host;
  std::string container;
  std::string permissions;  // letters of "rwm"
  bool operator==(const Device&) const = default;
};
struct Ulimit {
  std::string name;  // "nofile"
  std::int64_t soft = 0;
  std::int64_t hard = 0;  // -1: unlimited
  bool operator==(const Ulimit&) const = default;
};

struct ContainerPlan {
  std::string name;
  std::string image;
  std::vector<std::string> command;  // empty: the image's own
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string user;  // "": the image's
  bool privileged = false;
  bool read_only_root = false;
  bool init = false;
  std::vector<Mount> mounts;
  std::vector<std::pair<std::string, std::string>> tmpfs;  // path and options
  std::vector<Device> devices;
  std::vector<Ulimit> ulimits;
  std::int64_t shm_bytes = 0;  // 0: the engine's default
  std::int64_t memory_bytes = 0;
  std::int64_t swap_bytes = 0;  // memory and swap together
  std::optional<std::int64_t> swappiness;
  std::int64_t cpu_shares = 0;
  std::string cgroup_parent;  // "": the engine's
  std::int64_t log_bytes_max = 0;
  GpuAccess gpus;
};

// What the node contributes.
struct NodeFacts {
  EngineInfo engine;
  CdiDevices cdi_devices;
  std::string node;       // for labels
  std::string state_dir;  // for labels: whose container it is
  // Hard limits that the engine cannot exceed, for all names of ulimits; empty when it may set any.
  std::vector<std::pair<std::string, std::int64_t>> rlimits_max;
};
// The rlimits_max of this process where it lacks the right to raise limits (an engine that it started lacks
// it too).
std::vector<std::pair<std::string, std::int64_t>> own_rlimits_max();

std::string container_name(std::string_view token);
// Names of the engine's volumes that this run has of its own.
std::vector<std::string> own_volumes(const RunSpec& spec);
// The engine's cgroup for this run, relative to each hierarchy, or "" where we do not choose it.
std::string cgroup_parent(const EngineInfo& engine, std::string_view token);

// NotSupported or InvalidArgument, in words for the job's owner, when this node cannot do what the job asks.
Result<ContainerPlan> plan_container(const RunSpec& spec, const NodeFacts& facts);

Engine::Dialect dialect_of(const ContainerPlan& plan, const EngineInfo& engine);
json::Value to_docker(const ContainerPlan& plan);
json::Value to_libpod(const ContainerPlan& plan);

}  // namespace stoker::agent
