#include "core/schedule/quota/rights.h"

#include <algorithm>
#include <limits>

#include "core/schedule/fit.h"

namespace stoker::core {
namespace {

using Kind = CapacityUnit::Kind;

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;
// Amazon's code for a job that a share can never run (AWS Batch User Guide, sm_job_stuck_in_runnable).
constexpr std::string_view kLimitExceeded = "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - ";

const CapacityLimit* limit_of(const QuotaShare& share, const CapacityUnit& unit) {
  const auto found = std::ranges::find(share.limits, unit, &CapacityLimit::unit);
  return found == share.limits.end() ? nullptr : &*found;
}

std::int64_t use_of(const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit) {
  return view.book.of(share.name).of(limit.unit);
}

// How much a share may hold beyond the limit, whoever lends.
std::int64_t borrow_cap(const QuotaShare& share, const CapacityLimit& limit) {
  if (!share.sharing.borrows()) return 0;
  if (share.sharing.borrow_percent == QuotaSharing::kNoBorrowLimit) return kUnbounded;
  return limit.milli() / 100 * share.sharing.borrow_percent;
}

// What others would lend if they ran nothing.
std::int64_t most_to_lend(const QuotaShares& shares, const std::string& borrower, const CapacityUnit& unit) {
  std::int64_t most = 0;
  for (const auto& [name, share] : shares)
    if (const CapacityLimit* limit = limit_of(share, unit);
        limit != nullptr && name != borrower && share.sharing.lends())
      most += limit->milli();
  return most;
}

std::int64_t room(const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit, bool may_borrow,
                  QuotaRight right) {
  const std::int64_t own = limit.milli() - use_of(view, share, limit);
  if (right == QuotaRight::Own || !may_borrow || !share.sharing.borrows()) return own;
  const std::int64_t left = borrow_cap(share, limit) - std::max<std::int64_t>(-own, 0);
  const std::int64_t more = std::min(left, idle_to_lend(view, share.name, limit.unit));
  // What others hold beyond what is lent takes nothing from what is its own.
  return own < 0 ? more : own + std::max<std::int64_t>(more, 0);
}

// What a run that may go anywhere takes of units that count everything.
std::int64_t sure_need(const CapacityUnit& unit, const Resources& resources) {
  return unit.kind == Kind::Gpu || unit.kind == Kind::Vcpu ? amount_of(unit, resources, {}) : 0;
}

std::string refusal(const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit,
                    std::int64_t need, bool may_borrow, bool never) {
  const auto amount = [&](std::int64_t milli) { return thousandths(milli) + " " + limit.given; };
  const std::int64_t used = use_of(view, share, limit);
  std::string text = (never ? "The job is larger than what quota share " : "Waits for quota share ") +
                     share.name + (never ? " may ever have" : "") + ": asks " + amount(need) + ", " +
                     thousandths(used) + " of " + amount(limit.milli()) + " are in use";
  if (!share.sharing.borrows()) return text + "; it does not borrow";
  if (!may_borrow) return text + "; a job that is not preemptible does not borrow";
  const std::int64_t beyond = std::max<std::int64_t>(used - limit.milli(), 0);
  if (share.sharing.borrow_percent != QuotaSharing::kNoBorrowLimit)
    text +=
        "; " + thousandths(beyond) + " of " + amount(borrow_cap(share, limit)) + " that it may borrow are";
  else if (beyond > 0)
    text += ", " + thousandths(beyond) + " of them borrowed";
  return text + "; idle and lent by other shares: " +
         amount(std::max<std::int64_t>(idle_to_lend(view, share.name, limit.unit), 0));
}

bool can_ever(const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit, std::int64_t need,
              bool may_borrow) {
  return need <= (may_borrow ? most_to_hold(view.shares, share, limit) : limit.milli());
}

void refuse(QuotaVerdict& verdict, const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit,
            std::int64_t need, bool may_borrow) {
  verdict.ok = false;
  verdict.short_of = limit.unit;
  verdict.never = !can_ever(view, share, limit, need, may_borrow);
  verdict.text = verdict.never ? kLimitExceeded : std::string_view();
  verdict.text += refusal(view, share, limit, need, may_borrow, verdict.never);
}

}  // namespace

QuotaVerdict may_start(const QuotaView& view, const std::string& name, const Resources& resources,
                       bool may_borrow, QuotaRight right) {
  QuotaVerdict verdict{.ok = true};
  const auto found = view.shares.find(name);
  if (found == view.shares.end()) return verdict;  // submitted before the queue had shares
  const QuotaShare& share = found->second;
  const std::int64_t gpu = resources.all_gpu_milli();
  const CapacityLimit* first_full = nullptr;  // of those of which one must have room
  bool by_model = false;
  bool by_instance = false;
  for (const CapacityLimit& limit : share.limits) {
    const std::int64_t free = room(view, share, limit, may_borrow, right);
    const std::int64_t need = limit.unit.kind == Kind::GpuModel ? gpu : sure_need(limit.unit, resources);
    if (limit.unit.kind == Kind::Instance) {
      by_instance = true;
      if (free > 0)
        verdict.instance_types.push_back(limit.unit.name);
      else if (first_full == nullptr)
        first_full = &limit;
    } else if (limit.unit.kind == Kind::GpuModel) {
      by_model = by_model || gpu > 0;
      if (need > 0 && need <= free)
        verdict.gpu_models.push_back(limit.unit.name);
      else if (need > 0 && (first_full == nullptr || can_ever(view, share, limit, need, may_borrow)))
        first_full = &limit;
    } else if (need > free && need > 0) {
      refuse(verdict, view, share, limit, need, may_borrow);
      return verdict;
    }
  }
  if ((by_model && verdict.gpu_models.empty()) || (by_instance && verdict.instance_types.empty()))
    refuse(verdict, view, share, *first_full, first_full->unit.kind == Kind::GpuModel ? gpu : 1, may_borrow);
  return verdict;
}

bool has_room(const QuotaView& view, const std::string& name, const Resources& resources, const QuotaUse& use,
              bool may_borrow, QuotaRight right) {
  const PlacedNeeds one{resources, use};
  return has_room(view, name, {&one, 1}, may_borrow, right);
}

bool has_room(const QuotaView& view, const std::string& name, std::span<const PlacedNeeds> runs,
              bool may_borrow, QuotaRight right) {
  const auto found = view.shares.find(name);
  if (found == view.shares.end()) return true;
  return std::ranges::all_of(found->second.limits, [&](const CapacityLimit& limit) {
    std::int64_t need = 0;
    for (const PlacedNeeds& run : runs) need += amount_of(limit.unit, run.resources, run.use);
    return need == 0 || need <= room(view, found->second, limit, may_borrow, right);
  });
}

std::int64_t borrowed(const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit) {
  return std::max<std::int64_t>(use_of(view, share, limit) - limit.milli(), 0);
}

std::int64_t most_to_hold(const QuotaShares& shares, const QuotaShare& share, const CapacityLimit& limit) {
  return limit.milli() + std::min(borrow_cap(share, limit), most_to_lend(shares, share.name, limit.unit));
}

bool is_over(const QuotaView& view, const QuotaShare& share) {
  return std::ranges::any_of(share.limits,
                             [&](const CapacityLimit& limit) { return borrowed(view, share, limit) > 0; });
}

std::int64_t idle_to_lend(const QuotaView& view, const std::string& borrower, const CapacityUnit& unit) {
  std::int64_t idle = 0;
  for (const auto& [name, share] : view.shares) {
    const CapacityLimit* limit = limit_of(share, unit);
    if (limit == nullptr) continue;
    idle -= borrowed(view, share, *limit);
    if (name != borrower && share.sharing.lends())
      idle += std::max<std::int64_t>(limit->milli() - use_of(view, share, *limit), 0);
  }
  return idle;
}

std::vector<QuotaLoan> loans(const QuotaView& view) {
  std::vector<QuotaLoan> all;
  std::map<std::pair<std::string, CapacityUnit>, std::int64_t> lent;
  for (const auto& [borrower, share] : view.shares) {
    for (const CapacityLimit& limit : share.limits) {
      std::int64_t rest = borrowed(view, share, limit);
      for (const auto& [lender, other] : view.shares) {
        const CapacityLimit* theirs = limit_of(other, limit.unit);
        if (rest == 0) break;
        if (theirs == nullptr || lender == borrower || !other.sharing.lends()) continue;
        std::int64_t& given = lent[{lender, limit.unit}];
        const std::int64_t idle = theirs->milli() - use_of(view, other, *theirs) - given;
        const std::int64_t part = std::min(rest, std::max<std::int64_t>(idle, 0));
        if (part == 0) continue;
        given += part;
        rest -= part;
        all.push_back({borrower, lender, limit, part});
      }
      if (rest > 0) all.push_back({borrower, "", limit, rest});
    }
  }
  return all;
}

std::string describe(const QuotaView& view, const QuotaShare& share) {
  std::string text = "Quota share " + share.name + " uses";
  std::string separator = " ";
  for (const CapacityLimit& limit : share.limits) {
    text += separator + thousandths(use_of(view, share, limit)) + " of " + thousandths(limit.milli()) + " " +
            limit.given;
    separator = ", ";
  }
  for (const QuotaLoan& loan : loans(view)) {
    const std::string amount = thousandths(loan.milli) + " " + loan.limit.given;
    if (loan.borrower == share.name)
      text += loan.lender.empty() ? "; " + amount + " are beyond what it may have"
                                  : "; " + amount + " are borrowed from " + loan.lender;
    else if (loan.lender == share.name)
      text += "; " + amount + " are lent to " + loan.borrower;
  }
  return text;
}

}  // namespace stoker::core
