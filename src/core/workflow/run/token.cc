#include "core/workflow/run/token.h"

#include <array>

#include "base/text.h"

namespace stoker::workflow {
namespace {

constexpr std::size_t kWordDigits = 16;
constexpr std::size_t kWords = 4;

std::optional<std::uint64_t> parse_word(std::string_view digits) {
  std::uint64_t word = 0;
  for (const char c : digits) {
    const int digit = c >= 'A' && c <= 'F' ? -1 : hex_digit(c);  // as it was given out, in lower case
    if (digit < 0) return std::nullopt;
    word = word << 4 | static_cast<std::uint64_t>(digit);
  }
  return word;
}

}  // namespace

std::string TaskToken::str() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(kWordDigits * kWords);
  for (const std::uint64_t word : {execution, thread, secret_high, secret_low})
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[word >> shift & 15];
  return text;
}

std::optional<TaskToken> TaskToken::parse(std::string_view text) {
  if (text.size() != kWordDigits * kWords) return std::nullopt;
  std::array<std::uint64_t, kWords> words{};
  for (std::size_t i = 0; i < kWords; ++i) {
    const auto word = parse_word(text.substr(i * kWordDigits, kWordDigits));
    if (!word) return std::nullopt;
    words[i] = *word;
  }
  return TaskToken{words[0], words[1], words[2], words[3]};
}

}  // namespace stoker::workflow
