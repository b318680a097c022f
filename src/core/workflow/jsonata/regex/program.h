#pragma once
// The instructions that a regular expression is compiled to.
#include <cstdint>

#include "core/workflow/jsonata/regex/regex.h"

namespace stoker::jsonata {

struct RegexOp {
  enum class Code : std::uint8_t {
    Unit,       // the unit `a`
    Any,        // anything but a line end
    Set,        // one of set `a`
    Repeat,     // set `a` (or any, when kAnySet) from `b` to `c` times; `flag`: as few as possible
    Split,      // try `a`, then `b`
    Jump,       // to `a`
    Save,       // position into mark `a`
    Forget,     // marks `a` up to `b`
    Remember,   // position into counter `a`
    Advanced,   // fail when the position is still that of counter `a`
    LineBegin,  // ^
    LineEnd,    // $
    WordEdge,   // \b; `flag`: \B
    BackRef,    // the text of group `a`
    Look,       // the code that follows up to `a` must match; `flag`: must not
    LookEnd,
    Match,
  };
  Code code;
  bool flag = false;
  std::uint32_t a = 0, b = 0, c = 0;
};

inline constexpr std::uint32_t kAnySet = 0xffffffff;
inline constexpr std::uint32_t kEndless = 0xffffffff;

// The unit under which letters of both cases are one.
char16_t fold_case(char16_t unit);
bool is_line_end(char16_t unit);
bool is_word_unit(char16_t unit);

}  // namespace stoker::jsonata
