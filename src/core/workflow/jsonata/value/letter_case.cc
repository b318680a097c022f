#include "core/workflow/jsonata/value/letter_case.h"

#include <algorithm>

#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

char32_t moved(std::span<const CaseRange> ranges, char32_t c) {
  const auto found =
      std::lower_bound(ranges.begin(), ranges.end(), c,
                       [](const CaseRange& range, char32_t value) { return range.last < value; });
  if (found == ranges.end() || c < found->first || (c - found->first) % found->step != 0) return c;
  return static_cast<char32_t>(static_cast<std::int64_t>(c) + found->distance);
}

constexpr char32_t kSigma = 0x3a3;
constexpr char32_t kFinalSigma = 0x3c2;
constexpr char32_t kDottedI = 0x130;

bool is_letter_with_case(char32_t c) {
  return upper_code_point(c) != c || lower_code_point(c) != c;
}

// A sigma at the end of a word has a form of its own.
bool ends_word(std::string_view text, std::size_t before, std::size_t after) {
  bool letter_before = false;
  for (std::size_t at = 0; at < before;) letter_before = is_letter_with_case(next_code_point(text, at));
  return letter_before && (after >= text.size() || !is_letter_with_case(next_code_point(text, after)));
}

}  // namespace

char32_t upper_code_point(char32_t c) {
  return moved(upper_ranges(), c);
}

char32_t lower_code_point(char32_t c) {
  return moved(lower_ranges(), c);
}

std::string upper_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    const auto expansions = upper_expansions();
    const auto found =
        std::lower_bound(expansions.begin(), expansions.end(), c,
                         [](const CaseExpansion& e, char32_t value) { return e.letter < value; });
    if (c >= 0x80 && found != expansions.end() && found->letter == c)
      out += found->text;
    else
      append_code_point(out, upper_code_point(c));
  }
  return out;
}

std::string lower_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t c = next_code_point(text, at);
    if (c == kDottedI)
      out += "i\xcc\x87";
    else if (c == kSigma && ends_word(text.substr(from < 40 ? 0 : from - 40), std::min<std::size_t>(from, 40),
                                      at - (from < 40 ? 0 : from - 40)))
      append_code_point(out, kFinalSigma);
    else
      append_code_point(out, lower_code_point(c));
  }
  return out;
}

}  // namespace stoker::jsonata
