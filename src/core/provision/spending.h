#pragma once
// What a fleet has cost in this calendar month (UTC), and whether its budget allows more.
#include "core/provision/fleet.h"

namespace stoker::core {

// The first instant of the month that `at` lies in.
Instant month_of(Instant at);
Instant next_month(Instant at);

// A machine's cost since `from`: from its start, at the price it was launched for, until `now`.
Money cost_since(const LaunchedNode& launched, Instant from, Instant now);

// A new month begins with nothing spent. True when one began.
bool begin_month(Fleet& fleet, Instant now);
// The machine is gone: what it cost this month stays.
void charge_ended(Fleet& fleet, const LaunchedNode& launched, Instant now);

fleet::BudgetVerdict judge_budget(const fleet::Budget& budget, const Fleet& fleet,
                                  const std::vector<LaunchedNode*>& machines, Instant now);

}  // namespace stoker::core
