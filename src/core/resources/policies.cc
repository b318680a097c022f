#include <algorithm>
#include <cmath>

#include "core/resources/limits.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::int64_t kShareDecayMaxSeconds = 604'800;
constexpr std::int64_t kReservationMax = 99;
constexpr std::size_t kSharesMax = 500;
constexpr std::size_t kShareMax = 255;
constexpr double kWeightMin = 0.0001;
constexpr double kWeightMax = 999.9999;
constexpr double kWeightDefault = 1.0;

constexpr std::string_view kFair = "fairsharePolicy";
constexpr std::string_view kQuota = "quotaSharePolicy";

// Whether a job could belong to both: the same id, or a prefix ("UserA*") of the other.
bool overlap(std::string_view a, std::string_view b) {
  const bool a_prefix = a.ends_with('*');
  const bool b_prefix = b.ends_with('*');
  if (a_prefix) a.remove_suffix(1);
  if (b_prefix) b.remove_suffix(1);
  if (a_prefix && b.starts_with(a)) return true;
  if (b_prefix && a.starts_with(b)) return true;
  return a == b;
}

double weight_in(const json::Value& share) {
  const json::Value* weight = json::find(share, "weightFactor");
  if (weight == nullptr) return kWeightDefault;
  return weight->is_double() ? weight->get_double()
                             : static_cast<double>(json::get_int(share, "weightFactor"));
}

Result<void> check_weight(const json::Value& share, const std::string& place) {
  const double value = weight_in(share);
  if (value >= kWeightMin && value <= kWeightMax) return {};
  return refuse(member_of(place, "weightFactor"), "must be between 0.0001 and 999.9999");
}

Result<void> check_shares(const json::Value& policy) {
  const std::string place = "fairsharePolicy.shareDistribution";
  const auto& shares = json::get_array(policy, "shareDistribution");
  if (shares.size() > kSharesMax) return refuse(place, "must have at most 500 entries");
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::string at = item_of(place, i);
    const auto id = json::get_string(shares[i], "shareIdentifier");
    const auto letters = id.ends_with('*') ? id.substr(0, id.size() - 1) : id;
    if (letters.empty() || letters.size() > kShareMax || !all_of_set(letters, ""))
      return refuse(member_of(at, "shareIdentifier"),
                    "must have up to 255 letters and digits, and may end in '*'");
    TRY(check_weight(shares[i], at));
    for (std::size_t k = 0; k < i; ++k)
      if (const auto other = json::get_string(shares[k], "shareIdentifier"); overlap(id, other))
        return refuse(place, std::string(other) + " and " + std::string(id) + " overlap");
  }
  return {};
}

Result<json::Value> fair_share_document(const json::Value* given) {
  static const json::Value nothing = json::Object{};
  const json::Value& policy = given == nullptr ? nothing : *given;
  TRY(check_range(policy, "shareDecaySeconds", kFair, 0, kShareDecayMaxSeconds));
  TRY(check_range(policy, "computeReservation", kFair, 0, kReservationMax));
  TRY(check_shares(policy));
  json::Array shares;
  for (const auto& share : json::get_array(policy, "shareDistribution")) {
    json::Value complete = share;
    if (json::find(share, "weightFactor") == nullptr) complete.as_object()["weightFactor"] = kWeightDefault;
    shares.push_back(std::move(complete));
  }
  return json::Value(
      json::Object{{kFair, json::Object{{"shareDecaySeconds", json::get_int(policy, "shareDecaySeconds")},
                                        {"computeReservation", json::get_int(policy, "computeReservation")},
                                        {"shareDistribution", std::move(shares)}}}});
}

Result<json::Value> complete_document(const json::Value& request) {
  const json::Value* fair = json::find(request, kFair);
  const json::Value* quota = json::find(request, kQuota);
  if (fair != nullptr && quota != nullptr)
    return fail(Code::InvalidArgument,
                "A scheduling policy has only one of fairsharePolicy and quotaSharePolicy");
  if (quota == nullptr) return fair_share_document(fair);
  TRY(check_one_of(*quota, "idleResourceAssignmentStrategy", kQuota, {"FIFO"}));
  if (!is_given(*quota, "idleResourceAssignmentStrategy"))
    return refuse("quotaSharePolicy.idleResourceAssignmentStrategy", "is required");
  return json::Value(json::Object{{kQuota, *quota}});
}

}  // namespace

FairShare read_fair_share(const json::Value& document) {
  FairShare out;
  const json::Value* policy = json::find(document, kFair);
  if (policy == nullptr) return out;
  out.window = std::max(FairShare::kWindowMin, seconds(json::get_int(*policy, "shareDecaySeconds")));
  out.reservation_percent = static_cast<int>(json::get_int(*policy, "computeReservation"));
  for (const json::Value& share : json::get_array(*policy, "shareDistribution")) {
    std::string name(json::get_string(share, "shareIdentifier"));
    // Rounded once, here; everything behind reckons in whole numbers.
    const std::int64_t weight = std::llround(weight_in(share) * FairShare::kWeightOne);
    if (!name.ends_with('*')) {
      out.weights.emplace(std::move(name), weight);
    } else {
      name.pop_back();
      out.prefixes.emplace(std::move(name), weight);
    }
  }
  return out;
}

Result<Answer> create_scheduling_policy(World& world, Instant, const CreateSchedulingPolicy& request) {
  TRY(check_name("Scheduling policy name", request.name));
  auto& policies = world.state.policies;
  if (policies.contains(request.name))
    return fail(Code::AlreadyExists, "Object already exists: scheduling policy " + request.name);
  if (policies.size() >= kPoliciesMax)
    return fail(Code::LimitExceeded, "There are too many scheduling policies");
  json::Value document = TRY(complete_document(request.document ? *request.document : json::Value()));
  TRY(check_tags(ResourceKind::SchedulingPolicy, request.tags));
  FairShare fair_share = read_fair_share(document);
  policies.emplace(request.name,
                   SchedulingPolicy{.name = request.name,
                                    .document = std::make_shared<const json::Value>(std::move(document)),
                                    .tags = request.tags,
                                    .fair_share = std::move(fair_share)});
  world.changes.document(DocumentKind::SchedulingPolicy, request.name);
  return Done{};
}

Result<Answer> update_scheduling_policy(World& world, Instant, const UpdateSchedulingPolicy& request) {
  const auto found = world.state.policies.find(request.name);
  if (found == world.state.policies.end())
    return fail(Code::NotFound, "Scheduling policy " + request.name + " does not exist");
  static const json::Value nothing;
  const json::Value& given = request.document ? *request.document : nothing;
  if (json::find(given, kFair) == nullptr && json::find(given, kQuota) == nullptr) return Done{};
  json::Value document = TRY(complete_document(given));
  const auto is_quota = [](const json::Value& policy) { return json::find(policy, kQuota) != nullptr; };
  if (is_quota(document) != is_quota(*found->second.document))
    return fail(Code::InvalidArgument,
                "The kind of scheduling policy " + request.name + " cannot be changed");
  found->second.fair_share = read_fair_share(document);
  found->second.document = std::make_shared<const json::Value>(std::move(document));
  world.changes.document(DocumentKind::SchedulingPolicy, request.name);
  world.pass_due = true;
  return Done{};
}

Result<Answer> delete_scheduling_policy(World& world, Instant, const DeleteSchedulingPolicy& request) {
  const auto found = world.state.policies.find(request.name);
  if (found == world.state.policies.end())
    return fail(Code::NotFound, "Scheduling policy " + request.name + " does not exist");
  for (const auto& [no, queue] : world.state.queues)
    if (!queue.deleted && queue.scheduling_policy == request.name)
      return fail(Code::Conflict,
                  "Cannot delete, scheduling policy " + request.name + " is used by job queue " + queue.name);
  world.state.policies.erase(found);
  world.changes.removed_document(DocumentKind::SchedulingPolicy, request.name);
  return Done{};
}

}  // namespace stoker::core
