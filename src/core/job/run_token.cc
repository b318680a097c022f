#include "base/text.h"
#include "core/event.h"

namespace stoker::core {
namespace {
void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) append_hex(out, static_cast<std::uint8_t>(value >> (8 * i)));
}
std::optional<std::uint64_t> read_number(std::string_view hex) {
  std::uint64_t value = 0;
  for (const char c : hex) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
  return value;
}
}  // namespace

std::string RunToken::str() const {
  std::string text;
  text.reserve(32);
  append_number(text, job.value, 8);
  append_number(text, static_cast<std::uint64_t>(attempt), 2);
  append_number(text, salt, 6);
  return text;
}

std::optional<RunToken> RunToken::parse(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  const auto job = read_number(text.substr(0, 16));
  const auto attempt = read_number(text.substr(16, 4));
  const auto salt = read_number(text.substr(20));
  if (!job || !attempt || !salt) return std::nullopt;
  return RunToken{JobNo{*job}, static_cast<int>(*attempt), *salt};
}

}  // namespace stoker::core
