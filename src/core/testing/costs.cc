#include "core/testing/costs.h"

namespace stoker::core::testing {
namespace {

Money paid_by(const Job& job) {
  Money sum;
  if (!job.extra) return sum;
  for (const Money cost : job.extra->costs) sum += cost;
  for (const Job& child : job.children()) sum += paid_by(child);
  return sum;
}

}  // namespace

std::string fault_in_costs(const State& state) {
  Money jobs;
  const JobSet& all = state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1}))
    if (const Job& job = *state.jobs.find(*no); !job.is_child()) jobs += paid_by(job);
  Money billed;
  Money own;
  std::map<std::string, Money> by_environment;
  for (const auto& [key, day] : state.cost_days) {
    billed += day.billed;
    by_environment[day.environment] += day.billed;
    for (const auto& [payer, costs] : day.lines)
      for (const Money cost : costs)
        if (payer.queue.empty()) own += cost;
  }
  if (jobs + own != billed)
    return "jobs paid " + to_text(jobs) + " and environments " + to_text(own) +
           ", but machines were billed " + to_text(billed);
  for (const auto& [name, fleet] : state.fleets)
    if (fleet.billed != by_environment[name])
      return "fleet " + name + " was billed " + to_text(fleet.billed) + ", its days " +
             to_text(by_environment[name]);
  return {};
}

}  // namespace stoker::core::testing
