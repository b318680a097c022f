#pragma once
// What jobs and environments cost so far, for read views: what is accounted for, and the provisional lines of
// machines that go on. Costs by the runs that those machines served.
#include <string>
#include <vector>

#include "core/cost/summary.h"
#include "core/state.h"

namespace stoker::core {

// An array: with all its children.
cost::Totals cost_of_job(const State& state, const Job& job, Instant now);

// What a payer has in an environment on a day, on machines of one kind.
struct CostRow {
  Instant day;
  std::string environment;
  CostKey key;
  CostSums sums;
  bool provisional = false;  // some machine goes on
};
// Of all days that end after `from` and begin before `to`, in the order of these members. Costs by days,
// payers, and the runs of machines that go on.
std::vector<CostRow> cost_rows(const State& state, Instant from, Instant to, Instant now);

cost::Totals cost_of_environment(const State& state, const std::string& environment, Instant now);

}  // namespace stoker::core
