#include <algorithm>

#include "core/resources/limits.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

bool needs(const JobSpec& spec, const std::string& resource) {
  return std::any_of(spec.consumables.begin(), spec.consumables.end(),
                     [&](const ConsumableNeed& need) { return need.resource == resource; });
}

// A job that has not ended and needs the resource. The walk over all jobs is only made when some spec names
// it.
const Job* job_that_needs(const State& state, const std::string& resource) {
  const bool named = std::any_of(state.specs.begin(), state.specs.end(),
                                 [&](const auto& entry) { return needs(*entry.second, resource); });
  if (!named) return nullptr;
  const JobSet& all = state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1})) {
    const Job* job = state.jobs.find(*no);
    if (!is_terminal(job->status) && needs(*job->spec, resource)) return job;
  }
  return nullptr;
}

bool seen_before(const ConsumableResource& resource, const std::string& token, Instant now) {
  return !token.empty() &&
         std::any_of(resource.update_tokens.begin(), resource.update_tokens.end(), [&](const auto& known) {
           return known.first == token && now < known.second + kTokenLife;
         });
}

// Forgets what is too old and, beyond kTokensMax, the oldest.
void remember(ConsumableResource& resource, const std::string& token, Instant now) {
  auto& tokens = resource.update_tokens;
  std::erase_if(tokens, [&](const auto& known) { return known.second + kTokenLife <= now; });
  if (token.empty()) return;
  if (tokens.size() >= kTokensMax) tokens.erase(tokens.begin());
  tokens.emplace_back(token, now);
}

}  // namespace

Result<Answer> create_consumable_resource(World& world, Instant now,
                                          const CreateConsumableResource& request) {
  TRY(check_name("Consumable resource name", request.name));
  auto& consumables = world.state.consumables;
  if (consumables.contains(request.name))
    return fail(Code::AlreadyExists, "Object already exists: consumable resource " + request.name);
  if (consumables.size() >= kConsumablesMax)
    return fail(Code::LimitExceeded, "There are too many consumable resources");
  if (request.total < 0 || request.total > kConsumableMax)
    return refuse("totalQuantity", "must be between 0 and " + std::to_string(kConsumableMax));
  TRY(check_tags(ResourceKind::ConsumableResource, request.tags));
  ConsumableResource resource;
  resource.name = request.name;
  resource.total = request.total;
  resource.replenishable = request.replenishable;
  resource.created_at = now;
  resource.tags = request.tags;
  consumables.emplace(request.name, std::move(resource));
  world.changes.document(DocumentKind::ConsumableResource, request.name);
  return Done{};
}

Result<Answer> update_consumable_resource(World& world, Instant now,
                                          const UpdateConsumableResource& request) {
  const auto found = world.state.consumables.find(request.name);
  if (found == world.state.consumables.end())
    return fail(Code::NotFound, "Consumable resource " + request.name + " does not exist");
  ConsumableResource& resource = found->second;
  if (seen_before(resource, request.client_token, now)) return Done{};
  if (request.quantity < 0 || request.quantity > kConsumableMax)
    return refuse("quantity", "must be between 0 and " + std::to_string(kConsumableMax));
  std::int64_t total = request.quantity;
  if (request.operation == UpdateConsumableResource::Operation::Add)
    total = resource.total + request.quantity;
  if (request.operation == UpdateConsumableResource::Operation::Remove)
    total = resource.total - request.quantity;
  if (total < 0)
    return refuse("quantity", "must not be above the total quantity of " + std::to_string(resource.total));
  if (total > kConsumableMax)
    return refuse("quantity", "the total quantity would be above " + std::to_string(kConsumableMax));
  // Below what is in use is allowed: nothing is taken away from running jobs.
  resource.total = total;
  remember(resource, request.client_token, now);
  world.changes.document(DocumentKind::ConsumableResource, request.name);
  world.pass_due = true;
  return Done{};
}

Result<Answer> delete_consumable_resource(World& world, Instant, const DeleteConsumableResource& request) {
  const auto found = world.state.consumables.find(request.name);
  if (found == world.state.consumables.end())
    return fail(Code::NotFound, "Consumable resource " + request.name + " does not exist");
  if (const Job* job = job_that_needs(world.state, request.name))
    return fail(Code::Conflict, "Cannot delete, consumable resource " + request.name + " is needed by job " +
                                    job->public_id());
  world.state.consumables.erase(found);
  world.changes.removed_document(DocumentKind::ConsumableResource, request.name);
  return Done{};
}

}  // namespace stoker::core
