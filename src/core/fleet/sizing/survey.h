#pragma once
// The machines there are, counted in a way that costs by kinds of machines and not by machines: equal ones
// are one entry. Sizing takes waiting runs out of it before it launches anything.
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/fleet/sizing/policy.h"
#include "core/fleet/sizing/state.h"
#include "core/fleet/sizing/tally.h"

namespace stoker::fleet {

struct Taken {
  std::int64_t on_ready = 0;
  std::int64_t on_launching = 0;
  [[nodiscard]] std::int64_t runs() const { return on_ready + on_launching; }
};

class Survey {
 public:
  Survey(const Catalogue& catalogue, const FleetPolicy& policy, const FleetState& state,
         std::span<const Demand> demands, Instant now);

  // Takes room for as many of the runs as there is, whole gangs only: on machines that are ready first, of
  // those on the ones that became idle last, so that the others can go.
  Taken take(const Demand& demand, std::int64_t runs);
  // Room for runs in a zone, or in all ("").
  [[nodiscard]] std::int64_t room_in(const std::string& zone, const Need& need) const;
  // Takes so much of it: a part of a gang, for whose rest machines are launched.
  Taken take_in(const std::string& zone, const Need& need, std::int64_t runs);
  // Runs that all machines in service and under way would take if they were empty.
  [[nodiscard]] std::int64_t slots_in_all(const Catalogue& catalogue, const Need& need) const;
  // A machine that is planned; `runs` of them go on it at once. The n-th call plans machine n.
  void plan(const InstanceType& type, const Pool& pool, const Need& need, std::int64_t runs);

  // A machine that is ready (index in FleetState::nodes) takes no runs any more. It counts against the
  // limits.
  void leave(const Catalogue& catalogue, const FleetState& state, std::size_t node);

  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] std::int64_t vcpus_in_service() const { return vcpus_in_service_; }  // not draining
  [[nodiscard]] std::int64_t nodes_in(const Pool& pool) const;
  [[nodiscard]] std::int64_t spot_nodes() const { return spot_nodes_; }
  // Whether the machine's GPUs are to be switched to MIG.
  [[nodiscard]] bool planned_mig(std::size_t n) const { return planned_mig_[n]; }
  // What the planned machine n is for.
  [[nodiscard]] const std::vector<NodeRuns>& planned_runs(std::size_t n) const { return planned_[n]; }
  // Whether waiting runs were put on the machine (index in FleetState::nodes).
  [[nodiscard]] bool wanted(std::size_t node) const { return wanted_[node]; }

 private:
  struct Stock {
    Room room;
    std::string zone;
    std::int64_t count = 0;
    // Which ones: indices of ready machines, of planned ones; empty for those under way.
    std::vector<std::size_t> members;
  };
  enum class Kind : std::uint8_t { Ready, Launching, Planned };
  std::int64_t take_from(Kind kind, const std::string& zone, const Need& need, std::int64_t runs);
  std::vector<Stock>& stocks(Kind kind) { return stocks_[static_cast<std::size_t>(kind)]; }
  void note(Kind kind, std::size_t member, const Need& need, std::int64_t runs);
  Room count_reservations(const InstanceType& type, const FleetNode& node,
                          std::map<Need, std::int64_t>& waiting);
  static void add_stock(std::vector<Stock>& stocks, Stock stock);

  Tally tally_;
  std::int64_t vcpus_in_service_ = 0;
  std::int64_t spot_nodes_ = 0;
  struct Service {
    std::string type;
    Market market = Market::OnDemand;
    bool mig = false;
    auto operator<=>(const Service&) const = default;
  };
  std::map<Service, std::int64_t> in_service_;
  std::map<Pool, std::int64_t> pools_;
  std::array<std::vector<Stock>, 3> stocks_;  // by Kind
  // Runs that machines under way are for, not yet taken, by zone.
  std::map<std::pair<Need, std::string>, std::int64_t> reserved_;
  std::vector<std::vector<NodeRuns>> planned_;
  std::vector<bool> planned_mig_;
  std::vector<bool> wanted_;
};

}  // namespace stoker::fleet
