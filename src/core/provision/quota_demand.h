#pragma once
// How many of the jobs that wait in a queue with quota shares could start if there were machines, and on
// which types: what the limits of their shares keep waiting is no demand. The pass decides who starts; this
// counts ahead with the same predicates, on a copy of the book.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/fleet/catalogue/catalogue.h"
#include "core/provision/fleet.h"
#include "core/schedule/quota/rights.h"
#include "core/state.h"

namespace stoker::core {

// GPU model and instance type that runs of a share are held to. Empty: any.
using QuotaPlace = std::pair<std::string, std::string>;
// Runs of a share that may start together.
struct QuotaPart {
  std::int64_t jobs = 0;
  QuotaPlace place;
};
// How many can be had machines for, where that is known.
using QuotaServed = std::map<QuotaPlace, std::int64_t>;

class QuotaDemand {
 public:
  // Of several types or GPU models that a share has limits for, a job is counted on the one with room where
  // it costs least, by the part of the machine that it takes, as long as machines can be had there; of those
  // that cost the same, and of those that are not to be had now, on the first in the share's own order.
  QuotaDemand(const State& state, const JobQueue& queue, const fleet::Catalogue& catalogue,
              OfferedTypes offered);

  // As many of `jobs` like `first` as may start; they are counted as started. When its limits refuse one, the
  // share gets nothing more on that right: what an earlier job waits for is not given to a later one.
  std::vector<QuotaPart> take(const GroupKey& key, const Job& first, std::int64_t jobs, QuotaRight right,
                              const QuotaServed& served);

 private:
  // Where the limits of its share let a job go.
  struct Choice {
    QuotaPlace place = {};
    bool possible = true;    // something that is offered can hold it
    Money price = {};        // of the machine
    std::int64_t slots = 1;  // for such jobs on it
  };
  enum class Taken : std::uint8_t { Yes, Refused, NoMachine };
  [[nodiscard]] std::vector<Choice> choices(const GroupKey& key, const JobSpec& spec) const;
  void set_price(Choice& choice, const fleet::Need& need) const;
  Taken take_one(const GroupKey& key, const JobSpec& spec, const std::vector<Choice>& choices,
                 QuotaRight right, const QuotaServed& served, std::vector<QuotaPart>& parts);

  const State& state_;
  const QuotaShares& shares_;
  const fleet::Catalogue& catalogue_;
  OfferedTypes offered_;
  QuotaBook book_;
  std::set<std::pair<std::string, QuotaRight>> full_;
};

}  // namespace stoker::core
