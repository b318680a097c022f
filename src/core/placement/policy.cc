#include "core/placement/policy.h"

#include <algorithm>

#include "core/placement/policies/policies.h"

namespace stoker::core {

std::size_t Policy::gpu_for_share(const Candidate& node) const {
  return tightest_gpu(node);
}

std::optional<PolicyName> parse_policy(std::string_view text) {
  const auto found = std::ranges::find(kPolicyNames, text);
  if (found == kPolicyNames.end()) return std::nullopt;
  return static_cast<PolicyName>(found - kPolicyNames.begin());
}

std::unique_ptr<Policy> make_policy(PolicyName name) {
  switch (name) {
    case PolicyName::Random:
      return make_random();
    case PolicyName::DotProd:
      return make_dot_product();
    case PolicyName::Clustering:
      return make_clustering();
    case PolicyName::Packing:
      return make_packing();
    case PolicyName::BestFit:
      return make_best_fit();
    case PolicyName::Fgd:
      return make_fgd();
    case PolicyName::Stoker:
      break;
  }
  return make_stoker();
}

std::size_t tightest_gpu(const Candidate& node) {
  std::size_t best = 0;
  std::int64_t best_free = INT64_MAX;
  for (std::size_t i = 0; i < node.room.gpus.size(); ++i) {
    const std::int64_t free = node.room.gpus[i];
    if (free < node.ask.gpu_milli || free >= best_free || !node.match.allows(node.kind.gpus[i].type))
      continue;
    best = i;
    best_free = free;
  }
  return best;
}

std::vector<std::size_t> gpus_for_share(const Candidate& node) {
  std::vector<std::size_t> gpus;
  const auto is_like = [&](std::size_t a, std::size_t b) {
    return node.room.gpus[a] == node.room.gpus[b] && node.kind.gpus[a].type == node.kind.gpus[b].type;
  };
  for (std::size_t i = 0; i < node.room.gpus.size(); ++i) {
    if (node.room.gpus[i] < node.ask.gpu_milli || !node.match.allows(node.kind.gpus[i].type)) continue;
    if (std::ranges::none_of(gpus, [&](std::size_t other) { return is_like(other, i); })) gpus.push_back(i);
  }
  return gpus;
}

void set_room_after(Room& room, const Candidate& node, std::size_t gpu) {
  room = node.room;
  room.cpus_milli -= node.ask.cpus_milli;
  room.memory_mib -= node.ask.memory_mib;
  room.gpu_milli -= node.ask.all_gpu_milli();
  room.classes |= node.ask.class_bits();
  const auto milli = static_cast<std::int16_t>(node.ask.gpu_milli);
  if (node.ask.is_share()) {
    room.gpus[gpu] = static_cast<std::int16_t>(room.gpus[gpu] - milli);
    return;
  }
  std::int64_t left = node.ask.gpus;
  for (std::size_t i = 0; i < room.gpus.size() && left > 0; ++i) {
    if (room.gpus[i] < milli || !node.match.allows(node.kind.gpus[i].type)) continue;
    room.gpus[i] = static_cast<std::int16_t>(room.gpus[i] - milli);
    --left;
  }
}

}  // namespace stoker::core
