#include <charconv>

#include "base/text.h"
#include "core/workflow/data/path_steps.h"
#include "core/workflow/data/values.h"

namespace stoker::asl::path {
namespace {

// Where dotted names end. All other characters belong to them, as in the reference implementation.
bool ends_name(char c) {
  return static_cast<unsigned char>(c) <= ' ' ||
         std::string_view(".[]()'\",?*=<>!&|~").find(c) != std::string_view::npos;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Steps> whole() {
    Steps out = TRY(steps(0));
    if (at_ < text_.size()) return error("unexpected '" + std::string(1, text_[at_]) + "'");
    return out;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  [[nodiscard]] std::unexpected<Error> error(const std::string& what) const {
    return fail(Code::InvalidArgument, "JSONPath: " + what + " at byte " + std::to_string(at_));
  }

  // Everything that continues a path: until neither '.' nor '[' follows.
  Result<Steps> steps(std::size_t depth) {
    Steps out;
    while (peek() == '.' || peek() == '[') {
      if (out.size() >= kStepsMax)
        return fail(Code::LimitExceeded, "a JSONPath has at most " + std::to_string(kStepsMax) + " steps");
      if (take("..")) {
        out.push_back({.kind = Step::Kind::Scan});
        if (peek() == '.') return error("a third '.'");
      } else {
        take(".");
      }
      out.push_back(TRY(peek() == '[' ? bracket(depth) : dotted()));
    }
    return out;
  }

  Result<Step> dotted() {
    if (take("*")) return Step{.kind = Step::Kind::Wildcard};
    const std::size_t start = at_;
    while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
    if (at_ == start) return error("an empty name");
    if (peek() == '(') return error("functions are not supported");
    return Step{.kind = Step::Kind::Name, .names = {std::string(text_.substr(start, at_ - start))}};
  }

  Result<Step> bracket(std::size_t depth) {
    ++at_;
    skip_blanks();
    Step out;
    if (take("*")) {
      out.kind = Step::Kind::Wildcard;
    } else if (take("?")) {
      out = TRY(filter_step(depth));
    } else if (peek() == '\'' || peek() == '"') {
      do {
        skip_blanks();
        out.names.push_back(TRY(quoted()));
        skip_blanks();
      } while (take(","));
      out.kind = out.names.size() == 1 ? Step::Kind::Name : Step::Kind::Names;
    } else {
      out = TRY(numbers());
    }
    skip_blanks();
    if (!take("]")) return error("']' expected");
    return out;
  }

  Result<Step> numbers() {
    Step out{.kind = Step::Kind::Index};
    if (peek() != ':') out.indexes.push_back(TRY(integer()));
    skip_blanks();
    if (take(":")) {
      out.kind = Step::Kind::Slice;
      if (!out.indexes.empty()) out.from = out.indexes.front();
      out.indexes.clear();
      skip_blanks();
      if (peek() != ']') out.to = TRY(integer());
      if (!out.from && !out.to) return error("a slice without bounds");
      return out;
    }
    while (take(",")) {
      skip_blanks();
      out.indexes.push_back(TRY(integer()));
      skip_blanks();
      out.kind = Step::Kind::Indexes;
    }
    return out;
  }

  Result<std::int64_t> integer() {
    std::int32_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (code != std::errc{}) return error("a name in quotes, a number, '*' or a filter expected");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  // '...' or "..."; a backslash stands before a quote of the same kind or a backslash, else for itself.
  Result<std::string> quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return error("a name in quotes expected");
    ++at_;
    std::string out;
    while (at_ < text_.size()) {
      if (text_[at_] == quote) {
        ++at_;
        return out;
      }
      if (text_[at_] == '\\' && (peek(1) == quote || peek(1) == '\\')) ++at_;
      out += text_[at_++];
    }
    return error("a quote is not closed");
  }

  Result<Step> filter_step(std::size_t depth) {
    if (!take("(")) return error("'(' expected after '?'");
    Step out{.kind = Step::Kind::Filter};
    out.filter = std::make_shared<const Filter>(TRY(any_of(depth + 1)));
    skip_blanks();
    if (!take(")")) return error("')' expected");
    return out;
  }

  Result<Filter> any_of(std::size_t depth) { return chain(depth, "||", Filter::Kind::Or); }
  Result<Filter> all_of(std::size_t depth) { return chain(depth, "&&", Filter::Kind::And); }

  Result<Filter> chain(std::size_t depth, std::string_view sign, Filter::Kind kind) {
    if (depth > kFilterDepthMax)
      return fail(Code::LimitExceeded,
                  "a JSONPath filter nests at most " + std::to_string(kFilterDepthMax) + " times");
    Filter out = TRY(kind == Filter::Kind::Or ? all_of(depth) : single(depth));
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return out;
    Filter parts;
    parts.kind = kind;
    parts.parts.push_back(std::move(out));
    while (take(sign)) {
      parts.parts.push_back(TRY(kind == Filter::Kind::Or ? all_of(depth) : single(depth)));
      skip_blanks();
    }
    return parts;
  }

  Result<Filter> single(std::size_t depth) {
    skip_blanks();
    if (take("!")) {
      if (depth >= kFilterDepthMax)
        return fail(Code::LimitExceeded,
                    "a JSONPath filter nests at most " + std::to_string(kFilterDepthMax) + " times");
      Filter out;
      out.kind = Filter::Kind::Not;
      out.parts.push_back(TRY(single(depth + 1)));
      return out;
    }
    if (take("(")) {
      Filter out = TRY(any_of(depth + 1));
      skip_blanks();
      if (!take(")")) return error("')' expected");
      return out;
    }
    Filter out;
    out.left = TRY(operand(depth));
    skip_blanks();
    const auto op = comparison();
    if (!op && !text_.substr(at_).starts_with(")") && !text_.substr(at_).starts_with("&&") &&
        !text_.substr(at_).starts_with("||"))
      return error("one of == != < <= > >= in nin expected");
    if (!op) {
      if (out.left.kind == Operand::Kind::Literal) return error("a value alone is no condition");
      return out;
    }
    out.kind = Filter::Kind::Compare;
    out.op = *op;
    skip_blanks();
    out.right = TRY(operand(depth));
    return out;
  }

  std::optional<Filter::Operator> comparison() {
    struct Sign {
      std::string_view text;
      Filter::Operator op;
    };
    static constexpr Sign kSigns[] = {{"==", Filter::Operator::Eq},      {"!=", Filter::Operator::Ne},
                                      {"<=", Filter::Operator::Le},      {">=", Filter::Operator::Ge},
                                      {"<", Filter::Operator::Lt},       {">", Filter::Operator::Gt},
                                      {"nin ", Filter::Operator::NotIn}, {"nin[", Filter::Operator::NotIn},
                                      {"in ", Filter::Operator::In},     {"in[", Filter::Operator::In}};
    for (const Sign& sign : kSigns) {
      if (!take(sign.text)) continue;
      if (sign.text.ends_with('[')) --at_;
      return sign.op;
    }
    return std::nullopt;
  }

  Result<Operand> operand(std::size_t depth) {
    Operand out;
    if (peek() == '@' || peek() == '$') {
      out.kind = peek() == '@' ? Operand::Kind::Current : Operand::Kind::Document;
      ++at_;
      out.steps = TRY(steps(depth));
      return out;
    }
    out.literal = TRY(literal(depth));
    return out;
  }

  Result<json::Value> literal(std::size_t depth) {
    if (depth > kFilterDepthMax) return error("a value nested too deeply");
    if (peek() == '\'' || peek() == '"') return json::Value(TRY(quoted()));
    if (take("true")) return json::Value(true);
    if (take("false")) return json::Value(false);
    if (take("null")) return json::Value(nullptr);
    if (take("[")) {
      json::Array out;
      skip_blanks();
      if (take("]")) return json::Value(std::move(out));
      do {
        skip_blanks();
        out.push_back(TRY(literal(depth + 1)));
        skip_blanks();
      } while (take(","));
      if (!take("]")) return error("']' expected");
      return json::Value(std::move(out));
    }
    const std::size_t start = at_;
    while (std::string_view("+-.0123456789eE").find(peek()) != std::string_view::npos && peek() != '\0')
      ++at_;
    if (start == at_) return error("a path, a number, a text in quotes, true, false or null expected");
    auto number = json::parse(text_.substr(start, at_ - start));
    if (!number || !is_finite(*number))
      return error("'" + std::string(text_.substr(start, at_ - start)) + "' is no number");
    return *std::move(number);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Steps> parse_steps(std::string_view text) {
  return Parser(text).whole();
}

}  // namespace stoker::asl::path
