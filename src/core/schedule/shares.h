#pragma once
// Fair share: which share of a queue has had least, weighed by its policy. A share counts by what it holds
// now and what it held lately, each in full: docs/decisions/034.
#include <string>

#include "base/result.h"
#include "core/world.h"

namespace stoker::core {

// Use times weight: who has least is next.
__extension__ using WeightedUse = unsigned __int128;

// What a run is charged, in thousandths of a vCPU: its vCPUs, or eight for each GPU when that is more.
std::int64_t charge_of(const Resources& resources);

// Of the queue's policy; the defaults when it has none (a deleted queue).
const FairShare& fair_share_of(const State& state, const JobQueue& queue);
// It has such a policy.
bool has_fair_share(const State& state, const JobQueue& queue);
// Null when nothing is remembered of the share.
const ShareUse* find_share(const State& state, QueueNo queue, const std::string& share);

// `more`: charges of runs that are about to be added.
WeightedUse weighted_use(const FairShare& policy, std::string_view share, const ShareUse& use, Instant now);
WeightedUse weighted_charge(const FairShare& policy, std::string_view share, std::int64_t charge);

// It has jobs, or had some less than the policy's window ago.
bool is_active(const ShareUse& use, const FairShare& policy, Instant now);
// How many shares of the queue are.
std::size_t active_shares(const State& state, const JobQueue& queue, Instant now);
// LimitExceeded when a job of that share would make one active share too many (AWS Batch API,
// FairsharePolicy: 500).
Result<void> check_room_for_share(const State& state, const JobQueue& queue, const std::string& share,
                                  Instant now);

// What happens to jobs of a share; nothing for jobs without one. Each notes the changed record.
void share_gains_job(World& world, const Job& job, Instant now);  // top-level jobs
void share_loses_job(World& world, const Job& job, Instant now);
void share_starts_run(World& world, const Job& job, Instant now);
void share_ends_run(World& world, const Job& job, Instant now);
// The queue goes, and what is remembered of its shares.
void forget_shares(World& world, QueueNo queue);

}  // namespace stoker::core
