#include "core/workflow/definition/json_fault.h"

#include <set>
#include <vector>

#include "json/json.h"

namespace stoker::asl {
namespace {

constexpr std::size_t kSourceBytesMax = 500;  // of the text in "[Source: ...]"
constexpr std::string_view kValues =
    "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// One pass over the text, without recursion. Each function leaves at_ behind what it has read; the first
// fault ends the scan.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t depth_max) : text_(text), depth_max_(depth_max) {}

  std::optional<JsonFault> scan() {
    while (!fault_ && !(open_.empty() && done_)) step();
    if (!fault_ && (skip_space(), !fault_) && at_ < text_.size())
      fail("Unexpected character (" + shown() + "): expected the end of the text after the value", at_ + 1);
    return std::move(fault_);
  }

 private:
  struct Open {
    bool object = false;
    std::size_t start = 0;
    bool first = true;
    std::set<std::string_view> names{};  // as written: an escape makes another name, which the parser merges
  };

  void step() {
    skip_space();
    if (fault_) return;
    if (at_ >= text_.size()) return fail_at_end();
    if (open_.empty()) return value();
    const char c = text_[at_];
    if (c == '}' || c == ']') {
      if (c == (open_.back().object ? '}' : ']') && (open_.back().first || !after_comma_)) return close();
      if (c != (open_.back().object ? '}' : ']')) return fail_close_marker(c);
    }
    if (!open_.back().first && !after_comma_) return comma(c);
    after_comma_ = false;
    open_.back().first = false;
    if (open_.back().object && !name()) return;
    value();
  }

  void comma(char c) {
    if (c != ',')
      return fail("Unexpected character (" + shown() + "): was expecting comma to separate " +
                      (open_.back().object ? "Object" : "Array") + " entries",
                  at_ + 1);
    ++at_;
    after_comma_ = true;
  }

  void close() {
    ++at_;
    open_.pop_back();
    done_ = true;
  }

  bool name() {
    if (text_[at_] != '"') {
      fail("Unexpected character (" + shown() + "): was expecting double-quote to start field name", at_ + 1);
      return false;
    }
    const std::size_t start = at_;
    string("in field name");
    if (fault_) return false;
    const std::string_view written = text_.substr(start + 1, at_ - start - 2);
    if (!open_.back().names.insert(written).second) {
      fail("Duplicate field '" + std::string(written) + "'", at_);
      return false;
    }
    skip_space();
    if (fault_) return false;
    if (at_ >= text_.size()) {
      fail("Unexpected end-of-input within/between Object entries", at_ + 1);
      return false;
    }
    if (text_[at_] != ':') {
      fail("Unexpected character (" + shown() + "): was expecting a colon to separate field name and value",
           at_ + 1);
      return false;
    }
    ++at_;
    skip_space();
    if (!fault_ && at_ >= text_.size()) fail_at_end();
    return !fault_;
  }

  void value() {
    const char c = text_[at_];
    done_ = true;
    if (c == '{' || c == '[') return open(c == '{');
    if (c == '"') return string("for a string value");
    if (c == '-' || is_digit(c)) return number();
    if (is_word(c)) return word();
    fail("Unexpected character (" + shown() + "): expected a valid value " + std::string(kValues), at_ + 1);
  }

  void open(bool object) {
    done_ = false;
    if (open_.size() >= depth_max_) {
      fail("Document nesting depth exceeds the maximum allowed (" + std::to_string(depth_max_) + ")",
           at_ + 1);
      fault_->too_deep = true;
      return;
    }
    open_.push_back({.object = object, .start = at_});
    ++at_;
  }

  void string(std::string_view what) {
    in_string_ = true;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        in_string_ = false;
        return;
      }
      if (static_cast<unsigned char>(c) < 0x20)
        return fail("Illegal unquoted character (" + shown() +
                        "): has to be escaped using backslash to be included in string value",
                    at_ + 1);
      if (c == '\\' && !escape()) return;
    }
    fail("Unexpected end-of-input: was expecting closing quote " + std::string(what), at_ + 1);
  }

  // At the backslash; leaves at_ at the last character of the escape.
  bool escape() {
    if (++at_ >= text_.size()) {
      fail("Unexpected end-of-input in character escape sequence", at_ + 1);
      return false;
    }
    const char c = text_[at_];
    if (c == 'u') {
      for (int i = 0; i < 4; ++i) {
        if (++at_ < text_.size() && is_hex(text_[at_])) continue;
        fail(at_ < text_.size() ? "Unexpected character (" + shown() +
                                      "): expected a hex-digit for character escape sequence"
                                : std::string("Unexpected end-of-input in character escape sequence"),
             at_ + 1);
        return false;
      }
      return true;
    }
    if (std::string_view("\"\\/bfnrt").contains(c)) return true;
    fail("Unrecognized character escape " + shown(), at_ + 1);
    return false;
  }

  bool digits(std::string_view otherwise) {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ > start) return true;
    fail(at_ < text_.size()
             ? "Unexpected character (" + shown() + ") in numeric value: " + std::string(otherwise)
             : "Unexpected end-of-input in numeric value: " + std::string(otherwise),
         at_ + 1);
    return false;
  }

  void number() {
    if (text_[at_] == '-') ++at_;
    const std::size_t start = at_;
    if (!digits("expected digit (0-9) to follow minus sign, for valid numeric value")) return;
    if (text_[start] == '0' && at_ - start > 1)
      return fail("Invalid numeric value: Leading zeroes not allowed", start + 2);
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      if (!digits("Decimal point not followed by a digit")) return;
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (!digits("Exponent indicator not followed by a digit")) return;
    }
    // Only such numbers can be too large for a double.
    constexpr std::size_t kDigitsSafe = 300;
    const std::string_view token = text_.substr(start, at_ - start);
    if ((token.size() > kDigitsSafe || token.find_first_of("eE") != std::string_view::npos) &&
        !json::parse(token))
      fail("Numeric value (" + std::string(token.substr(0, 40)) + (token.size() > 40 ? "..." : "") +
               ") out of range of double",
           start + 1);
  }

  void word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view token = text_.substr(start, at_ - start);
    if (token == "true" || token == "false" || token == "null") return;
    constexpr std::size_t kShown = 256;
    fail("Unrecognized token '" + std::string(token.substr(0, kShown)) +
             (token.size() > kShown ? "..." : "") + "': was expecting " + std::string(kValues),
         at_);
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(text_[at_])) ++at_;
    if (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) < 0x20)
      fail("Illegal character (" + shown() +
               "): only regular white space (\\r, \\n, \\t) is allowed between tokens",
           at_ + 1);
  }

  // The character at at_: "'a' (code 97)", "(CTRL-CHAR, code 0)".
  [[nodiscard]] std::string shown() const {
    const char c = text_[at_];
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) return "(CTRL-CHAR, code " + std::to_string(code) + ")";
    if (code < 0x80) return "'" + std::string(1, c) + "' (code " + std::to_string(code) + ")";
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
    return "'" + std::string(text_.substr(at_, end - at_)) + "'";
  }

  void fail_at_end() {
    if (open_.empty()) return fail("No content to map due to end-of-input", at_ + 1);
    const bool object = open_.back().object;
    fail("Unexpected end-of-input: expected close marker for " + std::string(object ? "Object" : "Array") +
             " (start marker at " + source(open_.back().start) + ")",
         at_ + 1);
  }

  void fail_close_marker(char c) {
    const bool object = open_.back().object;
    fail("Unexpected close marker '" + std::string(1, c) + "': expected '" + (object ? "}" : "]") +
             "' (for " + (object ? "Object" : "Array") + " starting at " + source(open_.back().start) + ")",
         at_ + 1);
  }

  // `consumed`: how many bytes of the text that parser has taken when it complains.
  [[nodiscard]] std::string source(std::size_t consumed) const {
    const std::string_view taken = text_.substr(0, std::min(consumed, text_.size()));
    // A line end inside a string is the fault itself and begins no line.
    const std::string_view whole = taken.substr(0, taken.size() - (in_string_ && !taken.empty() ? 1 : 0));
    const auto lines = std::ranges::count(whole, '\n');
    const std::size_t line_start = lines == 0 ? 0 : whole.rfind('\n') + 1;
    std::size_t column = 1;
    for (const char c : taken.substr(line_start)) column += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    std::size_t shown = std::min(text_.size(), kSourceBytesMax);
    while (shown < text_.size() && (static_cast<unsigned char>(text_[shown]) & 0xc0) == 0x80) --shown;
    std::string source = "[Source: (String)\"" + std::string(text_.substr(0, shown)) + '"';
    if (shown < text_.size()) source += "[truncated " + std::to_string(text_.size() - shown) + " chars]";
    return source + "; line: " + std::to_string(lines + 1) + ", column: " + std::to_string(column) + "]";
  }

  void fail(std::string message, std::size_t consumed) {
    if (!fault_) fault_ = JsonFault{.message = std::move(message), .source = source(consumed)};
  }

  std::string_view text_;
  std::size_t depth_max_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  bool after_comma_ = false;
  bool in_string_ = false;
  bool done_ = false;  // a value has been read
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view text, std::size_t depth_max) {
  return Scanner(text, depth_max).scan();
}

}  // namespace stoker::asl
