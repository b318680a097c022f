#pragma once
// The filter patterns of CloudWatch Logs for lines without structure: terms that a line must have, -terms
// that it must not have, ?terms of which it must have one, and "phrases" in quotes. Case matters.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stoker::aws {

class FilterPattern {
 public:
  // InvalidArgument for a quote that does not end, NotSupported for patterns over JSON, columns or
  // %expressions%.
  static Result<FilterPattern> parse(std::string_view text);
  [[nodiscard]] bool matches(std::string_view line) const;

 private:
  std::vector<std::string> required_;
  std::vector<std::string> excluded_;
  std::vector<std::string> optional_;  // one of them, where nothing is required
};

}  // namespace stoker::aws
