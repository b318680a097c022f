#pragma once
// Amounts as people write and read them.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace stoker::cli {

// "4G", "512M", "1.5G", "4GiB", "2T", "900K" and bare numbers, which are MiB. Units are powers of 1024, in
// any case; part of a MiB counts as a whole one. InvalidArgument for anything else, for 0 and above
// kMemoryMibMax.
Result<std::int64_t> parse_memory_mib(std::string_view text);
inline constexpr std::int64_t kMemoryMibMax = 1ll << 40;

// "90s", "15m", "2h", "1d", "1h30m", "2:30:00" (hours:minutes:seconds) and bare numbers, which are seconds.
// InvalidArgument for anything else and above kDurationMax.
Result<Duration> parse_duration(std::string_view text);
inline constexpr Duration kDurationMax = days(36500);

// At most two units: "34ms", "0.4s", "12s", "4m05s", "2h10m", "3d04h". Less than zero reads as "0s".
std::string duration_text(Duration duration);

// "512M", "4G", "1.5G", "2T".
std::string memory_text(std::int64_t mib);

// vCPUs in thousandths: "2", "0.25".
std::string cpus_text(std::int64_t milli);

// "1.250000" → "1.25", "0.000012" stays: two decimals or more, as many as say something.
std::string dollars_text(std::string_view amount);

}  // namespace stoker::cli
