#include "core/resources/quota_shares.h"

#include <algorithm>

#include "base/text.h"
#include "core/resources/capacity_units.h"
#include "core/resources/resources.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

constexpr std::size_t kUnitTextMax = 64;  // characters of what was given, in a text

// A unit that nothing has would be a limit without effect, or one that nothing can start under. Units that
// the share has already stay legal when the last machine with them goes.
bool can_count(const World& world, const CapacityUnit& unit, const std::vector<CapacityLimit>& before) {
  if (std::ranges::find(before, unit, &CapacityLimit::unit) != before.end()) return true;
  const auto& launching = world.settings.launching;
  return is_known_unit(unit, launching ? launching->catalogue : fleet::Catalogue::builtin(),
                       world.state.nodes);
}

// `before`: of the share until now.
Result<std::vector<CapacityLimit>> read_limits(const World& world, const std::vector<CapacityLimit>& given,
                                               const std::vector<CapacityLimit>& before) {
  const std::string place = "capacityLimits";
  if (given.empty() || given.size() > kQuotaLimitsMax) return refuse(place, "must have 1 to 5 entries");
  std::vector<CapacityLimit> limits = given;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    CapacityLimit& limit = limits[i];
    const std::string at = item_of(place, i);
    if (limit.max < 0 || limit.max > kQuotaCapacityMax)
      return refuse(member_of(at, "maxCapacity"),
                    "must be between 0 and " + std::to_string(kQuotaCapacityMax));
    const auto unit = parse_capacity_unit(limit.given);
    if (!unit || !can_count(world, *unit, before))
      return refuse(
          member_of(at, "capacityUnit"),
          "must be GPU, VCPU, the model of a GPU that this server knows, such as A100, or an instance type "
          "such as g5.12xlarge, not '" +
              to_valid_utf8(std::string_view(limit.given).substr(0, kUnitTextMax)) + "'");
    limit.unit = *unit;
    for (std::size_t k = 0; k < i; ++k)
      if (limits[k].unit == limit.unit) return refuse(place, "the unit " + limit.given + " is given twice");
  }
  return limits;
}

Result<void> check_sharing(const QuotaSharing& sharing) {
  if (sharing.borrow_percent == QuotaSharing::kNoBorrowLimit) return {};
  const std::string place = "resourceSharingConfiguration.borrowLimit";
  if (!sharing.borrows()) return refuse(place, "is given only with the strategy LEND_AND_BORROW");
  if (sharing.borrow_percent < 0 || sharing.borrow_percent > kBorrowPercentMax)
    return refuse(place, "must be -1 for no limit, or between 0 and " + std::to_string(kBorrowPercentMax));
  return {};
}

Result<const JobQueue*> queue_of(const State& state, const std::string& name) {
  const JobQueue* queue = state.find_queue(name);
  if (queue == nullptr) return fail(Code::NotFound, "Job queue " + name + " does not exist");
  return queue;
}

Result<QuotaShare*> share_of(World& world, const std::string& queue_name, const std::string& name) {
  const JobQueue* queue = world.state.find_queue(queue_name);
  QuotaShare* share = queue == nullptr ? nullptr : world.state.find_quota_share(queue->no, name);
  if (share == nullptr)
    return fail(Code::NotFound, "Quota share " + name + " of job queue " + queue_name + " does not exist");
  return share;
}

void shares_changed(World& world, QueueNo queue) {
  world.pass_due = true;
  const auto book = world.state.quota_books.find(queue);
  if (book != world.state.quota_books.end()) world.quota_books_at_change[queue] = book->second;
}

void note(World& world, const QuotaShare& share) {
  world.changes.document(DocumentKind::QuotaShare, quota_share_key(share.queue, share.name));
  shares_changed(world, share.queue);
}

}  // namespace

std::string quota_share_key(QueueNo queue, std::string_view share) {
  return std::to_string(queue.value) + "/" + std::string(share);
}

std::pair<std::string_view, std::string_view> quota_share_in(std::string_view text) {
  constexpr std::string_view kBetween = "/quota-share/";
  const auto at = text.find(kBetween);
  if (at == std::string_view::npos) return {};
  return {text.substr(0, at), text.substr(at + kBetween.size())};
}

bool has_quota_shares(const State& state, const JobQueue& queue) {
  if (state.quota_shares.contains(queue.no)) return true;
  const auto policy = state.policies.find(queue.scheduling_policy);
  return policy != state.policies.end() && policy->second.is_quota();
}

Result<void> check_quota_share(const State& state, const JobQueue& queue, std::string_view name) {
  const QuotaShare* share = state.find_quota_share(queue.no, name);
  if (share == nullptr)
    return fail(Code::InvalidArgument, "shareIdentifier: quota share " + std::string(name) +
                                           " of job queue " + queue.name + " does not exist");
  if (!share->enabled)
    return fail(Code::InvalidArgument, "Quota share " + share->name + " of job queue " + queue.name +
                                           " is DISABLED: it accepts no new jobs");
  return {};
}

Result<Answer> create_quota_share(World& world, Instant, const CreateQuotaShare& request) {
  TRY(check_name("Quota share name", request.name));
  State& state = world.state;
  const JobQueue& queue = *TRY(queue_of(state, request.queue));
  if (state.find_quota_share(queue.no, request.name) != nullptr)
    return fail(Code::AlreadyExists,
                "Object already exists: quota share " + request.name + " of job queue " + queue.name);
  if (const auto shares = state.quota_shares.find(queue.no);
      shares != state.quota_shares.end() && shares->second.size() >= kQuotaSharesMax)
    return fail(Code::LimitExceeded, "Job queue " + queue.name + " has " + std::to_string(kQuotaSharesMax) +
                                         " quota shares, the most it can have");
  QuotaShare share;
  share.limits = TRY(read_limits(world, request.limits, {}));
  TRY(check_sharing(request.sharing));
  TRY(check_tags(ResourceKind::QuotaShare, request.tags));
  share.name = request.name;
  share.queue = queue.no;
  share.enabled = request.enabled;
  share.sharing = request.sharing;
  share.preempts_inside = request.preempts_inside;
  share.tags = request.tags;
  note(world, share);
  state.quota_shares[queue.no].emplace(request.name, std::move(share));
  return Done{};
}

Result<Answer> update_quota_share(World& world, Instant, const UpdateQuotaShare& request) {
  QuotaShare& share = *TRY(share_of(world, request.queue, request.name));
  std::vector<CapacityLimit> limits = share.limits;
  if (request.limits) limits = TRY(read_limits(world, *request.limits, share.limits));
  if (request.sharing) TRY(check_sharing(*request.sharing));
  share.limits = std::move(limits);
  share.sharing = request.sharing.value_or(share.sharing);
  share.preempts_inside = request.preempts_inside.value_or(share.preempts_inside);
  share.enabled = request.enabled.value_or(share.enabled);
  note(world, share);
  return Done{};
}

Result<Answer> delete_quota_share(World& world, Instant, const DeleteQuotaShare& request) {
  const QuotaShare& share = *TRY(share_of(world, request.queue, request.name));
  if (share.enabled)
    return fail(Code::Conflict, "Cannot delete, quota share " + request.name + " must be DISABLED first");
  const QueueNo queue = share.queue;
  world.changes.removed_document(DocumentKind::QuotaShare, quota_share_key(queue, request.name));
  auto& shares = world.state.quota_shares.at(queue);
  shares.erase(request.name);
  if (shares.empty()) world.state.quota_shares.erase(queue);
  shares_changed(world, queue);
  return Done{};
}

void delete_quota_shares_of(World& world, QueueNo queue) {
  const auto found = world.state.quota_shares.find(queue);
  if (found == world.state.quota_shares.end()) return;
  for (const auto& [name, share] : found->second)
    world.changes.removed_document(DocumentKind::QuotaShare, quota_share_key(queue, name));
  world.state.quota_shares.erase(found);
}

}  // namespace stoker::core
