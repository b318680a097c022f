#include <charconv>
#include <cmath>

#include "base/text.h"
#include "core/workflow/jsonata/regex/regex.h"
#include "core/workflow/jsonata/syntax/token.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

constexpr std::string_view kBlanks = " \t\n\r\v";
constexpr std::string_view kOperators = ".[]{}(),@#;:?+-*/%|=<>^&!~";
constexpr std::string_view kPairs[] = {"..", ":=", "!=", ">=", "<=", "**", "~>"};

std::unexpected<Fault> fault_at(std::string_view code, std::size_t position) {
  return std::unexpected(Fault(std::string(code)).at(position));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

int binding_power(std::string_view op) {
  struct Row {
    std::string_view op;
    int power;
  };
  static constexpr Row kPowers[] = {{".", 75},  {"[", 80},   {"{", 70},  {"(", 80},  {"@", 80},
                                    {"#", 80},  {"?", 20},   {"+", 50},  {"-", 50},  {"*", 60},
                                    {"/", 60},  {"%", 60},   {"=", 40},  {"<", 40},  {">", 40},
                                    {"^", 40},  {":=", 10},  {"!=", 40}, {"<=", 40}, {">=", 40},
                                    {"~>", 40}, {"and", 30}, {"or", 25}, {"in", 40}, {"&", 50}};
  for (const Row& row : kPowers)
    if (row.op == op) return row.power;
  return 0;
}

Answer<void> Lexer::skip_blanks() {
  while (true) {
    while (at_ < source_.size() && kBlanks.contains(source_[at_])) ++at_;
    if (peek() != '/' || peek(1) != '*') return {};
    const std::size_t end = source_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return fault_at("S0106", at_);
    at_ = end + 2;
  }
}

Answer<Token> Lexer::next(bool after_operand) {
  Token token = TRY(scan(after_operand));
  token.position = at_;
  return token;
}

Answer<Token> Lexer::scan(bool after_operand) {
  TRY(skip_blanks());
  Token token{Token::Kind::End, at_, "(end)", 0, nullptr};
  if (at_ >= source_.size()) return token;
  const char c = peek();
  if (!after_operand && c == '/') return regex();
  token.kind = Token::Kind::Operator;
  for (const std::string_view pair : kPairs) {
    if (!source_.substr(at_).starts_with(pair)) continue;
    at_ += 2;
    token.text = pair;
    return token;
  }
  if (kOperators.contains(c)) {
    ++at_;
    token.text = c;
    return token;
  }
  if (c == '"' || c == '\'') return quoted_text();
  if (const std::size_t length = number_length(); length > 0) {
    token.kind = Token::Kind::Number;
    token.text = source_.substr(at_, length);
    const auto number = parse_double(token.text);
    if (!number || !std::isfinite(*number))
      return std::unexpected(Fault("S0102").at(at_).with_text("token", token.text));
    token.number = *number;
    at_ += length;
    return token;
  }
  return c == '`' ? quoted_name() : name();
}

std::size_t Lexer::number_length() const {
  const auto digits = [&](std::size_t from) {
    while (is_digit(peek(from))) ++from;
    return from;
  };
  if (!is_digit(peek())) return 0;
  std::size_t length = peek() == '0' ? 1 : digits(0);
  if (peek(length) == '.' && is_digit(peek(length + 1))) length = digits(length + 1);
  if (peek(length) == 'e' || peek(length) == 'E') {
    const std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
    if (is_digit(peek(length + 1 + sign))) length = digits(length + 1 + sign);
  }
  return length;
}

Answer<Token> Lexer::regex() {
  const std::size_t start = at_;
  Token token{Token::Kind::Regex, start, {}, 0, nullptr};
  int depth = 0;  // of brackets: a '/' within them is part of the expression
  std::size_t backslashes = 0;
  for (++at_; at_ < source_.size(); ++at_) {
    const char c = source_[at_];
    if (c == '/' && depth == 0 && backslashes % 2 == 0) {
      const std::string_view pattern = source_.substr(start + 1, at_ - start - 1);
      if (pattern.empty()) return fault_at("S0301", at_);
      Regex::Flags flags;
      for (++at_; peek() == 'i' || peek() == 'm'; ++at_)
        (peek() == 'i' ? flags.ignore_case : flags.multiline) = true;
      auto compiled = Regex::compile(pattern, flags);
      if (!compiled)
        return std::unexpected(Fault("S0303").at(start).with("reason", std::move(compiled).error()));
      token.regex = std::make_shared<const Regex>(*std::move(compiled));
      return token;
    }
    if (backslashes == 0 && (c == '(' || c == '[' || c == '{')) ++depth;
    if (backslashes == 0 && (c == ')' || c == ']' || c == '}')) --depth;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return fault_at("S0302", at_);
}

Answer<Token> Lexer::quoted_text() {
  Token token{Token::Kind::Text, at_, {}, 0, nullptr};
  const char quote = source_[at_++];
  for (; at_ < source_.size(); ++at_) {
    const char c = source_[at_];
    if (c == quote) {
      ++at_;
      return token;
    }
    if (c != '\\') {
      token.text += c;
      continue;
    }
    const char escape = peek(1);
    ++at_;
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    if (escape == 'u') {
      unsigned unit = 0;
      for (std::size_t i = 1; i <= 4; ++i) {
        const int digit = hex_digit(peek(i));
        if (digit < 0) return fault_at("S0104", at_);
        unit = unit * 16 + static_cast<unsigned>(digit);
      }
      append_unit(token.text, static_cast<char16_t>(unit));
      at_ += 4;
    } else if (const std::size_t known = kFrom.find(escape);
               known != std::string_view::npos && escape != '\0') {
      token.text += kTo[known];
    } else {
      return std::unexpected(Fault("S0103").at(at_).with_text("token", first_character(source_.substr(at_))));
    }
  }
  return fault_at("S0101", at_);
}

Answer<Token> Lexer::quoted_name() {
  const std::size_t end = source_.find('`', at_ + 1);
  if (end == std::string_view::npos) return fault_at("S0105", source_.size());
  Token token{Token::Kind::Name, at_, std::string(source_.substr(at_ + 1, end - at_ - 1)), 0, nullptr};
  at_ = end + 1;
  return token;
}

Answer<Token> Lexer::name() {
  const std::size_t start = at_;
  while (at_ < source_.size() && !kBlanks.contains(source_[at_]) && !kOperators.contains(source_[at_])) ++at_;
  Token token{Token::Kind::Name, start, std::string(source_.substr(start, at_ - start)), 0, nullptr};
  if (token.text.starts_with('$')) {
    token.kind = Token::Kind::Variable;
    token.text.erase(0, 1);
  } else if (token.text == "and" || token.text == "or" || token.text == "in") {
    token.kind = Token::Kind::Operator;
  } else if (token.text == "true") {
    token.kind = Token::Kind::True;
  } else if (token.text == "false") {
    token.kind = Token::Kind::False;
  } else if (token.text == "null") {
    token.kind = Token::Kind::Null;
  }
  return token;
}

}  // namespace stoker::jsonata
