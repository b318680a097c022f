#include "core/resources/tag_values.h"

#include "base/text.h"

namespace stoker::core {

std::optional<std::int64_t> read_count(std::string_view text, std::int64_t most) {
  const auto number = parse_int(text);
  return number && *number >= 1 && *number <= most && text[0] != '-' ? number : std::nullopt;
}

std::optional<Duration> read_duration(std::string_view text) {
  constexpr std::int64_t kCountMax = 10'000'000;
  if (text.size() < 2) return std::nullopt;
  const auto count = read_count(text.substr(0, text.size() - 1), kCountMax);
  if (!count) return std::nullopt;
  switch (text.back()) {
    case 's':
      return seconds(*count);
    case 'm':
      return minutes(*count);
    case 'h':
      return hours(*count);
    case 'd':
      return days(*count);
    default:
      return std::nullopt;
  }
}

}  // namespace stoker::core
