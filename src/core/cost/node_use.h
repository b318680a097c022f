#pragma once
// What a machine was used for, as the ledger needs it.
#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/billing.h"

namespace stoker::cost {

// Shares of a machine in millionths.
using Share = std::int64_t;
inline constexpr Share kWholeNode = 1'000'000;

struct ShareWeights {  // in thousandths; GPUs alone decide by default
  std::int64_t gpu = 1000;
  std::int64_t cpu = 1000;
  std::int64_t memory = 1000;
  bool operator==(const ShareWeights&) const = default;
};
struct Amounts {
  std::int64_t gpu_milli = 0;
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
};
// The dominant share of a request: the largest of its parts of the machine, each times its weight; at most
// all.
Share dominant_share(const Amounts& request, const Amounts& machine, const ShareWeights& weights = {});

// Who pays: enough to add up by each of them.
struct Payer {
  std::string job;     // "": no one job
  std::string tenant;  // share identifier or owner
  std::string queue;
  std::string tag;  // the value of the tag that costs are added up by
  auto operator<=>(const Payer&) const = default;
};

// A time that goes on has no end yet: 0.
struct Span {
  Instant from;
  Instant to;
  bool operator==(const Span&) const = default;
};
// The last of the spans goes on, or not, from now on. True when that is news.
bool note_span(std::vector<Span>& spans, bool goes_on, Instant now);

// One run on the machine.
struct RunUse {
  Payer payer;
  Share share = kWholeNode;
  Instant from;        // placed
  Instant works_from;  // its image is there: from then on it works; until then it warms up
  Instant to;          // ended; for a run that goes on: now
  Instant kept_until;  // work after that was lost (time of the last checkpoint); usually = to
};

struct NodeUse {
  std::string node;
  std::string environment;
  Payer asked_by;          // no job; whose demand launched it; nobody: the environment's
  Payer used_by;           // no job; who used it last before `started`; nobody: nobody did
  std::vector<Span> kept;  // when the environment keeps it whoever uses it, as by its minimum; ascending
  std::vector<PriceStep> prices;  // at least one, ascending
  Money launch_fee;               // what its launch cost besides its time; never given back
  Instant started;                // EC2's "running"
  Instant ready;                  // its agent said hello; 0: never
  Instant ended;                  // 0: goes on
  bool reclaimed = false;         // taken back by the seller
  std::vector<RunUse> runs;
};

}  // namespace stoker::cost
