#include "base/ids.h"

#include "base/text.h"

namespace stoker {

Uuid Uuid::from_random(std::uint64_t high, std::uint64_t low) {
  Uuid id;
  for (unsigned i = 0; i < 8; ++i) {
    id.bytes[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    id.bytes[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
  }
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0f) | 0x40);
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3f) | 0x80);
  return id;
}

std::optional<Uuid> Uuid::parse(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid id;
  std::size_t at = 0;
  for (auto& byte : id.bytes) {
    if (at == 8 || at == 13 || at == 18 || at == 23) {
      if (text[at] != '-') return std::nullopt;
      ++at;
    }
    const int high = hex_digit(text[at]);
    const int low = hex_digit(text[at + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    byte = static_cast<std::uint8_t>(high * 16 + low);
    at += 2;
  }
  return id;
}

std::string Uuid::str() const {
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    append_hex(text, bytes[i]);
  }
  return text;
}

}  // namespace stoker
