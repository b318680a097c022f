#pragma once
// Quota shares: how much of a queue's machines a team may use at once, and what becomes of what it leaves
// idle (AWS Batch API, QuotaShareDetail; AWS Batch User Guide, quota-shares).
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/types.h"

namespace stoker::core {

// What a limit counts.
struct CapacityUnit {
  enum class Kind : std::uint8_t {
    Gpu,       // GPUs of any model, shares of them in parts
    Vcpu,      // vCPUs
    GpuModel,  // GPUs of one model, named as people do: "A100-80GB"
    Instance,  // machines of one instance type; a run counts as the part of its machine that it takes
  };
  Kind kind = Kind::Gpu;
  std::string name = {};  // GpuModel: lower case; Instance: the type; else ""
  auto operator<=>(const CapacityUnit&) const = default;
};

struct CapacityLimit {
  std::int64_t max = 0;  // whole units
  std::string given;     // the unit as the caller wrote it
  CapacityUnit unit;
  [[nodiscard]] std::int64_t milli() const { return max * 1000; }
  bool operator==(const CapacityLimit&) const = default;
};

struct QuotaSharing {
  // What is idle of the limits is kept, lent to shares that borrow, or lent and borrowed.
  enum class Strategy : std::uint8_t { Reserve, Lend, LendAndBorrow } strategy = Strategy::Reserve;
  std::int64_t borrow_percent = kNoBorrowLimit;  // of each limit, on top of it; only for LendAndBorrow
  static constexpr std::int64_t kNoBorrowLimit = -1;
  [[nodiscard]] bool lends() const { return strategy != Strategy::Reserve; }
  [[nodiscard]] bool borrows() const { return strategy == Strategy::LendAndBorrow; }
  bool operator==(const QuotaSharing&) const = default;
};

struct QuotaShare {
  std::string name;
  QueueNo queue;
  bool enabled = true;                // else no new jobs; those submitted go on
  std::vector<CapacityLimit> limits;  // in the order given, each unit once
  QuotaSharing sharing;
  bool preempts_inside = false;  // a job of higher priority may stop one of lower priority
  Tags tags;
};

// What a run takes of its share beyond vCPUs and GPUs: known when it was placed, kept with its attempt.
struct QuotaUse {
  std::string gpu_model;            // of its GPUs
  std::string instance_type;        // of its machine, where that is known
  std::int64_t instance_milli = 0;  // the part of the machine
  auto operator<=>(const QuotaUse&) const = default;
};

}  // namespace stoker::core
