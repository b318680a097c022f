#include "core/resources/requirements.h"

#include <array>

#include "base/text.h"
#include "core/placement/mig.h"
#include "core/resources/rules.h"

namespace stoker::core {
namespace {

// Far beyond any machine; they keep sums over many jobs inside 64 bits.
constexpr std::int64_t kCpusMax = 1'000'000;
constexpr std::int64_t kMemoryMibMax = std::int64_t{1} << 40;
constexpr std::int64_t kGpusMax = 1'000'000;
constexpr std::int64_t kMigDevicesMax = 1'000;
constexpr std::int64_t kMemoryMibMin = 4;

std::optional<std::int64_t> parse_whole(std::string_view value, std::int64_t most) {
  if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto number = parse_int(value);
  if (!number || *number > most) return std::nullopt;
  return number;
}

// "0.25" is 250. At most three digits after the point.
std::optional<std::int64_t> parse_milli(std::string_view value) {
  const auto point = value.find('.');
  const auto whole = parse_whole(value.substr(0, point), kCpusMax);
  if (!whole) return std::nullopt;
  if (point == std::string_view::npos) return *whole * 1000;
  std::string fraction(value.substr(point + 1));
  if (fraction.empty() || fraction.size() > 3) return std::nullopt;
  fraction.resize(3, '0');
  const auto milli = parse_whole(fraction, 999);
  if (!milli) return std::nullopt;
  return *whole * 1000 + *milli;
}

struct FargateSize {
  std::int64_t cpus_milli;
  std::int64_t memory_least;
  std::int64_t memory_most;
  std::int64_t step;
};
constexpr std::array kFargateSizes = {
    FargateSize{500, 1024, 4096, 1024},    FargateSize{1000, 2048, 8192, 1024},
    FargateSize{2000, 4096, 16384, 1024},  FargateSize{4000, 8192, 30720, 1024},
    FargateSize{8000, 16384, 61440, 4096}, FargateSize{16000, 32768, 122880, 8192},
};

bool fargate_has(std::int64_t cpus_milli, std::int64_t memory) {
  if (cpus_milli == 250) return memory == 512 || memory == 1024 || memory == 2048;
  for (const auto& size : kFargateSizes)
    if (size.cpus_milli == cpus_milli)
      return memory >= size.memory_least && memory <= size.memory_most && memory % size.step == 0;
  return false;
}

Result<void> check_value(std::string_view type, std::string_view value, std::string_view place,
                         Platform platform) {
  if (type == "VCPU") {
    if (platform == Platform::Fargate) {
      if (!parse_milli(value)) return refuse(place, "VCPU must be a number of vCPUs such as 0.25 or 4");
    } else if (const auto cpus = parse_whole(value, kCpusMax); !cpus || *cpus < 1) {
      return refuse(place, "VCPU must be a whole number of 1 or more");
    }
  } else if (type == "MEMORY") {
    if (const auto memory = parse_whole(value, kMemoryMibMax); !memory || *memory < kMemoryMibMin)
      return refuse(place, "MEMORY must be a whole number of MiB, 4 or more");
  } else if (type == "GPU") {
    if (platform == Platform::Fargate) return refuse(place, "GPU not applicable for FARGATE.");
    if (!parse_gpu_value(value))
      return refuse(
          place,
          "GPU must be a whole number of 1 or more, a share of one GPU such as 0.5, or MIG devices such "
          "as 2g.20gb or 3x1g.10gb");
  } else {
    return refuse(place, "type must be one of VCPU MEMORY GPU");
  }
  return {};
}

}  // namespace

Requirements Requirements::with(const Requirements& over) const {
  Requirements merged = *this;
  if (over.cpus_milli) merged.cpus_milli = over.cpus_milli;
  if (over.memory_mib) merged.memory_mib = over.memory_mib;
  if (over.gpus) merged.gpus = over.gpus;
  return merged;
}

Resources Requirements::resources() const {
  return {.cpus_milli = cpus_milli.value_or(0),
          .memory_mib = memory_mib.value_or(0),
          .gpus = gpus ? gpus->gpus : 0,
          .gpu_milli = gpus ? gpus->gpu_milli : 0};
}

GpuNeed Requirements::gpu_need() const {
  GpuNeed need;
  if (gpus) need.mig = gpus->mig;
  if (gpus) need.mig_devices = gpus->mig_devices;
  return need;
}

std::optional<std::int64_t> parse_whole_gpus(std::string_view value) {
  const auto gpus = parse_whole(value, kGpusMax);
  return gpus && *gpus >= 1 ? gpus : std::nullopt;
}

std::optional<GpuAmount> parse_gpu_value(std::string_view value) {
  if (const auto whole = parse_whole_gpus(value)) return GpuAmount{.gpus = *whole};
  if (value.find('g') == std::string_view::npos) {
    const auto milli = value.contains('.') ? parse_milli(value) : std::nullopt;
    if (!milli || *milli < 1 || *milli >= Resources::kGpuMilli) return std::nullopt;
    return GpuAmount{.gpu_milli = *milli};
  }
  std::int64_t devices = 1;
  if (const auto times = value.find('x'); times != std::string_view::npos) {
    devices = parse_whole(value.substr(0, times), kMigDevicesMax).value_or(0);
    value.remove_prefix(times + 1);
  }
  if (devices < 1 || !is_mig_profile(value)) return std::nullopt;
  return GpuAmount{
      .gpu_milli = devices * mig_milli(value), .mig = std::string(value), .mig_devices = devices};
}

Requirements read_requirements(const json::Value& holder) {
  Requirements result;
  if (const auto cpus = json::get_int(holder, "vcpus"); cpus > 0 && cpus <= kCpusMax)
    result.cpus_milli = cpus * 1000;
  if (const auto memory = json::get_int(holder, "memory"); memory > 0) result.memory_mib = memory;
  for (const auto& entry : json::get_array(holder, "resourceRequirements")) {
    const auto type = json::get_string(entry, "type");
    const auto value = json::get_string(entry, "value");
    if (type == "VCPU") result.cpus_milli = parse_milli(value);
    if (type == "MEMORY") result.memory_mib = parse_whole(value, kMemoryMibMax);
    if (type == "GPU") result.gpus = parse_gpu_value(value);
  }
  return result;
}

Result<void> check_requirements(const json::Value& holder, std::string_view place, Platform platform) {
  bool cpus = json::find(holder, "vcpus") != nullptr;
  bool memory = json::find(holder, "memory") != nullptr;
  bool gpus = false;
  if (platform == Platform::Fargate && (cpus || memory))
    return refuse(member_of(place, cpus ? "vcpus" : "memory"),
                  "not applicable for FARGATE. Use resourceRequirements");
  TRY(check_range(holder, "vcpus", place, 1, kCpusMax));
  TRY(check_range(holder, "memory", place, kMemoryMibMin, kMemoryMibMax));

  std::size_t index = 0;
  for (const auto& entry : json::get_array(holder, "resourceRequirements")) {
    const std::string at = item_of(member_of(place, "resourceRequirements"), index++);
    const auto type = json::get_string(entry, "type");
    TRY(check_value(type, json::get_string(entry, "value"), at, platform));
    bool& seen = type == "VCPU" ? cpus : type == "MEMORY" ? memory : gpus;
    if (seen) return refuse(at, std::string(type) + " must be given once only");
    seen = true;
  }
  return {};
}

Result<void> check_amounts(const Requirements& requirements, std::string_view place, Platform platform) {
  const std::string at = member_of(place, "resourceRequirements");
  if (!requirements.cpus_milli) return refuse(at, "VCPU is required");
  if (!requirements.memory_mib) return refuse(at, "MEMORY is required");
  if (platform == Platform::Fargate && !fargate_has(*requirements.cpus_milli, *requirements.memory_mib))
    return refuse(at, "Fargate does not offer this combination of VCPU and MEMORY");
  return {};
}

}  // namespace stoker::core
