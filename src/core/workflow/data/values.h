#pragma once
// Comparing JSON values as the States Language does, and the bounds that every value of an execution keeps.
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

#include "json/json.h"

namespace stoker::asl {

inline constexpr std::size_t kPayloadBytesMax = 262'144;  // one input, output or variable as JSON text
// Nesting of one value. What is deeper could not be read back from a record.
inline constexpr std::size_t kValueDepthMax = 128;

bool is_finite(const json::Value& number);  // JSON text has no infinity, but 1e999 reads as one
double as_double(const json::Value& number);
// The whole part when `number` is a number whose value has a place in 64 bits; 1.9 gives 1, -1.9 gives -1.
bool truncate_to_int(const json::Value& number, std::int64_t& out);

// Numbers by value, whatever their form: 1 equals 1.0.
std::partial_ordering compare_numbers(const json::Value& a, const json::Value& b);
// By UTF-16 code units, as Java does. Both must be valid UTF-8.
std::strong_ordering compare_text(std::string_view a, std::string_view b);

// Deep equality. Unordered: {"a":1,"b":2} equals {"b":2,"a":1}.
enum class Members : std::uint8_t { Ordered, Unordered };
bool equal_values(const json::Value& a, const json::Value& b, Members members);

// Whether arrays and objects nest in each other more than `depth_max` times. Looks no deeper than that.
bool deeper_than(const json::Value& value, std::size_t depth_max);

// How long a text is in UTF-16 code units.
std::size_t count_code_units(std::string_view text);

// Adds up the values that one evaluation copies, so that a small template cannot make a huge value.
inline constexpr std::size_t kEvaluationBytesMax = 16u << 20;
class Meter {
 public:
  // False when it became too much. Counts about the bytes of the JSON text.
  [[nodiscard]] bool add(const json::Value& value);

 private:
  std::size_t bytes_left_ = kEvaluationBytesMax;
};

// At most `bytes_max` bytes of valid UTF-8, cut between characters.
std::string_view clip(std::string_view text, std::size_t bytes_max);

}  // namespace stoker::asl
