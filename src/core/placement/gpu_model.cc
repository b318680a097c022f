#include "core/placement/gpu_model.h"

namespace stoker::core {
namespace {

constexpr bool is_word_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The first word of the text, which loses it and what stands before it. "" at the end.
std::string_view take_word(std::string_view& text) {
  while (!text.empty() && !is_word_letter(text.front())) text.remove_prefix(1);
  std::size_t length = 0;
  while (length < text.size() && is_word_letter(text[length])) ++length;
  const auto word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto next = take_word(text); !next.empty(); next = take_word(text))
    if (same(next, word)) return true;
  return false;
}

bool is_of_maker(std::string_view word) {
  return same(word, "nvidia") || same(word, "tesla");
}

bool names_more_than_maker(std::string_view wish) {
  for (auto word = take_word(wish); !word.empty(); word = take_word(wish))
    if (!is_of_maker(word)) return true;
  return false;
}

}  // namespace

bool is_model(std::string_view model, std::string_view wish) {
  const bool without_maker = names_more_than_maker(wish);
  auto word = take_word(wish);
  if (word.empty()) return false;
  for (; !word.empty(); word = take_word(wish))
    if (!(without_maker && is_of_maker(word)) && !has_word(model, word)) return false;
  return true;
}

}  // namespace stoker::core
