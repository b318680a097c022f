#pragma once
// What waits for machines, in the terms of fleet sizing: jobs that ask for the same thing are one entry.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/deadline/due.h"

namespace stoker::fleet {

enum class SpotWish : std::uint8_t { First, Only, Never };

// What one run needs of one machine: whole GPUs, or a share of one GPU, or MIG devices, or none.
struct Need {
  std::int64_t cpus_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;                         // whole ones
  std::int64_t gpu_milli = 0;                    // share of one GPU, 1 to 999; then gpus is 0
  std::string mig = {};                          // profile, "2g.20gb"; then gpus and gpu_milli are 0
  std::int64_t mig_devices = 0;                  // of that profile, on any GPUs of the machine
  std::int64_t gpu_memory_min_mib = 0;           // of each GPU or MIG device it runs on
  std::vector<std::string> gpu_models;           // any of them; empty: any
  std::string architecture;                      // empty: any
  std::vector<std::string> instance_types = {};  // any of them; empty: any
  SpotWish spot = SpotWish::First;               // Only, Never: on machines of that market alone
  [[nodiscard]] bool wants_gpus() const { return gpus > 0 || gpu_milli > 0 || mig_devices > 0; }
  auto operator<=>(const Need&) const = default;
};

struct Demand {
  Need need;
  std::int64_t jobs = 0;                      // how many wait
  std::int64_t gang = 1;                      // machines' worth of `need` that one job takes, all or nothing
  bool near = false;                          // a gang whose machines must be launched beside each other
  Instant waiting_since;                      // of the job that waits longest; 0: not known
  std::optional<Due> due = {};                // of each of them; then `run` is left to it
  Duration run;                               // how long one is expected to run; 0: not known
  std::int64_t interruption_percent_max = 0;  // spot pools above are not for it; 0: any
  std::uint64_t asker = 0;                    // as the caller numbers those who ask; 0: nobody
  // At a limit what it needs is kept for it, and machines go that cannot hold it. Not where another
  // environment may serve it.
  bool reserves = true;

  [[nodiscard]] std::int64_t runs() const { return jobs * gang; }
  bool operator==(const Demand&) const = default;
};

// "4 vCPU, 16384 MiB, 2 GPU of A10G or L4, 20000 MiB each"
std::string describe(const Need& need);

}  // namespace stoker::fleet
