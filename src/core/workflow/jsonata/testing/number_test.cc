#include <gtest/gtest.h>

#include "core/workflow/jsonata/testing/cases.h"

namespace stoker::jsonata {
namespace {

using testing::check;

TEST(NumberTest, ReadsAndRounds) {
  check({
      {"from text", "[$number('12'), $number('-1.5e3'), $number('0x1F'), $number('0b101'), $number('0o17')]",
       "[12,-1500,31,5,15]"},
      {"from truth", "[$number(true), $number(false)]", "[1,0]"},
      {"not from other text", "$number('12 apples')",
       R"(D3030: Unable to cast value to a number: "12 apples")"},
      {"down, up, without sign", "[$floor(-1.5), $ceil(-1.5), $abs(-1.5)]", "[-2,-1,1.5]"},
      {"half to even", "[$round(0.5), $round(1.5), $round(2.5), $round(-2.5)]", "[0,2,2,-2]"},
      {"at decimals", "[$round(4.525, 2), $round(1234.5, -2), $round(0.285, 2)]", "[4.52,1200,0.28]"},
      {"powers and roots", "[$power(2, 10), $power(4, 0.5), $sqrt(2.25)]", "[1024,2,1.5]"},
      {"no root of what is negative", "$sqrt(-1)",
       "D3060: The sqrt function cannot be applied to a negative number: -1"},
      {"no power beyond all numbers", "$power(10, 400)",
       "D3061: The power function has resulted in a value that cannot be represented as a JSON number: "
       "base=10, "
       "exponent=400"},
      {"of lists", "[$sum([1, 2]), $average([1, 2]), $max([3, 1]), $min([3, 1])]", "[3,1.5,3,1]"},
      {"of empty lists", "[$sum([]), $average([]), $max([])]", "[0]"},
      {"in other bases", "[$formatBase(255, 16), $formatBase(-5, 2), $formatBase(7.5)]",
       R"(["ff","-101","8"])"},
      {"from 2 to 36", "$formatBase(1, 37)",
       "D3100: The radix of the formatBase function must be between 2 and 36.  It was given 37"},
      {"by chance", "$random() >= 0 and $random() < 1", "true"},
  });
}

TEST(NumberTest, FormatsByPicture) {
  check({
      {"grouped", "$formatNumber(1234567.891, '#,##0.00')", R"("1,234,567.89")"},
      {"with zeros", "$formatNumber(5, '000')", R"("005")"},
      {"without what is not asked for", "$formatNumber(0.5, '#.##')", R"(".5")"},
      {"as percentage", "$formatNumber(0.14, '0%')", R"("14%")"},
      {"with an exponent", "$formatNumber(1234.5678, '00.000e0')", R"("12.346e2")"},
      {"zero with an exponent", "$formatNumber(0, '0.0e0')", R"("0.0e0")"},
      {"negative ones have a sign", "$formatNumber(-6, '000')", R"("-006")"},
      {"or a picture of their own", "$formatNumber(-6, '0;(0)')", R"json("(6)")json"},
      {"with other characters",
       "$formatNumber(1234.5, '#.##0,00', {'decimal-separator': ',', 'grouping-separator': '.'})",
       R"("1.234,50")"},
      {"with irregular groups", "$formatNumber(1234567, '0,00,000')", R"("12,34,567")"},
      {"text around", "$formatNumber(5, '$0 each')", R"("$5 each")"},
      {"but not within", "$formatNumber(5, '0x0')",
       "D3086: The sub-picture must not contain a passive character that is preceded by an active character "
       "and that "
       "is followed by another active character"},
      {"two pictures at most", "$formatNumber(1, '0;0;0')",
       "D3080: The picture string must only contain a maximum of two sub-pictures"},
      {"one point at most", "$formatNumber(1, '0.0.0')",
       "D3081: The sub-picture must not contain more than one instance of the 'decimal-separator' character"},
      {"some digit", "$formatNumber(1, '.')",
       "D3085: The mantissa part of a sub-picture must contain at least one character that is either an "
       "'optional "
       "digit character' or a member of the 'decimal digit family'"},
  });
}

TEST(NumberTest, FormatsAndReadsIntegers) {
  check({
      {"as words", "$formatInteger(1234, 'w')", R"("one thousand, two hundred and thirty-four")"},
      {"as ordinal words", "[$formatInteger(20, 'w;o'), $formatInteger(101, 'Ww;o')]",
       R"(["twentieth","One Hundred and First"])"},
      {"as Roman numerals", "[$formatInteger(1999, 'I'), $formatInteger(4, 'i')]", R"(["MCMXCIX","iv"])"},
      {"as letters", "[$formatInteger(28, 'A'), $formatInteger(3, 'a')]", R"(["AB","c"])"},
      {"as digits", "[$formatInteger(12345, '#,##0'), $formatInteger(7, '000'), $formatInteger(-7, '0')]",
       R"(["12,345","007","-7"])"},
      {"as ordinals", "$map([1, 2, 3, 4, 11, 12, 13, 21], function($n){ $formatInteger($n, '0;o') })",
       R"(["1st","2nd","3rd","4th","11th","12th","13th","21st"])"},
      {"in another script", "$formatInteger(12, '\xd9\xa0\xd9\xa0')", "\"\xd9\xa1\xd9\xa2\""},
      {"not in two", "$formatInteger(5, '0\xd9\xa0')",
       "D3131: In a decimal digit pattern, all digits must be from the same decimal group"},
      {"not as other sequences", "$formatInteger(5, '*')",
       R"(D3130: Formatting or parsing an integer as a sequence starting with "*" is not supported by this implementation)"},
      {"from words", "$parseInteger('one thousand, two hundred and thirty-four', 'w')", "1234"},
      {"from Roman numerals", "$parseInteger('MCMXCIX', 'I')", "1999"},
      {"from letters", "$parseInteger('ab', 'a')", "28"},
      {"from digits", "[$parseInteger('12,345', '#,##0'), $parseInteger('12th', '0;o')]", "[12345,12]"},
  });
}

}  // namespace
}  // namespace stoker::jsonata
