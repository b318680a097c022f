#pragma once
// Quota shares: their requests, and which of a queue's jobs must name one.
#include <optional>
#include <string_view>

#include "base/result.h"
#include "core/requests.h"
#include "core/world.h"

namespace stoker::core {

inline constexpr std::size_t kQuotaSharesMax = 20;  // of a queue: AWS Batch service quotas
inline constexpr std::size_t kQuotaLimitsMax = 5;   // of a share: likewise
inline constexpr std::int64_t kQuotaCapacityMax = 1'000'000'000;
inline constexpr std::int64_t kBorrowPercentMax = 1'000'000;

Result<Answer> create_quota_share(World& world, Instant now, const CreateQuotaShare& request);
Result<Answer> update_quota_share(World& world, Instant now, const UpdateQuotaShare& request);
// Its jobs are ended by the caller (job/stop.h).
Result<Answer> delete_quota_share(World& world, Instant now, const DeleteQuotaShare& request);
// With their queue.
void delete_quota_shares_of(World& world, QueueNo queue);

// Jobs of the queue must name one of its quota shares: it has some, or a policy that is about them.
bool has_quota_shares(const State& state, const JobQueue& queue);
// A new job can go there.
Result<void> check_quota_share(const State& state, const JobQueue& queue, std::string_view share);
// Key of the share's document.
std::string quota_share_key(QueueNo queue, std::string_view share);
// {"QUEUE", "SHARE"} of "QUEUE/quota-share/SHARE", the end of its ARN; both "" for anything else.
std::pair<std::string_view, std::string_view> quota_share_in(std::string_view text);

}  // namespace stoker::core
