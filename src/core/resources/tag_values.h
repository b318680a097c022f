#pragma once
// Values of tags that mean something to this server, as people write them. AWS allows letters, digits, spaces
// and + - = . _ : / @ in them.
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace stoker::core {

// "90s", "20m", "48h", "2d": 1 to 10 million of the unit.
std::optional<Duration> read_duration(std::string_view text);
// A whole number from 1 to `most`.
std::optional<std::int64_t> read_count(std::string_view text, std::int64_t most);

}  // namespace stoker::core
