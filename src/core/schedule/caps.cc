#include "core/schedule/caps.h"

#include "core/resources/max_running.h"
#include "core/schedule/gate.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

// What the queue's policy says of the share.
std::optional<std::int64_t> most_by_policy(const State& state, const Contender& contender) {
  const auto policy = state.policies.find(contender.turn.queue.scheduling_policy);
  if (contender.group.share.empty() || policy == state.policies.end()) return std::nullopt;
  return max_running_of_share(policy->second.tags, contender.group.share);
}

// What the quota share says itself.
std::optional<std::int64_t> most_of_quota_share(const Contender& contender) {
  if (contender.turn.quota_shares == nullptr) return std::nullopt;
  const auto share = contender.turn.quota_shares->find(contender.group.share);
  return share == contender.turn.quota_shares->end() ? std::nullopt : max_running_in(share->second.tags);
}

std::int64_t running_in_share(const State& state, const Contender& contender) {
  const ShareUse* use = find_share(state, contender.turn.queue.no, contender.group.share);
  return use == nullptr ? 0 : use->active;
}

// "share a in job queue default"
std::string name_of(const State& state, const Contender& contender, CapOf of) {
  const std::string queue = "job queue " + contender.turn.queue.name;
  switch (of) {
    case CapOf::Queue:
      break;
    case CapOf::QuotaShare:
      return "quota share " + contender.group.share + " in " + queue;
    case CapOf::Share:
      return "share " + contender.group.share + " in " + queue;
    case CapOf::Definition:
      return "job definition " + contender.group.definition;
    case CapOf::Array:
      return "array job " + state.jobs.find(contender.group.array)->public_id();
  }
  return queue;
}

}  // namespace

std::vector<Cap> caps_of(const World& world, const Contender& contender) {
  const State& state = world.state;
  const GroupKey& group = contender.group;
  std::vector<Cap> caps;
  if (contender.turn.max_running)
    caps.push_back({CapOf::Queue, *contender.turn.max_running, contender.turn.queue.active});
  if (const auto most = most_of_quota_share(contender))
    caps.push_back({CapOf::QuotaShare, *most, running_in_share(state, contender)});
  if (const auto most = most_by_policy(state, contender))
    caps.push_back({CapOf::Share, *most, running_in_share(state, contender)});
  if (!group.definition.empty())
    caps.push_back({CapOf::Definition, group.definition_max, state.definitions.at(group.definition).active});
  if (group.array) {
    const Job& array = *state.jobs.find(group.array);
    const auto& counts = array.extra->array->counts;
    if (const auto most = max_running_in(*array.extra->tags))
      caps.push_back({CapOf::Array, *most,
                      std::int64_t{counts[static_cast<std::size_t>(JobStatus::Starting)]} +
                          counts[static_cast<std::size_t>(JobStatus::Running)]});
  }
  return caps;
}

std::optional<Hold> held_by_cap(const World& world, const Contender& contender) {
  for (const Cap& cap : caps_of(world, contender)) {
    if (cap.running < cap.most) continue;
    const std::int64_t to_end = cap.running - cap.most + 1;
    return Hold{
        .kind = WaitKind::Cap,
        .text = (cap.running == 1 ? "Waits for the running job of "
                                  : "Waits for " + (to_end == 1 ? "one" : std::to_string(to_end)) +
                                        " of the " + std::to_string(cap.running) + " running jobs of ") +
                name_of(world.state, contender, cap.of) + " to end: its limit is " +
                std::to_string(cap.most) + " at a time (" + std::string(kMaxRunning) + ")",
        .behind = {}};
  }
  return std::nullopt;
}

}  // namespace stoker::core
