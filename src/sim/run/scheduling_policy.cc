#include "sim/run/scheduling_policy.h"

#include <limits>

namespace stoker::sim {
namespace {

constexpr std::size_t kSharesMax = 100'000;  // the core has the smaller bound, and the words for it

Result<void> check_integer(Members& members, std::string_view name) {
  using Integer = std::numeric_limits<std::int32_t>;  // as in the API
  std::int64_t value = 0;
  return members.whole(name, Integer::min(), Integer::max(), value);
}

Result<void> check_share(Members& share, std::size_t) {
  std::string identifier;
  TRY(share.text("shareIdentifier", identifier));
  const json::Value* weight = share.find("weightFactor");
  if (weight != nullptr && !weight->is_number()) return bad_member("weightFactor", "must be a number");
  return {};
}

Result<void> check_fair_share(Members& policy) {
  TRY(check_integer(policy, "shareDecaySeconds"));
  TRY(check_integer(policy, "computeReservation"));
  return policy.each("shareDistribution", 0, kSharesMax, check_share);
}

Result<void> check_quota(Members& policy) {
  std::string strategy;
  return policy.text("idleResourceAssignmentStrategy", strategy);
}

Result<void> check_policy(Members& policy) {
  TRY(policy.object("fairsharePolicy", check_fair_share));
  return policy.object("quotaSharePolicy", check_quota);
}

}  // namespace

Result<json::Shared> read_scheduling_policy(Members& queue) {
  TRY(queue.object("schedulingPolicy", check_policy));
  const json::Value* policy = queue.find("schedulingPolicy");
  return policy == nullptr ? nullptr : std::make_shared<const json::Value>(*policy);
}

bool is_about_quotas(const json::Shared& policy) {
  return policy && json::find(*policy, "quotaSharePolicy") != nullptr;
}

}  // namespace stoker::sim
