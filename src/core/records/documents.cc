#include "core/records/documents.h"

#include "base/text.h"
#include "core/job/submit.h"
#include "core/resources/capacity_units.h"
#include "core/resources/definition_rules.h"
#include "core/resources/quota_shares.h"
#include "core/resources/resources.h"
#include "core/resources/spec.h"
#include "core/schedule/shares.h"

namespace stoker::core {
namespace {

constexpr int kVersion = 1;  // of every kind so far

// ---- to JSON ----

json::Value to_json(const Tags& tags) {
  json::Object object;
  for (const auto& [key, value] : tags) object[key] = value;
  return object;
}

json::Value to_json(const json::Shared& document) {
  return document ? *document : json::Value();
}

json::Array to_json(const std::vector<TimeLimitAction>& actions) {
  json::Array list;
  for (const auto& action : actions)
    list.push_back(json::Object{{"reason", action.reason},
                                {"most_ms", action.most.ms},
                                {"action", action.action},
                                {"state", action.state}});
  return list;
}

// ---- from JSON ----

std::string string_of(const json::Value& body, std::string_view key) {
  return std::string(json::get_string(body, key));
}

Tags tags_of(const json::Value& body, std::string_view member = "tags") {
  Tags tags;
  for (const auto& [key, value] : json::get_object(body, member)) tags.emplace(key, json::text(value));
  return tags;
}

json::Shared document_of(const json::Value& body, std::string_view key) {
  const json::Value* document = json::find(body, key);
  return document == nullptr ? nullptr : std::make_shared<const json::Value>(*document);
}

Instant instant_of(const json::Value& body, std::string_view key) {
  return {json::get_int(body, key)};
}

Result<std::string> name_of(const json::Value& body) {
  std::string name = string_of(body, "name");
  if (name.empty()) return fail(Code::Internal, "it has no name");
  return name;
}

Result<json::Shared> required_document(const json::Value& body) {
  auto document = document_of(body, "document");
  if (!document || !document->is_object()) return fail(Code::Internal, "it has no document");
  return document;
}

Result<void> load_definition(World& world, const json::Value& body) {
  const std::string name = TRY(name_of(body));
  const auto revision = json::get_int(body, "revision");
  if (revision < 1 || revision > INT32_MAX) return fail(Code::Internal, "it has no revision");
  auto document = TRY(required_document(body));
  auto definition = std::make_shared<JobDefinition>(
      interpret_definition(name, static_cast<int>(revision), std::move(document), tags_of(body)));
  definition->active = json::get_bool(body, "active", true);
  definition->deregistered_at = instant_of(body, "deregistered_at");
  auto& revisions = world.state.definitions[name];
  revisions.last_revision = std::max(revisions.last_revision, definition->revision);
  revisions.revisions[definition->revision] = std::move(definition);
  return {};
}

Result<void> load_spec(World& world, const json::Value& body) {
  const auto no = json::get_int(body, "no");
  if (no < 1) return fail(Code::Internal, "it has no number");
  const std::string id = string_of(body, "definition");
  auto definition = world.state.find_definition(id);
  if (id.find(':') == std::string::npos || !definition)
    return fail(Code::Internal, "its job definition " + id + " is missing");
  auto spec =
      std::make_unique<JobSpec>(TRY(merge_overrides(std::move(definition), document_of(body, "overrides"))));
  add_wishes(*spec, tags_of(body, "wishes"));
  const auto node_class = static_cast<int>(json::get_int(body, "node_class", -1));
  if (node_class >= 0) {
    if (!spec->nodes || node_class >= static_cast<int>(spec->nodes->classes.size()))
      return fail(Code::Internal, "it has no such nodes");
    spec = std::make_unique<JobSpec>(spec_of_nodes(*spec, node_class));
  }
  spec->no = SpecNo{static_cast<std::uint64_t>(no)};
  std::string key = spec_key(*spec->definition, spec->overrides, spec->wish_tags, node_class);
  register_spec(world, std::move(spec), std::move(key));
  return {};
}

Result<void> load_queue(World& world, const json::Value& body) {
  JobQueue queue;
  const auto no = json::get_int(body, "no");
  if (no < 1) return fail(Code::Internal, "it has no number");
  queue.no = QueueNo{static_cast<std::uint64_t>(no)};
  queue.name = TRY(name_of(body));
  queue.enabled = json::get_bool(body, "enabled");
  queue.deleted = json::get_bool(body, "deleted");
  queue.priority = static_cast<int>(json::get_int(body, "priority"));
  for (const auto& entry : json::get_array(body, "environments")) {
    queue.environments.push_back(string_of(entry, "name"));
    queue.environment_orders.push_back(static_cast<int>(json::get_int(entry, "order")));
  }
  queue.scheduling_policy = string_of(body, "scheduling_policy");
  queue.type = string_of(body, "type");
  for (const auto& action : json::get_array(body, "time_limit_actions"))
    queue.time_limit_actions.push_back({.reason = string_of(action, "reason"),
                                        .most = milliseconds(json::get_int(action, "most_ms")),
                                        .action = string_of(action, "action"),
                                        .state = string_of(action, "state")});
  if (const json::Value* stuck = json::find(body, "stuck"))
    queue.stuck = {.job = JobNo{static_cast<std::uint64_t>(json::get_int(*stuck, "job"))},
                   .reason = string_of(*stuck, "reason"),
                   .since = {json::get_int(*stuck, "since")}};
  queue.tags = tags_of(body);
  world.next_queue = std::max(world.next_queue, queue.no.value + 1);
  if (!queue.deleted && !world.state.queue_names.emplace(queue.name, queue.no).second)
    return fail(Code::Internal, "its name is used by another job queue");
  world.state.queues[queue.no] = std::move(queue);
  return {};
}

Result<void> load_environment(World& world, const json::Value& body) {
  ComputeEnvironment environment;
  environment.name = TRY(name_of(body));
  environment.managed = json::get_bool(body, "managed");
  environment.enabled = json::get_bool(body, "enabled");
  environment.document = TRY(required_document(body));
  environment.uuid = string_of(body, "uuid");
  environment.tags = tags_of(body);
  environment.created_at = instant_of(body, "created_at");
  const std::string name = environment.name;
  world.state.environments[name] = std::move(environment);
  return {};
}

Result<void> load_policy(World& world, const json::Value& body) {
  SchedulingPolicy policy;
  policy.name = TRY(name_of(body));
  policy.document = TRY(required_document(body));
  policy.tags = tags_of(body);
  policy.fair_share = read_fair_share(*policy.document);
  const std::string name = policy.name;
  world.state.policies[name] = std::move(policy);
  return {};
}

Result<void> load_consumable(World& world, const json::Value& body) {
  ConsumableResource resource;
  resource.name = TRY(name_of(body));
  resource.total = json::get_int(body, "total");
  resource.replenishable = json::get_bool(body, "replenishable", true);
  resource.created_at = instant_of(body, "created_at");
  resource.tags = tags_of(body);
  for (const auto& token : json::get_array(body, "update_tokens"))
    resource.update_tokens.emplace_back(string_of(token, "token"), instant_of(token, "at"));
  const std::string name = resource.name;
  world.state.consumables[name] = std::move(resource);
  return {};
}

Result<void> load_share_use(World& world, const json::Value& body) {
  const QueueNo queue{static_cast<std::uint64_t>(json::get_int(body, "queue"))};
  const std::string share = string_of(body, "share");
  if (share.empty()) return fail(Code::Internal, "it has no share");
  if (!world.state.queues.contains(queue)) return fail(Code::Internal, "its queue is missing");
  world.state.shares[queue][share] = {.average = json::get_int(body, "average"),
                                      .as_of = instant_of(body, "as_of"),
                                      .idle_since = instant_of(body, "idle_since")};
  return {};
}

constexpr std::array<std::string_view, 3> kStrategyNames = {"RESERVE", "LEND", "LEND_AND_BORROW"};

Result<void> load_quota_share(World& world, const json::Value& body) {
  QuotaShare share;
  share.name = TRY(name_of(body));
  share.queue = QueueNo{static_cast<std::uint64_t>(json::get_int(body, "queue"))};
  if (!world.state.queues.contains(share.queue)) return fail(Code::Internal, "its job queue is missing");
  share.enabled = json::get_bool(body, "enabled");
  for (const auto& entry : json::get_array(body, "limits")) {
    CapacityLimit limit{.max = json::get_int(entry, "max"), .given = string_of(entry, "unit"), .unit = {}};
    const auto unit = parse_capacity_unit(limit.given);
    if (!unit) return fail(Code::Internal, "the unit " + limit.given + " is not known to this program");
    limit.unit = *unit;
    share.limits.push_back(std::move(limit));
  }
  const auto strategy = std::ranges::find(kStrategyNames, string_of(body, "strategy"));
  if (strategy == kStrategyNames.end()) return fail(Code::Internal, "its strategy is unknown");
  share.sharing.strategy = static_cast<QuotaSharing::Strategy>(strategy - kStrategyNames.begin());
  share.sharing.borrow_percent = json::get_int(body, "borrow_percent", QuotaSharing::kNoBorrowLimit);
  share.preempts_inside = json::get_bool(body, "preempts_inside");
  share.tags = tags_of(body);
  const std::string name = share.name;
  world.state.quota_shares[share.queue][name] = std::move(share);
  return {};
}

Result<void> load_body(World& world, const DocumentRecord& record) {
  if (record.version != kVersion)
    return fail(Code::Internal,
                "its version " + std::to_string(record.version) + " is not known to this program");
  const json::Value body = TRY(json::parse(record.body));
  switch (record.kind) {
    case DocumentKind::JobDefinition:
      return load_definition(world, body);
    case DocumentKind::JobSpec:
      return load_spec(world, body);
    case DocumentKind::JobQueue:
      return load_queue(world, body);
    case DocumentKind::ComputeEnvironment:
      return load_environment(world, body);
    case DocumentKind::SchedulingPolicy:
      return load_policy(world, body);
    case DocumentKind::ConsumableResource:
      return load_consumable(world, body);
    case DocumentKind::MachineRevision:
      return load_machine_revision(world, body);
    case DocumentKind::StateMachine:
      return load_state_machine(world, body);
    case DocumentKind::Activity:
      return load_activity(world, body);
    case DocumentKind::ShareUse:
      return load_share_use(world, body);
    case DocumentKind::QuotaShare:
      return load_quota_share(world, body);
    case DocumentKind::Fleet:
      return load_fleet(world, body);
    case DocumentKind::LaunchedNode:
      return load_launched_node(world, body);
    case DocumentKind::CostDay:
      return load_cost_day(world, body);
  }
  return fail(Code::Internal, "its kind is not known to this program");
}

template <class Map, class Key>
const typename Map::mapped_type* find_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

template <class Thing>
std::optional<DocumentRecord> record_of(const Thing* thing) {
  if (thing == nullptr) return std::nullopt;
  return to_record(*thing);
}

}  // namespace

DocumentRecord document(DocumentKind kind, std::string key, json::Object body) {
  return {.kind = kind,
          .key = std::move(key),
          .version = kVersion,
          .body = json::write(json::Value(std::move(body)))};
}

DocumentRecord to_record(const JobDefinition& definition) {
  json::Object body{{"name", definition.name},
                    {"revision", definition.revision},
                    {"active", definition.active},
                    {"tags", to_json(definition.tags)},
                    {"document", to_json(definition.document)}};
  if (definition.deregistered_at) body["deregistered_at"] = definition.deregistered_at.ms;
  return document(DocumentKind::JobDefinition, definition.id(), std::move(body));
}

DocumentRecord to_record(const JobSpec& spec) {
  json::Object body{{"no", spec.no.value}, {"definition", spec.definition->id()}};
  if (spec.overrides) body["overrides"] = *spec.overrides;
  if (!spec.wish_tags.empty()) body["wishes"] = to_json(spec.wish_tags);
  if (spec.node_class >= 0) body["node_class"] = spec.node_class;
  return document(DocumentKind::JobSpec, std::to_string(spec.no.value), std::move(body));
}

DocumentRecord to_record(const JobQueue& queue) {
  json::Array environments;
  for (std::size_t i = 0; i < queue.environments.size(); ++i)
    environments.push_back(
        json::Object{{"name", queue.environments[i]}, {"order", queue.environment_orders[i]}});
  json::Object body = {{"no", queue.no.value},
                       {"name", queue.name},
                       {"enabled", queue.enabled},
                       {"deleted", queue.deleted},
                       {"priority", queue.priority},
                       {"environments", std::move(environments)},
                       {"scheduling_policy", queue.scheduling_policy},
                       {"type", queue.type},
                       {"time_limit_actions", to_json(queue.time_limit_actions)},
                       {"tags", to_json(queue.tags)}};
  if (queue.stuck.job)
    body["stuck"] = json::Object{
        {"job", queue.stuck.job.value}, {"reason", queue.stuck.reason}, {"since", queue.stuck.since.ms}};
  return document(DocumentKind::JobQueue, std::to_string(queue.no.value), std::move(body));
}

DocumentRecord to_record(const ComputeEnvironment& environment) {
  return document(DocumentKind::ComputeEnvironment, environment.name,
                  {{"name", environment.name},
                   {"managed", environment.managed},
                   {"enabled", environment.enabled},
                   {"document", to_json(environment.document)},
                   {"uuid", environment.uuid},
                   {"created_at", environment.created_at.ms},
                   {"tags", to_json(environment.tags)}});
}

DocumentRecord to_record(const SchedulingPolicy& policy) {
  return document(
      DocumentKind::SchedulingPolicy, policy.name,
      {{"name", policy.name}, {"document", to_json(policy.document)}, {"tags", to_json(policy.tags)}});
}

DocumentRecord to_record(const ConsumableResource& resource) {
  json::Array tokens;
  for (const auto& [token, at] : resource.update_tokens)
    tokens.push_back(json::Object{{"token", token}, {"at", at.ms}});
  return document(DocumentKind::ConsumableResource, resource.name,
                  {{"name", resource.name},
                   {"total", resource.total},
                   {"replenishable", resource.replenishable},
                   {"created_at", resource.created_at.ms},
                   {"tags", to_json(resource.tags)},
                   {"update_tokens", std::move(tokens)}});
}

std::string share_key(QueueNo queue, const std::string& share) {
  return std::to_string(queue.value) + "/" + share;
}

DocumentRecord to_record(QueueNo queue, const std::string& share, const ShareUse& use) {
  return document(DocumentKind::ShareUse, share_key(queue, share),
                  {{"queue", queue.value},
                   {"share", share},
                   {"average", use.average},
                   {"as_of", use.as_of.ms},
                   {"idle_since", use.idle_since.ms}});
}

DocumentRecord to_record(const QuotaShare& share) {
  json::Array limits;
  for (const CapacityLimit& limit : share.limits)
    limits.push_back(json::Object{{"max", limit.max}, {"unit", limit.given}});
  return document(DocumentKind::QuotaShare, quota_share_key(share.queue, share.name),
                  {{"name", share.name},
                   {"queue", share.queue.value},
                   {"enabled", share.enabled},
                   {"limits", std::move(limits)},
                   {"strategy", kStrategyNames[static_cast<std::size_t>(share.sharing.strategy)]},
                   {"borrow_percent", share.sharing.borrow_percent},
                   {"preempts_inside", share.preempts_inside},
                   {"tags", to_json(share.tags)}});
}

std::optional<DocumentRecord> document_record(const State& state, DocumentKind kind, const std::string& key) {
  const auto number = [&] { return static_cast<std::uint64_t>(parse_int(key).value_or(0)); };
  switch (kind) {
    case DocumentKind::JobDefinition:
      return record_of(state.find_definition(key).get());
    case DocumentKind::JobSpec: {
      const auto* spec = find_in(state.specs, SpecNo{number()});
      return record_of(spec == nullptr ? nullptr : spec->get());
    }
    case DocumentKind::JobQueue:
      return record_of(find_in(state.queues, QueueNo{number()}));
    case DocumentKind::ComputeEnvironment:
      return record_of(find_in(state.environments, key));
    case DocumentKind::SchedulingPolicy:
      return record_of(find_in(state.policies, key));
    case DocumentKind::ConsumableResource:
      return record_of(find_in(state.consumables, key));
    case DocumentKind::MachineRevision: {
      const auto* kept = find_in(state.machines.revisions, RevisionNo{number()});
      return record_of(kept == nullptr ? nullptr : kept->revision.get());
    }
    case DocumentKind::StateMachine:
      return record_of(find_in(state.machines.machines, MachineNo{number()}));
    case DocumentKind::Activity:
      return record_of(find_in(state.machines.activities, ActivityNo{number()}));
    case DocumentKind::ShareUse: {
      const auto slash = key.find('/');
      const QueueNo queue{static_cast<std::uint64_t>(parse_int(key.substr(0, slash)).value_or(0))};
      const std::string share = key.substr(slash + 1);
      const ShareUse* use = find_share(state, queue, share);
      if (use == nullptr) return std::nullopt;
      return to_record(queue, share, *use);
    }
    case DocumentKind::QuotaShare: {
      const auto slash = key.find('/');
      const auto queue = parse_int(std::string_view(key).substr(0, slash)).value_or(0);
      return record_of(slash == std::string::npos
                           ? nullptr
                           : state.find_quota_share(QueueNo{static_cast<std::uint64_t>(queue)},
                                                    std::string_view(key).substr(slash + 1)));
    }
    case DocumentKind::Fleet:
      return record_of(find_in(state.fleets, key));
    case DocumentKind::LaunchedNode:
      return record_of(find_in(state.launched, key));
    case DocumentKind::CostDay: {
      const auto slash = key.find('/');
      const Instant day{parse_int(std::string_view(key).substr(0, slash)).value_or(0)};
      return record_of(find_in(state.cost_days, std::pair(day, key.substr(slash + 1))));
    }
  }
  return std::nullopt;
}

Result<void> load_document(World& world, const DocumentRecord& record) {
  auto loaded = load_body(world, record);
  if (loaded) return {};
  const auto kind = static_cast<std::size_t>(record.kind);
  const std::string_view name = kind < kDocumentKindCount ? kDocumentKindNames[kind] : "documents";
  return fail(Code::Internal,
              "loading " + std::string(name) + " " + record.key + ": " + loaded.error().message);
}

}  // namespace stoker::core
