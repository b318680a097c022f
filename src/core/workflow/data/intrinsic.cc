#include <functional>

#include "core/workflow/data/intrinsic_functions.h"
#include "core/workflow/data/payload.h"
#include "core/workflow/data/values.h"

namespace stoker::asl {
namespace intrinsic {

const Function* find_function(std::string_view name) {
  for (const auto family : {text_functions(), array_functions(), number_functions()})
    for (const Function& function : family)
      if (function.name == name) return &function;
  return nullptr;
}

namespace {

struct Call;
struct Literal {
  json::Value value;
  std::optional<std::string> raw;  // of a text
};
using Part = std::variant<Literal, Path, std::unique_ptr<Call>>;

struct Call {
  const Function* function = nullptr;
  std::string text;  // as written
  std::vector<Part> parts;
};

constexpr std::size_t kCallDepthMax = 10;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<std::unique_ptr<Call>> whole() {
    skip_blanks();
    auto out = TRY(call(1));
    skip_blanks();
    if (at_ < text_.size()) return error("more after the call");
    return out;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }
  [[nodiscard]] std::unexpected<Error> error(const std::string& what) const {
    return fail(Code::InvalidArgument, "intrinsic function: " + what + " at byte " + std::to_string(at_));
  }
  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && std::string_view(" \t\r\n(),'").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return text_.substr(start, at_ - start);
  }

  Result<std::unique_ptr<Call>> call(std::size_t depth) {
    if (depth > kCallDepthMax) return error("more than " + std::to_string(kCallDepthMax) + " nested calls");
    const std::size_t start = at_;
    auto out = std::make_unique<Call>();
    const std::string_view name = word();
    out->function = find_function(name);
    if (out->function == nullptr) return error("no function '" + std::string(name) + "'");
    skip_blanks();
    if (!take('(')) return error("'(' expected");
    skip_blanks();
    if (!take(')')) {
      do {
        skip_blanks();
        out->parts.push_back(TRY(part(depth)));
        skip_blanks();
      } while (take(','));
      if (!take(')')) return error("',' or ')' expected");
    }
    if (out->parts.size() < out->function->arguments_min || out->parts.size() > out->function->arguments_max)
      return error("the wrong number of arguments for " + std::string(name));
    out->text = text_.substr(start, at_ - start);
    return out;
  }

  Result<Part> part(std::size_t depth) {
    if (peek() == '\'') return Part(TRY(quoted()));
    if (peek() == '$') return Part(TRY(path()));
    if (text_.substr(at_).starts_with("States.")) return Part(TRY(call(depth + 1)));
    const std::string_view token = word();
    auto value = json::parse(token);
    if (token.empty() || !value || value->is_structured() || value->is_string() || !is_finite(*value))
      return error("an argument expected");
    return Part(Literal{.value = *std::move(value), .raw = std::nullopt});
  }

  Result<Literal> quoted() {
    ++at_;
    const std::size_t start = at_;
    std::string out;
    while (at_ < text_.size() && text_[at_] != '\'') {
      if (text_[at_] == '\\') {
        ++at_;
        if (peek() == '\0' || std::string_view("'{}\\").find(peek()) == std::string_view::npos)
          return error("an escape that does not exist");
      }
      out += text_[at_++];
    }
    const std::string_view raw = text_.substr(start, at_ - start);
    if (!take('\'')) return error("a quote is not closed");
    return Literal{.value = json::Value(out), .raw = std::string(raw)};
  }

  // Up to the comma or parenthesis that is in no bracket and no quotes of the path itself.
  Result<Path> path() {
    const std::size_t start = at_;
    std::size_t brackets = 0;
    char quote = '\0';
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != '\0') {
        if (c == '\\') ++at_;
        if (c == quote) quote = '\0';
      } else if (brackets > 0 && (c == '\'' || c == '"')) {
        quote = c;
      } else if (c == '[') {
        ++brackets;
      } else if (c == ']') {
        brackets -= brackets > 0 ? 1 : 0;
      } else if (brackets == 0 && (c == ',' || c == ')' || c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
        break;
      }
    }
    at_ = std::min(at_, text_.size());
    return Path::parse(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// One evaluation of a whole expression.
class Evaluation {
 public:
  Evaluation(std::string_view whole, const Scope& scope) : whole_(whole), scope_(scope) {}

  Evaluated<json::Value> apply(const Call& call) {
    std::vector<json::Value> values;
    values.reserve(call.parts.size());
    std::vector<Argument> arguments;
    for (const Part& part : call.parts) {
      if (const auto* literal = std::get_if<Literal>(&part)) {
        arguments.push_back(
            {literal->value, literal->raw ? std::string_view(*literal->raw) : std::string_view()});
        continue;
      }
      auto value = std::holds_alternative<Path>(part) ? read(std::get<Path>(part))
                                                      : apply(*std::get<std::unique_ptr<Call>>(part));
      if (!value) return value;
      values.push_back(*std::move(value));
      arguments.push_back({values.back()});
    }
    auto out = call.function->apply(arguments, scope_);
    if (!out) return std::unexpected(invalid_arguments(call, out.error()));
    if (!meter_.add(*out)) return std::unexpected(too_large());
    return *std::move(out);
  }

 private:
  Evaluated<json::Value> read(const Path& path) {
    auto found = path.read(scope_);
    if (!found) return std::unexpected(missing_argument(path, found.error()));
    if (!meter_.add(*found)) return std::unexpected(too_large());
    return *std::move(found);
  }

  // A path into the context is shown as one below "$", with the input of the state, as measured.
  [[nodiscard]] Fault missing_argument(const Path& path, const Path::Missing& missing) const {
    std::string cause = "The function '" + std::string(whole_) + "' had the following error: ";
    if (missing.misapplied) return runtime_fault(cause + missing.text);
    const std::string_view shown = path.root() == Path::Root::Context ? path.text().substr(1) : path.text();
    cause += "The JsonPath argument for the field '" + std::string(shown) +
             "' could not be found in the input '" +
             (scope_.input != nullptr ? json::write(*scope_.input) : "{}") + "'";
    return runtime_fault(cause);
  }

  static Fault invalid_arguments(const Call& call, const std::string& why) {
    return runtime_fault("There was an error while evaluating the intrinsic function: " + call.text + ". " +
                         (why.empty() ? "Invalid arguments in " + std::string(call.function->name) : why));
  }
  [[nodiscard]] Fault too_large() const {
    return {.error = std::string(kDataLimitExceeded),
            .cause = "The function '" + std::string(clip(whole_, kCauseBytesMax / 2)) +
                     "' reads or makes more than " + std::to_string(kEvaluationBytesMax) + " bytes"};
  }

  std::string_view whole_;
  const Scope& scope_;
  Meter meter_;
};

void collect_paths(const Call& call, std::vector<const Path*>& out) {
  for (const Part& part : call.parts) {
    if (const auto* path = std::get_if<Path>(&part)) out.push_back(path);
    if (const auto* inner = std::get_if<std::unique_ptr<Call>>(&part)) collect_paths(**inner, out);
  }
}

}  // namespace
}  // namespace intrinsic

struct Intrinsic::Parsed {
  std::string text;
  std::unique_ptr<intrinsic::Call> call;
};

Result<Intrinsic> Intrinsic::parse(std::string_view text) {
  auto call = TRY(intrinsic::Parser(text).whole());
  return Intrinsic(std::make_shared<const Parsed>(std::string(text), std::move(call)));
}

Evaluated<json::Value> Intrinsic::evaluate(const Scope& scope) const {
  return intrinsic::Evaluation(parsed_->text, scope).apply(*parsed_->call);
}
std::string_view Intrinsic::text() const {
  return parsed_->text;
}
std::string_view Intrinsic::function() const {
  return parsed_->call->function->name;
}
std::vector<const Path*> Intrinsic::paths() const {
  std::vector<const Path*> out;
  intrinsic::collect_paths(*parsed_->call, out);
  return out;
}

}  // namespace stoker::asl
