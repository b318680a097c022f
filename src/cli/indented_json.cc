#include "cli/indented_json.h"

#include <algorithm>

namespace stoker::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

void break_line(std::string& out, std::size_t depth) {
  out += '\n';
  out.append(2 * depth, ' ');
}

// The string at the front of the text, with its quotes.
std::string_view string_at(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return text.substr(0, at + 1);
}

}  // namespace

std::string indented_json(std::string_view text) {
  std::string out;
  std::size_t depth = 0;
  while (!text.empty()) {
    const char c = text.front();
    if (c == '"') {
      const std::string_view string = string_at(text);
      out += string;
      text.remove_prefix(string.size());
      continue;
    }
    text.remove_prefix(1);
    if (kBlanks.find(c) != std::string_view::npos) continue;
    if (c == '{' || c == '[') {
      out += c;
      const std::size_t next = std::min(text.find_first_not_of(kBlanks), text.size());
      text.remove_prefix(next);
      if (!text.empty() && (text.front() == '}' || text.front() == ']')) {
        out += text.front();
        text.remove_prefix(1);
      } else {
        break_line(out, ++depth);
      }
    } else if (c == '}' || c == ']') {
      if (depth > 0) break_line(out, --depth);
      out += c;
    } else if (c == ',') {
      out += c;
      break_line(out, depth);
    } else {
      out += c;
      if (c == ':') out += ' ';
    }
  }
  return out;
}

}  // namespace stoker::cli
