#pragma once
// Reading the members of a JSON object with their bounds; what nobody asked for is a fault.
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/json.h"

namespace stoker::sim {

[[nodiscard]] std::unexpected<Error> bad_member(std::string_view member, const std::string& rule);

class Members {
 public:
  explicit Members(const json::Value& value) : value_(value) {}

  const json::Value* find(std::string_view name);
  // What is absent keeps its value.
  Result<void> whole(std::string_view name, std::int64_t least, std::int64_t most, std::int64_t& out);
  Result<void> whole(std::string_view name, std::int64_t least, std::int64_t most, int& out);
  Result<void> number(std::string_view name, double least, double most, double& out);
  Result<void> flag(std::string_view name, bool& out);
  // Not empty, at most 4000 bytes.
  Result<void> text(std::string_view name, std::string& out);
  // A list of `least` to `most` values; null when it is absent and `least` is 0.
  Result<const json::Array*> list(std::string_view name, std::size_t least, std::size_t most);
  Result<void> nothing_else() const;

 private:
  const json::Value& value_;
  std::set<std::string_view> known_;
};

// "jobs[3]"
std::string numbered(std::string_view list, std::size_t index);

}  // namespace stoker::sim
