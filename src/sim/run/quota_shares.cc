#include "sim/run/quota_shares.h"

#include <algorithm>

#include "core/resources/capacity_units.h"
#include "core/resources/quota_shares.h"

namespace stoker::sim {
namespace {

using Strategy = core::QuotaSharing::Strategy;

// The text of a member that must be one of some words; absent: the first.
template <class Value, std::size_t N>
Result<Value> read_word(Members& members, std::string_view name,
                        const std::pair<std::string_view, Value> (&words)[N]) {
  std::string given(words[0].first);
  TRY(members.text(name, given));
  std::string known;
  for (const auto& [word, value] : words) {
    if (given == word) return value;
    known.append(known.empty() ? "" : ", ").append(word);
  }
  return bad_member(name, "must be one of " + known);
}

Result<void> read_limits(Members& members, core::QuotaShare& share) {
  const json::Array* list = TRY(members.list("capacityLimits", 1, core::kQuotaLimitsMax));
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto within = [&](Error error) {
      return std::unexpected(std::move(error).within(numbered("capacityLimits", i)));
    };
    Members inner((*list)[i]);
    core::CapacityLimit limit;
    if (auto read = inner.whole("maxCapacity", 0, core::kQuotaCapacityMax, limit.max); !read)
      return within(std::move(read).error());
    if (auto read = inner.text("capacityUnit", limit.given); !read) return within(std::move(read).error());
    if (auto done = inner.nothing_else(); !done) return within(std::move(done).error());
    const auto unit = core::parse_capacity_unit(limit.given);
    if (!unit)
      return within(
          bad_member("capacityUnit", "must be GPU, VCPU, the model of a GPU or an instance type").error());
    limit.unit = *unit;
    share.limits.push_back(std::move(limit));
  }
  return {};
}

Result<void> read_sharing(Members& members, core::QuotaSharing& sharing) {
  const json::Value* value = members.find("resourceSharingConfiguration");
  if (value == nullptr) return {};
  Members inner(*value);
  static constexpr std::pair<std::string_view, Strategy> kStrategies[] = {
      {"RESERVE", Strategy::Reserve}, {"LEND", Strategy::Lend}, {"LEND_AND_BORROW", Strategy::LendAndBorrow}};
  sharing.strategy = TRY(read_word(inner, "strategy", kStrategies));
  TRY(inner.whole("borrowLimit", core::QuotaSharing::kNoBorrowLimit, core::kBorrowPercentMax,
                  sharing.borrow_percent));
  if (!sharing.borrows() && sharing.borrow_percent != core::QuotaSharing::kNoBorrowLimit)
    return bad_member("borrowLimit", "is given only with the strategy LEND_AND_BORROW");
  return inner.nothing_else();
}

Result<core::QuotaShare> read_quota_share(const json::Value& value) {
  Members members(value);
  core::QuotaShare share;
  TRY(members.text("quotaShareName", share.name));
  if (share.name.empty()) return bad_member("quotaShareName", "must be given");
  TRY(read_limits(members, share));
  if (auto read = read_sharing(members, share.sharing); !read)
    return std::unexpected(std::move(read).error().within("resourceSharingConfiguration"));
  if (const json::Value* preemption = members.find("preemptionConfiguration")) {
    Members inner(*preemption);
    static constexpr std::pair<std::string_view, bool> kWords[] = {{"DISABLED", false}, {"ENABLED", true}};
    auto inside = read_word(inner, "inSharePreemption", kWords);
    if (inside) share.preempts_inside = *inside;
    auto done = inside ? inner.nothing_else() : std::unexpected(std::move(inside).error());
    if (!done) return std::unexpected(std::move(done).error().within("preemptionConfiguration"));
  }
  TRY(members.nothing_else());
  return share;
}

}  // namespace

Result<std::vector<core::QuotaShare>> read_quota_shares(Members& queue) {
  std::vector<core::QuotaShare> shares;
  const json::Array* list = TRY(queue.list("quotaShares", 0, core::kQuotaSharesMax));
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    auto share = read_quota_share((*list)[i]);
    if (!share) return std::unexpected(std::move(share).error().within(numbered("quotaShares", i)));
    if (std::ranges::find(shares, share->name, &core::QuotaShare::name) != shares.end())
      return bad_member(numbered("quotaShares", i), "quotaShareName: " + share->name + " is there already");
    shares.push_back(std::move(*share));
  }
  return shares;
}

}  // namespace stoker::sim
