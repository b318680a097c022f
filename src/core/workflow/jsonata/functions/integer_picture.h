#pragma once
// Integers by a picture, as $formatInteger, $parseInteger and the parts of dates have them: decimal digits of
// any script with grouping, letters (A, B, ... AA), Roman numerals, English words; each also as an ordinal.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/jsonata/value/heap.h"

namespace stoker::jsonata {

struct IntegerFormat {
  enum class Kind { Decimal, Letters, Roman, Words, Sequence };
  enum class Case { Lower, Upper, Title };
  struct Separator {
    std::size_t position;  // digits on its right
    char32_t character;
  };
  Kind kind = Kind::Decimal;
  Case letters = Case::Lower;
  bool ordinal = false;
  char32_t zero = U'0';
  std::size_t mandatory = 0;
  std::size_t optional = 0;
  std::size_t regular = 0;  // 0: separators stand where they stand, else at every multiple
  std::vector<Separator> separators;
  std::string token;  // of Sequence, which nobody supports
};

Answer<IntegerFormat> read_integer_picture(std::string_view picture);
Answer<std::string> write_integer(Heap& heap, double number, const IntegerFormat& format);
// NaN when the text does not fit.
Answer<double> read_integer(std::string_view text, const IntegerFormat& format);
// A regular expression that finds such a number; `digits` of them, or any number when 0.
Answer<std::string> integer_pattern(const IntegerFormat& format, int digits);

}  // namespace stoker::jsonata
