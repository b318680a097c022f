#include "tasks/xml.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::tasks {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

void append_utf8(std::string& out, std::int64_t code) {
  const auto put = [&](std::int64_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<XmlElement> whole() {
    if (!skip_between() || !text_.starts_with('<')) return std::nullopt;
    XmlElement out;
    if (!element(out, 1) || !skip_between() || !text_.empty()) return std::nullopt;
    return out;
  }

 private:
  bool take(std::string_view token) {
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  // Up to and with `end`.
  bool skip_past(std::string_view end) {
    const std::size_t at = text_.find(end);
    if (at == std::string_view::npos) return false;
    text_.remove_prefix(at + end.size());
    return true;
  }
  // Blanks, comments, instructions.
  bool skip_between() {
    for (;;) {
      text_.remove_prefix(std::min(text_.find_first_not_of(kBlank), text_.size()));
      if (take("<?")) {
        if (!skip_past("?>")) return false;
      } else if (take("<!--")) {
        if (!skip_past("-->")) return false;
      } else {
        return true;
      }
    }
  }
  std::string_view name() {
    const std::size_t size = std::min(text_.find_first_of(" \t\r\n/>"), text_.size());
    const std::string_view out = text_.substr(0, size);
    text_.remove_prefix(size);
    return out;
  }

  // Behind "<".
  bool element(XmlElement& out, std::size_t depth) {
    if (depth > kXmlDepthMax || ++elements_ > kXmlElementsMax || !take("<")) return false;
    out.name = name();
    if (out.name.empty() || out.name[0] == '!') return false;
    const std::size_t end = text_.find('>');
    if (end == std::string_view::npos) return false;
    const bool empty = end > 0 && text_[end - 1] == '/';
    text_.remove_prefix(end + 1);
    return empty || content(out, depth);
  }

  // Behind the opening tag, to the end of the closing one.
  bool content(XmlElement& out, std::size_t depth) {
    for (;;) {
      const std::size_t next = text_.find('<');
      if (next == std::string_view::npos || !append_text(out.text, text_.substr(0, next))) return false;
      text_.remove_prefix(next);
      if (take("</")) {
        if (name() != out.name) return false;
        text_.remove_prefix(std::min(text_.find_first_not_of(kBlank), text_.size()));
        return take(">");
      }
      if (text_.starts_with("<!") || text_.starts_with("<?")) {
        const std::string_view before = text_;
        if (!skip_between() || text_.size() == before.size()) return false;
        continue;
      }
      if (!element(out.children.emplace_back(), depth + 1)) return false;
    }
  }

  static bool append_text(std::string& out, std::string_view text) {
    while (!text.empty()) {
      const std::size_t at = std::min(text.find('&'), text.size());
      out += text.substr(0, at);
      text.remove_prefix(at);
      if (text.empty()) break;
      const std::size_t end = text.find(';');
      if (end == std::string_view::npos || !append_entity(out, text.substr(1, end - 1))) return false;
      text.remove_prefix(end + 1);
    }
    return true;
  }

  static bool append_entity(std::string& out, std::string_view name) {
    constexpr std::string_view kNames[] = {"amp", "lt", "gt", "quot", "apos"};
    constexpr std::string_view kMeaning = "&<>\"'";
    const auto found = std::ranges::find(kNames, name);
    if (found != std::end(kNames)) {
      out += kMeaning[static_cast<std::size_t>(found - std::begin(kNames))];
      return true;
    }
    if (!name.starts_with('#')) return false;
    std::int64_t code = 0;
    const bool hex = name.starts_with("#x");
    for (const char c : name.substr(hex ? 2 : 1)) {
      const int digit = hex_digit(c);
      if (digit < 0 || (!hex && digit > 9) || code > 0x10ffff) return false;
      code = code * (hex ? 16 : 10) + digit;
    }
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    append_utf8(out, code);
    return true;
  }

  std::string_view text_;
  std::size_t elements_ = 0;
};

}  // namespace

std::string_view XmlElement::operator[](std::string_view child) const {
  const auto found = std::ranges::find(children, child, &XmlElement::name);
  return found == children.end() ? std::string_view() : found->text;
}

std::optional<XmlElement> parse_xml(std::string_view text) {
  return Parser(text).whole();
}

}  // namespace stoker::tasks
