#include "core/job/environment.h"

#include <algorithm>

namespace stoker::core {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Where distributed programs meet (fleet-and-node.md 6.2): the same port at every attempt, another one for
// another job, as far as a thousand ports can tell them apart.
constexpr unsigned kMasterPortFirst = 29'500;
constexpr unsigned kMasterPorts = 1000;

unsigned master_port(const Uuid& job) {
  unsigned sum = 0;
  for (const std::uint8_t byte : job.bytes) sum = (sum * 256 + byte) % kMasterPorts;
  return kMasterPortFirst + sum;
}

void add_node_variables(const World& world, const Job& node, Variables& variables) {
  const Job& gang = world.state.jobs.parent_of(node);
  const int main_node = gang.spec->nodes->main_node;
  const auto& addresses = gang.extra->array->addresses;
  const std::string& main_address = addresses.at(static_cast<std::size_t>(main_node));
  const std::string index = std::to_string(node.index);
  const std::string count = std::to_string(gang.spec->nodes->nodes());
  variables.emplace_back("AWS_BATCH_JOB_MAIN_NODE_INDEX", std::to_string(main_node));
  variables.emplace_back("AWS_BATCH_JOB_NODE_INDEX", index);
  variables.emplace_back("AWS_BATCH_JOB_NUM_NODES", count);
  if (node.index != main_node)
    variables.emplace_back("AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS", main_address);
  std::string all;
  for (const std::string& address : addresses) all += (all.empty() ? "" : ",") + address;
  // Ours, unless the job says otherwise.
  const auto add = [&](std::string name, std::string value) {
    const auto& own = node.spec->container.environment;
    if (std::ranges::find(own, name, &Variables::value_type::first) == own.end())
      variables.emplace_back(std::move(name), std::move(value));
  };
  add("MASTER_ADDR", main_address);
  add("MASTER_PORT", std::to_string(master_port(gang.id)));
  add("NODE_RANK", index);
  add("NNODES", count);
  add("STOKER_NODE_IPS", all);
  add("STOKER_GPUS_PER_NODE", std::to_string(node.spec->container.resources.gpus));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_environment(const World& world, const Job& job) {
  auto variables = job.spec->container.environment;
  const auto node = world.state.nodes.find(job.extra->attempts.back().node);
  variables.emplace_back("AWS_BATCH_JOB_ID", job.public_id());
  variables.emplace_back("AWS_BATCH_JQ_NAME", world.state.queues.at(job.queue).name);
  if (node != world.state.nodes.end()) variables.emplace_back("AWS_BATCH_CE_NAME", node->second.environment);
  const Job& counted = job.is_node() ? world.state.jobs.parent_of(job) : job;
  variables.emplace_back("AWS_BATCH_JOB_ATTEMPT", std::to_string(counted.attempts_counted()));
  if (job.is_node())
    add_node_variables(world, job, variables);
  else if (job.is_child())
    variables.emplace_back("AWS_BATCH_JOB_ARRAY_INDEX", std::to_string(job.index));
  return variables;
}

}  // namespace stoker::core
