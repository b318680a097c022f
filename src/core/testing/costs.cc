#include "core/testing/costs.h"

#include <utility>

#include "base/text.h"
#include "core/provision/focus_days.h"

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

std::string fault_in_focus(const State& state, Instant now) {
  const std::vector<CostRow> rows = cost_rows(state, {}, now + days(1), now);
  Money billed;
  for (const CostRow& row : rows)
    for (const Money cost : row.sums.billed) billed += cost;
  Money written;
  bool header = true;
  const std::string text = focus_csv(rows, "us-east-1");
  for (const std::string_view line : split(text, '\n')) {
    if (!std::exchange(header, false) && !line.empty())
      written += parse_money(line.substr(0, line.find(','))).value_or(Money{});
  }
  if (written != billed) return "rows say " + to_text(written) + ", accounts " + to_text(billed);
  return {};
}

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
    for (const auto& [line, sums] : day.lines)
      for (const Money cost : sums.billed)
        if (line.payer.queue.empty()) own += cost;
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
