#pragma once
// The ledger as CSV with the column names of FOCUS 1.2 (FinOps Open Cost and Usage Specification), so that
// tools for cloud bills read it. Our own columns begin with x_, as FOCUS asks.
#include <string>

#include "core/cost/ledger.h"

namespace stoker::cost {

// What a bill does not say about its machine.
struct FocusMachine {
  std::string type;  // SkuId
  std::string region;
  std::string zone;
  bool spot = false;
  std::int64_t gpus = 0;  // 0: consumption is told in hours of the machine
  Money list_per_hour;    // on-demand price: ListCost - EffectiveCost is what spot saved
};

// What was charged for one thing in one period.
struct FocusRow {
  Kind kind = Kind::Work;
  Money billed;
  Money list;  // at on-demand prices
  Instant from;
  Instant to;
  Duration time;     // of machines, times the shares of them
  Payer payer;       // job "": of no one job
  std::string node;  // "": of no one machine
  std::string environment;
  FocusMachine machine;  // list_per_hour is not looked at
  bool provisional = false;
};

// With a line end.
std::string focus_header();
void append_row(const FocusRow& row, std::string& out);
// A row for each line of the machine's bill and each day (UTC) that it has a part of: FOCUS asks for periods
// within one billing period, and days can be added up.
void append_focus(const NodeUse& use, const LedgerRules& rules, const FocusMachine& machine, Instant now,
                  std::string& out);

}  // namespace stoker::cost
