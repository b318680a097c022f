#include "core/state.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::core {

std::shared_ptr<const JobDefinition> DefinitionRevisions::latest_active() const {
  for (auto it = revisions.rbegin(); it != revisions.rend(); ++it)
    if (it->second->active) return it->second;
  return nullptr;
}

std::vector<std::string> JobQueue::environments_by_order() const {
  std::vector<std::pair<int, std::string>> ordered;
  for (std::size_t i = 0; i < environments.size(); ++i)
    ordered.emplace_back(environment_orders[i], environments[i]);
  std::ranges::sort(ordered);
  std::vector<std::string> names;
  for (auto& [order, environment] : ordered) names.push_back(std::move(environment));
  return names;
}

const JobQueue* State::find_queue(std::string_view name) const {
  const auto found = queue_names.find(std::string(name));
  return found == queue_names.end() ? nullptr : &queues.at(found->second);
}

const QuotaShare* State::find_quota_share(QueueNo queue, std::string_view name) const {
  const auto of_queue = quota_shares.find(queue);
  if (of_queue == quota_shares.end()) return nullptr;
  const auto found = of_queue->second.find(std::string(name));
  return found == of_queue->second.end() ? nullptr : &found->second;
}
QuotaShare* State::find_quota_share(QueueNo queue, std::string_view name) {
  return const_cast<QuotaShare*>(std::as_const(*this).find_quota_share(queue, name));
}

std::shared_ptr<const JobDefinition> State::find_definition(std::string_view id) const {
  const auto colon = id.find(':');
  const auto found = definitions.find(std::string(id.substr(0, colon)));
  if (found == definitions.end()) return nullptr;
  if (colon == std::string_view::npos) return found->second.latest_active();
  const auto revision = parse_int(id.substr(colon + 1));
  if (!revision || *revision < 1 || *revision > INT32_MAX) return nullptr;
  const auto at = found->second.revisions.find(static_cast<int>(*revision));
  return at == found->second.revisions.end() ? nullptr : at->second;
}

}  // namespace stoker::core
