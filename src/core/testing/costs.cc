#include "core/testing/costs.h"

#include <utility>

#include "base/text.h"
#include "core/provision/focus_days.h"

namespace stoker::core::testing {
namespace {

void add_paid_by(const Job& job, CostsByKind& sums) {
  if (!job.extra) return;
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) sums[kind] += job.extra->costs[kind];
  for (const Job& child : job.children()) add_paid_by(child, sums);
}

// Whether that much may be paid by no job.
bool may_be_nobodys(cost::Kind kind, Money amount) {
  switch (kind) {
    case cost::Kind::Work:
    case cost::Kind::WarmUp:
      return amount == Money{};
    case cost::Kind::Idle:
    case cost::Kind::Waste:
      return amount >= Money{};
    case cost::Kind::Credit:
      return amount <= Money{};
  }
  return false;
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
  CostsByKind jobs{};
  const JobSet& all = state.jobs.all();
  for (auto no = all.first(); no; no = all.next_from(JobNo{no->value + 1}))
    if (const Job& job = *state.jobs.find(*no); !job.is_child()) add_paid_by(job, jobs);
  Money billed;
  Money lines;
  CostsByKind nobodys{};
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) nobodys[kind] = Money{} - jobs[kind];
  std::map<std::string, Money> by_environment;
  for (const auto& [key, day] : state.cost_days) {
    billed += day.billed;
    by_environment[day.environment] += day.billed;
    for (const auto& [line, sums] : day.lines)
      for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) {
        lines += sums.billed[kind];
        nobodys[kind] += sums.billed[kind];
      }
  }
  if (lines != billed)
    return "lines add up to " + to_text(lines) + ", but machines were billed " + to_text(billed);
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
    if (!may_be_nobodys(static_cast<cost::Kind>(kind), nobodys[kind]))
      return "of " + std::string(cost::name_of(static_cast<cost::Kind>(kind))) + " jobs paid " +
             to_text(jobs[kind]) + ", and the accounts have " + to_text(nobodys[kind]) + " more";
  for (const auto& [name, fleet] : state.fleets)
    if (fleet.billed != by_environment[name])
      return "fleet " + name + " was billed " + to_text(fleet.billed) + ", its days " +
             to_text(by_environment[name]);
  return {};
}

}  // namespace stoker::core::testing
