#pragma once
// Jobs that take turns on equal GPUs, round by round. A job runs with all of its GPUs for a whole round or
// not at all; what it did is kept when it is stopped.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "sim/run/job.h"

namespace stoker::sim {

// A job that came and is not done, as policies see it.
struct Turn {
  std::size_t job = 0;  // its place in the workload: earlier submissions first
  std::int64_t gpus = 0;
  Duration left;            // work
  Duration served;          // work done
  std::int64_t rounds = 0;  // that it had since shares were last computed
  std::int64_t share = 0;   // of the rounds, in millionths; 0: none computed since it came
  bool ran = false;         // in the round before
};

enum class RoundPolicy : std::uint8_t {
  Fifo,           // who came first
  LeastServed,    // least GPU time so far (least attained service, as in Tiresias)
  ShortestLeft,   // least work left
  LongestLeft,    // most work left: the schedule with the shortest makespan ("OSSP" in Shockwave's tables)
  MaxMin,         // as many rounds for each, as far as they fit; first who had fewest
  MaxMinGpuTime,  // the same with GPU time instead of rounds: a job of four GPUs has a fourth of the rounds.
                  // Gavel's policy, if shares are computed seldom and stopping costs something
};
inline constexpr std::string_view kRoundPolicyNames[] = {"fifo",         "least-served", "shortest-left",
                                                         "longest-left", "max-min",      "max-min-gpu-time"};
// Orders the jobs of a round; the first that fit run.
void order_round(RoundPolicy policy, std::vector<Turn>& turns);
// Says which part of the rounds each job gets, where the policy has shares. `gpus`: of the cluster.
void share_rounds(RoundPolicy policy, std::vector<Turn>& turns, std::int64_t gpus);

struct RoundSettings {
  RoundPolicy policy = RoundPolicy::Fifo;
  std::int64_t gpus = 32;
  Duration round = seconds(120);
  // Of its round a job that did not run in the one before loses so much, to save and to load. Less than a
  // round.
  Duration restart = {};
  // When jobs came or ended, shares are computed anew, but not more often than that: until then who came does
  // not run, where the policy has shares.
  Duration shares_every = {};
};
struct RoundReport {
  RoundPolicy policy = RoundPolicy::Fifo;
  std::size_t jobs = 0;
  std::size_t left_out = 0;  // that ask for no whole GPU or for more than there are
  Duration makespan;         // from the first submission
  Duration mean_completion;  // submission to end
  // Finish-time fairness: completion against what the job would take alone on its part of the cluster, an
  // N-th of it with N jobs about on average while it is there. In thousandths.
  std::int64_t fairness_worst_milli = 0;
  std::int64_t unfair_permille = 0;       // of jobs above 1
  std::int64_t utilisation_permille = 0;  // GPU time that worked, of makespan times GPUs
};
// The jobs in order of submission.
RoundReport simulate_rounds(const std::vector<SimJob>& jobs, const RoundSettings& settings);

// With a line about jobs that were left out, which are the same for all policies.
std::string rounds_text(const std::vector<RoundReport>& reports);
json::Value rounds_json(const std::vector<RoundReport>& reports);

// ---- the policies, one file each ----

void order_fifo(std::vector<Turn>& turns);
void order_least_served(std::vector<Turn>& turns);
void order_shortest_left(std::vector<Turn>& turns);
void order_longest_left(std::vector<Turn>& turns);
void order_max_min(std::vector<Turn>& turns);
void order_max_min_gpu_time(std::vector<Turn>& turns);
void share_max_min_gpu_time(std::vector<Turn>& turns, std::int64_t gpus);

}  // namespace stoker::sim
