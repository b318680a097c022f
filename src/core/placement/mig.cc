#include "core/placement/mig.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "core/placement/gpu_model.h"

namespace stoker::core {
namespace {

constexpr std::uint8_t starts(std::initializer_list<int> slices) {
  std::uint8_t set = 0;
  for (const int slice : slices) set = static_cast<std::uint8_t>(set | (1U << slice));
  return set;
}

// The placements are the same on all GPUs of seven compute slices; only the names tell the memory.
struct Names {
  std::string_view g1, g1_media, g1_double, g2, g3, g4, g7;
};
MigTable seven_slices(const Names& names, std::int64_t memory_mib) {
  const auto any = starts({0, 1, 2, 3, 4, 5, 6});
  const auto slice = memory_mib / 8;
  return {.compute = 7,
          .memory = 8,
          .profiles = {{names.g7, 7, 8, 1, starts({0}), memory_mib},
                       {names.g4, 4, 4, 1, starts({0}), slice * 4},
                       {names.g3, 3, 4, 2, starts({0, 4}), slice * 4},
                       {names.g2, 2, 2, 3, starts({0, 2, 4}), slice * 2},
                       {names.g1_double, 1, 2, 4, starts({0, 2, 4, 6}), slice * 2},
                       {names.g1, 1, 1, 7, any, slice},
                       {names.g1_media, 1, 1, 1, any, slice}}};
}

struct Model {
  std::string_view words;  // as in a wish for a model
  std::int64_t memory_mib_min;
  MigTable table;
};

// H100s of 94 and 96 GB name their profiles otherwise: of those only devices that exist are known.
constexpr std::int64_t kOtherProfiles = 90'000;

// More memory goes first: an A100 of 80 GB also has the memory of one of 40 GB.
const std::vector<Model>& models() {
  static const Names k40{"1g.5gb", "1g.5gb+me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"};
  static const Names k80{"1g.10gb", "1g.10gb+me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"};
  static const Names k141{"1g.18gb", "1g.18gb+me", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"};
  static const Names k180{"1g.23gb", "1g.23gb+me", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"};
  static const Names k269{"1g.34gb", "1g.34gb+me", "1g.67gb", "2g.67gb", "3g.135gb", "4g.135gb", "7g.269gb"};
  static const std::vector<Model> kModels = {
      {"a100", 60'000, seven_slices(k80, 81'920)},
      {"a100", 0, seven_slices(k40, 40'960)},
      {"h100", kOtherProfiles, {}},
      {"h100", 0, seven_slices(k80, 81'920)},
      {"h200", 0, seven_slices(k141, 144'384)},
      {"b200", 0, seven_slices(k180, 183'359)},
      {"b300", 0, seven_slices(k269, 275'040)},
      {"a30",
       0,
       {.compute = 4,
        .memory = 4,
        .profiles = {{"4g.24gb", 4, 4, 1, starts({0}), 24'576},
                     {"2g.12gb", 2, 2, 2, starts({0, 2}), 12'288},
                     {"1g.6gb", 1, 1, 4, starts({0, 1, 2, 3}), 6'144}}}},
  };
  return kModels;
}

std::uint32_t slices_of(const MigProfile& profile, int start) {
  return ((1U << profile.memory) - 1U) << start;
}

struct Taken {
  std::uint32_t memory = 0;  // a bit a slice
  int compute = 0;
};
Taken taken_by(std::span<const MigPlace> places) {
  Taken taken;
  for (const MigPlace& place : places) {
    taken.memory |= slices_of(*place.profile, place.start);
    taken.compute += place.profile->compute;
  }
  return taken;
}

std::ptrdiff_t count_of(std::span<const MigPlace> places, const MigProfile& profile) {
  return std::ranges::count(places, &profile, &MigPlace::profile);
}

// How many starts of all profiles remain possible with these memory slices taken.
int room_left(const MigTable& table, std::uint32_t memory) {
  int room = 0;
  for (const MigProfile& profile : table.profiles)
    for (int start = 0; start < table.memory; ++start)
      if ((profile.starts >> start & 1U) != 0 && (slices_of(profile, start) & memory) == 0)
        room += profile.memory;
  return room;
}

}  // namespace

const MigProfile* MigTable::find(std::string_view name) const {
  const auto found = std::ranges::find(profiles, name, &MigProfile::name);
  return found == profiles.end() ? nullptr : &*found;
}

const MigTable* mig_table(std::string_view model, std::int64_t memory_mib) {
  for (const Model& known : models())
    if (memory_mib >= known.memory_mib_min && is_model(model, known.words))
      return known.table.profiles.empty() ? nullptr : &known.table;
  return nullptr;
}

bool is_legal(const MigTable& table, std::span<const MigPlace> places) {
  std::uint32_t memory = 0;
  int compute = 0;
  for (const MigPlace& place : places) {
    if (place.start < 0 || place.start >= table.memory) return false;
    if ((place.profile->starts >> place.start & 1U) == 0) return false;
    const std::uint32_t slices = slices_of(*place.profile, place.start);
    if ((slices & memory) != 0) return false;
    memory |= slices;
    compute += place.profile->compute;
    if (count_of(places, *place.profile) > place.profile->most) return false;
  }
  return compute <= table.compute;
}

std::optional<int> free_start(const MigTable& table, std::span<const MigPlace> places,
                              const MigProfile& profile) {
  const Taken taken = taken_by(places);
  if (taken.compute + profile.compute > table.compute) return std::nullopt;
  if (count_of(places, profile) >= profile.most) return std::nullopt;
  std::optional<int> best;
  int best_room = -1;
  for (int start = table.memory - 1; start >= 0; --start) {
    const std::uint32_t slices = slices_of(profile, start);
    if ((profile.starts >> start & 1U) == 0 || (slices & taken.memory) != 0) continue;
    const int room = room_left(table, taken.memory | slices);
    if (room <= best_room) continue;
    best_room = room;
    best = start;
  }
  return best;
}

MigLayout layout_for(const MigTable& table, const MigProfile& profile) {
  MigLayout layout;
  const auto fill = [&](const MigProfile& with) {
    while (const auto start = free_start(table, layout, with)) layout.push_back({&with, *start});
  };
  fill(profile);
  for (const MigProfile& other : table.profiles) fill(other);  // largest first
  std::ranges::sort(layout, {}, &MigPlace::start);
  return layout;
}

bool is_mig_profile(std::string_view text) {
  if (text.size() < 5 || text[0] < '1' || text[0] > '7' || text.substr(1, 2) != "g.") return false;
  text.remove_prefix(3);
  if (text.ends_with("+me")) text.remove_suffix(3);
  if (!text.ends_with("gb")) return false;
  text.remove_suffix(2);
  return !text.empty() && text.size() <= 4 && text[0] != '0' &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::int64_t mig_milli(std::string_view profile) {
  const std::int64_t slices = profile.empty() ? 0 : profile[0] - '0';
  const bool of_four = profile == "1g.6gb" || profile == "2g.12gb" || profile == "4g.24gb";
  return slices * Resources::kGpuMilli / (of_four ? 4 : 7);
}

std::int64_t mig_memory_milli(std::string_view model, std::int64_t memory_mib, std::string_view profile) {
  const MigTable* table = mig_table(model, memory_mib);
  const MigProfile* known = table == nullptr ? nullptr : table->find(profile);
  return known == nullptr ? mig_milli(profile) : known->memory * Resources::kGpuMilli / table->memory;
}

std::string mig_name(std::string_view gpu, std::string_view profile, int start) {
  return std::string(gpu) + "/" + std::string(profile) + "@" + std::to_string(start);
}

std::optional<MigName> parse_mig_name(std::string_view name) {
  const auto slash = name.rfind('/');
  const auto at = name.rfind('@');
  if (slash == std::string_view::npos || at == std::string_view::npos || at < slash) return std::nullopt;
  const auto start = parse_int(name.substr(at + 1));
  const auto profile = name.substr(slash + 1, at - slash - 1);
  if (!start || *start < 0 || *start > 7 || slash == 0 || !is_mig_profile(profile)) return std::nullopt;
  return MigName{std::string(name.substr(0, slash)), std::string(profile), static_cast<int>(*start)};
}

}  // namespace stoker::core
