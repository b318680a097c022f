#pragma once
// Control groups for runs: memory limit, CPU weight, devices. Version 1, version 2 and both at once, whatever
// of it this process may write to; what it may not is said in warnings(), in words for the user.
//
// Groups are a pool: making one costs more than starting a short job, and the next job mostly wants the same
// limits. A slot is one group (a directory in each hierarchy in use); it is given to one run at a time and
// must be empty when it comes back.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "rt/fd.h"

namespace stoker::agent {

struct DeviceNumber {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  auto operator<=>(const DeviceNumber&) const = default;
};

struct CgroupLimits {
  std::int64_t memory_mib = 0;               // 0: no limit
  std::int64_t cpus_milli = 0;               // a weight, not a cap, as in Batch
  std::vector<DeviceNumber> denied_devices;  // character devices the run must not open
  bool operator==(const CgroupLimits&) const = default;
};

struct CgroupSlot {
  int number = -1;
  std::vector<std::string> directories;  // the job's process goes into each
  std::string oom_file;                  // has a line "oom_kill <count>"; "" when there is none
};

class Cgroups {
 public:
  // Finds out what is there and makes a place in it. `name` is unique to the agent's state directory, so that
  // agents do not share slots. Removes what an earlier agent left and nobody is in.
  static Cgroups open(const std::string& name);
  Cgroups(Cgroups&&) = default;
  Cgroups& operator=(Cgroups&&) = default;
  ~Cgroups();  // removes the groups that nobody is in

  [[nodiscard]] bool limits_memory() const { return !memory_.empty() || unified_has_memory_; }
  [[nodiscard]] bool weighs_cpu() const { return !cpu_.empty() || unified_has_cpu_; }
  [[nodiscard]] bool denies_devices() const;
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  // A slot with these limits. Nothing (number -1, no directories) when no hierarchy is usable. Io when a
  // limit that this node enforces could not be set.
  Result<CgroupSlot> acquire(const CgroupLimits& limits);
  // The slot is free again. Unknown: something of the run may be in it still, and is killed first.
  enum class Left { Nothing, Unknown };
  void release(int number, Left left);
  // The slot that this process is in, marked as taken: for runs of an earlier agent. -1 when it is in none.
  int adopt(pid_t process);
  // Once all runs of an earlier agent have been adopted: empties and removes the other slots that it left.
  void sweep();

 private:
  struct Slot {
    bool made = false;
    bool adopted = false;
    std::optional<CgroupLimits> limits;
    std::vector<DeviceNumber> denied;
    rt::UniqueFd device_program;  // version 2
  };

  Cgroups() = default;
  void find_hierarchies(const std::string& name);
  void find_unified(const std::string& mount, const std::string& own_path, const std::string& name);
  void drop_useless_unified();
  void warn();
  Result<void> make(int number);
  Result<void> prepare(int number, Slot& slot, const CgroupLimits& limits);
  Result<void> apply(int number, const CgroupLimits& limits);
  Result<void> deny(int number, const std::vector<DeviceNumber>& devices);
  [[nodiscard]] std::vector<std::string> bases() const;
  [[nodiscard]] bool is_empty(int number) const;
  void kill_all(int number) const;
  bool empty_out(int number) const;
  void remove(int number);

  // Directories that hold the slots; "" when not in use.
  std::string memory_;
  std::string cpu_;
  std::string devices_;
  std::string unified_;
  bool unified_has_memory_ = false;
  bool unified_has_cpu_ = false;
  std::vector<std::string> warnings_;
  std::map<int, Slot> slots_;
  std::vector<int> free_;
};

}  // namespace stoker::agent
