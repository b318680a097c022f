#include "aws/pattern.h"

#include <limits>
#include <optional>

#include "base/text.h"

namespace stoker::aws {
namespace {

constexpr std::uint32_t kForever = std::numeric_limits<std::uint32_t>::max();

// Decodes one character of valid UTF-8; a broken byte stands for itself, outside ASCII.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at++);
  if (lead < 0x80) return lead;
  while (at < text.size() && (byte(at) & 0xc0) == 0x80) ++at;
  return 0x80;  // which one does not matter: classes treat all of them alike
}

}  // namespace

// Parses into a tree, then writes the tree out as a program; counted repeats are written several times.
class PatternCompiler {
 public:
  explicit PatternCompiler(std::string_view text) : text_(text) {}

  Result<Pattern> compile() {
    eat('^');
    while (text_.substr(at_).starts_with("(?=")) {
      at_ += 3;
      const std::size_t node = TRY(alternatives(0));
      if (!eat(')')) return bad("missing )");
      TRY(add_program(node, false));
    }
    eat('^');
    const std::size_t node = TRY(alternatives(0));
    eat('$');
    if (at_ != text_.size()) return bad("not understood here");
    TRY(add_program(node, true));
    return std::move(out_);
  }

 private:
  using CharacterClass = Pattern::CharacterClass;
  enum class Kind { Empty, Class, Sequence, Either, Repeat };
  struct Node {
    Kind kind = Kind::Empty;
    std::uint16_t set = 0;                   // Class
    std::vector<std::size_t> children = {};  // Sequence, Either; Repeat has one
    std::uint32_t min = 0, max = 0;          // Repeat
  };

  std::unexpected<Error> bad(std::string_view what) const {
    return fail(Code::InvalidArgument,
                "pattern " + std::string(text_) + ": " + std::string(what) + " at " + std::to_string(at_));
  }
  bool more() const { return at_ < text_.size(); }
  bool eat(char c) {
    if (!more() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::size_t add(Node node) {
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  Result<std::size_t> alternatives(int depth) {
    if (depth > Pattern::kGroupDepthMax) return bad("groups too deep");
    Node either{.kind = Kind::Either};
    do {
      either.children.push_back(TRY(sequence(depth)));
    } while (eat('|'));
    return either.children.size() == 1 ? either.children.front() : add(std::move(either));
  }

  Result<std::size_t> sequence(int depth) {
    Node all{.kind = Kind::Sequence};
    while (more() && text_[at_] != '|' && text_[at_] != ')' &&
           !(text_[at_] == '$' && at_ + 1 == text_.size())) {
      const std::size_t item = TRY(atom(depth));
      all.children.push_back(TRY(repeated(item)));
    }
    return all.children.size() == 1 ? all.children.front() : add(std::move(all));
  }

  Result<std::size_t> atom(int depth) {
    if (eat('(')) {
      if (eat('?') && !eat(':')) return bad("kind of group not understood");
      const std::size_t inner = TRY(alternatives(depth + 1));
      if (!eat(')')) return bad("missing )");
      return inner;
    }
    CharacterClass set;
    if (eat('[')) {
      set = TRY(bracket());
    } else if (eat('.')) {
      set = {.ascii = {~0ULL, ~0ULL}, .others = true};
      set.ascii[0] &= ~(1ULL << '\n');
    } else if (eat('\\')) {
      set = TRY(escape());
    } else if (std::string_view("*+?{}^$]").find(text_[at_]) != std::string_view::npos) {
      return bad("misplaced character");
    } else {
      put(set, text_[at_++]);
    }
    out_.classes_.push_back(set);
    return add({.kind = Kind::Class, .set = static_cast<std::uint16_t>(out_.classes_.size() - 1)});
  }

  Result<std::size_t> repeated(std::size_t item) {
    Node repeat{.kind = Kind::Repeat, .children = {item}};
    if (eat('*')) {
      repeat.max = kForever;
    } else if (eat('+')) {
      repeat.min = 1;
      repeat.max = kForever;
    } else if (eat('?')) {
      repeat.max = 1;
    } else if (eat('{')) {
      const auto low = number();
      if (!low) return bad("missing count");
      repeat.min = repeat.max = *low;
      if (eat(',')) repeat.max = number().value_or(kForever);
      if (!eat('}') || repeat.max < repeat.min) return bad("bad count");
    } else {
      return item;
    }
    return add(std::move(repeat));
  }

  std::optional<std::uint32_t> number() {
    const std::size_t start = at_;
    while (more() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - start < 6) ++at_;
    const auto value = parse_int(text_.substr(start, at_ - start));
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  }

  static void put(CharacterClass& set, char c) {
    const auto code = static_cast<std::uint8_t>(c);
    if (code >= 128) {
      set.others = true;
    } else {
      set.ascii[code / 64] |= 1ULL << (code % 64);
    }
  }
  static void put_range(CharacterClass& set, char first, char last) {
    for (int c = first; c <= last; ++c) put(set, static_cast<char>(c));
  }
  static void merge(CharacterClass& set, const CharacterClass& other) {
    set.ascii[0] |= other.ascii[0];
    set.ascii[1] |= other.ascii[1];
    set.others |= other.others;
  }
  static CharacterClass negated(const CharacterClass& set) {
    return {.ascii = {~set.ascii[0], ~set.ascii[1]}, .others = !set.others};
  }

  // After a backslash.
  Result<CharacterClass> escape() {
    if (!more()) return bad("nothing after the backslash");
    const char c = text_[at_++];
    CharacterClass set;
    switch (c) {
      case 'w':
      case 'W':
        put_range(set, 'a', 'z');
        put_range(set, 'A', 'Z');
        put_range(set, '0', '9');
        put(set, '_');
        return c == 'w' ? set : negated(set);
      case 'd':
      case 'D':
        put_range(set, '0', '9');
        return c == 'd' ? set : negated(set);
      case 's':
      case 'S':
        for (const char space : std::string_view(" \t\n\v\f\r")) put(set, space);
        return c == 's' ? set : negated(set);
      case 'p':
        return property();
      case 'n':
        put(set, '\n');
        return set;
      case 'r':
        put(set, '\r');
        return set;
      case 't':
        put(set, '\t');
        return set;
      default:
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
          return bad("escape not understood");
        }
        put(set, c);
        return set;
    }
  }

  Result<CharacterClass> property() {
    const std::size_t end = text_.find('}', at_);
    if (!eat('{') || end == std::string_view::npos) return bad("\\p without {name}");
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end + 1;
    CharacterClass set;
    if (name == "ASCII") {
      set.ascii[0] = set.ascii[1] = ~0ULL;
      return set;
    }
    set.others = true;
    if (name == "L") {
      put_range(set, 'a', 'z');
      put_range(set, 'A', 'Z');
    } else if (name == "N") {
      put_range(set, '0', '9');
    } else if (name == "Z") {
      put(set, ' ');
    } else {
      return bad("property not understood");
    }
    return set;
  }

  // After '['.
  Result<CharacterClass> bracket() {
    CharacterClass set;
    const bool negate = eat('^');
    for (bool first = true; !eat(']'); first = false) {
      if (!more()) return bad("missing ]");
      char low = text_[at_++];
      if (low == '[' && !first) return bad("class inside a class");
      if (low == '\\') {
        const CharacterClass part = TRY(escape());
        const std::optional<char> single = only_one(part);
        if (!single) {
          merge(set, part);
          continue;
        }
        low = *single;
      }
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        ++at_;
        char high = text_[at_++];
        if (high == '\\') {
          const std::optional<char> single = only_one(TRY(escape()));
          if (!single) return bad("range to a class");
          high = *single;
        }
        if (static_cast<std::uint8_t>(low) > static_cast<std::uint8_t>(high) || high < 0)
          return bad("bad range");
        put_range(set, low, high);
      } else {
        put(set, low);
      }
    }
    return negate ? negated(set) : set;
  }
  // The one ASCII character of a class that has just one.
  static std::optional<char> only_one(const CharacterClass& set) {
    if (set.others || std::popcount(set.ascii[0]) + std::popcount(set.ascii[1]) != 1) return std::nullopt;
    const int code = set.ascii[0] != 0 ? std::countr_zero(set.ascii[0]) : 64 + std::countr_zero(set.ascii[1]);
    return static_cast<char>(code);
  }

  Result<void> add_program(std::size_t root, bool whole) {
    Pattern::Program program{.code = {}, .whole = whole};
    const Node& top = nodes_[root];
    const bool counted = top.kind == Kind::Repeat && nodes_[top.children.front()].kind == Kind::Class;
    if (whole && counted) {
      program.simple = true;
      program.simple_min = top.min;
      program.simple_max = top.max;
      program.code.push_back({Pattern::Op::Take, nodes_[top.children.front()].set, 0});
    } else {
      TRY(emit(program.code, root));
    }
    program.code.push_back({});
    out_.programs_.push_back(std::move(program));
    return {};
  }

  using Code_ = std::vector<Pattern::Instruction>;
  static std::uint16_t here(const Code_& code) { return static_cast<std::uint16_t>(code.size()); }

  Result<void> emit(Code_& code, std::size_t index) {
    if (code.size() > Pattern::kInstructionsMax) {
      return fail(Code::NotSupported, "pattern " + std::string(text_) + " is too large");
    }
    const Node& node = nodes_[index];
    switch (node.kind) {
      case Kind::Empty:
        return {};
      case Kind::Class:
        code.push_back({Pattern::Op::Take, node.set, 0});
        return {};
      case Kind::Sequence:
        for (const std::size_t child : node.children) TRY(emit(code, child));
        return {};
      case Kind::Either:
        return emit_either(code, node);
      case Kind::Repeat:
        return emit_repeat(code, node);
    }
    return {};
  }

  Result<void> emit_either(Code_& code, const Node& node) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const bool last = i + 1 == node.children.size();
      const std::size_t split = code.size();
      if (!last) code.push_back({Pattern::Op::Split, static_cast<std::uint16_t>(split + 1), 0});
      TRY(emit(code, node.children[i]));
      if (last) break;
      jumps.push_back(code.size());
      code.push_back({Pattern::Op::Jump, 0, 0});
      code[split].second = here(code);
    }
    for (const std::size_t jump : jumps) code[jump].first = here(code);
    return {};
  }

  Result<void> emit_repeat(Code_& code, const Node& node) {
    const std::size_t child = node.children.front();
    for (std::uint32_t i = 0; i < node.min; ++i) TRY(emit(code, child));
    if (node.max == kForever) {
      const std::size_t split = code.size();
      code.push_back({Pattern::Op::Split, static_cast<std::uint16_t>(split + 1), 0});
      TRY(emit(code, child));
      code.push_back({Pattern::Op::Jump, static_cast<std::uint16_t>(split), 0});
      code[split].second = here(code);
      return {};
    }
    std::vector<std::size_t> splits;
    for (std::uint32_t i = node.min; i < node.max; ++i) {
      splits.push_back(code.size());
      code.push_back({Pattern::Op::Split, static_cast<std::uint16_t>(code.size() + 1), 0});
      TRY(emit(code, child));
    }
    for (const std::size_t split : splits) code[split].second = here(code);
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Node> nodes_;
  Pattern out_;
};

Result<Pattern> Pattern::compile(std::string_view text) {
  return PatternCompiler(text).compile();
}

bool Pattern::matches(std::string_view text) const {
  return std::ranges::all_of(programs_, [&](const Program& program) {
    return program.simple ? run_simple(program, text) : run(program, text);
  });
}

bool Pattern::run_simple(const Program& program, std::string_view text) const {
  const CharacterClass& set = classes_[program.code.front().first];
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (!set.contains(next_character(text, at))) return false;
  }
  return count >= program.simple_min && (program.simple_max == kForever || count <= program.simple_max);
}

// All ways through the program at once: a set of places, moved on by each character.
bool Pattern::run(const Program& program, std::string_view text) const {
  std::vector<std::uint16_t> now, next, todo;
  std::vector<std::size_t> added_at(program.code.size(), std::numeric_limits<std::size_t>::max());
  std::size_t step = 0;
  bool done = false;
  // Follows splits and jumps from one place; each place is entered once per step.
  const auto add = [&](std::uint16_t start, std::vector<std::uint16_t>& places) {
    todo.push_back(start);
    while (!todo.empty()) {
      const std::uint16_t place = todo.back();
      todo.pop_back();
      if (added_at[place] == step) continue;
      added_at[place] = step;
      const Instruction& instruction = program.code[place];
      if (instruction.op == Op::Take) places.push_back(place);
      if (instruction.op == Op::Done) done = true;
      if (instruction.op == Op::Jump || instruction.op == Op::Split) todo.push_back(instruction.first);
      if (instruction.op == Op::Split) todo.push_back(instruction.second);
    }
  };
  add(0, now);
  for (std::size_t at = 0; at < text.size();) {
    if (done && !program.whole) return true;
    if (now.empty()) return false;
    const std::uint32_t c = next_character(text, at);
    ++step;
    done = false;
    next.clear();
    for (const std::uint16_t place : now) {
      if (classes_[program.code[place].first].contains(c)) add(static_cast<std::uint16_t>(place + 1), next);
    }
    std::swap(now, next);
  }
  return done;
}

}  // namespace stoker::aws
