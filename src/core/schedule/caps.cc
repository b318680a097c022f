#include "core/schedule/caps.h"

#include "core/resources/max_running.h"
#include "core/schedule/gate.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

std::optional<Hold> hold_at(std::optional<std::int64_t> most, std::int64_t running, const std::string& what) {
  if (!most || running < *most) return std::nullopt;
  return Hold{
      .kind = WaitKind::Cap,
      .text = (running == 1 ? "Waits for the running job of "
                            : "Waits for one of the " + std::to_string(running) + " running jobs of ") +
              what + " to end: its limit is " + std::to_string(*most) + " at a time (" +
              std::string(kMaxRunning) + ")",
      .behind = {}};
}

using Cap = std::optional<std::int64_t>;

// What the queue's policy says of the share.
Cap cap_by_policy(const State& state, const Contender& contender) {
  const auto policy = state.policies.find(contender.turn.queue.scheduling_policy);
  if (contender.group.share.empty() || policy == state.policies.end()) return std::nullopt;
  return max_running_of_share(policy->second.tags, contender.group.share);
}

// What the quota share says itself.
Cap cap_of_quota_share(const Contender& contender) {
  if (contender.turn.quota_shares == nullptr) return std::nullopt;
  const auto share = contender.turn.quota_shares->find(contender.group.share);
  return share == contender.turn.quota_shares->end() ? std::nullopt : max_running_in(share->second.tags);
}

std::optional<Hold> held_by_share(const World& world, const Contender& contender) {
  const JobQueue& queue = contender.turn.queue;
  const ShareUse* use = find_share(world.state, queue.no, contender.group.share);
  if (use == nullptr) return std::nullopt;
  const std::string what = "share " + contender.group.share + " in job queue " + queue.name;
  if (auto hold = hold_at(cap_of_quota_share(contender), use->active, "quota " + what)) return hold;
  return hold_at(cap_by_policy(world.state, contender), use->active, what);
}

std::optional<Hold> held_by_definition(const World& world, const Contender& contender) {
  const std::string& name = contender.group.definition;
  if (name.empty()) return std::nullopt;
  return hold_at(contender.group.definition_max, world.state.definitions.at(name).active,
                 "job definition " + name);
}

std::optional<Hold> held_by_array(const World& world, const Contender& contender) {
  if (!contender.group.array) return std::nullopt;
  const Job& array = *world.state.jobs.find(contender.group.array);
  const auto& counts = array.extra->array->counts;
  return hold_at(max_running_in(*array.extra->tags),
                 std::int64_t{counts[static_cast<std::size_t>(JobStatus::Starting)]} +
                     counts[static_cast<std::size_t>(JobStatus::Running)],
                 "array job " + array.public_id());
}

}  // namespace

bool is_capped(const World& world, const Contender& contender) {
  return contender.turn.max_running || contender.group.definition_max > 0 || contender.group.array ||
         cap_of_quota_share(contender) || cap_by_policy(world.state, contender);
}

std::optional<Hold> held_by_cap(const World& world, const Contender& contender) {
  const JobQueue& queue = contender.turn.queue;
  if (auto hold = hold_at(contender.turn.max_running, queue.active, "job queue " + queue.name)) return hold;
  if (auto hold = held_by_share(world, contender)) return hold;
  if (auto hold = held_by_definition(world, contender)) return hold;
  return held_by_array(world, contender);
}

}  // namespace stoker::core
