#pragma once
// The tests of a Choice rule in JSONPath mode. A type that does not fit is false, never an error; a path that
// finds nothing is an error in all but IsPresent.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/workflow/data/payload.h"

namespace stoker::asl {

class Condition {
 public:
  // A rule without its Next, Assign and Comment members, which are ignored; And, Or and Not nest.
  static std::optional<Condition> parse(const json::Value& rule, std::vector<TemplateFault>& faults);
  [[nodiscard]] Evaluated<bool> holds(const Scope& scope) const;
  void visit_paths(const std::function<void(const Path&)>& visit) const;

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

// RFC 3339 with capital 'T' and 'Z' or an offset; nothing for anything else. Fractions are cut to
// milliseconds in `ms`, the rest is kept for comparing.
struct Timestamp {
  std::int64_t ms = 0;
  std::int32_t nanos_below_ms = 0;
  auto operator<=>(const Timestamp&) const = default;
};
std::optional<Timestamp> parse_timestamp(std::string_view text);

}  // namespace stoker::asl
