#include "core/workflow/jsonata/functions/number_words.h"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "base/text.h"

namespace stoker::jsonata {

namespace {

constexpr std::string_view kFew[] = {"Zero",    "One",     "Two",       "Three",    "Four",
                                     "Five",    "Six",     "Seven",     "Eight",    "Nine",
                                     "Ten",     "Eleven",  "Twelve",    "Thirteen", "Fourteen",
                                     "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"};
constexpr std::string_view kOrdinals[] = {
    "Zeroth",     "First",     "Second",    "Third",       "Fourth",     "Fifth",     "Sixth",
    "Seventh",    "Eighth",    "Ninth",     "Tenth",       "Eleventh",   "Twelfth",   "Thirteenth",
    "Fourteenth", "Fifteenth", "Sixteenth", "Seventeenth", "Eighteenth", "Nineteenth"};
constexpr std::string_view kTens[] = {"Twenty",  "Thirty", "Forty",  "Fifty",  "Sixty",
                                      "Seventy", "Eighty", "Ninety", "Hundred"};
constexpr std::string_view kMagnitudes[] = {"Thousand", "Million", "Billion", "Trillion"};
constexpr int kMagnitudeMax = 4;

std::string words_of(double number, bool follows, bool ordinal) {
  std::string out;
  if (number <= 19) {
    const auto index = static_cast<std::size_t>(number);
    return (follows ? " and " : "") + std::string(ordinal ? kOrdinals[index] : kFew[index]);
  }
  if (number < 100) {
    out = (follows ? " and " : "") + std::string(kTens[static_cast<std::size_t>(number / 10) - 2]);
    const double rest = std::fmod(number, 10);
    if (rest > 0) return out + "-" + words_of(rest, false, ordinal);
    return ordinal ? out.substr(0, out.size() - 1) + "ieth" : out;
  }
  double rest = 0;
  if (number < 1000) {
    rest = std::fmod(number, 100);
    out = (follows ? ", " : "") + std::string(kFew[static_cast<std::size_t>(number / 100)]) + " Hundred";
  } else {
    const int magnitude = std::min(kMagnitudeMax, static_cast<int>(std::floor(std::log10(number) / 3)));
    const double factor = std::pow(10, magnitude * 3);
    const double count = std::floor(number / factor);
    rest = number - count * factor;
    // The largest word counts in itself again beyond a thousand of it: at most 26 levels for any number.
    out =
        (follows ? ", " : "") + words_of(count, false, false) + " " + std::string(kMagnitudes[magnitude - 1]);
  }
  if (rest > 0) return out + words_of(rest, true, ordinal);
  return ordinal ? out + "th" : out;
}

std::string tenth_ordinal(std::string_view word) {
  return std::string(word.substr(0, word.size() - 1)) + "ieth";
}

const std::map<std::string, double, std::less<>>& word_values() {
  static const auto values = [] {
    std::map<std::string, double, std::less<>> out;
    for (std::size_t i = 0; i < std::size(kFew); ++i)
      out[to_lower(kFew[i])] = out[to_lower(kOrdinals[i])] = static_cast<double>(i);
    for (std::size_t i = 0; i < std::size(kTens); ++i) {
      const std::string word = to_lower(kTens[i]);
      out[word] = out[tenth_ordinal(word)] = static_cast<double>(i + 2) * 10;
    }
    out["hundredth"] = 100;
    for (std::size_t i = 0; i < std::size(kMagnitudes); ++i) {
      const std::string word = to_lower(kMagnitudes[i]);
      out[word] = out[word + "th"] = std::pow(10, static_cast<double>(i + 1) * 3);
    }
    return out;
  }();
  return values;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

// Length of what separates words at `at`: ", ", " and ", a blank or a hyphen.
std::size_t separator_length(std::string_view text, std::size_t at) {
  const auto blank = [&](std::size_t i) { return i < text.size() && is_blank(text[i]); };
  if (text[at] == ',' && blank(at + 1)) return 2;
  if (blank(at) && text.substr(at + 1).starts_with("and") && blank(at + 4)) return 5;
  return blank(at) || text[at] == '-' || text[at] == '\\' ? 1 : 0;
}

}  // namespace

std::string number_to_words(double number, bool ordinal) {
  return words_of(number, false, ordinal);
}

double words_to_number(std::string_view words) {
  std::vector<double> segments = {0};
  const auto add = [&](std::string_view word) {
    const auto known = word_values().find(word);
    const double value =
        known == word_values().end() ? std::numeric_limits<double>::quiet_NaN() : known->second;
    if (!(value < 100)) {
      segments.back() *= value;
      return;
    }
    if (segments.back() >= 1000)
      segments.push_back(value);
    else
      segments.back() += value;
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t length = separator_length(words, at);
    if (length == 0) {
      ++at;
      continue;
    }
    add(words.substr(begin, at - begin));
    begin = at += length;
  }
  add(words.substr(begin));
  double sum = 0;
  for (const double segment : segments) sum += segment;
  return sum;
}

std::string words_pattern() {
  std::string out = "(?:";
  for (const auto& [word, value] : word_values()) out += word + "|";
  return out + "and|[\\-, ])+";
}

}  // namespace stoker::jsonata
