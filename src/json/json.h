#pragma once
// JSON for the whole program: Boost.JSON's value (keys keep their order) under one name, parsed with our
// limits and written by our own writer (Boost's prints 1.5 as 1.5E0).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"

namespace stoker::json {

using Value = boost::json::value;
using Object = boost::json::object;
using Array = boost::json::array;
using Shared = std::shared_ptr<const Value>;  // large values are shared, not copied

struct ParseLimits {
  std::size_t depth_max = 64;
  std::size_t bytes_max = 8u << 20;
};

// InvalidArgument with the byte offset for anything but one JSON value in valid UTF-8.
Result<Value> parse(std::string_view text, ParseLimits limits = {});

// The shortest text that reads back as the same value; no spaces.
std::string write(const Value& value);
void write(std::string& out, const Value& value);
void write_string(std::string& out, std::string_view text);  // with quotes and escapes
// The same with two spaces of indentation, for people.
std::string write_pretty(const Value& value);

// Reading members of objects. `value` may be anything; what is absent, null or of another type reads as
// nothing.
const Value* find(const Value& value, std::string_view key);
std::string_view get_string(const Value& value, std::string_view key, std::string_view otherwise = {});
std::int64_t get_int(const Value& value, std::string_view key, std::int64_t otherwise = 0);
bool get_bool(const Value& value, std::string_view key, bool otherwise = false);
const Array& get_array(const Value& value, std::string_view key);    // empty when absent
const Object& get_object(const Value& value, std::string_view key);  // empty when absent

inline std::string_view text(const boost::json::string& s) {
  return {s.data(), s.size()};
}
inline std::string_view text(const Value& s) {
  return s.is_string() ? text(s.get_string()) : std::string_view{};
}

}  // namespace stoker::json
