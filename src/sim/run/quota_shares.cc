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

Result<void> read_limit(Members& members, core::CapacityLimit& limit) {
  TRY(members.whole("maxCapacity", 0, core::kQuotaCapacityMax, limit.max));
  TRY(members.text("capacityUnit", limit.given));
  const auto unit = core::parse_capacity_unit(limit.given);
  if (!unit) return bad_member("capacityUnit", "must be GPU, VCPU, the model of a GPU or an instance type");
  limit.unit = *unit;
  return {};
}

Result<void> read_sharing(Members& members, core::QuotaSharing& sharing) {
  static constexpr std::pair<std::string_view, Strategy> kStrategies[] = {
      {"RESERVE", Strategy::Reserve}, {"LEND", Strategy::Lend}, {"LEND_AND_BORROW", Strategy::LendAndBorrow}};
  sharing.strategy = TRY(read_word(members, "strategy", kStrategies));
  TRY(members.whole("borrowLimit", core::QuotaSharing::kNoBorrowLimit, core::kBorrowPercentMax,
                    sharing.borrow_percent));
  if (!sharing.borrows() && sharing.borrow_percent != core::QuotaSharing::kNoBorrowLimit)
    return bad_member("borrowLimit", "is given only with the strategy LEND_AND_BORROW");
  return {};
}

Result<void> read_preemption(Members& members, core::QuotaShare& share) {
  static constexpr std::pair<std::string_view, bool> kWords[] = {{"DISABLED", false}, {"ENABLED", true}};
  share.preempts_inside = TRY(read_word(members, "inSharePreemption", kWords));
  return {};
}

Result<void> read_quota_share(Members& members, core::QuotaShare& share) {
  TRY(members.text("quotaShareName", share.name));
  if (share.name.empty()) return bad_member("quotaShareName", "must be given");
  TRY(members.each("capacityLimits", 1, core::kQuotaLimitsMax, [&](Members& member, std::size_t) {
    return read_limit(member, share.limits.emplace_back());
  }));
  TRY(members.object("resourceSharingConfiguration",
                     [&](Members& member) { return read_sharing(member, share.sharing); }));
  return members.object("preemptionConfiguration",
                        [&](Members& member) { return read_preemption(member, share); });
}

}  // namespace

Result<std::vector<core::QuotaShare>> read_quota_shares(Members& queue) {
  std::vector<core::QuotaShare> shares;
  const auto read_one = [&](Members& member, std::size_t) -> Result<void> {
    core::QuotaShare share;
    TRY(read_quota_share(member, share));
    if (std::ranges::find(shares, share.name, &core::QuotaShare::name) != shares.end())
      return bad_member("quotaShareName", share.name + " is there already");
    shares.push_back(std::move(share));
    return {};
  };
  TRY(queue.each("quotaShares", 0, core::kQuotaSharesMax, read_one));
  return shares;
}

}  // namespace stoker::sim
