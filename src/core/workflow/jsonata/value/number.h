#pragma once
// Numbers as JavaScript writes and reads them.
#include <optional>
#include <string>
#include <string_view>

namespace stoker::jsonata {

// Shortest that reads back as the same; "1e+21", "NaN", "Infinity", and "0" for -0.
std::string number_text(double number);
// The nearest number of so many significant digits, halves away from zero (toPrecision).
double to_precision(double number, int digits);
// A fixed number of decimals.
std::string fixed_text(double number, int decimals);
// In base 2 to 36.
std::string radix_text(double number, int radix);
// parseInt: a sign and digits, whatever follows; nothing when there is no digit.
std::optional<double> leading_int(std::string_view text);
// Half to even, at so many decimals (below zero: tens, hundreds).
double round_half_even(double number, int decimals);
// toString(number) + "e" + exponent, read again: a shift of the decimal point without loss.
double shift_decimal(double number, int exponent);

}  // namespace stoker::jsonata
