#pragma once
// What a quota share may do at the moment. Pure functions of the shares of one queue and of what runs. The
// predicate that decides is the one that explains.
//
// A share has a right to its limits. What of them a share that lends leaves idle can be borrowed by a share
// that borrows, up to its own borrow limit, unit by unit: GPUs of one share against GPUs of another, never
// GPUs against machines. Nothing is reserved here: whether there is room on the nodes is another question.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/model/definition.h"
#include "core/model/quota.h"
#include "core/schedule/quota/book.h"

namespace stoker::core {

using QuotaShares = std::map<std::string, QuotaShare>;  // of one queue, by name

struct QuotaView {
  const QuotaShares& shares;
  const QuotaBook& book;
};

// On what grounds a job would start.
enum class QuotaRight : std::uint8_t {
  Own,     // within the limits of its share
  Borrow,  // with what other shares lend
};

struct QuotaVerdict {
  bool ok = false;
  // Where the share counts GPUs by model, or machines: those that it has room for; empty: any.
  std::vector<std::string> gpu_models = {};
  std::vector<std::string> instance_types = {};
  CapacityUnit short_of = {};  // when not ok: what it lacks
  bool never = false;          // more than the share can ever have
  std::string text = {};       // why not, for a person: with numbers
};
// `resources`: of the run. `may_borrow`: false for jobs that nobody may stop.
QuotaVerdict may_start(const QuotaView& view, const std::string& share, const Resources& resources,
                       bool may_borrow, QuotaRight right);
// The same for a run whose place is known, on either ground.
bool has_room(const QuotaView& view, const std::string& share, const Resources& resources,
              const QuotaUse& use, bool may_borrow, QuotaRight right);

// The same for runs that start together.
struct PlacedNeeds {
  Resources resources;
  QuotaUse use;
};
bool has_room(const QuotaView& view, const std::string& share, std::span<const PlacedNeeds> runs,
              bool may_borrow, QuotaRight right);

// How much a share holds beyond its limit in that unit, in thousandths.
std::int64_t borrowed(const QuotaView& view, const QuotaShare& share, const CapacityLimit& limit);
// The most that a share can come to hold in that unit: its limit, and what it may borrow when others run
// nothing.
std::int64_t most_to_hold(const QuotaShares& shares, const QuotaShare& share, const CapacityLimit& limit);
// It holds more than its limits in some unit: it gives back when an owner asks.
bool is_over(const QuotaView& view, const QuotaShare& share);
// What shares but this one lend of the unit and nobody has borrowed yet.
std::int64_t idle_to_lend(const QuotaView& view, const std::string& borrower, const CapacityUnit& unit);

// Who has what from whom. Loans are not kept: shares that are over, by name, have from lenders with idle
// capacity, by name. `lender` is "" for what no share lends any more.
struct QuotaLoan {
  std::string borrower;
  std::string lender;
  CapacityLimit limit;  // of the borrower: names the unit
  std::int64_t milli = 0;
};
std::vector<QuotaLoan> loans(const QuotaView& view);

// "quota share A uses 4 of 4 GPU, 1 of them …": one line for a person.
std::string describe(const QuotaView& view, const QuotaShare& share);

}  // namespace stoker::core
