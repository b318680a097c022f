#pragma once
// Text as JavaScript counts it. Ours is UTF-8; half a surrogate pair, which JavaScript allows, is written as
// if it were a code point of its own (three bytes) and becomes U+FFFD when it leaves the evaluation.
#include <cstddef>
#include <string>
#include <string_view>

namespace stoker::jsonata {

// The code point at `at`, which moves behind it. Bytes that are no UTF-8 count one by one.
char32_t next_code_point(std::string_view text, std::size_t& at);
void append_code_point(std::string& out, char32_t point);
// A UTF-16 unit; the second half of a pair joins the first.
void append_unit(std::string& out, char16_t unit);
// The same for text: halves that meet are joined.
void append_text(std::string& out, std::string_view text);

std::string_view first_character(std::string_view text);
std::size_t count_code_points(std::string_view text);
std::u16string to_utf16(std::string_view text);
std::string to_utf8(std::u16string_view text);
std::string without_lone_halves(std::string_view text);

// Below, equal or above zero by UTF-16 units.
int compare_utf16(std::string_view a, std::string_view b);

}  // namespace stoker::jsonata
