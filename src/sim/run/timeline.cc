#include "sim/run/timeline.h"

#include <algorithm>

#include "base/text.h"
#include "sim/run/bills.h"

namespace stoker::sim {
namespace {

// Time that lies in each step, times a weight.
class Steps {
 public:
  Steps(Instant start, Instant end, Duration step) : start_(start), end_(end), step_(step) {
    const std::int64_t count = ((end - start).ms + step.ms - 1) / step.ms;
    sums_.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  }

  void add(Instant from, Instant to, std::int64_t weight) {
    from = std::max(from, start_);
    to = std::min(to, end_);
    while (from < to) {
      const std::int64_t index = (from - start_).ms / step_.ms;
      const Instant next = std::min(to, start_ + step_ * (index + 1));
      sums_[static_cast<std::size_t>(index)] += static_cast<Wide>((next - from).ms) * weight;
      from = next;
    }
  }

  [[nodiscard]] const std::vector<Wide>& sums() const { return sums_; }
  // The last step may be cut short.
  [[nodiscard]] std::vector<std::int64_t> averages() const {
    std::vector<std::int64_t> averages;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Instant from = start_ + step_ * static_cast<std::int64_t>(i);
      const Duration length = std::max(milliseconds(1), std::min(step_, end_ - from));
      averages.push_back(static_cast<std::int64_t>((sums_[i] + length.ms / 2) / length.ms));
    }
    return averages;
  }

 private:
  Instant start_;
  Instant end_;
  Duration step_;
  std::vector<Wide> sums_;
};

// The shortest round step that keeps the number of steps in bounds.
Duration step_for(Duration length) {
  for (const std::int64_t step : {1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440, 2880, 10080})
    if (length.ms / minutes(step).ms < static_cast<std::int64_t>(kTimelineStepsMax)) return minutes(step);
  return days(30);
}

std::size_t index_of(const cost::RunUse& run) {
  return static_cast<std::size_t>(parse_int(run.payer.job).value_or(0));
}

// Of one node.
std::int64_t gpu_milli(const SimJob& job) {
  return job.gpus * 1000 + job.gpu_milli;
}

struct Span {
  Instant from;
  Instant to;
};

// From the submission to the end, but while it ran.
void add_waits(const SimJob& job, const JobOutcome& outcome, std::vector<Span> runs, const Outcome& all,
               Steps& jobs, Steps& gpus) {
  const bool over = outcome.end == JobEnd::Succeeded || outcome.end == JobEnd::Failed;
  const Instant end = over ? outcome.ended_at : all.ended;
  std::ranges::sort(runs, {}, &Span::from);
  Instant at = all.started + job.submit;
  const auto waits = [&](Instant until) {
    jobs.add(at, until, 1000);
    gpus.add(at, until, gpu_milli(job) * job.nodes);
  };
  for (const Span& run : runs) {
    waits(run.from);
    at = run.to;
  }
  waits(end);
}

class Maker {
 public:
  Maker(const Scenario& scenario, const Workload& workload, const Outcome& outcome)
      : scenario_(scenario),
        workload_(workload),
        outcome_(outcome),
        step_(step_for(outcome.ended - outcome.started)),
        runs_(workload.jobs.size()) {}

  Timeline make() {
    Timeline timeline;
    timeline.step = step_;
    timeline.days.resize(day_steps().sums().size());
    std::array<Steps, kGpuUseCount> gpus{steps(), steps(), steps(), steps()};
    for (const MachineOutcome& machine : outcome_.machines) add_machine(machine, gpus, timeline.days);
    for (std::size_t use = 0; use < kGpuUseCount; ++use) timeline.gpus[use] = gpus[use].averages();
    add_jobs(timeline);
    return timeline;
  }

 private:
  [[nodiscard]] Steps steps() const { return {outcome_.started, outcome_.ended, step_}; }
  [[nodiscard]] Steps day_steps() const { return {outcome_.started, outcome_.ended, days(1)}; }

  void add_machine(const MachineOutcome& machine, std::array<Steps, kGpuUseCount>& gpus,
                   std::vector<Day>& day_list) {
    const cost::NodeUse& use = machine.use;
    const Instant end = use.ended ? use.ended : outcome_.ended;
    const Instant ready = use.ready ? use.ready : end;
    const Instant paid = paid_end(scenario_, machine, outcome_.ended);
    const std::int64_t all = machine.gpus * 1000;
    const auto note = [&](GpuUse gpu_use, Instant from, Instant to, std::int64_t weight) {
      gpus[static_cast<std::size_t>(gpu_use)].add(from, to, weight);
    };
    note(GpuUse::Starting, use.started, ready, all);
    // All that is paid is idle but for what follows.
    note(GpuUse::Idle, ready, paid, all);
    for (const cost::RunUse& run : use.runs) {
      const std::int64_t milli = gpu_milli(workload_.jobs[index_of(run)]);
      const auto busy = [&](GpuUse gpu_use, Instant from, Instant to) {
        if (to <= from) return;
        note(gpu_use, from, to, milli);
        note(GpuUse::Idle, from, to, -milli);
      };
      busy(GpuUse::Starting, run.from, run.works_from);
      busy(GpuUse::Work, run.works_from, run.kept_until);
      busy(GpuUse::Lost, std::max(run.works_from, run.kept_until), run.to);
      runs_[index_of(run)].push_back({run.from, run.to});
    }
    for (const cost::Charge& charge : charges_of(scenario_, machine, outcome_.ended))
      day_list[day_of(charge.from, day_list)].cost[static_cast<std::size_t>(charge.line.kind)] +=
          charge.line.amount;
    if (use.reclaimed) ++day_list[day_of(end, day_list)].machines_lost;
  }

  void add_jobs(Timeline& timeline) {
    Steps jobs = steps();
    Steps gpus = steps();
    for (std::size_t i = 0; i < workload_.jobs.size(); ++i) {
      const JobOutcome& one = outcome_.jobs[i];
      add_waits(workload_.jobs[i], one, std::move(runs_[i]), outcome_, jobs, gpus);
      if (one.end == JobEnd::Succeeded) ++timeline.days[day_of(one.ended_at, timeline.days)].jobs_done;
    }
    timeline.jobs_waiting = jobs.averages();
    timeline.gpus_wanted = gpus.averages();
  }

  [[nodiscard]] std::size_t day_of(Instant at, const std::vector<Day>& day_list) const {
    const auto day =
        static_cast<std::size_t>(std::max<std::int64_t>(0, (at - outcome_.started).ms / days(1).ms));
    return std::min(day, day_list.size() - 1);
  }

  const Scenario& scenario_;
  const Workload& workload_;
  const Outcome& outcome_;
  Duration step_;
  std::vector<std::vector<Span>> runs_;  // of jobs
};

}  // namespace

std::string_view name_of(GpuUse use) {
  switch (use) {
    case GpuUse::Work:
      return "work";
    case GpuUse::Lost:
      return "lost";
    case GpuUse::Starting:
      return "starting";
    case GpuUse::Idle:
      return "idle";
  }
  return "";
}

Timeline make_timeline(const Scenario& scenario, const Workload& workload, const Outcome& outcome) {
  return Maker(scenario, workload, outcome).make();
}

}  // namespace stoker::sim
