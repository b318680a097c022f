#include "core/workflow/data/string_pattern.h"

namespace stoker::asl {

std::optional<StringPattern> StringPattern::parse(std::string_view text) {
  StringPattern out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '*') {
      out.pieces_.emplace_back();
    } else if (text[i] != '\\') {
      out.pieces_.back() += text[i];
    } else if (i + 1 < text.size() && (text[i + 1] == '*' || text[i + 1] == '\\')) {
      out.pieces_.back() += text[++i];
    } else {
      return std::nullopt;
    }
  }
  return out;
}

// The first piece at the start, the last at the end, those between as early as they come.
bool StringPattern::matches(std::string_view text) const {
  if (pieces_.size() == 1) return text == pieces_.front();
  const std::string& last = pieces_.back();
  if (!text.starts_with(pieces_.front())) return false;
  text.remove_prefix(pieces_.front().size());
  if (!text.ends_with(last)) return false;
  text.remove_suffix(last.size());
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    const std::size_t at = text.find(pieces_[i]);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + pieces_[i].size());
  }
  return true;
}

}  // namespace stoker::asl
