#pragma once
// Every second of a machine goes somewhere: to work, warm-up, idle time or waste; the lines add up to the
// bill.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/cost/node_use.h"

namespace stoker::cost {

enum class Kind : std::uint8_t {
  Work,
  WarmUp,  // the launch, boot and image pulls, spread over the runs the machine served, by their work
  Idle,    // nobody's share while others run, or nothing runs
  Waste,   // work lost since the last checkpoint; boot for nobody; time paid after the end
  Credit,  // what is not billed after all (reclaimed in the first hour); negative
};
inline constexpr std::size_t kKindCount = 5;
std::string_view name_of(Kind kind);  // "work", "warmup", "idle", "waste", "credit"

struct Line {
  std::string node;
  Payer payer;  // job "": the queue, or its share, as such; queue "" as well: the environment
  std::string environment;
  Kind kind = Kind::Work;
  Money amount;
  Duration time;             // machine time times share, rounded down
  bool provisional = false;  // the machine goes on: warm-up may still be spread over more runs
  bool operator==(const Line&) const = default;
};

struct LedgerRules {
  BillingRule billing;
  bool spread_idle =
      false;  // those beside running jobs pay for idle shares, by their own; else the environment
};

struct NodeBill {
  std::string node;
  Money gross;              // time at its price, and the launch
  Money billed;             // what is paid: gross, or the launch alone when the time is free
  std::vector<Line> lines;  // they add up to `billed`
  bool operator==(const NodeBill&) const = default;
};

// `now`: until when a machine that goes on is counted.
//
// While nothing runs on it, whoever used the machine last pays, and before that whoever asked for it: what it
// is kept for is their next run. But while the environment keeps it, that pays.
NodeBill bill(const NodeUse& use, const LedgerRules& rules, Instant now);

// The first instant of its day (UTC).
Instant day_of(Instant at);

// What a line has of one day (UTC).
struct Charge {
  Line line;     // with the amount and the time of that day
  Instant from;  // of its time on that day the begin and the end, with what lies between
  Instant to;
  Money list;  // the amount at another price of the machine
};
// The lines of bill() cut at midnight, each line's parts together. They add up to the lines to the millionth,
// and those of a day to the machine's cost of that day but for rounding.
std::vector<Charge> charges(const NodeUse& use, const LedgerRules& rules, Money list_per_hour, Instant now);
// Who used it last at the end of that use; no job. Nobody when nobody ever did.
Payer last_user(const NodeUse& use);

// Whether lines add up to the bills and no line is without an owner; the first fault in words, else "".
std::string check_ledger(const std::vector<NodeBill>& bills);

}  // namespace stoker::cost
