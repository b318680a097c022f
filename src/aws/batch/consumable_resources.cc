// Consumable resources: counters that running jobs hold units of.
#include "aws/members.h"
#include "aws/operation.h"
#include "aws/page.h"

namespace stoker::aws {
namespace {

constexpr std::string_view kType = "consumable-resource";
constexpr std::string_view kReplenishable = "REPLENISHABLE";
constexpr std::string_view kNonReplenishable = "NON_REPLENISHABLE";

std::string_view type_name(bool replenishable) {
  return replenishable ? kReplenishable : kNonReplenishable;
}

Result<core::Request> prepare_create(const Place&, json::Value& input, Backend&) {
  const std::string_view type = json::get_string(input, "resourceType", kReplenishable);
  if (type != kReplenishable && type != kNonReplenishable) {
    return fail(Code::InvalidArgument, "resourceType must be REPLENISHABLE or NON_REPLENISHABLE");
  }
  return core::CreateConsumableResource{
      .name = std::string(json::get_string(input, "consumableResourceName")),
      .total = json::get_int(input, "totalQuantity"),
      .replenishable = type == kReplenishable,
      .tags = read_tags(input)};
}
json::Object name_and_arn(const Place& place, std::string_view name) {
  return {{"consumableResourceName", name}, {"consumableResourceArn", batch_arn(place, kType, name)}};
}
json::Value finish_create(const Place& place, const json::Value& input, const core::Answer&) {
  return name_and_arn(place, json::get_string(input, "consumableResourceName"));
}

Result<std::string> name_of(const json::Value& input) {
  return name_in(json::get_string(input, "consumableResource"), kType);
}
Result<core::Request> prepare_update(const Place&, json::Value& input, Backend&) {
  using Operation = core::UpdateConsumableResource::Operation;
  const std::string_view text = json::get_string(input, "operation", "SET");
  if (text != "SET" && text != "ADD" && text != "REMOVE") {
    return fail(Code::InvalidArgument, "operation must be SET, ADD or REMOVE");
  }
  if (json::find(input, "quantity") == nullptr) return fail(Code::InvalidArgument, "quantity is required");
  return core::UpdateConsumableResource{
      .name = TRY(name_of(input)),
      .operation = text == "SET" ? Operation::Set : (text == "ADD" ? Operation::Add : Operation::Remove),
      .quantity = json::get_int(input, "quantity"),
      .client_token = std::string(json::get_string(input, "clientToken"))};
}
Result<core::Request> prepare_delete(const Place&, json::Value& input, Backend&) {
  return core::DeleteConsumableResource{.name = TRY(name_of(input))};
}
json::Value finish_delete(const Place&, const json::Value&, const core::Answer&) {
  return json::Object{};
}

Result<const core::ConsumableResource*> find(const json::Value& input, const core::State& state) {
  const std::string name = TRY(name_of(input));
  const auto found = state.consumables.find(name);
  if (found == state.consumables.end()) {
    return fail(Code::NotFound, "Consumable resource " + name + " does not exist");
  }
  return &found->second;
}

// What an update answers: the total it came to.
Result<json::Value> total_of(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const core::ConsumableResource& resource = *TRY(find(input, state));
  json::Object out = name_and_arn(place, resource.name);
  out["totalQuantity"] = resource.total;
  return out;
}

Result<json::Value> describe(const Place& place, const json::Value& input, const core::State& state,
                             Instant) {
  const core::ConsumableResource& resource = *TRY(find(input, state));
  json::Object out = name_and_arn(place, resource.name);
  out["totalQuantity"] = resource.total;
  out["inUseQuantity"] = resource.in_use;
  out["availableQuantity"] = std::max<std::int64_t>(0, resource.total - resource.in_use);
  out["resourceType"] = type_name(resource.replenishable);
  out["createdAt"] = resource.created_at.ms;
  out["tags"] = to_object(resource.tags);
  return out;
}

Result<json::Value> list(const Place& place, const json::Value& input, const core::State& state, Instant) {
  const Page page = TRY(read_page(input, "consumables"));
  std::vector<std::string> patterns;
  for (const json::Value& filter : json::get_array(input, "filters")) {
    if (json::get_string(filter, "name") != "CONSUMABLE_RESOURCE_NAME") {
      return fail(Code::InvalidArgument, "The name of a filter must be CONSUMABLE_RESOURCE_NAME");
    }
    for (std::string& value : read_texts(filter, "values")) patterns.push_back(std::move(value));
  }
  return list_page(state.consumables, page, "consumables", "consumableResources",
                   [&](const core::ConsumableResource& resource) -> json::Value {
                     const bool wanted =
                         patterns.empty() || std::ranges::any_of(patterns, [&](const auto& pattern) {
                           return name_matches(pattern, resource.name);
                         });
                     if (!wanted) return nullptr;
                     json::Object out = name_and_arn(place, resource.name);
                     out["totalQuantity"] = resource.total;
                     out["inUseQuantity"] = resource.in_use;
                     out["resourceType"] = type_name(resource.replenishable);
                     return out;
                   });
}

}  // namespace

void add_consumable_resources(Handlers& handlers) {
  using enum OperationId;
  handlers[BatchCreateConsumableResource] = {.prepare = prepare_create, .finish = finish_create};
  handlers[BatchUpdateConsumableResource] = {.prepare = prepare_update, .read = total_of};
  handlers[BatchDeleteConsumableResource] = {.prepare = prepare_delete, .finish = finish_delete};
  handlers[BatchDescribeConsumableResource] = {.read = describe};
  handlers[BatchListConsumableResources] = {.read = list};
}

}  // namespace stoker::aws
