// Job definitions: register, deregister, describe.
#include "aws/batch/containers.h"
#include "aws/foreign_arns.h"
#include "aws/members.h"
#include "aws/operation.h"
#include "aws/page.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kType = "job-definition";
constexpr std::string_view kList = "definitions";

Result<core::Request> prepare_register(const Place&, json::Value& input, Backend&) {
  return core::RegisterJobDefinition{.name = std::string(json::get_string(input, "jobDefinitionName")),
                                     .document = take_rest(input, {"tags"}),
                                     .tags = read_tags(input)};
}
json::Value finish_register(const Place& place, const json::Value&, const core::Answer& answer) {
  const auto& made = std::get<core::DefinitionRegistered>(answer);
  return json::Object{
      {"jobDefinitionName", made.name},
      {"jobDefinitionArn", batch_arn(place, kType, made.name + ':' + std::to_string(made.revision))},
      {"revision", made.revision}};
}

Result<core::Request> prepare_deregister(const Place&, json::Value& input, Backend&) {
  auto [name, revision] = TRY(definition_in(json::get_string(input, "jobDefinition")));
  return core::DeregisterJobDefinition{.name = std::move(name), .revision = revision};
}
json::Value finish_deregister(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

json::Value detail(const Place& place, const core::JobDefinition& definition) {
  const json::Value& document = *definition.document;
  json::Object out{{"jobDefinitionName", definition.name},
                   {"jobDefinitionArn", batch_arn(place, kType, definition.id())},
                   {"revision", definition.revision},
                   {"status", definition.active ? "ACTIVE" : "INACTIVE"}};
  copy_members(out, document, {"type", "schedulingPriority"});
  out["parameters"] = to_object(definition.parameters);
  copy_members(out, document, {"retryStrategy"});
  if (const json::Value* properties = json::find(document, "containerProperties")) {
    json::Object shown = with_empty_lists(*properties);
    if (definition.fargate && shown.find("fargatePlatformConfiguration") == shown.end()) {
      shown["fargatePlatformConfiguration"] = json::Object{{"platformVersion", "LATEST"}};
    }
    out["containerProperties"] = std::move(shown);
  }
  copy_members(out, document, {"timeout", "nodeProperties"});
  out["tags"] = to_object(definition.tags);
  out["propagateTags"] = definition.propagate_tags;
  copy_members(out, document, {"platformCapabilities", "ecsProperties", "eksProperties"});
  out["containerOrchestrationType"] = definition.kind == core::DefinitionKind::EksPod ? "EKS" : "ECS";
  copy_members(out, document, {"consumableResourceProperties"});
  return out;
}

// The revisions named one by one; what does not exist is left out.
Result<json::Value> describe_named(const Place& place, const json::Value& input, const core::State& state) {
  const json::Array& wanted = json::get_array(input, "jobDefinitions");
  if (wanted.size() > kPageMax)
    return fail(Code::InvalidArgument, "jobDefinitions can have at most 100 entries");
  if (json::find(input, "jobDefinitionName") != nullptr || json::find(input, "status") != nullptr) {
    return fail(Code::InvalidArgument, "jobDefinitions cannot be combined with jobDefinitionName or status");
  }
  json::Array found;
  Named named;
  for (const json::Value& text : wanted) {
    if (is_foreign(place, json::text(text))) continue;
    const auto id = name_in(json::text(text), kType);
    const auto definition = id ? state.find_definition(*id) : nullptr;
    if (definition && named.is_new(definition.get())) found.push_back(detail(place, *definition));
  }
  return json::Object{{"jobDefinitions", std::move(found)}};
}

// Walks all revisions, by name and from the newest down, from where the page before ended.
class Walk {
 public:
  Walk(const Place& place, const Page& page, std::string_view status)
      : place_(place), page_(page), status_(status) {}

  // False when the page is full or enough was looked at.
  bool visit(const core::DefinitionRevisions& all, int below) {
    for (auto it = std::make_reverse_iterator(all.revisions.lower_bound(below)); it != all.revisions.rend();
         ++it) {
      if (found_.size() >= page_.size || ++looked_ > kListScanMax) return false;
      const core::JobDefinition& definition = *it->second;
      last_ = definition.id();
      if (status_.empty() || (status_ == "ACTIVE") == definition.active)
        found_.push_back(detail(place_, definition));
    }
    return true;
  }
  json::Value finish(bool complete) {
    json::Object out{{"jobDefinitions", std::move(found_)}};
    if (!complete) out["nextToken"] = page_token(kList, last_);
    return out;
  }

 private:
  const Place& place_;
  const Page& page_;
  std::string_view status_;
  json::Array found_;
  std::string last_;
  std::size_t looked_ = 0;
};

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const Page page = TRY(read_page(input, kList));
  if (!json::get_array(input, "jobDefinitions").empty()) return describe_named(place, input, state);
  const std::string_view status = json::get_string(input, "status");
  if (!status.empty() && status != "ACTIVE" && status != "INACTIVE") {
    return fail(Code::InvalidArgument, "status must be ACTIVE or INACTIVE");
  }
  constexpr int kAnyRevision = std::numeric_limits<int>::max();
  DefinitionId from{"", kAnyRevision};
  if (!page.after.empty()) from = TRY(definition_in(page.after));

  Walk walk(place, page, status);
  const std::string name(json::get_string(input, "jobDefinitionName"));
  if (!name.empty()) {
    const auto found = state.definitions.find(name);
    if (found == state.definitions.end()) return walk.finish(true);
    return walk.finish(walk.visit(found->second, from.name == name ? from.revision : kAnyRevision));
  }
  for (auto it = state.definitions.lower_bound(from.name); it != state.definitions.end(); ++it) {
    if (!walk.visit(it->second, it->first == from.name ? from.revision : kAnyRevision))
      return walk.finish(false);
  }
  return walk.finish(true);
}

}  // namespace

void add_job_definitions(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchRegisterJobDefinition] = {.prepare = prepare_register, .finish = finish_register};
  handlers[BatchDeregisterJobDefinition] = {.prepare = prepare_deregister, .finish = finish_deregister};
  handlers[BatchDescribeJobDefinitions] = {.read = describe};
}

}  // namespace stoker::aws
