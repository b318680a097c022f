#include <algorithm>

#include "core/workflow/jsonata/regex/program.h"
#include "core/workflow/jsonata/value/letter_case.h"

namespace stoker::jsonata {

namespace {
using Code = RegexOp::Code;
}  // namespace

char16_t fold_case(char16_t unit) {
  if (unit < 0x80) return unit >= u'a' && unit <= u'z' ? static_cast<char16_t>(unit - 32) : unit;
  const char32_t upper = upper_code_point(unit);
  return upper < 0x80 || upper > 0xffff ? unit : static_cast<char16_t>(upper);
}

bool is_line_end(char16_t unit) {
  return unit == u'\n' || unit == u'\r' || unit == 0x2028 || unit == 0x2029;
}

bool is_word_unit(char16_t unit) {
  return (unit >= u'a' && unit <= u'z') || (unit >= u'A' && unit <= u'Z') || (unit >= u'0' && unit <= u'9') ||
         unit == u'_';
}

class RegexRun {
 public:
  RegexRun(const Regex& regex, std::u16string_view subject, std::int64_t& steps)
      : regex_(regex),
        subject_(subject),
        steps_(steps),
        marks_(2 * (regex.groups_ + 1), Regex::npos),
        counters_(regex.counters_, 0) {}

  Regex::Found at(std::size_t start) {
    std::fill(marks_.begin(), marks_.end(), Regex::npos);
    pending_.clear();
    return run(0, start, 0);
  }
  [[nodiscard]] const Regex::Groups& marks() const { return marks_; }

 private:
  struct Pending {
    enum class Kind : std::uint8_t { Try, Shorter, Longer, Mark, Counter };
    Kind kind;
    std::uint32_t code;     // where to go on; or which mark or counter to put back
    std::size_t position;   // or the old value
    std::size_t bound = 0;  // of Shorter: the least; of Longer: the most
  };

  [[nodiscard]] bool word_at(std::size_t at) const {
    return at < subject_.size() && is_word_unit(subject_[at]);
  }

  [[nodiscard]] bool in_set(const CharSet& set, char16_t unit) const {
    const auto within = [&](char16_t c) {
      return std::any_of(set.ranges.begin(), set.ranges.end(),
                         [c](const CharRange& range) { return c >= range.first && c <= range.last; });
    };
    if (!regex_.flags_.ignore_case) return within(unit) != set.negated;
    const char16_t folded = fold_case(unit);
    const char32_t lower = lower_code_point(folded);
    const bool found =
        within(unit) || within(folded) || (lower <= 0xffff && within(static_cast<char16_t>(lower)));
    return found != set.negated;
  }

  [[nodiscard]] bool fits(std::uint32_t set, std::size_t at) const {
    if (at >= subject_.size()) return false;
    return set == kAnySet ? !is_line_end(subject_[at]) : in_set(regex_.sets_[set], subject_[at]);
  }

  bool push(Pending pending) {
    if (pending_.size() >= Regex::kPendingMax) return false;
    pending_.push_back(pending);
    return true;
  }

  bool set_mark(std::uint32_t mark, std::size_t value) {
    if (!push({Pending::Kind::Mark, mark, marks_[mark]})) return false;
    marks_[mark] = value;
    return true;
  }

  [[nodiscard]] bool same_text(std::size_t from, std::size_t at, std::size_t length) const {
    if (subject_.size() - at < length) return false;
    if (!regex_.flags_.ignore_case) return subject_.substr(from, length) == subject_.substr(at, length);
    for (std::size_t i = 0; i < length; ++i)
      if (fold_case(subject_[from + i]) != fold_case(subject_[at + i])) return false;
    return true;
  }

  // Takes the last alternative; false when there is none above `floor`.
  bool back_track(std::size_t floor, std::uint32_t& code, std::size_t& position) {
    while (pending_.size() > floor) {
      Pending& last = pending_.back();
      switch (last.kind) {
        case Pending::Kind::Mark:
          marks_[last.code] = last.position;
          pending_.pop_back();
          continue;
        case Pending::Kind::Counter:
          counters_[last.code] = last.position;
          pending_.pop_back();
          continue;
        case Pending::Kind::Try:
          code = last.code;
          position = last.position;
          pending_.pop_back();
          return true;
        case Pending::Kind::Shorter:
          if (last.position == last.bound) {
            pending_.pop_back();
            continue;
          }
          code = last.code;
          position = --last.position;
          return true;
        case Pending::Kind::Longer: {
          const RegexOp& op = regex_.code_[last.code - 1];
          if (last.position == last.bound || !fits(op.a, last.position)) {
            pending_.pop_back();
            continue;
          }
          code = last.code;
          position = ++last.position;
          return true;
        }
      }
    }
    return false;
  }

  // Look-ahead runs within: as deep as the expression nests them. The first code is `code`.
  Regex::Found run(std::uint32_t code, std::size_t position, std::size_t floor) {
    while (true) {
      if (--steps_ < 0) return Regex::Found::OutOfSteps;
      const RegexOp& op = regex_.code_[code];
      bool good = true;
      ++code;
      switch (op.code) {
        case Code::Unit:
          good = position < subject_.size() &&
                 (regex_.flags_.ignore_case ? fold_case(subject_[position]) : subject_[position]) == op.a;
          ++position;
          break;
        case Code::Any:
          good = fits(kAnySet, position++);
          break;
        case Code::Set:
          good = fits(op.a, position++);
          break;
        case Code::Repeat: {
          const std::size_t most =
              op.c == kEndless ? subject_.size() : std::min<std::size_t>(subject_.size(), position + op.c);
          const std::size_t least = position + op.b;
          const std::size_t limit = op.flag ? std::min(least, most) : most;
          std::size_t end = position;
          while (end < limit && fits(op.a, end)) ++end;
          steps_ -= static_cast<std::int64_t>(end - position);
          good = end >= least;
          if (!good) break;
          position = end;
          if (op.flag ? end < most : end > least) {
            const auto kind = op.flag ? Pending::Kind::Longer : Pending::Kind::Shorter;
            if (!push({kind, code, end, op.flag ? most : least})) return Regex::Found::OutOfSteps;
          }
          break;
        }
        case Code::Split:
          if (!push({Pending::Kind::Try, op.b, position})) return Regex::Found::OutOfSteps;
          code = op.a;
          break;
        case Code::Jump:
          code = op.a;
          break;
        case Code::Save:
          if (!set_mark(op.a, position)) return Regex::Found::OutOfSteps;
          break;
        case Code::Forget:
          for (std::uint32_t mark = op.a; mark < op.b; ++mark)
            if (marks_[mark] != Regex::npos && !set_mark(mark, Regex::npos)) return Regex::Found::OutOfSteps;
          break;
        case Code::Remember:
          if (!push({Pending::Kind::Counter, op.a, counters_[op.a]})) return Regex::Found::OutOfSteps;
          counters_[op.a] = position;
          break;
        case Code::Advanced:
          good = counters_[op.a] != position;
          break;
        case Code::LineBegin:
          good = position == 0 || (regex_.flags_.multiline && is_line_end(subject_[position - 1]));
          break;
        case Code::LineEnd:
          good = position == subject_.size() || (regex_.flags_.multiline && is_line_end(subject_[position]));
          break;
        case Code::WordEdge:
          good = ((position > 0 && word_at(position - 1)) != word_at(position)) != op.flag;
          break;
        case Code::BackRef: {
          const std::size_t from = marks_[2 * op.a];
          const std::size_t to = marks_[2 * op.a + 1];
          if (from == Regex::npos || to == Regex::npos) break;
          steps_ -= static_cast<std::int64_t>(to - from);
          good = same_text(from, position, to - from);
          position += to - from;
          break;
        }
        case Code::Look: {
          const std::size_t inner_floor = pending_.size();
          const Regex::Found found = run(code, position, inner_floor);
          if (found == Regex::Found::OutOfSteps) return found;
          good = (found == Regex::Found::Yes) != op.flag;
          // What was tried inside is settled; only marks are put back when this fails later.
          settle(inner_floor, good && !op.flag);
          code = op.a;
          break;
        }
        case Code::LookEnd:
        case Code::Match:
          return Regex::Found::Yes;
      }
      if (good) continue;
      if (!back_track(floor, code, position)) return Regex::Found::No;
    }
  }

  void settle(std::size_t floor, bool keep_marks) {
    if (!keep_marks) {
      for (std::size_t i = pending_.size(); i-- > floor;) {
        const Pending& entry = pending_[i];
        if (entry.kind == Pending::Kind::Mark) marks_[entry.code] = entry.position;
        if (entry.kind == Pending::Kind::Counter) counters_[entry.code] = entry.position;
      }
      pending_.resize(floor, {Pending::Kind::Try, 0, 0});
      return;
    }
    std::size_t kept = floor;
    for (std::size_t i = floor; i < pending_.size(); ++i) {
      const Pending entry = pending_[i];
      if (entry.kind == Pending::Kind::Mark || entry.kind == Pending::Kind::Counter) pending_[kept++] = entry;
    }
    pending_.resize(kept, {Pending::Kind::Try, 0, 0});
  }

  const Regex& regex_;
  std::u16string_view subject_;
  std::int64_t& steps_;
  Regex::Groups marks_;
  std::vector<std::size_t> counters_;
  std::vector<Pending> pending_;
};

Regex::Found Regex::search(std::u16string_view subject, std::size_t from, std::int64_t& steps,
                           Groups& groups) const {
  RegexRun run(*this, subject, steps);
  for (std::size_t start = from; start <= subject.size(); ++start) {
    const Found found = run.at(start);
    if (found == Found::No) continue;
    groups = run.marks();
    return found;
  }
  return Found::No;
}

}  // namespace stoker::jsonata
