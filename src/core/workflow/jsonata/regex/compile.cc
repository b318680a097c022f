#include <algorithm>
#include <map>
#include <optional>

#include "core/workflow/jsonata/regex/program.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

using Code = RegexOp::Code;

constexpr CharRange kDigitRanges[] = {{u'0', u'9'}};
constexpr CharRange kWordRanges[] = {{u'0', u'9'}, {u'A', u'Z'}, {u'_', u'_'}, {u'a', u'z'}};
constexpr CharRange kSpaceRanges[] = {{0x09, 0x0d},     {0x20, 0x20},     {0xa0, 0xa0},     {0x1680, 0x1680},
                                      {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f},
                                      {0x3000, 0x3000}, {0xfeff, 0xfeff}};

bool is_digit(char16_t c) {
  return c >= u'0' && c <= u'9';
}

int hex_value(char16_t c) {
  if (is_digit(c)) return c - u'0';
  if (c >= u'a' && c <= u'f') return c - u'a' + 10;
  if (c >= u'A' && c <= u'F') return c - u'A' + 10;
  return -1;
}

void add(CharSet& set, std::span<const CharRange> ranges) {
  set.ranges.insert(set.ranges.end(), ranges.begin(), ranges.end());
}

void add_all_but(CharSet& set, std::span<const CharRange> ranges) {
  unsigned from = 0;
  for (const CharRange& range : ranges) {  // in order, apart
    if (range.first > from)
      set.ranges.push_back({static_cast<char16_t>(from), static_cast<char16_t>(range.first - 1)});
    from = range.last + 1U;
  }
  if (from <= 0xffff) set.ranges.push_back({static_cast<char16_t>(from), 0xffff});
}

// \d \w \s and their opposites.
bool add_named(CharSet& set, char16_t letter) {
  switch (letter) {
    case u'd':
      add(set, kDigitRanges);
      return true;
    case u'D':
      add_all_but(set, kDigitRanges);
      return true;
    case u'w':
      add(set, kWordRanges);
      return true;
    case u'W':
      add_all_but(set, kWordRanges);
      return true;
    case u's':
      add(set, kSpaceRanges);
      return true;
    case u'S':
      add_all_but(set, kSpaceRanges);
      return true;
    default:
      return false;
  }
}

}  // namespace

class RegexCompiler {
 public:
  RegexCompiler(std::u16string_view pattern, Regex::Flags flags) : pattern_(pattern) {
    out_.flags_ = flags;
    count_groups();
  }

  std::expected<Regex, std::string> run() {
    emit({.code = Code::Save, .a = 0});
    alternatives();
    if (failure_.empty() && at_ < pattern_.size()) fail("Unmatched ')'");
    emit({.code = Code::Save, .a = 1});
    emit({.code = Code::Match});
    out_.groups_ = groups_;
    if (!failure_.empty()) return std::unexpected(failure_);
    return std::move(out_);
  }

 private:
  struct Names {
    std::u16string name;
    std::uint32_t group;
  };

  // References may come before their group.
  void count_groups() {
    bool in_class = false;
    for (std::size_t i = 0; i < pattern_.size(); ++i) {
      const char16_t c = pattern_[i];
      if (c == u'\\') {
        ++i;
      } else if (in_class) {
        in_class = c != u']';
      } else if (c == u'[') {
        in_class = true;
      } else if (c == u'(') {
        const std::u16string_view rest = pattern_.substr(i + 1);
        const bool named = rest.starts_with(u"?<") && !rest.starts_with(u"?<=") && !rest.starts_with(u"?<!");
        if (rest.starts_with(u"?") && !named) continue;
        ++groups_in_all_;
        if (named) names_.push_back({std::u16string(rest.substr(2, rest.find(u'>') - 2)), groups_in_all_});
      }
    }
  }

  void fail(std::string reason) {
    if (failure_.empty()) failure_ = std::move(reason);
    at_ = pattern_.size();
  }
  [[nodiscard]] bool ended() const { return at_ >= pattern_.size(); }
  [[nodiscard]] char16_t peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : u'\0';
  }
  bool take(std::u16string_view text) {
    if (!pattern_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  std::size_t emit(RegexOp op) {
    if (out_.code_.size() >= Regex::kInstructionsMax) fail("Regular expression too large");
    out_.code_.push_back(op);
    return out_.code_.size() - 1;
  }
  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(out_.code_.size()); }
  void insert(std::size_t at, RegexOp op) {
    out_.code_.insert(out_.code_.begin() + static_cast<std::ptrdiff_t>(at), op);
  }

  // Targets are absolute, so code that moves or is repeated has its own moved along.
  static void relocate(std::span<RegexOp> code, std::uint32_t from, std::int64_t by) {
    const auto move = [&](std::uint32_t& target) {
      if (target >= from) target = static_cast<std::uint32_t>(target + by);
    };
    for (RegexOp& op : code) {
      if (op.code == Code::Jump || op.code == Code::Look) move(op.a);
      if (op.code != Code::Split) continue;
      move(op.a);
      move(op.b);
    }
  }

  void alternatives() {
    if (++nesting_ > Regex::kNestingMax) return fail("Regular expression nested too deeply");
    std::size_t start = out_.code_.size();
    std::vector<std::size_t> exits;
    sequence();
    while (!ended() && peek() == u'|') {
      ++at_;
      insert(start, {.code = Code::Split});
      relocate(std::span(out_.code_).subspan(start + 1), static_cast<std::uint32_t>(start), 1);
      exits.push_back(emit({.code = Code::Jump}));
      out_.code_[start].a = static_cast<std::uint32_t>(start + 1);
      out_.code_[start].b = here();
      start = out_.code_.size();
      sequence();
    }
    for (const std::size_t jump : exits) out_.code_[jump].a = here();
    --nesting_;
  }

  void sequence() {
    while (failure_.empty() && !ended() && peek() != u'|' && peek() != u')') term();
  }

  void term() {
    const std::size_t start = out_.code_.size();
    const std::uint32_t groups_before = groups_;
    bool can_repeat = true;
    const char16_t c = peek();
    if (c == u'^' || c == u'$') {
      ++at_;
      emit({.code = c == u'^' ? Code::LineBegin : Code::LineEnd});
      can_repeat = false;
    } else if (c == u'\\' && (peek(1) == u'b' || peek(1) == u'B')) {
      emit({.code = Code::WordEdge, .flag = peek(1) == u'B'});
      at_ += 2;
      can_repeat = false;
    } else if (c == u'(') {
      group();
    } else if (c == u'[') {
      ++at_;
      emit_set(char_class());
    } else if (c == u'.') {
      ++at_;
      emit({.code = Code::Any});
    } else if (c == u'\\') {
      ++at_;
      escape();
    } else if (c == u'*' || c == u'+' || c == u'?') {
      return fail("Nothing to repeat");
    } else {
      ++at_;
      emit_unit(c);
    }
    if (failure_.empty()) quantifier(start, groups_before, can_repeat);
  }

  void group() {
    ++at_;
    const bool negative = pattern_.substr(at_).starts_with(u"?!");
    if (take(u"?=") || take(u"?!")) {
      const std::size_t look = emit({.code = Code::Look, .flag = negative});
      alternatives();
      emit({.code = Code::LookEnd});
      out_.code_[look].a = here();
      return close();
    }
    if (take(u"?:")) {
      alternatives();
      return close();
    }
    if (take(u"?<=") || take(u"?<!")) return fail("Look-behind is not supported");
    if (take(u"?<")) {
      const std::size_t end = pattern_.find(u'>', at_);
      if (end == std::u16string_view::npos || end == at_) return fail("Invalid capture group name");
      at_ = end + 1;
    } else if (peek() == u'?') {
      return fail("Invalid group");
    }
    const std::uint32_t number = ++groups_;
    if (number > Regex::kGroupsMax) return fail("Regular expression too large");
    emit({.code = Code::Save, .a = 2 * number});
    alternatives();
    emit({.code = Code::Save, .a = 2 * number + 1});
    close();
  }

  void close() {
    if (!take(u")")) fail("Unterminated group");
  }

  void emit_unit(char16_t unit) {
    emit({.code = Code::Unit, .a = out_.flags_.ignore_case ? fold_case(unit) : unit});
  }

  void emit_set(CharSet set) {
    if (out_.sets_.size() >= Regex::kInstructionsMax) return fail("Regular expression too large");
    std::sort(set.ranges.begin(), set.ranges.end(),
              [](const CharRange& x, const CharRange& y) { return x.first < y.first; });
    out_.sets_.push_back(std::move(set));
    emit({.code = Code::Set, .a = static_cast<std::uint32_t>(out_.sets_.size() - 1)});
  }

  // Behind a backslash, outside of classes.
  void escape() {
    if (ended()) return fail("\\ at end of pattern");
    const char16_t c = peek();
    if (CharSet set; add_named(set, c)) {
      ++at_;
      return emit_set(std::move(set));
    }
    if (c >= u'1' && c <= u'9') {
      std::uint32_t number = 0;
      std::size_t digits = 0;
      while (is_digit(peek(digits)) && number <= groups_in_all_)
        number = number * 10 + static_cast<std::uint32_t>(peek(digits++) - u'0');
      if (number <= groups_in_all_) {
        at_ += digits;
        emit({.code = Code::BackRef, .a = number});
        return;
      }
    }
    if (c == u'k' && peek(1) == u'<' && !names_.empty()) {
      const std::size_t end = pattern_.find(u'>', at_);
      const std::u16string_view name =
          end == std::u16string_view::npos ? u"" : pattern_.substr(at_ + 2, end - at_ - 2);
      for (const Names& known : names_) {
        if (known.name != name) continue;
        at_ = end + 1;
        emit({.code = Code::BackRef, .a = known.group});
        return;
      }
      return fail("Invalid named reference");
    }
    emit_unit(escaped_unit());
  }

  // The one unit that an escape stands for.
  char16_t escaped_unit() {
    const char16_t c = peek();
    ++at_;
    switch (c) {
      case u't':
        return u'\t';
      case u'n':
        return u'\n';
      case u'r':
        return u'\r';
      case u'v':
        return u'\v';
      case u'f':
        return u'\f';
      case u'0':
        return u'\0';
      case u'c':
        if ((peek() >= u'a' && peek() <= u'z') || (peek() >= u'A' && peek() <= u'Z'))
          return static_cast<char16_t>(pattern_[at_++] % 32);
        --at_;
        return u'\\';
      case u'x':
      case u'u': {
        const std::size_t count = c == u'x' ? 2 : 4;
        unsigned unit = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const int digit = hex_value(peek(i));
          if (digit < 0) return c;
          unit = unit * 16 + static_cast<unsigned>(digit);
        }
        at_ += count;
        return static_cast<char16_t>(unit);
      }
      default:
        return c;
    }
  }

  CharSet char_class() {
    CharSet set;
    set.negated = take(u"^");
    while (true) {
      if (ended()) {
        fail("Unterminated character class");
        return set;
      }
      if (take(u"]")) return set;
      const std::optional<char16_t> first = class_unit(set);
      if (peek() != u'-' || peek(1) == u']' || at_ + 1 >= pattern_.size()) {
        if (first) set.ranges.push_back({*first, *first});
        continue;
      }
      ++at_;
      const std::optional<char16_t> last = class_unit(set);
      if (first && last) {
        if (*first > *last) {
          fail("Range out of order in character class");
          return set;
        }
        set.ranges.push_back({*first, *last});
        continue;
      }
      if (first) set.ranges.push_back({*first, *first});  // beside \d and the like '-' stands for itself
      if (last) set.ranges.push_back({*last, *last});
      set.ranges.push_back({u'-', u'-'});
    }
  }

  // One unit; nothing when it was a set like \d, which is added at once.
  std::optional<char16_t> class_unit(CharSet& set) {
    if (peek() != u'\\') return pattern_[at_++];
    ++at_;
    if (ended()) {
      fail("\\ at end of pattern");
      return std::nullopt;
    }
    if (add_named(set, peek())) {
      ++at_;
      return std::nullopt;
    }
    if (peek() == u'b') {
      ++at_;
      return u'\b';
    }
    return escaped_unit();
  }

  struct Bounds {
    std::uint32_t least = 1, most = 1;
  };

  std::optional<Bounds> bounds() {
    if (take(u"*")) return Bounds{0, kEndless};
    if (take(u"+")) return Bounds{1, kEndless};
    if (take(u"?")) return Bounds{0, 1};
    if (peek() != u'{') return std::nullopt;
    std::size_t ahead = 1;
    const auto number = [&]() -> std::optional<std::uint32_t> {
      if (!is_digit(peek(ahead))) return std::nullopt;
      std::uint32_t out = 0;
      constexpr std::uint32_t kMost = 1'000'000;
      while (is_digit(peek(ahead)))
        out = std::min(kMost, out * 10 + static_cast<std::uint32_t>(peek(ahead++) - u'0'));
      return out;
    };
    const auto least = number();
    if (!least) return std::nullopt;  // a brace that is no quantifier is an ordinary unit
    std::uint32_t most = *least;
    if (peek(ahead) == u',') {
      ++ahead;
      most = number().value_or(kEndless);
    }
    if (peek(ahead) != u'}') return std::nullopt;
    at_ += ahead + 1;
    return Bounds{*least, most};
  }

  void quantifier(std::size_t start, std::uint32_t groups_before, bool can_repeat) {
    const auto range = bounds();
    if (!range) return;
    if (!can_repeat) return fail("Nothing to repeat");
    if (range->least > range->most) return fail("numbers out of order in {} quantifier");
    const bool lazy = take(u"?");
    if (const auto next = peek(); next == u'*' || next == u'+' || next == u'?')
      return fail("Nothing to repeat");
    const std::vector<RegexOp> body(out_.code_.begin() + static_cast<std::ptrdiff_t>(start),
                                    out_.code_.end());
    out_.code_.resize(start);
    if (body.size() == 1 &&
        (body[0].code == Code::Set || body[0].code == Code::Any || body[0].code == Code::Unit))
      return repeat_one(body[0], *range, lazy);
    const std::uint32_t copies = range->least + (range->most == kEndless ? 1 : range->most - range->least);
    if (static_cast<std::size_t>(copies) * (body.size() + 4) > Regex::kInstructionsMax)
      return fail("Regular expression too large");
    const auto copy_body = [&] {
      if (groups_ > groups_before)
        emit({.code = Code::Forget, .a = 2 * (groups_before + 1), .b = 2 * (groups_ + 1)});
      const std::uint32_t at = here();
      std::vector<RegexOp> code = body;
      relocate(code, static_cast<std::uint32_t>(start),
               static_cast<std::int64_t>(at) - static_cast<std::int64_t>(start));
      for (const RegexOp& op : code) emit(op);
    };
    for (std::uint32_t i = 0; i < range->least; ++i) copy_body();
    if (range->most == kEndless) {
      const auto counter = static_cast<std::uint32_t>(out_.counters_++);
      const std::size_t split = emit({.code = Code::Split});
      emit({.code = Code::Remember, .a = counter});
      copy_body();
      emit({.code = Code::Advanced, .a = counter});
      emit({.code = Code::Jump, .a = static_cast<std::uint32_t>(split)});
      set_split(split, lazy);
      return;
    }
    std::vector<std::size_t> splits;
    const auto counter = static_cast<std::uint32_t>(out_.counters_++);
    for (std::uint32_t i = range->least; i < range->most; ++i) {
      splits.push_back(emit({.code = Code::Split}));
      emit({.code = Code::Remember, .a = counter});
      copy_body();
      emit({.code = Code::Advanced, .a = counter});
    }
    for (const std::size_t split : splits) set_split(split, lazy);
  }

  void set_split(std::size_t split, bool lazy) {
    const auto inside = static_cast<std::uint32_t>(split + 1);
    out_.code_[split].a = lazy ? here() : inside;
    out_.code_[split].b = lazy ? inside : here();
  }

  void repeat_one(const RegexOp& one, Bounds range, bool lazy) {
    std::uint32_t set = kAnySet;
    if (one.code == Code::Set) set = one.a;
    if (one.code == Code::Unit) {
      const auto unit = static_cast<char16_t>(one.a);
      out_.sets_.push_back({{{unit, unit}}, false});
      set = static_cast<std::uint32_t>(out_.sets_.size() - 1);
    }
    emit({.code = Code::Repeat, .flag = lazy, .a = set, .b = range.least, .c = range.most});
  }

  std::u16string_view pattern_;
  std::size_t at_ = 0;
  std::size_t nesting_ = 0;
  std::uint32_t groups_ = 0;
  std::uint32_t groups_in_all_ = 0;
  std::vector<Names> names_;
  std::string failure_;
  Regex out_;
};

std::expected<Regex, std::string> Regex::compile(std::string_view pattern, Flags flags) {
  const std::u16string units = to_utf16(pattern);
  return RegexCompiler(units, flags).run();
}

Regex::Regex() = default;
Regex::Regex(const Regex&) = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

}  // namespace stoker::jsonata
