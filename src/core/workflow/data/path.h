#pragma once
// JSONPath as AWS reads it (Jayway's dialect, less what AWS refuses): amazon-states-language paths.
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

  // "$.a[0]", "$$.Execution.Id", "$name.a". InvalidArgument says why not.
  static Result<Path> parse(std::string_view text);

  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] Root root() const;
  [[nodiscard]] std::string_view variable() const;  // its name, "" for the other roots
  [[nodiscard]] bool definite() const;   // names and single indexes only: gives one value, else a list
  [[nodiscard]] bool reference() const;  // a reference path: what ResultPath and most fields take

  // What the path finds; an indefinite one gives an array of matches. `missing` is Jayway's sentence when a
  // definite path finds nothing: "No results for path: $['X']".
  struct Missing {
    std::string text;
  };
  [[nodiscard]] std::expected<json::Value, Missing> read(const Scope& scope) const;

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

// ResultPath: puts `value` at a reference path of Root::Input into `target`, making objects on the way.
// States.ResultPathMatchFailure when something on the way is no object.
Evaluated<void> put_at(json::Value& target, const Path& path, json::Value value);

// "Invalid path '$.X' : No results for path: $['X']", for InputPath, OutputPath and the ...Path fields.
Fault invalid_path(const Path& path, const Path::Missing& missing);
// "The JSONPath '$.x' specified for the field 'value.$' could not be found in the input '...'"
Fault missing_in_field(std::string_view path, std::string_view field, const json::Value& input);

}  // namespace stoker::asl
