#pragma once
// Small helpers over text that more than one folder needs. ASCII rules only, no locale.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stoker {

// -1 for what is no hex digit.
int hex_digit(char c);
void append_hex(std::string& out, std::uint8_t byte);
std::string to_hex(std::string_view bytes);

std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string_view trim(std::string_view text);  // spaces, tabs, line ends
std::string to_lower(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);

// The whole text as a decimal number in range, else nothing. No sign but '-', no space.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<double> parse_double(std::string_view text);

// RFC 3986: everything but A-Z a-z 0-9 - _ . ~ becomes %XX; '/' stays when keep_slash.
std::string percent_encode(std::string_view text, bool keep_slash = false);
// Nothing when a % is not followed by two hex digits. '+' stays '+'.
std::optional<std::string> percent_decode(std::string_view text);

std::string base64_encode(std::string_view bytes);
std::optional<std::string> base64_decode(std::string_view text);

// The bytes as valid UTF-8: each invalid byte becomes U+FFFD.
std::string to_valid_utf8(std::string_view bytes);
bool is_valid_utf8(std::string_view bytes);

// '*' matches any run of characters, everything else itself. No recursion; at worst pattern times text steps.
bool glob_match(std::string_view pattern, std::string_view text);

// ISO 8601 in UTC: "2026-08-07T12:00:00Z"; with milliseconds "2026-08-07T12:00:00.123Z".
std::string iso_time(std::int64_t ms_since_epoch, bool with_milliseconds = false);

}  // namespace stoker
