#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/workflow/jsonata/value/fault.h"

namespace stoker::jsonata {

class Regex;

struct Token {
  enum class Kind { End, Operator, Name, Variable, Text, Number, True, False, Null, Regex };
  Kind kind = Kind::End;
  std::size_t position = 0;  // behind the token, as the reference counts
  std::string text;          // of names, variables (without $), text and operators; "(end)" of the end
  double number = 0;
  std::shared_ptr<const Regex> regex;

  [[nodiscard]] bool is(std::string_view op) const {
    return (kind == Kind::Operator || kind == Kind::End) && text == op;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}
  // A '/' begins a regular expression where an operand may stand, else it divides.
  Answer<Token> next(bool after_operand);
  [[nodiscard]] std::size_t size() const { return source_.size(); }

 private:
  Answer<Token> scan(bool after_operand);
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  Answer<void> skip_blanks();
  Answer<Token> regex();
  Answer<Token> quoted_text();
  Answer<Token> quoted_name();
  Answer<Token> name();
  [[nodiscard]] std::size_t number_length() const;

  std::string_view source_;
  std::size_t at_ = 0;
};

// How strongly an operator binds the operand on its left; 0: it is none.
int binding_power(std::string_view op);

}  // namespace stoker::jsonata
