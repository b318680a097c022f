#pragma once
// VCPU, MEMORY and GPU of a container: how they are written and which values are allowed (aws-batch.md 2.3).
// Shares of GPUs and MIG devices are ours; AWS knows whole GPUs.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/model/gpu.h"
#include "core/model/types.h"
#include "json/json.h"

namespace stoker::core {

enum class Platform : std::uint8_t { Ec2, Fargate };

// What a GPU value asks for: whole GPUs, a share of one, or MIG devices.
struct GpuAmount {
  std::int64_t gpus = 0;
  std::int64_t gpu_milli = 0;  // of a share, or of the MIG devices together
  std::string mig = {};        // profile
  std::int64_t mig_devices = 0;
  bool operator==(const GpuAmount&) const = default;
};

// What a container asks for; a type that it does not name is empty.
struct Requirements {
  std::optional<std::int64_t> cpus_milli;
  std::optional<std::int64_t> memory_mib;
  std::optional<GpuAmount> gpus;
  // `over` wins type by type.
  [[nodiscard]] Requirements with(const Requirements& over) const;
  [[nodiscard]] Resources resources() const;
  [[nodiscard]] GpuNeed gpu_need() const;
};

// The one place that knows how a GPU value is written: "2" whole GPUs as on AWS, "0.5" a share of one GPU
// with its share of the memory, "2g.20gb" or "3x1g.10gb" MIG devices of one profile.
std::optional<GpuAmount> parse_gpu_value(std::string_view value);
// Whole GPUs alone, 1 or more, where another system sets the rules.
std::optional<std::int64_t> parse_whole_gpus(std::string_view value);

// `holder` has resourceRequirements and, in older requests, vcpus and memory. Reads what is readable.
Requirements read_requirements(const json::Value& holder);
// Each type at most once, in one form, with an allowed value.
Result<void> check_requirements(const json::Value& holder, std::string_view place, Platform platform);
// The whole of a container or task: VCPU and MEMORY named, and on Fargate a pair that Fargate has.
Result<void> check_amounts(const Requirements& requirements, std::string_view place, Platform platform);

}  // namespace stoker::core
