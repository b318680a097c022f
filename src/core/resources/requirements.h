#pragma once
// VCPU, MEMORY and GPU of a container: how they are written and which values are allowed (aws-batch.md 2.3).
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "core/model/types.h"
#include "json/json.h"

namespace stoker::core {

enum class Platform : std::uint8_t { Ec2, Fargate };

// What a container asks for; a type that it does not name is empty.
struct Requirements {
  std::optional<std::int64_t> cpus_milli;
  std::optional<std::int64_t> memory_mib;
  std::optional<std::int64_t> gpus;
  // `over` wins type by type.
  [[nodiscard]] Requirements with(const Requirements& over) const;
  [[nodiscard]] Resources resources() const;
};

// The one place that knows how a GPU value is written: a whole number of GPUs, 1 or more.
std::optional<std::int64_t> parse_gpu_value(std::string_view value);

// `holder` has resourceRequirements and, in older requests, vcpus and memory. Reads what is readable.
Requirements read_requirements(const json::Value& holder);
// Each type at most once, in one form, with an allowed value.
Result<void> check_requirements(const json::Value& holder, std::string_view place, Platform platform);
// The whole of a container or task: VCPU and MEMORY named, and on Fargate a pair that Fargate has.
Result<void> check_amounts(const Requirements& requirements, std::string_view place, Platform platform);

}  // namespace stoker::core
