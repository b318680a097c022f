#include "sim/run/bills.h"

#include <algorithm>

#include "core/cost/focus.h"

namespace stoker::sim {

cost::BillingRule billing_of(const Scenario& scenario, const MachineOutcome& machine) {
  const auto found = std::ranges::find(scenario.environments, machine.use.environment, &SimEnvironment::name);
  return found == scenario.environments.end() ? cost::kPerSecond : found->billing;
}

cost::NodeBill bill_of(const Scenario& scenario, const MachineOutcome& machine, Instant now) {
  cost::LedgerRules rules;
  rules.billing = billing_of(scenario, machine);
  return cost::bill(machine.use, rules, now);
}

Instant paid_end(const Scenario& scenario, const MachineOutcome& machine, Instant now) {
  if (!machine.use.ended) return now;
  return cost::paid_until(billing_of(scenario, machine), machine.use.started, machine.use.ended);
}

std::string focus_csv(const Scenario& scenario, const Outcome& outcome) {
  std::string text = cost::focus_header();
  for (const MachineOutcome& machine : outcome.machines)
    cost::append_focus(bill_of(scenario, machine, outcome.ended), machine.use, billing_of(scenario, machine),
                       {.type = machine.type,
                        .region = machine.region,
                        .zone = machine.zone,
                        .spot = machine.spot,
                        .gpus = machine.gpus,
                        .list_per_hour = machine.list_price},
                       outcome.ended, text);
  return text;
}

}  // namespace stoker::sim
