#include "base/text.h"
#include "core/workflow/jsonata/functions/builtin.h"
#include "core/workflow/jsonata/value/convert.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

namespace {

constexpr std::string_view kUnreserved =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";
constexpr std::string_view kReserved = ";/?:@&=+$,#";  // what structures a whole URL

// Each unit is one byte: what lies above U+00FF loses its upper half, as in the reference.
Answer<Value> base64_encoded(const Call& call) {
  if (!call[0].is_text()) return Value();
  std::string bytes;
  for (const char16_t unit : to_utf16(call[0].as_text())) bytes += static_cast<char>(unit & 0xff);
  TRY(call.heap().step(bytes.size() / 8));
  return call.text(base64_encode(bytes));
}

int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

// Forgiving: skips what is no digit, ends at '='.
Answer<Value> base64_decoded(const Call& call) {
  if (!call[0].is_text()) return Value();
  std::string out;
  unsigned bits = 0;
  int have = 0;
  for (const char c : call[0].as_text()) {
    if (c == '=') break;
    const int digit = sextet(c);
    if (digit < 0) continue;
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xffff;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    append_code_point(out, bits >> have & 0xff);
  }
  TRY(call.heap().step(out.size() / 8));
  return call.text(std::move(out));
}

std::unexpected<Fault> malformed(std::string_view function, const Value& value) {
  return std::unexpected(Fault("D3140").with_text("functionName", function).with("value", shown(value)));
}

Answer<Value> encode(const Call& call, std::string_view function, std::string_view kept) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  TRY(call.heap().room(3 * static_cast<double>(text.size())));
  TRY(call.heap().step(text.size() / 8));
  if (without_lone_halves(text) != text) return malformed(function, call[0]);
  std::string out;
  for (const char c : text) {
    if (kUnreserved.contains(c) || kept.contains(c)) {
      out += c;
      continue;
    }
    constexpr std::string_view kHex = "0123456789ABCDEF";
    const auto byte = static_cast<std::uint8_t>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return call.text(std::move(out));
}

// `kept`: escapes of these stay as they are.
Answer<Value> decode(const Call& call, std::string_view function, std::string_view kept) {
  if (!call[0].is_text()) return Value();
  const std::string_view text = call[0].as_text();
  TRY(call.heap().step(text.size() / 8));
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return malformed(function, call[0]);
    const auto byte = static_cast<char>(high * 16 + low);
    if (kept.contains(byte) && byte != '\0')
      out += text.substr(i, 3);
    else
      out += byte;
    i += 2;
  }
  if (!is_valid_utf8(out)) return malformed(function, call[0]);
  return call.text(std::move(out));
}

Answer<Value> encode_url(const Call& call) {
  return encode(call, "encodeUrl", kReserved);
}
Answer<Value> encode_url_component(const Call& call) {
  return encode(call, "encodeUrlComponent", {});
}
Answer<Value> decode_url(const Call& call) {
  return decode(call, "decodeUrl", kReserved);
}
Answer<Value> decode_url_component(const Call& call) {
  return decode(call, "decodeUrlComponent", {});
}

}  // namespace

std::vector<Builtin> encoding_functions() {
  return {
      {"base64encode", "<s-:s>", 1, 1, base64_encoded},
      {"base64decode", "<s-:s>", 1, 1, base64_decoded},
      {"encodeUrl", "<s-:s>", 1, 1, encode_url},
      {"encodeUrlComponent", "<s-:s>", 1, 1, encode_url_component},
      {"decodeUrl", "<s-:s>", 1, 1, decode_url},
      {"decodeUrlComponent", "<s-:s>", 1, 1, decode_url_component},
  };
}

}  // namespace stoker::jsonata
