// Functions of text: Format, StringToJson, JsonToString, StringSplit, Base64Encode, Base64Decode, Hash, UUID.
#include "base/ids.h"
#include "base/text.h"
#include "core/workflow/data/intrinsic_functions.h"
#include "core/workflow/data/values.h"
#include "core/workflow/digest/digest.h"

namespace stoker::asl::intrinsic {
namespace {

// As Java's collections print themselves: {Arg1=1, Arg2=[]}.
void append_as_java(std::string& out, const json::Value& value) {
  std::string_view separator;
  if (value.is_string()) {
    out += json::text(value);
  } else if (value.is_array()) {
    out += '[';
    for (const json::Value& item : value.get_array()) {
      out += separator;
      append_as_java(out, item);
      separator = ", ";
    }
    out += ']';
  } else if (value.is_object()) {
    out += '{';
    for (const auto& [key, item] : value.get_object()) {
      out.append(separator).append(key.data(), key.size()) += '=';
      append_as_java(out, item);
      separator = ", ";
    }
    out += '}';
  } else {
    json::write(out, value);
  }
}

constexpr std::string_view kWrongCount =
    "Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.";
constexpr std::string_view kLoneBrace = "Invalid template in States.Format: matching '}' not found for '{'.";

// Each {} is the next argument. In a literal, \{ and \} are braces.
Applied format(Arguments arguments, const Scope&) {
  const Argument& pattern = arguments.front();
  if (!pattern.value.is_string()) return invalid();
  const bool literal = pattern.raw.data() != nullptr;
  const std::string_view text = literal ? pattern.raw : json::text(pattern.value);
  std::string out;
  std::size_t used = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (literal && text[i] == '\\' && i + 1 < text.size()) {
      out += text[++i];
    } else if (text[i] != '{') {
      out += text[i];
    } else {
      if (!text.substr(i).starts_with("{}")) return std::unexpected(std::string(kLoneBrace));
      if (used == arguments.size()) return std::unexpected(std::string(kWrongCount));
      append_as_java(out, arguments[used++].value);
      ++i;
    }
  }
  if (used != arguments.size()) return std::unexpected(std::string(kWrongCount));
  return json::Value(out);
}

// Nothing but blanks is null.
Applied string_to_json(Arguments arguments, const Scope&) {
  if (!arguments[0].value.is_string()) return invalid();
  const std::string_view text = json::text(arguments[0].value);
  if (trim(text).empty()) return json::Value(nullptr);
  auto value = json::parse(text, {.depth_max = kValueDepthMax});
  if (!value) return invalid();
  return *std::move(value);
}

Applied json_to_string(Arguments arguments, const Scope&) {
  return json::Value(json::write(arguments[0].value));
}

// Each character of the second argument ends a piece; empty pieces are left out.
Applied string_split(Arguments arguments, const Scope&) {
  if (!arguments[0].value.is_string() || !arguments[1].value.is_string()) return invalid();
  const std::string_view text = json::text(arguments[0].value);
  const std::string_view delimiters = json::text(arguments[1].value);
  json::Array out;
  std::size_t start = 0;
  const auto end_piece = [&](std::size_t end) {
    if (end > start) out.emplace_back(text.substr(start, end - start));
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t size = 1;  // of the character, in bytes
    while (i + size < text.size() && (static_cast<std::uint8_t>(text[i + size]) & 0xc0) == 0x80) ++size;
    if (delimiters.find(text.substr(i, size)) != std::string_view::npos) {
      end_piece(i);
      start = i + size;
    }
    i += size;
  }
  end_piece(text.size());
  return json::Value(std::move(out));
}

bool is_short_text(const json::Value& value) {
  return value.is_string() && count_code_units(json::text(value)) <= kTextCharactersMax;
}

Applied encode(Arguments arguments, const Scope&) {
  if (!is_short_text(arguments[0].value)) return invalid();
  return json::Value(base64_encode(json::text(arguments[0].value)));
}

// What is no character of the alphabet is passed over, and what is no UTF-8 afterwards becomes U+FFFD.
Applied decode(Arguments arguments, const Scope&) {
  if (!is_short_text(arguments[0].value)) return invalid();
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : json::text(arguments[0].value)) {
    if (c == '=') break;
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) continue;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    out += static_cast<char>((bits >> bit_count) & 0xff);
  }
  return json::Value(to_valid_utf8(out));
}

// A text as it is, anything else as JSON.
Applied hash(Arguments arguments, const Scope&) {
  const json::Value& data = arguments[0].value;
  if (!arguments[1].value.is_string()) return invalid();
  const std::string text = data.is_string() ? std::string(json::text(data)) : json::write(data);
  if (count_code_units(text) > kTextCharactersMax) return invalid();
  auto digest = hex_digest(json::text(arguments[1].value), text);
  if (!digest) return invalid();
  return json::Value(*digest);
}

Applied uuid(Arguments, const Scope& scope) {
  const std::uint64_t high = scope.random();
  return json::Value(Uuid::from_random(high, scope.random()).str());
}

constexpr Function kFunctions[] = {
    {"States.Format", 1, kAnyNumber, format},
    {"States.StringToJson", 1, 1, string_to_json},
    {"States.JsonToString", 1, 1, json_to_string},
    {"States.StringSplit", 2, 2, string_split},
    {"States.Base64Encode", 1, 1, encode},
    {"States.Base64Decode", 1, 1, decode},
    {"States.Hash", 2, 2, hash},
    {"States.UUID", 0, 0, uuid},
};

}  // namespace

std::span<const Function> text_functions() {
  return kFunctions;
}

}  // namespace stoker::asl::intrinsic
