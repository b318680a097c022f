#pragma once
// Instants as text.
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stoker::asl {

struct Timestamp {
  std::int64_t ms = 0;  // since 1970-01-01 UTC, rounded down
  std::int32_t nanos_below_ms = 0;
  auto operator<=>(const Timestamp&) const = default;
};
// RFC 3339 with capital 'T' and 'Z' or an offset, as AWS takes it: "2016-03-14T01:59:00.123+01:00". At most
// nine digits of a second; no leap seconds. Nothing for anything else.
std::optional<Timestamp> parse_timestamp(std::string_view text);

}  // namespace stoker::asl
