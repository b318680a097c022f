#pragma once
// "Can never run" because of the limits: not even an environment without any other machine could hold it.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"
#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/demand/demand.h"
#include "core/fleet/sizing/cover.h"
#include "core/fleet/sizing/policy.h"

namespace stoker::fleet {

// What a limit counts of a machine.
enum class Amount : std::uint8_t { Vcpus, Gpus, Machines };
inline constexpr Amount kAmounts[] = {Amount::Vcpus, Amount::Gpus, Amount::Machines};
std::int64_t amount_of(const InstanceType& type, Amount amount);

// A type, and how many runs it takes when it is empty: at least one.
struct SlotsOfType {
  const InstanceType* type = nullptr;
  std::int64_t slots = 0;
};
// How many machines of each type hold the runs and have together the least of an amount.
std::vector<std::int64_t> least(const std::vector<SlotsOfType>& types, std::int64_t runs, Amount amount);

// Nothing when one job of the demand may be inside the limits: proved limit by limit, and for jobs that take
// one machine by type. Else how to go on after "the environments", with the limit that binds: "cannot meet
// the CPU requirement of the job. Machines for it have 32 vCPU at least, and …". Types that could not hold a
// run do not count.
std::optional<std::string> beyond_limits(const Catalogue& catalogue, const FleetPolicy& policy,
                                         const Demand& demand);

}  // namespace stoker::fleet
