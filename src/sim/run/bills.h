#pragma once
// What the machines of a simulation cost, by the rule of their environment.
#include "core/cost/ledger.h"
#include "sim/run/outcome.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

// `now`: the end of the simulation, until when machines that go on are counted.
cost::NodeBill bill_of(const Scenario& scenario, const MachineOutcome& machine, Instant now);
// The same by day. `list`: at the on-demand price.
std::vector<cost::Charge> charges_of(const Scenario& scenario, const MachineOutcome& machine, Instant now);
// Until when it is paid for; may lie after its end, where begun hours are paid.
Instant paid_end(const Scenario& scenario, const MachineOutcome& machine, Instant now);

// All bills as CSV with the columns of FOCUS.
std::string focus_csv(const Scenario& scenario, const Outcome& outcome);

}  // namespace stoker::sim
