#pragma once
// Inside of Path: what a path consists of after parsing, and the walk over what an indefinite one may find.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"

namespace stoker::asl::path {

inline constexpr std::size_t kStepsMax = 200;         // of one path
inline constexpr std::size_t kFilterDepthMax = 16;    // filters, parentheses and "!" in each other
inline constexpr std::size_t kVisitsMax = 1'000'000;  // values looked at by one read
inline constexpr std::size_t kScanDepthMax = 1000;    // of values below a ".."

struct Filter;

struct Step {
  enum class Kind : std::uint8_t {
    Name,      // .a ['a']
    Names,     // ['a','b']
    Index,     // [0] [-1]
    Indexes,   // [0,2]
    Slice,     // [1:3] [1:] [:3]
    Wildcard,  // .* [*]
    Filter,    // [?(...)]
    Scan,      // "..": the step after it is tried on the value and everything below it
  };
  Kind kind = Kind::Name;
  std::vector<std::string> names = {};
  std::vector<std::int64_t> indexes = {};
  std::optional<std::int64_t> from = {}, to = {};
  std::shared_ptr<const Filter> filter = nullptr;
};
using Steps = std::vector<Step>;

// One side of a comparison.
struct Operand {
  enum class Kind : std::uint8_t { Literal, Current, Document };  // 'a'   @.a   $.a
  Kind kind = Kind::Literal;
  json::Value literal;
  Steps steps;
};

struct Filter {
  enum class Kind : std::uint8_t { And, Or, Not, Exists, Compare };
  enum class Operator : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, In, NotIn };
  Kind kind = Kind::Exists;
  Operator op = Operator::Eq;
  std::vector<Filter> parts;  // And, Or: two or more; Not: one
  Operand left, right;        // Exists: left only
};

// The steps after the root, to the end of `text`.
Result<Steps> parse_steps(std::string_view text);

// Whether it gives one value: names and single indexes, and a union of names at the end, which gives an
// object of these members.
bool is_definite(const Steps& steps);
// How many steps at the front are so.
std::size_t definite_steps(const Steps& steps);

// "$['a'][0][*]", as the reference implementation writes paths.
std::string canonical(const Steps& steps, std::size_t count);

// What steps[from...] find in `value`; nothing when there are no visits left or kScanDepthMax was reached.
// `document` is what `$` means in filters.
std::optional<json::Array> find_all(const Steps& steps, std::size_t from, const json::Value& value,
                                    const json::Value& document, std::size_t& visits_left);

// The member or element that a definite step selects; null when there is none.
const json::Value* step_into(const Step& step, const json::Value& value);
json::Object select_members(const json::Object& object, const std::vector<std::string>& names);

}  // namespace stoker::asl::path
