#include "sim/run/tenants.h"

#include <algorithm>
#include <iterator>

#include "sim/run/members.h"

namespace stoker::sim {
namespace {

bool in_identifiers(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Result<void> check_quota_shares(const SimQueue& queue, const std::set<std::string_view>& tenants) {
  for (const std::string_view tenant : tenants)
    if (std::ranges::find(queue.quota_shares, tenant, &core::QuotaShare::name) == queue.quota_shares.end())
      return bad_member("jobs",
                        "tenant " + std::string(tenant) + " has no quota share in queue " + queue.name);
  return {};
}

Result<void> check_apart(const SimQueue& queue, const std::set<std::string_view>& tenants) {
  std::map<std::string, std::string_view> shares;
  for (const std::string_view tenant : tenants) {
    const auto [share, is_new] = shares.emplace(share_of_tenant(queue, tenant), tenant);
    if (!is_new)
      return bad_member("jobs", "tenants " + std::string(share->second) + " and " + std::string(tenant) +
                                    " would be one share in queue " + queue.name + ", " + share->first +
                                    ": its scheduling policy tells letters and digits apart alone");
  }
  return {};
}

}  // namespace

std::string share_of_tenant(const SimQueue& queue, std::string_view tenant) {
  if (!queue.quota_shares.empty()) return std::string(tenant);
  if (!queue.scheduling_policy) return {};
  std::string share;
  std::ranges::copy_if(tenant, std::back_inserter(share), in_identifiers);
  return share.empty() ? "all" : share;
}

Result<void> check_tenants(const Scenario& scenario,
                           const std::map<std::string_view, std::set<std::string_view>>& tenants) {
  for (const auto& [name, of_queue] : tenants) {
    const SimQueue& queue = *std::ranges::find(scenario.queues, name, &SimQueue::name);
    if (!queue.quota_shares.empty())
      TRY(check_quota_shares(queue, of_queue));
    else if (queue.scheduling_policy)
      TRY(check_apart(queue, of_queue));
  }
  return {};
}

}  // namespace stoker::sim
