#pragma once
// JSONata 2.0.6 (docs.jsonata.org), plus the functions that AWS adds. Pure: the instant and the random
// numbers come from the caller. Bounded in steps, depth and bytes, so that no expression hangs or eats the
// process.
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "json/json.h"

namespace stoker::jsonata {

struct Error {
  std::string code;          // "T1006"; "D3141" for $error, "U1001" for a bound
  std::string message;       // "Attempted to invoke a non-function", in the words of the reference engine
  std::size_t position = 0;  // byte offset in the expression
  bool operator==(const Error&) const = default;
};

struct Limits {
  std::size_t depth = 100;        // of nested evaluations that grow the stack; tail calls are free
  std::size_t steps = 5'000'000;  // evaluated nodes, items moved and characters matched, roughly
  std::size_t bytes = 6'990'256;  // of values alive during the evaluation, roughly (measured on AWS)
};

// A variable that is an object whose members lie elsewhere, `$states`: they are borrowed, null ones left out.
struct Composed {
  std::string name;
  std::vector<std::pair<std::string, const json::Value*>> members;
};

struct Environment {
  Instant now;                            // $now(), $millis()
  std::function<std::uint64_t()> random;  // $random(), $uuid(), $shuffle(); must be set
  // $partition $range $hash $random([seed]) $uuid $parse, and no $eval (Developer Guide, transforming data).
  bool aws = true;
  std::vector<Composed> composed;  // beside the bindings
  Limits limits;
  std::uint64_t* steps_spent = nullptr;  // the steps of each evaluation are added to it; null: not counted
};

// Values of variables by name without '$'. Shared, not copied.
using Bindings = std::map<std::string, json::Shared, std::less<>>;

struct Undefined {};  // the expression gave nothing
struct Function {};   // the expression gave a function, which is no JSON
using Outcome = std::variant<Undefined, Function, json::Value>;

// A parsed expression; immutable, cheap to copy.
class Expression {
 public:
  static std::expected<Expression, Error> parse(std::string_view text);
  // `input` is `$` and `$$`; null: there is none.
  [[nodiscard]] std::expected<Outcome, Error> evaluate(const json::Value* input, const Bindings& bindings,
                                                       const Environment& environment) const;
  [[nodiscard]] std::string_view text() const;

  // What the expression reads of the world around it, for checks at creation. Each of the variables that it
  // reads without binding them itself, with the member names that follow: "$states.input.a" gives
  // {"states", "input", "a"}.
  [[nodiscard]] const std::vector<std::vector<std::string>>& variables() const;
  // "Reference to 'phone' at the top level is not supported." for names, `$` and `$$` that read the input at
  // the top of the expression, as AWS forbids them. Empty: there are none.
  [[nodiscard]] const std::vector<std::string>& top_level_references() const;

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

}  // namespace stoker::jsonata
