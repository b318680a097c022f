// Functions of numbers: MathAdd, MathRandom.
#include <cmath>

#include "base/rng.h"
#include "core/workflow/data/intrinsic_functions.h"
#include "core/workflow/data/values.h"

namespace stoker::asl::intrinsic {
namespace {

// Halves go up, also below zero: 1.5 gives 2, -1.5 gives -1. Nothing outside of 32 bits.
std::optional<std::int64_t> round_to_int32(const json::Value& value) {
  if (!value.is_number()) return std::nullopt;
  const double rounded = std::floor(as_double(value) + 0.5);
  if (!(rounded >= INT32_MIN && rounded <= INT32_MAX)) return std::nullopt;
  return static_cast<std::int64_t>(rounded);
}

Applied math_add(Arguments arguments, const Scope&) {
  const auto a = round_to_int32(arguments[0].value);
  const auto b = round_to_int32(arguments[1].value);
  if (!a || !b || *a + *b < INT32_MIN || *a + *b > INT32_MAX) return invalid();
  return json::Value(*a + *b);
}

// From the first up to, but not, the second. With a seed always the same.
Applied math_random(Arguments arguments, const Scope& scope) {
  const auto start = round_to_int32(arguments[0].value);
  const auto end = round_to_int32(arguments[1].value);
  if (!start || !end || *start >= *end) return invalid();
  std::uint64_t number = 0;
  if (arguments.size() == 3) {
    const auto seed = round_to_int32(arguments[2].value);
    if (!seed) return invalid();
    number = Rng(static_cast<std::uint64_t>(*seed)).next();
  } else {
    number = scope.random();
  }
  return json::Value(*start + static_cast<std::int64_t>(number % static_cast<std::uint64_t>(*end - *start)));
}

constexpr Function kFunctions[] = {
    {"States.MathAdd", 2, 2, math_add},
    {"States.MathRandom", 2, 3, math_random},
};

}  // namespace

std::span<const Function> number_functions() {
  return kFunctions;
}

}  // namespace stoker::asl::intrinsic
