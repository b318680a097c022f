#include "core/schedule/shares.h"

#include <algorithm>

#include "base/assert.h"
#include "core/records/documents.h"
#include "core/schedule/decay.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kCpusOfGpu = 8;         // vCPUs that one GPU is charged as
constexpr std::size_t kActiveSharesMax = 500;  // AWS Batch service quotas
constexpr int kFraction = 20;                  // bits of ShareUse::average behind the point
constexpr std::int64_t kForgotten = std::int64_t{10} << kFraction;  // a hundredth of a vCPU

std::int64_t average_at(const ShareUse& use, const FairShare& policy, Instant now) {
  return drawn_towards(use.average, use.rate << kFraction, now - use.as_of, policy.window);
}

ShareUse& use_of(World& world, const Job& job) {
  return world.state.shares[job.queue][job.spec->share];
}

void note(World& world, const Job& job) {
  world.changes.document(DocumentKind::ShareUse, share_key(job.queue, job.spec->share));
}

// What its jobs hold changes: everything before is folded into the average.
void charge(World& world, const Job& job, std::int64_t more, std::int64_t runs, Instant now) {
  if (job.spec->share.empty()) return;
  ShareUse& use = use_of(world, job);
  use.average = average_at(use, fair_share_of(world.state, world.state.queues.at(job.queue)), now);
  use.as_of = std::max(use.as_of, now);
  use.rate += more;
  use.active += runs;
  // A child that was left in the share when its array went to another one.
  if (use.jobs == 0 && !use.idle_since) use.idle_since = now;
  ASSERT(use.rate >= 0 && use.active >= 0, "a share gives back what it holds");
  note(world, job);
}

// Those that are over and whose past no longer matters.
void forget_faded(World& world, QueueNo queue, Instant now) {
  const FairShare& policy = fair_share_of(world.state, world.state.queues.at(queue));
  auto& shares = world.state.shares[queue];
  for (auto at = shares.begin(); at != shares.end();) {
    const ShareUse& use = at->second;
    if (is_active(use, policy, now) || average_at(use, policy, now) > kForgotten) {
      ++at;
      continue;
    }
    world.changes.removed_document(DocumentKind::ShareUse, share_key(queue, at->first));
    at = shares.erase(at);
  }
}

}  // namespace

std::int64_t charge_of(const Resources& resources) {
  return std::max(resources.cpus_milli, kCpusOfGpu * resources.all_gpu_milli());
}

const FairShare& fair_share_of(const State& state, const JobQueue& queue) {
  static const FairShare kDefault;
  const auto found = state.policies.find(queue.scheduling_policy);
  return found == state.policies.end() ? kDefault : found->second.fair_share;
}

bool has_fair_share(const State& state, const JobQueue& queue) {
  const auto policy = state.policies.find(queue.scheduling_policy);
  return policy != state.policies.end() && !policy->second.is_quota();
}

const ShareUse* find_share(const State& state, QueueNo queue, const std::string& share) {
  const auto shares = state.shares.find(queue);
  if (shares == state.shares.end()) return nullptr;
  const auto found = shares->second.find(share);
  return found == shares->second.end() ? nullptr : &found->second;
}

WeightedUse weighted_use(const FairShare& policy, std::string_view share, const ShareUse& use, Instant now) {
  const std::int64_t both = average_at(use, policy, now) + (use.rate << kFraction);
  return static_cast<WeightedUse>(both) * static_cast<WeightedUse>(policy.weight_of(share));
}

WeightedUse weighted_charge(const FairShare& policy, std::string_view share, std::int64_t charge) {
  return static_cast<WeightedUse>(charge << kFraction) * static_cast<WeightedUse>(policy.weight_of(share));
}

bool is_active(const ShareUse& use, const FairShare& policy, Instant now) {
  return use.jobs > 0 || use.active > 0 || now < use.idle_since + policy.window;
}

std::size_t active_shares(const State& state, const JobQueue& queue, Instant now) {
  const auto shares = state.shares.find(queue.no);
  if (shares == state.shares.end()) return 0;
  const FairShare& policy = fair_share_of(state, queue);
  return static_cast<std::size_t>(std::ranges::count_if(
      shares->second, [&](const auto& entry) { return is_active(entry.second, policy, now); }));
}

Result<void> check_room_for_share(const State& state, const JobQueue& queue, const std::string& share,
                                  Instant now) {
  if (share.empty()) return {};
  const ShareUse* known = find_share(state, queue.no, share);
  if (known != nullptr && is_active(*known, fair_share_of(state, queue), now)) return {};
  if (active_shares(state, queue, now) < kActiveSharesMax) return {};
  return fail(Code::LimitExceeded, "shareIdentifier: job queue " + queue.name + " has " +
                                       std::to_string(kActiveSharesMax) +
                                       " active shares, which is the most");
}

void share_gains_job(World& world, const Job& job, Instant now) {
  if (job.spec->share.empty()) return;
  if (find_share(world.state, job.queue, job.spec->share) == nullptr) forget_faded(world, job.queue, now);
  ShareUse& use = use_of(world, job);
  if (use.jobs++ > 0) return;
  use.idle_since = {};
  note(world, job);
}

void share_loses_job(World& world, const Job& job, Instant now) {
  if (job.spec->share.empty()) return;
  ShareUse& use = use_of(world, job);
  ASSERT(use.jobs > 0, "a share loses what it has");
  if (--use.jobs > 0) return;
  use.idle_since = now;
  note(world, job);
}

void share_starts_run(World& world, const Job& job, Instant now) {
  charge(world, job, charge_of(job.spec->container.resources), 1, now);
}

void share_ends_run(World& world, const Job& job, Instant now) {
  charge(world, job, -charge_of(job.spec->container.resources), -1, now);
}

void forget_shares(World& world, QueueNo queue) {
  const auto shares = world.state.shares.extract(queue);
  if (shares.empty()) return;
  for (const auto& [share, use] : shares.mapped())
    world.changes.removed_document(DocumentKind::ShareUse, share_key(queue, share));
}

}  // namespace stoker::core
