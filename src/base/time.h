#pragma once
// Instants and durations in whole milliseconds. Nothing here reads a clock: instants come from the caller.
#include <compare>
#include <cstdint>

namespace stoker {

struct Duration {
  std::int64_t ms = 0;
  auto operator<=>(const Duration&) const = default;
};
constexpr Duration milliseconds(std::int64_t n) {
  return {n};
}
constexpr Duration seconds(std::int64_t n) {
  return {n * 1000};
}
constexpr Duration minutes(std::int64_t n) {
  return {n * 60'000};
}
constexpr Duration hours(std::int64_t n) {
  return {n * 3'600'000};
}
constexpr Duration days(std::int64_t n) {
  return {n * 86'400'000};
}

// Milliseconds since 1970-01-01 UTC. 0 means "not yet".
struct Instant {
  std::int64_t ms = 0;
  auto operator<=>(const Instant&) const = default;
  explicit operator bool() const { return ms != 0; }
};
constexpr Instant operator+(Instant at, Duration d) {
  return {at.ms + d.ms};
}
constexpr Instant operator-(Instant at, Duration d) {
  return {at.ms - d.ms};
}
constexpr Duration operator-(Instant a, Instant b) {
  return {a.ms - b.ms};
}
constexpr Duration operator+(Duration a, Duration b) {
  return {a.ms + b.ms};
}
constexpr Duration operator-(Duration a, Duration b) {
  return {a.ms - b.ms};
}
constexpr Duration operator*(Duration a, std::int64_t n) {
  return {a.ms * n};
}

}  // namespace stoker
