#pragma once
// What preemption for the waiting jobs of one queue can count on: who could be stopped, and the books as they
// will be when everything under way is done: what is being stopped is gone, and for whom that is done has
// started. Made once for all of them in a pass. Costs by running jobs; asking it does not.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/schedule/preempt/victims.h"
#include "core/schedule/quota/rights.h"
#include "core/state.h"

namespace stoker::core {

struct PreemptionPlan;

class Prospect {
 public:
  // The queue must have quota shares.
  Prospect(const State& state, const JobQueue& queue, Instant now);

  // A node on which jobs of the queue may run.
  struct Site {
    const Node* node = nullptr;
    Resources free;  // when what is being stopped is gone, at most
  };
  struct Candidate : Victim {
    std::uint32_t site = kNoSite;  // index into sites()
    static constexpr std::uint32_t kNoSite = UINT32_MAX;
  };
  // Those whom a job has grounds to stop as the books are.
  struct Candidates {
    std::vector<Candidate> victims;                   // in the order in which they are taken
    std::vector<std::vector<std::uint32_t>> on_site;  // by site: indices into victims, ascending
    // If they were all stopped: what could be free by site at most, and of each resource on any one site; and
    // the book.
    std::vector<Resources> most_free;
    Resources most_free_anywhere;
    QuotaBook book;
  };

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const QuotaShares& shares() const { return shares_; }
  [[nodiscard]] QuotaView view() const { return {shares_, book_}; }
  [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }
  // Of a job of that share and schedulingPriority; `owns`: it would be within the limits of its share. Valid
  // until note().
  const Candidates& candidates(const QuotaShare& share, int priority, bool owns);
  // The plan is being carried out for the job.
  void note(const Job& job, const PreemptionPlan& plan);

 private:
  // Share, how many of its own jobs may be stopped, and whether those of others may be.
  using Grounds = std::tuple<std::string, std::size_t, bool>;
  [[nodiscard]] Candidates make_candidates(const Grounds& grounds) const;
  void leaves(const Job& run, std::uint32_t site);

  const State& state_;
  const QuotaShares& shares_;
  QuotaBook book_;
  std::vector<Site> sites_;
  std::map<std::string, std::vector<Candidate>> by_share_;  // in the order in which they are taken
  std::map<Grounds, Candidates> made_;
};

// The ground on which a job of `share` stops a candidate, as the books are by then: that one's share is over
// its limits, or it is of the same share, where only lower priorities are candidates.
bool has_ground(const QuotaView& view, const QuotaShare& share, const Job& candidate);

// The node when what is being stopped is gone.
Node ahead(const State& state, const Node& node);

}  // namespace stoker::core
