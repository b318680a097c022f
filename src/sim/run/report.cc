#include "sim/run/report.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "sim/run/bills.h"

namespace stoker::sim {
namespace {

struct Times {
  std::vector<Duration> wait;
  std::vector<Duration> to_compute;
  std::vector<Duration> turnaround;
  std::vector<Duration> overhead;
  std::vector<Duration> run;
  std::vector<std::int64_t> slowdown_milli;
};

// Where the smallest value stands that `percent` of `count` sorted ones do not pass.
std::size_t at_percent(std::size_t count, std::size_t percent) {
  return (count * percent + 99) / 100 - 1;
}

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
      times.run.push_back(job.run);
      times.slowdown_milli.push_back(std::max(turnaround, kShortest).ms * 1000 /
                                     std::max(job.run, kShortest).ms);
      break;
    }
  }
  if (job.deadline_at || job.deadline_after > Duration{}) {
    const Instant deadline = job.deadline_at ? job.deadline_at : submitted + job.deadline_after;
    ++figures.deadlines;
    if (outcome.end == JobEnd::Succeeded && outcome.ended_at <= deadline) ++figures.deadlines_met;
  }
  figures.interruptions += outcome.interruptions;
  figures.preemptions += outcome.preemptions;
  figures.failures += outcome.failures;
  figures.lost = figures.lost + outcome.lost;
}

void close(Figures& figures, Times& times) {
  figures.wait = spread_of(std::move(times.wait));
  figures.to_compute = spread_of(std::move(times.to_compute));
  figures.turnaround = spread_of(std::move(times.turnaround));
  figures.overhead = spread_of(std::move(times.overhead));
  figures.run = spread_of(std::move(times.run));
  std::vector<std::int64_t>& slowdown = times.slowdown_milli;
  if (slowdown.empty()) return;
  std::ranges::sort(slowdown);
  Wide sum = 0;
  for (const std::int64_t one : slowdown) sum += one;
  figures.slowdown_milli = static_cast<std::int64_t>(sum / static_cast<Wide>(slowdown.size()));
  figures.slowdown_p95_milli = slowdown[at_percent(slowdown.size(), 95)];
}

// The part of the report that a job belongs to.
template <class Parts>
auto& part_of(Parts& parts, const SimJob& job) {
  return job.nodes > 1 ? parts.multi_node : parts.single_node;
}

void count_gpu_work(const Workload& workload, const MachineOutcome& machine, Report& report) {
  for (const cost::RunUse& run : machine.use.runs) {
    const auto index = parse_int(run.payer.job);
    const Duration kept = run.kept_until - run.works_from;
    if (!index || kept <= Duration{}) continue;
    const SimJob& job = workload.jobs[static_cast<std::size_t>(*index)];
    const Duration work{kept.ms * (job.gpus * 1000 + job.gpu_milli) / 1000};
    report.all.gpu_work = report.all.gpu_work + work;
    if (const auto tenant = report.tenants.find(job.tenant); tenant != report.tenants.end())
      tenant->second.gpu_work = tenant->second.gpu_work + work;
    if (!report.has_multi_node()) continue;
    Figures& part = part_of(report, job);
    part.gpu_work = part.gpu_work + work;
  }
}

// What jobs pay, by their number of nodes; what nobody in particular pays is in neither part.
void count_cost_of_parts(const Workload& workload, const std::vector<cost::NodeBill>& bills, Report& report) {
  for (const cost::NodeBill& bill : bills)
    for (const cost::Line& line : bill.lines)
      if (const auto index = parse_int(line.payer.job))
        part_of(report, workload.jobs[static_cast<std::size_t>(*index)]).cost.add(line);
}

void count_machines(const Scenario& scenario, const Workload& workload, const Outcome& outcome,
                    Report& report) {
  std::vector<cost::NodeBill> bills;
  for (const MachineOutcome& machine : outcome.machines) {
    bills.push_back(bill_of(scenario, machine, outcome.ended));
    const Duration paid = paid_end(scenario, machine, outcome.ended) - machine.use.started;
    report.machine_time = report.machine_time + paid;
    report.gpu_time = report.gpu_time + paid * machine.gpus;
    report.gpu_work = report.gpu_work + machine.gpu_work;
    report.billed += bills.back().billed;
    ++report.machines;
    if (machine.launched) ++report.launches;
    if (machine.spot) ++report.spot_machines;
    if (machine.use.reclaimed) ++report.machines_taken_back;
    count_gpu_work(workload, machine, report);
  }
  report.ledger_fault = cost::check_ledger(bills);
  report.all.cost = cost::total(bills);
  for (const auto& [tenant, totals] : cost::add_up(bills, cost::By::Tenant))
    if (const auto found = report.tenants.find(tenant); found != report.tenants.end())
      found->second.cost = totals;
  if (report.has_multi_node()) count_cost_of_parts(workload, bills, report);
}

}  // namespace

TimeSpread spread_of(std::vector<Duration> times) {
  TimeSpread spread;
  if (times.empty()) return spread;
  std::ranges::sort(times);
  spread.count = static_cast<std::int64_t>(times.size());
  const auto count = static_cast<double>(times.size());
  double sum = 0;
  for (const Duration time : times) sum += static_cast<double>(time.ms);
  const double mean = sum / count;
  double squares = 0;
  for (const Duration time : times)
    squares += (static_cast<double>(time.ms) - mean) * (static_cast<double>(time.ms) - mean);
  spread.mean = {std::llround(mean)};
  spread.deviation = {std::llround(std::sqrt(squares / count))};
  spread.median = times[at_percent(times.size(), 50)];
  spread.p95 = times[at_percent(times.size(), 95)];
  spread.most = times.back();
  return spread;
}

std::int64_t Report::idle_permille() const {
  if (gpu_time <= Duration{}) return 0;
  return 1000 - static_cast<std::int64_t>(static_cast<Wide>(gpu_work.ms) * 1000 / gpu_time.ms);
}

std::int64_t Report::use_permille(const Figures& figures) const {
  if (gpu_time <= Duration{}) return 0;
  return static_cast<std::int64_t>(static_cast<Wide>(figures.gpu_work.ms) * 1000 / gpu_time.ms);
}

Report make_report(const Scenario& scenario, const Workload& workload, const Outcome& outcome) {
  Report report;
  Times all;
  std::map<std::string, Times> tenants;
  struct {
    Times single_node;
    Times multi_node;
  } parts;
  const auto submitted = [&](const SimJob& job) { return outcome.started + job.submit <= outcome.ended; };
  const bool several =
      std::ranges::any_of(workload.jobs, [&](const SimJob& job) { return job.nodes > 1 && submitted(job); });
  Instant last = outcome.started;
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const SimJob& job = workload.jobs[i];
    if (!submitted(job)) continue;
    const JobOutcome& one = outcome.jobs[i];
    count(job, one, outcome.started, report.all, all);
    count(job, one, outcome.started, report.tenants[job.tenant], tenants[job.tenant]);
    if (several) count(job, one, outcome.started, part_of(report, job), part_of(parts, job));
    last = std::max(last, one.ended_at);
    if (report.waits.empty()) report.waits = one.waits;
  }
  close(report.all, all);
  for (auto& [tenant, figures] : report.tenants) close(figures, tenants[tenant]);
  close(report.single_node, parts.single_node);
  close(report.multi_node, parts.multi_node);
  report.left_out = workload.left_out;
  report.refused = outcome.refused;
  report.refusal = outcome.refusal;
  report.budgets = outcome.budgets;
  report.simulated = outcome.ended - outcome.started;
  if (!workload.jobs.empty()) report.makespan = last - (outcome.started + workload.jobs.front().submit);
  report.launches_failed = outcome.launches_failed;
  count_machines(scenario, workload, outcome, report);
  return report;
}

}  // namespace stoker::sim
