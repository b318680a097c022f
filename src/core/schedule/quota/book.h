#pragma once
// What the runs of a queue hold, by share: kept up to date as runs begin and end, never by walking jobs.
#include <cstdint>
#include <map>
#include <string>

#include "core/model/definition.h"
#include "core/model/quota.h"
#include "core/model/types.h"

namespace stoker::core {

// All but counts of runs in thousandths.
struct ShareHolding {
  std::int64_t gpu = 0;
  std::int64_t vcpu = 0;
  std::map<std::string, std::int64_t> by_gpu_model;  // as the driver names it
  std::map<std::string, std::int64_t> by_instance;   // parts of machines by type
  std::map<int, std::int64_t> by_priority;           // runs by schedulingPriority
  std::int64_t runs = 0;
  // How much of what the unit counts.
  [[nodiscard]] std::int64_t of(const CapacityUnit& unit) const;
  bool operator==(const ShareHolding&) const = default;
};

// Of one run, in what the unit counts.
std::int64_t amount_of(const CapacityUnit& unit, const Resources& resources, const QuotaUse& use);

class QuotaBook {
 public:
  void add(const JobSpec& spec, const QuotaUse& use);
  void remove(const JobSpec& spec, const QuotaUse& use);
  [[nodiscard]] const ShareHolding& of(const std::string& share) const;
  // Shares with runs.
  [[nodiscard]] const std::map<std::string, ShareHolding>& all() const { return shares_; }
  bool operator==(const QuotaBook&) const = default;

 private:
  std::map<std::string, ShareHolding> shares_;
};

}  // namespace stoker::core
