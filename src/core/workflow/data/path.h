#pragma once
// JSONPath as AWS reads it (Jayway's dialect, less what AWS refuses): amazon-states-language paths.
//
// Taken: children (.a ['a']), indexes ([0] [-1]), unions (['a','b'] [0,2]), slices ([1:3]), wildcards (*
// [*]), deep scans (..), filters ([?(@.a == 'x' && !(@.b in [1,2]))] with == != < <= > >= in nin, existence,
// && || ! and parentheses). Refused: functions, regular expressions, scripts. Parsing and reading are bounded
// (path_steps.h).
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/workflow/data/fault.h"
#include "core/workflow/data/scope.h"
#include "json/json.h"

namespace stoker::asl {

class Path {
 public:
  enum class Root : std::uint8_t { Input, Context, Variable };

  // "$.a[0]", "$$.Execution.Id", "$name.a". InvalidArgument or LimitExceeded says why not.
  static Result<Path> parse(std::string_view text);

  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] Root root() const;
  [[nodiscard]] std::string_view variable() const;  // its name, "" for the other roots
  // Gives one value, else a list: names and single indexes only, or a union of names at the very end, which
  // gives one object with those members.
  [[nodiscard]] bool definite() const;
  // A reference path, what ResultPath and most fields take: names and indexes from 0 only, any root.
  [[nodiscard]] bool reference() const;

  // What the path finds; an indefinite one gives an array of matches, "[]" when there are none, also when the
  // names before its first wildcard lead nowhere (as recorded). It is missing only when it visits too much.
  struct Missing {
    // Jayway's sentence: "No results for path: $['X']".
    std::string text = {};
    // The last step is an index past the end of an array. In a payload template that gives null.
    bool past_end = false;
    // The path asks a value for something of another type: an index of a text. In templates and intrinsic
    // calls the sentence above stands for the usual one then.
    bool misapplied = false;
  };
  [[nodiscard]] std::expected<json::Value, Missing> read(const Scope& scope) const;
  // The same without a copy: null when there is no such value. For definite paths without a union.
  [[nodiscard]] const json::Value* find(const Scope& scope) const;

 private:
  struct Parsed;
  explicit Path(std::shared_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}
  friend Evaluated<void> put_at(json::Value& target, const Path& path, json::Value value);
  std::shared_ptr<const Parsed> parsed_;
};

// ResultPath: puts `value` at a reference path of Root::Input into `target`, making objects on the way. "$"
// replaces it wholly. An index must be of an element that is there.
// States.ResultPathMatchFailure when something on the way is no object or array, or such a path was not
// given; then `target` may have new empty objects. States.DataLimitExceeded when the outcome would nest too
// deeply.
Evaluated<void> put_at(json::Value& target, const Path& path, json::Value value);

// "Invalid path '$.X' : No results for path: $['X']", for InputPath, OutputPath and the ...Path fields.
Fault invalid_path(const Path& path, const Path::Missing& missing);
// "The JSONPath '$.x' specified for the field 'value.$' could not be found in the input '...'". `input` is
// what was searched: the state's input, for a path "$$..." the context (as measured).
Fault missing_in_field(std::string_view path, std::string_view field, const json::Value& input);

}  // namespace stoker::asl
