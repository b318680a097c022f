#include "sim/run/report.h"

#include <algorithm>
#include <cmath>

namespace stoker::sim {
namespace {

struct Times {
  std::vector<Duration> wait;
  std::vector<Duration> to_compute;
  std::vector<Duration> turnaround;
  std::vector<Duration> overhead;
  double slowdown = 0;
};

// Jobs shorter than that would make any wait look endless.
constexpr Duration kShortest = seconds(10);

void count(const SimJob& job, const JobOutcome& outcome, Instant start, Figures& figures, Times& times) {
  ++figures.submitted;
  const Instant submitted = start + job.submit;
  if (outcome.placed) {
    times.wait.push_back(outcome.placed_at - submitted);
    times.to_compute.push_back(outcome.computes_at - submitted);
  }
  switch (outcome.end) {
    case JobEnd::Waiting:
      ++figures.waiting;
      break;
    case JobEnd::Running:
      ++figures.running;
      break;
    case JobEnd::Failed:
      ++figures.failed;
      break;
    case JobEnd::Succeeded: {
      ++figures.succeeded;
      const Duration turnaround = outcome.ended_at - submitted;
      times.turnaround.push_back(turnaround);
      times.overhead.push_back(outcome.ended_at - outcome.placed_at - job.run);
      times.slowdown += static_cast<double>(std::max(turnaround, kShortest).ms) /
                        static_cast<double>(std::max(job.run, kShortest).ms);
      break;
    }
  }
  figures.interruptions += outcome.interruptions;
  figures.failures += outcome.failures;
  figures.lost = figures.lost + outcome.lost;
}

void close(Figures& figures, Times& times) {
  figures.wait = spread_of(std::move(times.wait));
  figures.to_compute = spread_of(std::move(times.to_compute));
  figures.turnaround = spread_of(std::move(times.turnaround));
  figures.overhead = spread_of(std::move(times.overhead));
  if (figures.succeeded > 0)
    figures.slowdown_milli = std::llround(times.slowdown * 1000 / static_cast<double>(figures.succeeded));
}

cost::BillingRule billing_of(const Scenario& scenario, const std::string& environment) {
  const auto found = std::ranges::find(scenario.environments, environment, &SimEnvironment::name);
  return found == scenario.environments.end() ? cost::kPerSecond : found->billing;
}

void count_machines(const Scenario& scenario, const Outcome& outcome, Report& report) {
  std::vector<cost::NodeBill> bills;
  for (const MachineOutcome& machine : outcome.machines) {
    cost::LedgerRules rules;
    rules.billing = billing_of(scenario, machine.use.environment);
    bills.push_back(cost::bill(machine.use, rules, outcome.ended));
    const Instant until = machine.use.ended
                              ? cost::paid_until(rules.billing, machine.use.started, machine.use.ended)
                              : outcome.ended;
    const Duration paid = until - machine.use.started;
    report.machine_time = report.machine_time + paid;
    report.gpu_time = report.gpu_time + paid * machine.gpus;
    report.gpu_work = report.gpu_work + machine.gpu_work;
    report.billed += bills.back().billed;
    ++report.machines;
    if (machine.launched) ++report.launches;
    if (machine.spot) ++report.spot_machines;
  }
  report.ledger_fault = cost::check_ledger(bills);
  report.all.cost = cost::total(bills);
  for (const auto& [tenant, totals] : cost::add_up(bills, cost::By::Tenant))
    if (const auto found = report.tenants.find(tenant); found != report.tenants.end())
      found->second.cost = totals;
}

// ---- JSON ----

double in_seconds(Duration time) {
  return static_cast<double>(time.ms) / 1000;
}
double in_hours(Duration time) {
  return std::round(static_cast<double>(time.ms) / 3600) / 1000;
}

json::Object to_json(const TimeSpread& spread) {
  return {{"mean", in_seconds(spread.mean)},
          {"deviation", in_seconds(spread.deviation)},
          {"median", in_seconds(spread.median)},
          {"p95", in_seconds(spread.p95)},
          {"max", in_seconds(spread.most)}};
}

json::Object to_json(const cost::Totals& totals) {
  json::Object object;
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
    object[cost::name_of(static_cast<cost::Kind>(kind))] = to_text(totals.by_kind[kind]);
  object["sum"] = to_text(totals.sum());
  return object;
}

json::Object to_json(const Figures& figures) {
  return {{"submitted", figures.submitted},
          {"succeeded", figures.succeeded},
          {"failed", figures.failed},
          {"running", figures.running},
          {"waiting", figures.waiting},
          {"waitSeconds", to_json(figures.wait)},
          {"toComputeSeconds", to_json(figures.to_compute)},
          {"turnaroundSeconds", to_json(figures.turnaround)},
          {"overheadSeconds", to_json(figures.overhead)},
          {"slowdown", static_cast<double>(figures.slowdown_milli) / 1000},
          {"interruptions", figures.interruptions},
          {"failures", figures.failures},
          {"lostHours", in_hours(figures.lost)},
          {"costDollars", to_json(figures.cost)}};
}

// ---- the table ----

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
  if (ms < 2 * 3'600'000) return tenths((ms + 3'000) / 6'000) + " min";
  return tenths((ms + 180'000) / 360'000) + " h";
}

std::string row(const std::string& name, const Figures& figures) {
  std::string line = name.substr(0, 20);
  line.resize(20, ' ');
  for (const std::int64_t number : {figures.submitted, figures.succeeded})
    line += padded(std::to_string(number), 9);
  for (const Duration time : {figures.wait.mean, figures.wait.p95, figures.turnaround.mean})
    line += padded(in_words(time), 11);
  line += padded(tenths((figures.slowdown_milli + 50) / 100), 10);
  line += padded(std::to_string(figures.interruptions), 8);
  line += padded(in_words(figures.lost), 11);
  return line + padded(to_cents(figures.cost.sum()), 13) + "\n";
}

}  // namespace

TimeSpread spread_of(std::vector<Duration> times) {
  TimeSpread spread;
  if (times.empty()) return spread;
  std::ranges::sort(times);
  const auto count = static_cast<double>(times.size());
  double sum = 0;
  for (const Duration time : times) sum += static_cast<double>(time.ms);
  const double mean = sum / count;
  double squares = 0;
  for (const Duration time : times)
    squares += (static_cast<double>(time.ms) - mean) * (static_cast<double>(time.ms) - mean);
  // The smallest time that `percent` of them do not pass.
  const auto at = [&](std::size_t percent) { return times[(times.size() * percent + 99) / 100 - 1]; };
  spread.mean = {std::llround(mean)};
  spread.deviation = {std::llround(std::sqrt(squares / count))};
  spread.median = at(50);
  spread.p95 = at(95);
  spread.most = times.back();
  return spread;
}

std::int64_t Report::idle_permille() const {
  if (gpu_time <= Duration{}) return 0;
  return 1000 - static_cast<std::int64_t>(static_cast<Wide>(gpu_work.ms) * 1000 / gpu_time.ms);
}

Report make_report(const Scenario& scenario, const Workload& workload, const Outcome& outcome) {
  Report report;
  Times all;
  std::map<std::string, Times> tenants;
  Instant last = outcome.started;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const SimJob& job = workload.jobs[i];
    if (outcome.started + job.submit > outcome.ended) continue;
    const JobOutcome& one = outcome.jobs[i];
    count(job, one, outcome.started, report.all, all);
    count(job, one, outcome.started, report.tenants[job.tenant], tenants[job.tenant]);
    last = std::max(last, one.ended_at);
    if (report.waits.empty()) report.waits = one.waits;
  }
  close(report.all, all);
  for (auto& [tenant, figures] : report.tenants) close(figures, tenants[tenant]);
  report.left_out = workload.left_out;
  report.refused = outcome.refused;
  report.refusal = outcome.refusal;
  report.simulated = outcome.ended - outcome.started;
  if (!workload.jobs.empty()) report.makespan = last - (outcome.started + workload.jobs.front().submit);
  report.launches_failed = outcome.launches_failed;
  count_machines(scenario, outcome, report);
  return report;
}

json::Value to_json(const Scenario& scenario, std::uint64_t seed, const Report& report) {
  json::Object tenants;
  for (const auto& [tenant, figures] : report.tenants) tenants[tenant] = to_json(figures);
  const json::Object machines{{"count", report.machines},
                              {"launched", report.launches},
                              {"launchesFailed", report.launches_failed},
                              {"spot", report.spot_machines},
                              {"hours", in_hours(report.machine_time)},
                              {"gpuHours", in_hours(report.gpu_time)},
                              {"usefulGpuHours", in_hours(report.gpu_work)},
                              {"idle", static_cast<double>(report.idle_permille()) / 1000}};
  json::Object object{{"scenario", scenario.name},
                      {"seed", seed},
                      {"pricesAsOf", scenario.catalogue.prices_as_of()},
                      {"simulatedSeconds", in_seconds(report.simulated)},
                      {"makespanSeconds", in_seconds(report.makespan)},
                      {"jobsLeftOut", report.left_out},
                      {"jobsRefused", report.refused},
                      {"billedDollars", to_text(report.billed)},
                      {"machines", machines},
                      {"all", to_json(report.all)},
                      {"tenants", tenants}};
  if (!report.refusal.empty()) object["refusal"] = report.refusal;
  if (!report.waits.empty()) object["waits"] = report.waits;
  if (!report.ledger_fault.empty()) object["ledgerFault"] = report.ledger_fault;
  return object;
}

std::string to_table(const Scenario& scenario, std::uint64_t seed, const Report& report) {
  std::string text =
      scenario.name + ", seed " + std::to_string(seed) + ", " + in_words(report.simulated) + " simulated\n\n";
  text +=
      "tenant                   jobs     done  mean wait   p95 wait turnaround  slowdown    lost  lost work  "
      "   cost USD\n";
  if (report.tenants.size() > 1)
    for (const auto& [tenant, figures] : report.tenants) text += row(tenant, figures);
  text += row("all", report.all) + "\n";
  text += "machines " + std::to_string(report.machines) + " (" + std::to_string(report.launches) +
          " launched, " + std::to_string(report.spot_machines) + " on spot, " +
          std::to_string(report.launches_failed) + " launches failed), " + in_words(report.machine_time) +
          " paid\n";
  text += "GPU time " + in_words(report.gpu_time) + ", of use " + in_words(report.gpu_work) + ", idle " +
          tenths(report.idle_permille()) + " %\n";
  text += "bill " + to_cents(report.billed) + " USD:";
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
    text += std::string(kind == 0 ? " " : ", ") + std::string(cost::name_of(static_cast<cost::Kind>(kind))) +
            " " + to_cents(report.all.cost.by_kind[kind]);
  text += "\n";
  if (report.left_out > 0)
    text += std::to_string(report.left_out) + " jobs were left out: larger than the scenario allows\n";
  if (report.refused > 0)
    text += std::to_string(report.refused) + " jobs were refused: " + report.refusal + "\n";
  if (report.all.waiting > 0)
    text += std::to_string(report.all.waiting) + " jobs wait at the end; the first: " + report.waits + "\n";
  if (!report.ledger_fault.empty()) text += "FAULT: " + report.ledger_fault + "\n";
  return text;
}

}  // namespace stoker::sim
