#pragma once
// What StringMatches compares with.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::asl {

// '*' matches any run of characters, also none; "\*" is a star and "\\" a backslash. No other wildcards.
class StringPattern {
 public:
  // Nothing when a backslash stands before anything else, or at the end.
  static std::optional<StringPattern> parse(std::string_view text);
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  std::vector<std::string> pieces_ = {""};  // between the stars
};

}  // namespace stoker::asl
