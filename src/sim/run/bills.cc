#include "sim/run/bills.h"

#include <algorithm>

#include "core/cost/focus.h"

namespace stoker::sim {
namespace {

cost::LedgerRules rules_of(const Scenario& scenario, const MachineOutcome& machine) {
  const auto found = std::ranges::find(scenario.environments, machine.use.environment, &SimEnvironment::name);
  if (found == scenario.environments.end()) return {};
  return {.billing = found->billing, .spread_idle = found->spread_idle_cost};
}

}  // namespace

cost::NodeBill bill_of(const Scenario& scenario, const MachineOutcome& machine, Instant now) {
  return cost::bill(machine.use, rules_of(scenario, machine), now);
}

std::vector<cost::Charge> charges_of(const Scenario& scenario, const MachineOutcome& machine, Instant now) {
  return cost::charges(machine.use, rules_of(scenario, machine), machine.list_price, now);
}

Instant paid_end(const Scenario& scenario, const MachineOutcome& machine, Instant now) {
  if (!machine.use.ended) return now;
  return cost::paid_until(rules_of(scenario, machine).billing, machine.use.started, machine.use.ended);
}

std::string focus_csv(const Scenario& scenario, const Outcome& outcome) {
  std::string text = cost::focus_header();
  for (const MachineOutcome& machine : outcome.machines)
    cost::append_focus(machine.use, rules_of(scenario, machine),
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
