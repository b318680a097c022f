// Why a job has no place, as a sentence.
#include <algorithm>

#include "base/assert.h"
#include "core/schedule/fit.h"
#include "core/schedule/place.h"

namespace stoker::core {
namespace {

std::string resource_names(Lack lack) {
  std::string text;
  const auto add = [&](Lack bit, std::string_view name) {
    if ((lack & bit) == 0) return;
    if (!text.empty()) text += " and ";
    text += name;
  };
  add(kLackCpu, "vCPU");
  add(kLackMemory, "memory");
  add(kLackGpu, "GPU");
  return text;
}

std::string shortage_text(const State& state, const Finding& finding, const Shape& shape) {
  std::string text = "Waits for " + resource_names(finding.lack) + " in compute environment " +
                     finding.environment->name + ": asks " + describe(shape) + "; free on node " +
                     finding.node->name + ": " + describe_free(*finding.node, finding.free, shape);
  if ((finding.lack & kLackGpu) != 0) text += describe_out_of_order(*finding.node);
  if (finding.kept_for)
    text += "; the rest, and what becomes free there, is kept for job " +
            state.jobs.find(finding.kept_for)->public_id();
  return text;
}

std::string no_nodes_text(const State& state, const std::vector<Finding>& findings) {
  const auto managed =
      std::ranges::find_if(findings, [](const Finding& finding) { return finding.environment->managed; });
  if (managed == findings.end()) return "No node of the queue's compute environments is connected";
  if (state.fleets.contains(managed->environment->name))
    return "Compute environment " + managed->environment->name +
           " has no nodes; what to launch is decided within seconds";
  return "Compute environment " + managed->environment->name +
         " has no nodes: this server does not launch machines for MANAGED environments yet";
}

// Whole GPUs and shares are not of GPUs in MIG mode, MIG devices of no others.
std::string mig_text(const Node& node, const Shape& shape) {
  const bool wants_device = !shape.gpu.mig.empty();
  if (node.gpus.empty() || (!wants_device && shape.resources.all_gpu_milli() == 0)) return "";
  const auto count = std::ranges::count_if(
      node.gpus, [&](const NodeGpu& gpu) { return (gpu.mig != MigMode::Off) == wants_device; });
  if (static_cast<std::size_t>(count) == node.gpus.size()) return "";
  if (wants_device) return count == 0 ? ", not in MIG mode" : ", " + std::to_string(count) + " in MIG mode";
  const std::string others = std::to_string(node.gpus.size() - static_cast<std::size_t>(count));
  return ", " + (count == 0 ? std::string() : others + " of them ") + "in MIG mode, for MIG devices only";
}

// What the wishes of the shape make worth telling of a machine.
std::string market_and_type(const Node& node, const Shape& shape) {
  std::string text;
  if (!shape.instance_types.empty())
    text += node.instance_type.empty() ? " and no instance type" : " on " + node.instance_type;
  if (shape.spot != SpotUse::First) text += node.spot ? ", on spot" : ", not on spot";
  return text;
}

std::string never_fits_text(const State& state, const Contender& contender, const Shape& shape) {
  const JobQueue& queue = contender.turn.queue;
  constexpr std::size_t kLong = 400;
  std::string text =
      "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - The job resource requirement (vCPU/memory/GPU) is "
      "higher than that can be met by "
      "the CE(s) attached to the job queue.";
  text += " The job asks " + describe(shape) + (shape.container() ? " and a container engine" : "");
  // Only that is what its quota share has.
  if (shape.gpu.models != contender.shape.gpu.models ||
      shape.instance_types != contender.shape.instance_types)
    text += ", as its quota share " + contender.group.share + " allows it";
  text += ";";
  for (const auto& [name, node] : state.nodes) {
    if (!node.connected ||
        std::ranges::find(queue.environments, node.environment) == queue.environments.end())
      continue;
    if (!text.ends_with(';')) text += ',';
    text += " node " + name + " has " + describe(node) + mig_text(node, shape) + market_and_type(node, shape);
    if (shape.container() && !node.containers) text += " and no container engine";
    if (text.size() > kLong) return text;
  }
  return text;
}

}  // namespace

Hold describe_findings(const State& state, const Contender& contender, const Shape& shape,
                       const std::vector<Finding>& findings) {
  const JobQueue& queue = contender.turn.queue;
  const auto any = [&](auto member) { return std::ranges::any_of(findings, member); };
  if (!any([](const Finding& finding) { return finding.environment->enabled; }))
    return {.kind = WaitKind::Disabled,
            .text = "Every compute environment of job queue " + queue.name + " is DISABLED",
            .behind = {}};
  if (!any(&Finding::nodes))
    return {.kind = WaitKind::NoNodes, .text = no_nodes_text(state, findings), .behind = {}};
  if (!any(&Finding::could_hold))
    return {.kind = WaitKind::NeverFits, .text = never_fits_text(state, contender, shape), .behind = {}};
  const auto kept = std::ranges::find_if(findings, [](const Finding& finding) { return !!finding.behind; });
  if (kept != findings.end())
    return {.kind = WaitKind::Order,
            .text = "Waits behind job " + state.jobs.find(kept->behind)->public_id() + ", for which node " +
                    kept->node->name + " of compute environment " + kept->environment->name + " is kept",
            .behind = kept->behind,
            .for_machines = true};
  // The last one is where it would go when the others are full for long.
  const auto short_of = std::ranges::find_if(findings.rbegin(), findings.rend(),
                                             [](const Finding& finding) { return finding.lack != 0; });
  ASSERT(short_of != findings.rend(), "no place and no reason");
  return {.kind = WaitKind::Resources, .text = shortage_text(state, *short_of, shape), .behind = {}};
}

}  // namespace stoker::core
