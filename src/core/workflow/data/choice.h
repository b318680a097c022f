#pragma once
// The tests of a Choice rule in JSONPath mode. A type that does not fit is false, never an error; a path that
// finds nothing is an error in all but IsPresent.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/workflow/data/payload.h"
#include "core/workflow/data/timestamp.h"

namespace stoker::asl {

class Condition {
 public:
  // A rule without its Next, Assign and Comment members, which are ignored; And, Or and Not nest. Every fault
  // is reported ("/And[0]/StringEquals"), then there is no condition.
  static std::optional<Condition> parse(const json::Value& rule, std::vector<TemplateFault>& faults);
  // And and Or stop at the first part that decides. States.Runtime "Invalid path '$.x': The choice state's
  // condition path references an invalid value." for a path that finds nothing, be it a Variable or the
  // operand of a "...Path" operator; an index past the end finds nothing.
  [[nodiscard]] Evaluated<bool> holds(const Scope& scope) const;
  void visit_paths(const std::function<void(const Path&)>& visit) const;

 private:
  struct Parsed;
  explicit Condition(std::shared_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}
  std::shared_ptr<const Parsed> parsed_;
};

}  // namespace stoker::asl
