#include "core/resources/definitions.h"

#include "core/resources/limits.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

// How long until a revision that is due but still has jobs is looked at again.
constexpr Duration kInactiveRecheck = hours(1);

bool has_jobs(const World& world, const std::string& id) {
  bool found = false;
  for_specs_of(world, id, [&](const JobSpec&) { found = true; });
  return found;
}

}  // namespace

void replace_definition(World& world, std::shared_ptr<const JobDefinition> definition) {
  for_specs_of(world, definition->id(), [&](JobSpec& spec) { spec.definition = definition; });
  world.changes.document(DocumentKind::JobDefinition, definition->id());
  auto& place = world.state.definitions.at(definition->name).revisions.at(definition->revision);
  place = std::move(definition);
}

Result<Answer> register_job_definition(World& world, Instant, const RegisterJobDefinition& request) {
  TRY(check_name("Job definition name", request.name));
  TRY(check_tags(ResourceKind::JobDefinition, request.tags));
  auto& definitions = world.state.definitions;
  const auto known = definitions.find(request.name);
  if (known == definitions.end() && definitions.size() >= kDefinitionNamesMax)
    return fail(Code::LimitExceeded, "There are too many job definitions");
  if (known != definitions.end() && known->second.revisions.size() >= kRevisionsMax)
    return fail(Code::LimitExceeded, "Job definition " + request.name + " has too many revisions");
  const int revision = known == definitions.end() ? 1 : known->second.last_revision + 1;
  auto definition = std::make_shared<const JobDefinition>(
      TRY(read_definition(request.name, revision, request.document, request.tags)));

  auto& revisions = definitions[request.name];
  revisions.last_revision = revision;
  world.changes.document(DocumentKind::JobDefinition, definition->id());
  revisions.revisions.emplace(revision, std::move(definition));
  return DefinitionRegistered{request.name, revision};
}

Result<Answer> deregister_job_definition(World& world, Instant now, const DeregisterJobDefinition& request) {
  const std::string id = request.name + ":" + std::to_string(request.revision);
  const auto known = world.state.find_definition(id);
  if (!known) return fail(Code::NotFound, "Job definition " + id + " does not exist");
  if (!known->active) return Done{};  // asked twice
  auto inactive = std::make_shared<JobDefinition>(*known);
  inactive->active = false;
  inactive->deregistered_at = now;
  replace_definition(world, std::move(inactive));
  return Done{};
}

std::optional<Instant> remove_old_definitions(World& world, Instant now) {
  std::optional<Instant> next;
  const auto due_at = [&](Instant at) { next = next ? std::min(*next, at) : at; };
  auto& definitions = world.state.definitions;
  for (auto it = definitions.begin(); it != definitions.end();) {
    auto& revisions = it->second.revisions;
    for (auto at = revisions.begin(); at != revisions.end();) {
      const JobDefinition& definition = *at->second;
      const Instant due = definition.deregistered_at + kInactiveLife;
      // The newest revision carries the count: it goes only together with the name.
      const bool counts = std::next(at) == revisions.end() && revisions.size() > 1;
      const bool expired = !definition.active && due <= now;
      if (!definition.active && !expired) due_at(due);
      if (expired && !counts && has_jobs(world, definition.id())) due_at(now + kInactiveRecheck);
      if (!expired || counts || has_jobs(world, definition.id())) {
        ++at;
        continue;
      }
      world.changes.removed_document(DocumentKind::JobDefinition, definition.id());
      at = revisions.erase(at);
    }
    it = revisions.empty() ? definitions.erase(it) : std::next(it);
  }
  return next;
}

}  // namespace stoker::core
