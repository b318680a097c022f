#pragma once
// The facts about instance types that the program carries. Private to the catalogue.
#include <cstdint>
#include <span>

namespace stoker::fleet {

struct TableRow {
  const char* name;
  std::int64_t vcpus;
  std::int64_t memory_mib;
  std::int64_t gpus;
  std::int64_t gpu_milli;  // how much of a whole GPU each is
  const char* gpu_model;
  std::int64_t gpu_memory_mib;  // of each
  const char* arch;
  std::int64_t efa_interfaces;
  std::int64_t on_demand_micros;  // per hour; 0: no list price in this region
  std::int64_t spot_micros;       // per hour, typical; 0: not known
  std::int64_t interruption_percent;
};

inline constexpr const char* kTableRegion = "us-east-1";
inline constexpr const char* kTableDate = "2026-07-20";  // of the on-demand prices

std::span<const TableRow> instance_table();

}  // namespace stoker::fleet
