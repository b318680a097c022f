#pragma once
// Regular expressions as JavaScript has them (without the flags u, v, y, s): groups, named groups, classes,
// greedy and lazy quantifiers, anchors, look-ahead, back references; over UTF-16 units. Backtracking, with
// the caller's bound of steps and a bound of its own for what waits to be tried. No look-behind, no \p.
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::jsonata {

struct RegexOp;  // one instruction

struct CharRange {
  char16_t first, last;
};

struct CharSet {
  std::vector<CharRange> ranges;
  bool negated = false;
};

class Regex {
 public:
  struct Flags {
    bool ignore_case = false;
    bool multiline = false;
  };
  static constexpr std::size_t kInstructionsMax = 20'000;
  static constexpr std::size_t kGroupsMax = 1'000;
  static constexpr std::size_t kNestingMax = 100;
  static constexpr std::size_t kPendingMax = 400'000;  // alternatives that wait to be tried

  // Why it is none, else.
  static std::expected<Regex, std::string> compile(std::string_view pattern, Flags flags);

  Regex(const Regex&);
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  enum class Found { Yes, No, OutOfSteps };
  // Begin and end of the match and of each group, npos for groups that took no part.
  using Groups = std::vector<std::size_t>;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // The first match at or after `from`. Takes what it needs from `steps`.
  Found search(std::u16string_view subject, std::size_t from, std::int64_t& steps, Groups& groups) const;

  [[nodiscard]] std::size_t groups() const { return groups_; }

 private:
  friend class RegexCompiler;
  friend class RegexRun;
  Regex();
  std::vector<RegexOp> code_;
  std::vector<CharSet> sets_;
  std::size_t groups_ = 0;
  std::size_t counters_ = 0;
  Flags flags_;
};

}  // namespace stoker::jsonata
