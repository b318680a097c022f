#pragma once
// Names one try of one task for ever. The secret half comes from the execution's random numbers, so that
// nobody can make up a token that works; whether the try still lives only its execution knows.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stoker::workflow {

struct TaskToken {
  std::uint64_t execution = 0;
  std::uint64_t thread = 0;
  std::uint64_t secret_high = 0;
  std::uint64_t secret_low = 0;
  auto operator<=>(const TaskToken&) const = default;
  // 64 hex digits.
  [[nodiscard]] std::string str() const;
  static std::optional<TaskToken> parse(std::string_view text);
};

}  // namespace stoker::workflow
