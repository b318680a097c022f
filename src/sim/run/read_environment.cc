#include "sim/run/read_environment.h"

#include <algorithm>

#include "core/placement/mig.h"
#include "sim/run/read_source.h"

namespace stoker::sim {
namespace {

constexpr std::size_t kSpotPricesMax = 100'000;
// What happens over and over takes a while, so that years of it stay a number of events that can be
// simulated.
constexpr Duration kRepeatLeast = minutes(1);

Result<void> read_spot_prices(Members& members, SpotModel& spot) {
  const auto read_price = [&](Members& member, std::size_t) -> Result<void> {
    SpotPrice price;
    TRY(member.time("afterSeconds", price.after));
    TRY(member.whole("percent", 1, 1000, price.percent));
    if (!spot.prices.empty() && price.after <= spot.prices.back().after)
      return bad_member("afterSeconds", "must be later than the one before");
    spot.prices.push_back(price);
    return {};
  };
  TRY(members.each("prices", 0, kSpotPricesMax, read_price));
  TRY(members.time("pricesRepeatSeconds", spot.prices_repeat));
  if (spot.prices_repeat == Duration{}) return {};
  if (spot.prices.empty() || spot.prices_repeat <= spot.prices.back().after)
    return bad_member("pricesRepeatSeconds", "must be later than the last of prices");
  if (spot.prices_repeat < kRepeatLeast * static_cast<std::int64_t>(spot.prices.size()))
    return bad_member("pricesRepeatSeconds", "must be a minute at least for each of prices");
  return {};
}

Result<void> read_spot(Members& members, SpotModel& spot) {
  TRY(members.whole("pricePercent", 1, 100, spot.price_percent));
  TRY(read_spot_prices(members, spot));
  TRY(members.whole("failPermille", 0, 1000, spot.fail_permille));
  TRY(members.time("meanSecondsToInterruption", spot.mean_to_interruption));
  TRY(members.text("events", spot.events));
  TRY(check_below_traces("events", spot.events));
  if (!spot.events.empty() && spot.mean_to_interruption > Duration{})
    return bad_member("events", "either events or meanSecondsToInterruption, not both");
  TRY(members.time("noticeSeconds", spot.notice));
  return members.time("adviceSeconds", spot.advice);
}

Result<void> read_left_running(Members& members, LeftRunning& left) {
  TRY(members.whole("permille", 0, 1000, left.permille));
  return members.time("meanSeconds", left.mean);
}

Result<void> read_machines(Members& members, const fleet::Catalogue& catalogue, StaticMachines& machines) {
  TRY(members.text("type", machines.type));
  if (catalogue.find(machines.type) == nullptr)
    return bad_member("type", machines.type + " is not in the catalogue");
  TRY(members.whole("count", 1, kSimMachinesMax, machines.count));
  TRY(members.whole("racks", 1, kSimMachinesMax, machines.racks));
  if (machines.racks > machines.count) return bad_member("racks", "must not be more than count");
  return {};
}

Result<void> read_billing(Members& members, cost::BillingRule& billing) {
  std::string rule = "second";
  TRY(members.text("billing", rule));
  if (rule != "hour" && rule != "second") return bad_member("billing", "must be second or hour");
  billing = rule == "hour" ? cost::kPerHour : cost::kPerSecond;
  return {};
}

Result<void> read_idle_cost(Members& members, bool& spread) {
  std::string payer = "environment";
  TRY(members.text("idleCost", payer));
  if (payer != "environment" && payer != "proportional")
    return bad_member("idleCost", "must be environment or proportional");
  spread = payer == "proportional";
  return {};
}

// What is there has a price; what may be launched is launched for one.
Result<void> check_prices(const SimEnvironment& environment, const fleet::Catalogue& catalogue) {
  for (std::size_t i = 0; i < environment.machines.size(); ++i)
    if (!catalogue.on_demand(environment.machines[i].type, environment.region()))
      return bad_member(numbered("machines", i),
                        "type: " + environment.machines[i].type + " has no price in " + environment.region());
  if (!environment.policy) return {};
  for (const std::string& type : environment.policy->types)
    if (!catalogue.on_demand(type, environment.region()))
      return bad_member("fleet", "types: " + type + " has no price in " + environment.region());
  return {};
}

// Some machine of it must be able to make MIG devices. A fleet launches machines for them by itself.
Result<void> check_mig(const SimEnvironment& environment, const fleet::Catalogue& catalogue) {
  if (!environment.mig) return {};
  if (environment.policy) return bad_member("mig", "is for machines that are there, not for a fleet");
  const auto can = [&](const StaticMachines& machines) {
    const fleet::InstanceType& type = *catalogue.find(machines.type);
    return core::mig_table(type.gpu_model, type.gpu_memory_mib) != nullptr;
  };
  if (std::ranges::any_of(environment.machines, can)) return {};
  return bad_member("mig", "none of its machines has GPUs that can make MIG devices");
}

}  // namespace

Result<void> read_environment(Members& members, const fleet::Catalogue& catalogue,
                              SimEnvironment& environment) {
  TRY(members.text("name", environment.name));
  if (environment.name.empty()) return bad_member("name", "must be given");
  TRY(members.each("machines", 0, 1000, [&](Members& member, std::size_t) {
    return read_machines(member, catalogue, environment.machines.emplace_back());
  }));
  if (const json::Value* policy = members.find("fleet")) {
    auto read = fleet::read_fleet_policy(*policy, catalogue);
    if (!read) return std::unexpected(std::move(read).error().within("fleet"));
    environment.policy = std::move(*read);
  }
  TRY(members.flag("mig", environment.mig));
  TRY(check_mig(environment, catalogue));
  TRY(check_prices(environment, catalogue));
  TRY(members.draw("bootSeconds", environment.boot));
  TRY(members.draw("pullSeconds", environment.pull));
  TRY(members.whole("pullMiBPerSecond", 1, 1'000'000, environment.pull_mib_per_second));
  TRY(members.flag("keepsImages", environment.keeps_images));
  TRY(members.flag("oneRunAMachine", environment.one_run_a_machine));
  TRY(members.whole("onDemandFailPermille", 0, 1000, environment.on_demand_fail_permille));
  TRY(members.object("spotModel", [&](Members& member) { return read_spot(member, environment.spot); }));
  TRY(members.object("leftRunning",
                     [&](Members& member) { return read_left_running(member, environment.left_running); }));
  TRY(read_idle_cost(members, environment.spread_idle_cost));
  return read_billing(members, environment.billing);
}

}  // namespace stoker::sim
