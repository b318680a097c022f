#pragma once
// Which MIG devices may exist together on one GPU (NVIDIA MIG User Guide, supported profiles). A device takes
// compute slices and a run of memory slices; the memory ranges must not overlap, the compute slices must not
// exceed the GPU's, and each profile has a largest count. What a node reports is the truth; these tables
// serve the planning of layouts.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/gpu.h"

namespace stoker::core {

struct MigProfile {
  std::string_view name;
  int compute = 0;          // slices
  int memory = 0;           // slices
  int most = 0;             // of this profile on one GPU
  std::uint8_t starts = 0;  // bit n: it may begin at memory slice n
  std::int64_t memory_mib = 0;
};

struct MigTable {
  int compute = 0;  // slices of the GPU
  int memory = 0;
  std::vector<MigProfile> profiles;
  [[nodiscard]] const MigProfile* find(std::string_view name) const;
};

// Null for GPUs that have no MIG. `model` as the driver or a pretended inventory names it.
const MigTable* mig_table(std::string_view model, std::int64_t memory_mib);

// A device by its place; `profile` points into the table.
struct MigPlace {
  const MigProfile* profile = nullptr;
  int start = 0;
  bool operator==(const MigPlace&) const = default;
};
using MigLayout = std::vector<MigPlace>;  // by start

bool is_legal(const MigTable& table, std::span<const MigPlace> places);
// Where one more device of the profile can be made beside those that are there: the start that leaves most
// room for others.
std::optional<int> free_start(const MigTable& table, std::span<const MigPlace> places,
                              const MigProfile& profile);
// A layout for an idle GPU: as many devices of the profile as can be, the rest filled with the largest others
// that fit.
MigLayout layout_for(const MigTable& table, const MigProfile& profile);

// The amount of a GPU that one device counts as, in thousandths, from the name alone: by its compute slices
// of the seven (A30: of the four).
std::int64_t mig_milli(std::string_view profile);
// What part of the GPU's memory one device has, in thousandths: by memory slices where the profile is known,
// else by compute slices.
std::int64_t mig_memory_milli(std::string_view model, std::int64_t memory_mib, std::string_view profile);
// "2g.20gb", "1g.5gb+me": what a profile's name looks like.
bool is_mig_profile(std::string_view text);

// The name of a planned device tells what and where it is: "GPU-1/2g.20gb@4".
std::string mig_name(std::string_view gpu, std::string_view profile, int start);
struct MigName {
  std::string gpu;
  std::string profile;
  int start = 0;
  bool operator==(const MigName&) const = default;
};
std::optional<MigName> parse_mig_name(std::string_view name);

}  // namespace stoker::core
