#pragma once
// Idle machines that stay for the minimum of vCPUs alone, where cheaper ones would do: what a burst left
// there would cost its price as long as the minimum stands.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/market/offers.h"
#include "core/fleet/sizing/survey.h"

namespace stoker::fleet {

struct Exchange {
  std::map<std::size_t, std::string> leaving;  // index in FleetState::nodes, and why
  std::optional<Instant> look_again;           // when another pays by the passing of time alone
};

struct ExchangeTerms {
  const Survey& survey;                               // the minimum is filled there
  const std::map<std::size_t, std::string>& leaving;  // these go already
  Tally counted;                                      // against the limits
  std::vector<Offer> offers;                          // for runs of one vCPU
};

// What keeps the minimum instead is left to the caller to launch. A machine goes when its warm window is
// over, and it has cost as much more than those that would be launched in its place as they cost until they
// are ready: break-even, as with warm windows, never costs more than twice the best choice in hindsight.
Exchange exchange_dear(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
                       const ExchangeTerms& terms, Instant now);

}  // namespace stoker::fleet
