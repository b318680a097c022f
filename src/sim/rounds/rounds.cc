#include "sim/rounds/rounds.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/money.h"

namespace stoker::sim {
namespace {

struct Fate {
  Duration ended;
  Wide others = 0;  // jobs that were about, summed over its rounds
  std::int64_t rounds = 0;
};

class Rounds {
 public:
  Rounds(const std::vector<SimJob>& jobs, const RoundSettings& settings)
      : jobs_(jobs), settings_(settings), fates_(jobs.size()) {}

  RoundReport run() {
    report_.policy = settings_.policy;
    std::size_t next = 0;
    Duration now;
    while (next < jobs_.size() || !turns_.empty()) {
      for (; next < jobs_.size() && jobs_[next].submit <= now; ++next) admit(next);
      if (turns_.empty() && next < jobs_.size()) {
        now = at_round(jobs_[next].submit);
        continue;
      }
      one_round(now);
      now = now + settings_.round;
    }
    sum_up();
    return report_;
  }

 private:
  // The first round that begins then or later.
  [[nodiscard]] Duration at_round(Duration time) const {
    return {(time.ms + settings_.round.ms - 1) / settings_.round.ms * settings_.round.ms};
  }

  void admit(std::size_t job) {
    if (jobs_[job].gpus < 1 || jobs_[job].gpus > settings_.gpus) {
      ++report_.left_out;
      return;
    }
    Turn turn;
    turn.job = job;
    turn.gpus = jobs_[job].gpus;
    turn.left = jobs_[job].run;
    turns_.push_back(turn);
    changed_ = true;
  }

  // Who is about has changed, and with it what is fair.
  void start_over(Duration now) {
    if (!changed_ || (shared_at_ && now - *shared_at_ < settings_.shares_every)) return;
    changed_ = false;
    shared_at_ = now;
    for (Turn& turn : turns_) turn.rounds = 0;
    share_rounds(settings_.policy, turns_, settings_.gpus);
  }
  [[nodiscard]] bool may_run(const Turn& turn) const {
    return settings_.policy != RoundPolicy::MaxMinGpuTime || turn.share > 0;
  }

  void one_round(Duration now) {
    start_over(now);
    order_round(settings_.policy, turns_);
    std::int64_t free = settings_.gpus;
    for (Turn& turn : turns_) {
      Fate& fate = fates_[turn.job];
      fate.others += static_cast<Wide>(turns_.size());
      ++fate.rounds;
      const bool ran = std::exchange(turn.ran, turn.gpus <= free && may_run(turn));
      if (!turn.ran) continue;
      free -= turn.gpus;
      const Duration lost = ran ? Duration{} : settings_.restart;
      const Duration worked = std::min(settings_.round - lost, turn.left);
      turn.left = turn.left - worked;
      turn.served = turn.served + worked;
      ++turn.rounds;
      work_ += static_cast<Wide>(worked.ms) * turn.gpus;
      if (turn.left == Duration{}) fate.ended = now + lost + worked;
    }
    const auto ended = std::erase_if(turns_, [](const Turn& turn) { return turn.left == Duration{}; });
    changed_ = changed_ || ended > 0;
  }

  void sum_up() {
    Wide completions = 0;
    std::int64_t unfair = 0;
    Duration last;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (fates_[i].rounds == 0) continue;
      ++report_.jobs;
      const Duration completion = fates_[i].ended - jobs_[i].submit;
      completions += completion.ms;
      last = std::max(last, fates_[i].ended);
      const std::int64_t fairness = fairness_milli(i, completion);
      report_.fairness_worst_milli = std::max(report_.fairness_worst_milli, fairness);
      if (fairness > 1000) ++unfair;
    }
    if (report_.jobs == 0) return;
    const auto count = static_cast<std::int64_t>(report_.jobs);
    report_.makespan = last - jobs_.front().submit;
    report_.mean_completion = {static_cast<std::int64_t>(completions / count)};
    report_.unfair_permille = unfair * 1000 / count;
    const Wide paid = static_cast<Wide>(report_.makespan.ms) * settings_.gpus;
    if (paid > 0) report_.utilisation_permille = static_cast<std::int64_t>(work_ * 1000 / paid);
  }

  [[nodiscard]] std::int64_t fairness_milli(std::size_t job, Duration completion) const {
    const Fate& fate = fates_[job];
    // With N jobs about its part is gpus / N; alone there it takes its GPUs over its part as long, if that is
    // less than it asks for.
    const Wide slowed =
        std::max<Wide>(static_cast<Wide>(fate.rounds) * settings_.gpus, fate.others * jobs_[job].gpus);
    const Wide alone = static_cast<Wide>(jobs_[job].run.ms) * slowed;
    const Wide took = static_cast<Wide>(completion.ms) * fate.rounds * settings_.gpus;
    return alone == 0 ? 0 : static_cast<std::int64_t>(took * 1000 / alone);
  }

  const std::vector<SimJob>& jobs_;
  const RoundSettings& settings_;
  std::vector<Fate> fates_;
  std::vector<Turn> turns_;
  bool changed_ = false;               // jobs came or ended since shares were computed
  std::optional<Duration> shared_at_;  // when that was
  Wide work_ = 0;                      // GPU time
  RoundReport report_;
};

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string thousandths(std::int64_t value) {
  return std::to_string(value / 1000) + "." + std::to_string(1000 + value % 1000).substr(1, 2);
}

}  // namespace

void share_rounds(RoundPolicy policy, std::vector<Turn>& turns, std::int64_t gpus) {
  if (policy == RoundPolicy::MaxMinGpuTime) share_max_min_gpu_time(turns, gpus);
}

void order_round(RoundPolicy policy, std::vector<Turn>& turns) {
  switch (policy) {
    case RoundPolicy::Fifo:
      return order_fifo(turns);
    case RoundPolicy::LeastServed:
      return order_least_served(turns);
    case RoundPolicy::ShortestLeft:
      return order_shortest_left(turns);
    case RoundPolicy::LongestLeft:
      return order_longest_left(turns);
    case RoundPolicy::MaxMin:
      return order_max_min(turns);
    case RoundPolicy::MaxMinGpuTime:
      return order_max_min_gpu_time(turns);
  }
}

RoundReport simulate_rounds(const std::vector<SimJob>& jobs, const RoundSettings& settings) {
  return Rounds(jobs, settings).run();
}

std::string rounds_text(const std::vector<RoundReport>& reports) {
  std::string text =
      "policy             jobs   makespan s   mean completion s   worst fairness   above 1 %   GPUs used %\n";
  for (const RoundReport& report : reports) {
    std::string name(kRoundPolicyNames[static_cast<std::size_t>(report.policy)]);
    name.resize(17, ' ');
    text += name + padded(std::to_string(report.jobs), 6) +
            padded(std::to_string(report.makespan.ms / 1000), 13) +
            padded(std::to_string(report.mean_completion.ms / 1000), 20) +
            padded(thousandths(report.fairness_worst_milli), 17) +
            padded(std::to_string(report.unfair_permille / 10) + "." +
                       std::to_string(report.unfair_permille % 10),
                   12) +
            padded(std::to_string(report.utilisation_permille / 10) + "." +
                       std::to_string(report.utilisation_permille % 10),
                   14) +
            "\n";
  }
  if (const std::size_t left_out = reports.empty() ? 0 : reports.front().left_out; left_out > 0)
    text += std::to_string(left_out) + " of " + std::to_string(reports.front().jobs + left_out) +
            " jobs were left out: they ask for no whole GPU, or for more than there are\n";
  return text;
}

json::Value rounds_json(const std::vector<RoundReport>& reports) {
  json::Array list;
  for (const RoundReport& report : reports)
    list.push_back(
        json::Object{{"policy", kRoundPolicyNames[static_cast<std::size_t>(report.policy)]},
                     {"jobs", report.jobs},
                     {"jobsLeftOut", report.left_out},
                     {"makespanSeconds", static_cast<double>(report.makespan.ms) / 1000},
                     {"meanCompletionSeconds", static_cast<double>(report.mean_completion.ms) / 1000},
                     {"worstFairness", static_cast<double>(report.fairness_worst_milli) / 1000},
                     {"unfairShare", static_cast<double>(report.unfair_permille) / 1000},
                     {"utilisation", static_cast<double>(report.utilisation_permille) / 1000}});
  return list;
}

}  // namespace stoker::sim
