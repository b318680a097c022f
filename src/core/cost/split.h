#pragma once
// Sharing out an amount so that the parts add up to it, to the millionth.
#include <span>
#include <vector>

#include "base/money.h"

namespace stoker::cost {

// Largest-remainder rounding: each part is its share of the amount rounded down, and the millionths that are
// left go to the parts with the largest remainders, of equal ones to the first. Weights are not negative,
// their sum times the amount must fit in 127 bits. All weights 0: the first part takes everything; no part:
// the amount must be 0. A negative amount is split as its positive one.
std::vector<Money> split(Money amount, std::span<const Wide> weights);

}  // namespace stoker::cost
