#pragma once
// Random times of a given kind. Reproducible for a seed on one platform (logarithms come from the C library).
#include "base/result.h"
#include "base/rng.h"
#include "base/time.h"
#include "json/json.h"

namespace stoker::sim {

enum class DrawKind : std::uint8_t { Fixed, Uniform, LogNormal, Exponential };
struct Draw {
  DrawKind kind = DrawKind::Fixed;
  Duration a;        // Fixed: the time; Uniform: the least; LogNormal: the median; Exponential: the mean
  Duration b;        // Uniform: the most
  double sigma = 0;  // LogNormal
  bool operator==(const Draw&) const = default;
};
constexpr Draw always(Duration time) {
  return {DrawKind::Fixed, time, {}, 0};
}

// Never negative, at most kDrawMax.
inline constexpr Duration kDrawMax = days(3650);
Duration draw(const Draw& draw, Rng& rng);
// In (0, 1).
double draw_unit(Rng& rng);

// 240 (seconds), {"uniform":[180,360]}, {"lognormal":{"median":480,"sigma":0.6}} or with "mean" instead of
// "median",
// {"exponential":{"mean":720000}}; all in seconds.
Result<Draw> read_draw(const json::Value& value);

}  // namespace stoker::sim
