#include "core/job/environment.h"

namespace stoker::core {

std::vector<std::pair<std::string, std::string>> run_environment(const World& world, const Job& job) {
  auto variables = job.spec->container.environment;
  const auto node = world.state.nodes.find(job.extra->attempts.back().node);
  variables.emplace_back("AWS_BATCH_JOB_ID", job.public_id());
  variables.emplace_back("AWS_BATCH_JQ_NAME", world.state.queues.at(job.queue).name);
  if (node != world.state.nodes.end()) variables.emplace_back("AWS_BATCH_CE_NAME", node->second.environment);
  variables.emplace_back("AWS_BATCH_JOB_ATTEMPT", std::to_string(job.attempts_counted()));
  if (job.is_child()) variables.emplace_back("AWS_BATCH_JOB_ARRAY_INDEX", std::to_string(job.index));
  return variables;
}

}  // namespace stoker::core
