#include <algorithm>

#include "base/text.h"
#include "sim/run/cell.h"
#include "sim/run/report.h"

namespace stoker::sim {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string tenths(std::int64_t value) {
  return std::to_string(value / 10) + "." + std::to_string(value % 10);
}

// "12.3 min"
std::string in_words(Duration time) {
  const std::int64_t ms = std::max<std::int64_t>(0, time.ms);
  if (ms < 120'000) return tenths((ms + 50) / 100) + " s";
  if (ms < std::int64_t{2} * 3'600'000) return tenths((ms + 3'000) / 6'000) + " min";
  return tenths((ms + 180'000) / 360'000) + " h";
}

constexpr std::size_t kNameWidth = 20;

std::string row(const std::string& name, const Figures& figures) {
  std::string line = to_columns(name, kNameWidth);
  for (const std::int64_t number : {figures.submitted, figures.succeeded})
    line += padded(std::to_string(number), 9);
  const bool placed = figures.wait.count > 0;
  const bool done = figures.run.count > 0;
  for (const Duration time : {figures.wait.mean, figures.wait.p95})
    line += padded(placed ? in_words(time) : "-", 11);
  for (const Duration time : {figures.run.mean, figures.turnaround.mean})
    line += padded(done ? in_words(time) : "-", 11);
  line += padded(done ? tenths((figures.slowdown_milli + 50) / 100) : "-", 10);
  line += padded(std::to_string(figures.interruptions), 8);
  return line + padded(in_words(figures.lost), 11) + "\n";
}

// Whose GPU time it was, and what it cost.
std::string money_row(const std::string& name, const Report& report, const Figures& figures) {
  std::string line = to_columns(name, kNameWidth);
  line += padded(tenths((figures.gpu_work.ms + 180'000) / 360'000), 11);
  line += padded(tenths(report.use_permille(figures)), 9);
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
    line += padded(to_cents(figures.cost.by_kind[kind]), 12);
  line += padded(to_cents(figures.cost.sum()), 13);
  const Money each = figures.succeeded > 0 ? Money{figures.cost.sum().micros / figures.succeeded} : Money{};
  return line + padded(figures.succeeded > 0 ? to_cents(each) : "-", 10) + "\n";
}

}  // namespace

std::string to_table(const Scenario& scenario, std::uint64_t seed, const Report& report) {
  std::string text = one_line(scenario.name) + ", seed " + std::to_string(seed) + ", " +
                     in_words(report.simulated) + " simulated\n\n";
  text +=
      "tenant                   jobs     done  mean wait   p95 wait   mean run turnaround  slowdown    lost  "
      "lost work\n";
  const bool several = report.tenants.size() > 1;
  if (several)
    for (const auto& [tenant, figures] : report.tenants) text += row(tenant, figures);
  text += row("all", report.all);
  if (report.has_multi_node()) {
    text += row("  single-node jobs", report.single_node);
    text += row("  multi-node jobs", report.multi_node);
  }
  text += "\n";
  text +=
      "tenant                GPU hours  % of all    work USD     warm-up        idle       waste      credit "
      "    "
      "cost USD     a job\n";
  if (several)
    for (const auto& [tenant, figures] : report.tenants) text += money_row(tenant, report, figures);
  text += money_row("all", report, report.all);
  if (report.has_multi_node()) {
    text += money_row("  single-node jobs", report, report.single_node);
    text += money_row("  multi-node jobs", report, report.multi_node);
  }
  text += "\n";
  text += "machines " + std::to_string(report.machines) + " (" + std::to_string(report.launches) +
          " launched, " + std::to_string(report.spot_machines) + " on spot, " +
          std::to_string(report.machines_taken_back) + " taken back, " +
          std::to_string(report.launches_failed) + " launches failed), " + in_words(report.machine_time) +
          " paid\n";
  text += "GPU time " + in_words(report.gpu_time) + ", of use " + in_words(report.gpu_work) + ", idle " +
          tenths(report.idle_permille()) + " %\n";
  text += "bill " + to_cents(report.billed) + " USD:";
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
    text += std::string(kind == 0 ? " " : ", ") + std::string(cost::name_of(static_cast<cost::Kind>(kind))) +
            " " + to_cents(report.all.cost.by_kind[kind]);
  text += "\n";
  if (report.all.preemptions > 0) text += "preemptions " + std::to_string(report.all.preemptions) + "\n";
  if (report.all.deadlines > 0)
    text += "deadlines met " + std::to_string(report.all.deadlines_met) + " of " +
            std::to_string(report.all.deadlines) + "\n";
  for (const BudgetNews& news : report.budgets)
    text += "budget of " + news.environment + ", " + iso_time(news.at.ms) + ": " + news.text + "\n";
  if (report.left_out > 0)
    text += std::to_string(report.left_out) +
            " jobs were left out: larger than the scenario allows, or nobody knows how long they run\n";
  if (report.refused > 0)
    text += std::to_string(report.refused) + " jobs were refused: " + report.refusal + "\n";
  if (report.all.waiting > 0)
    text += std::to_string(report.all.waiting) + " jobs wait at the end; the first: " + report.waits + "\n";
  if (!report.ledger_fault.empty()) text += "FAULT: " + report.ledger_fault + "\n";
  return text;
}

}  // namespace stoker::sim
