#include "core/fleet/sizing/survey.h"

#include <algorithm>
#include <numeric>

#include "core/fleet/keep/retire.h"

namespace stoker::fleet {

Survey::Survey(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
               std::span<const Demand> demands, Instant now)
    : wanted_(state.nodes.size(), false) {
  std::map<Need, std::int64_t> waiting;
  for (const Demand& demand : demands) waiting[demand.need] += demand.runs();
  // Busy machines before idle ones, and of those the one that became idle last.
  std::vector<std::size_t> order(state.nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto idle_order = [&](std::size_t i) {
    const FleetNode& node = state.nodes[i];
    return std::pair(static_cast<bool>(node.idle_since), -node.idle_since.ms);
  };
  std::ranges::stable_sort(order, {}, idle_order);
  for (const std::size_t i : order) {
    const FleetNode& node = state.nodes[i];
    ++pools_[node.pool];
    if (node.pool.market == Market::Spot) ++spot_nodes_;
    const InstanceType* type = catalogue.find(node.pool.type);
    if (type == nullptr) {
      ++tally_.nodes;
      continue;
    }
    tally_.add(*type);
    if (node.phase == NodePhase::Draining || node.rebalance || of_no_use(policy, node, now)) continue;
    vcpus_in_service_ += type->vcpus;
    ++in_service_[{type->name, node.pool.market, node.mig}];
    if (node.phase == NodePhase::Launching)
      add_stock(stocks(Kind::Launching), {count_reservations(*type, node, waiting), node.pool.zone, 1, {}});
    else
      add_stock(stocks(Kind::Ready), {node.free, node.pool.zone, 1, {i}});
  }
}

Room Survey::count_reservations(const InstanceType& type, const FleetNode& node,
                                std::map<Need, std::int64_t>& waiting) {
  Room room = room_of(type, node.pool.market, node.mig);
  for (const NodeRuns& runs : node.runs) {
    const auto want = waiting.find(runs.need);
    if (want == waiting.end()) continue;
    const std::int64_t counted = fleet::take(room, runs.need, std::min(runs.runs, want->second));
    want->second -= counted;
    reserved_[{runs.need, node.pool.zone}] += counted;
  }
  return room;
}

// Only neighbours are merged, so that the order of the machines is kept.
void Survey::add_stock(std::vector<Stock>& stocks, Stock stock) {
  if (!stocks.empty() && stocks.back().room == stock.room && stocks.back().zone == stock.zone) {
    Stock& last = stocks.back();
    last.count += stock.count;
    last.members.insert(last.members.end(), stock.members.begin(), stock.members.end());
  } else {
    stocks.push_back(std::move(stock));
  }
}

void Survey::note(Kind kind, std::size_t member, const Need& need, std::int64_t runs) {
  if (kind == Kind::Ready) wanted_[member] = true;
  if (kind == Kind::Planned && runs > 0) planned_[member].push_back({.need = need, .runs = runs});
}

std::int64_t Survey::take_from(Kind kind, const std::string& zone, const Need& need, std::int64_t runs) {
  std::int64_t taken = 0;
  std::vector<Stock> next;
  for (Stock& stock : stocks(kind)) {
    const bool here = zone.empty() || stock.zone == zone;
    const std::int64_t each = here && taken < runs ? slots(stock.room, need) : 0;
    // First the machines that are filled, then at most one that is filled in part, then the rest.
    while (each > 0 && stock.count > 0 && taken < runs) {
      const std::int64_t share = std::min(each, runs - taken);
      const std::int64_t machines = share == each ? std::min(stock.count, (runs - taken) / each) : 1;
      Stock used{stock.room, stock.zone, machines, {}};
      fleet::take(used.room, need, share);
      if (!stock.members.empty()) {
        const auto end = stock.members.begin() + machines;
        used.members.assign(stock.members.begin(), end);
        stock.members.erase(stock.members.begin(), end);
        for (const std::size_t member : used.members) note(kind, member, need, share);
      }
      stock.count -= machines;
      taken += machines * share;
      add_stock(next, std::move(used));
    }
    if (stock.count > 0) add_stock(next, std::move(stock));
  }
  stocks(kind) = std::move(next);
  return taken;
}

std::int64_t Survey::room_in(const std::string& zone, const Need& need) const {
  std::int64_t room = 0;
  for (auto at = reserved_.lower_bound({need, {}}); at != reserved_.end() && at->first.first == need; ++at)
    if (zone.empty() || at->first.second == zone) room += at->second;
  for (const std::vector<Stock>& kind : stocks_)
    for (const Stock& stock : kind)
      if (zone.empty() || stock.zone == zone) room += stock.count * slots(stock.room, need);
  return room;
}

Taken Survey::take_in(const std::string& zone, const Need& need, std::int64_t runs) {
  Taken taken;
  std::int64_t left = runs;
  for (auto at = reserved_.lower_bound({need, {}}); at != reserved_.end() && at->first.first == need; ++at) {
    if (!zone.empty() && at->first.second != zone) continue;
    const std::int64_t here = std::min(at->second, left);
    at->second -= here;
    taken.on_launching += here;
    left -= here;
  }
  taken.on_ready = take_from(Kind::Ready, zone, need, left);
  left -= taken.on_ready;
  for (const Kind kind : {Kind::Launching, Kind::Planned}) {
    const std::int64_t more = take_from(kind, zone, need, left);
    taken.on_launching += more;
    left -= more;
  }
  return taken;
}

Taken Survey::take(const Demand& demand, std::int64_t runs) {
  const std::int64_t gang = std::max<std::int64_t>(1, demand.gang);
  if (gang > 1) runs = std::min(room_in({}, demand.need), runs) / gang * gang;
  return take_in({}, demand.need, runs);
}

std::int64_t Survey::slots_in_all(const Catalogue& catalogue, const Need& need) const {
  std::int64_t sum = 0;
  for (const auto& [service, count] : in_service_)
    sum += count * slots(room_of(*catalogue.find(service.type), service.market, service.mig), need);
  return sum;
}

void Survey::plan(const InstanceType& type, const Pool& pool, const Need& need, std::int64_t runs) {
  const bool mig = runs > 0 && need.mig_devices > 0;
  tally_.add(type);
  ++tally_.launches;
  vcpus_in_service_ += type.vcpus;
  ++in_service_[{type.name, pool.market, mig}];
  ++pools_[pool];
  if (pool.market == Market::Spot) ++spot_nodes_;
  Stock stock{room_of(type, pool.market, mig), pool.zone, 1, {planned_.size()}};
  planned_.emplace_back();
  planned_mig_.push_back(mig);
  note(Kind::Planned, stock.members[0], need, runs);
  fleet::take(stock.room, need, runs);
  add_stock(stocks(Kind::Planned), std::move(stock));
}

void Survey::leave(const Catalogue& catalogue, const FleetState& state, std::size_t node) {
  for (Stock& stock : stocks(Kind::Ready)) stock.count -= std::erase(stock.members, node) > 0 ? 1 : 0;
  std::erase_if(stocks(Kind::Ready), [](const Stock& stock) { return stock.count == 0; });
  const FleetNode& one = state.nodes[node];
  const InstanceType* type = catalogue.find(one.pool.type);
  if (type == nullptr) return;
  vcpus_in_service_ -= type->vcpus;
  --in_service_[{type->name, one.pool.market, one.mig}];
}

std::int64_t Survey::nodes_in(const Pool& pool) const {
  const auto found = pools_.find(pool);
  return found == pools_.end() ? 0 : found->second;
}

}  // namespace stoker::fleet
