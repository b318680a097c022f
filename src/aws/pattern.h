#pragma once
// Regular expressions as service models write them, matched in time linear in the text: no backtracking.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stoker::aws {

// Understood: literals, '.', [classes] with ranges, negation and \w \d \s \S \W \D, \p{ASCII} \p{L} \p{Z}
// \p{N}, (groups), (?:groups), alternation, * + ? {n} {n,} {n,m}, '^' and '$' around the whole, and
// lookaheads
// '(?=...)' at the very start. Text is UTF-8 and read character by character.
// Of characters outside ASCII every one counts as letter, separator and digit for \p{L}, \p{Z} and \p{N}: the
// models only use these to keep control characters and punctuation out of tags.
class Pattern {
 public:
  // InvalidArgument for syntax outside of the above, NotSupported for more than kInstructionsMax
  // instructions.
  static Result<Pattern> compile(std::string_view text);

  // Whether the whole text matches.
  [[nodiscard]] bool matches(std::string_view text) const;

  static constexpr std::size_t kInstructionsMax = 4096;
  static constexpr int kGroupDepthMax = 16;

 private:
  friend class PatternCompiler;

  struct CharacterClass {
    std::uint64_t ascii[2] = {0, 0};
    bool others = false;  // every character outside ASCII
    [[nodiscard]] bool contains(std::uint32_t c) const {
      return c < 128 ? (ascii[c / 64] >> (c % 64) & 1) != 0 : others;
    }
  };
  enum class Op : std::uint8_t { Take, Split, Jump, Done };
  struct Instruction {
    Op op = Op::Done;
    std::uint16_t first = 0;   // Take: index of the class; Split, Jump: where to go on
    std::uint16_t second = 0;  // Split: the other place
  };
  struct Program {
    std::vector<Instruction> code;
    bool whole = true;  // must end at the end of the text; a lookahead need not
    // The most frequent kind, a class with a count, is matched without threads.
    bool simple = false;
    std::uint32_t simple_min = 0;
    std::uint32_t simple_max = 0;
  };
  [[nodiscard]] bool run(const Program& program, std::string_view text) const;
  [[nodiscard]] bool run_simple(const Program& program, std::string_view text) const;

  std::vector<CharacterClass> classes_;
  std::vector<Program> programs_;  // all must match
};

}  // namespace stoker::aws
