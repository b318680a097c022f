#pragma once
#include <string>
#include <string_view>

namespace stoker::jsonata {

// "Twelve Million, Four Hundred and Two"; "... and Second". Finite, not negative.
std::string number_to_words(double number, bool ordinal);
// Of lower-case words; NaN when one is unknown.
double words_to_number(std::string_view words);
// All words as alternatives of a regular expression.
std::string words_pattern();

}  // namespace stoker::jsonata
