#include "json/json.h"

#include <charconv>
#include <cmath>

#include "json/builder.h"
#include "json/strict.h"

namespace stoker::json {

namespace {

// Of the value and all in it. As deep as the text was allowed to be.
std::size_t members_in(const Value& value) {
  std::size_t count = 0;
  if (value.is_array())
    for (const Value& item : value.get_array()) count += members_in(item);
  if (value.is_object()) {
    count += value.get_object().size();
    for (const auto& member : value.get_object()) count += members_in(member.value());
  }
  return count;
}

struct Parsed {
  Value value;
  std::size_t members = 0;
};
Result<Parsed> parse_text(std::string_view text, const ParseLimits& limits) {
  if (text.size() > limits.bytes_max)
    return fail(Code::LimitExceeded, "JSON text of " + std::to_string(text.size()) + " bytes; at most " +
                                         std::to_string(limits.bytes_max) + " are allowed");
  boost::json::parse_options options;
  options.max_depth = limits.depth_max;
  boost::json::basic_parser<Builder> parser(options);
  boost::json::error_code error;
  const std::size_t at = parser.write_some(false, text.data(), text.size(), error);
  if (!error && text.substr(at).find_first_not_of(" \t\n\r") != std::string_view::npos)
    error = boost::json::error::extra_data;
  if (error)
    return fail(Code::InvalidArgument, "JSON: " + error.message() + " at byte " + std::to_string(at));
  return Parsed{.value = parser.handler().release(), .members = parser.handler().members()};
}

}  // namespace

Result<Value> parse(std::string_view text, ParseLimits limits) {
  Parsed parsed = TRY(parse_text(text, limits));
  return std::move(parsed.value);
}

Result<Value> parse_strictly(std::string_view text, ParseLimits limits) {
  Parsed parsed = TRY(parse_text(text, limits));
  if (parsed.members != members_in(parsed.value))
    return fail(Code::InvalidArgument, "JSON: a member stands twice");
  return std::move(parsed.value);
}

void write_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<std::uint8_t>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, from, i - from);
    from = i + 1;
    out += '\\';
    switch (c) {
      case '"':
        out += '"';
        break;
      case '\\':
        out += '\\';
        break;
      case '\n':
        out += 'n';
        break;
      case '\t':
        out += 't';
        break;
      case '\r':
        out += 'r';
        break;
      case '\b':
        out += 'b';
        break;
      case '\f':
        out += 'f';
        break;
      default: {
        constexpr char kHex[] = "0123456789abcdef";
        out += "u00";
        out += kHex[c >> 4];
        out += kHex[c & 15];
      }
    }
  }
  out.append(text, from);
  out += '"';
}

namespace {

void write_number(std::string& out, double number) {
  if (!std::isfinite(number)) {  // JSON has no such number; a reader gets the absence of one
    out += "null";
    return;
  }
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
  (void)error;  // 32 bytes hold every double
  out.append(buffer, end);
}

// With `indent` below zero everything goes on one line.
void write_value(std::string& out, const Value& value, int indent) {
  const auto line = [&](int level) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(level) * 2, ' ');
  };
  const int inner = indent < 0 ? -1 : indent + 1;
  switch (value.kind()) {
    case boost::json::kind::null:
      out += "null";
      break;
    case boost::json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      break;
    case boost::json::kind::int64:
      out += std::to_string(value.get_int64());
      break;
    case boost::json::kind::uint64:
      out += std::to_string(value.get_uint64());
      break;
    case boost::json::kind::double_:
      write_number(out, value.get_double());
      break;
    case boost::json::kind::string:
      write_string(out, text(value.get_string()));
      break;
    case boost::json::kind::array: {
      bool first = true;
      out += '[';
      for (const Value& item : value.get_array()) {
        if (!first) out += ',';
        first = false;
        line(inner);
        write_value(out, item, inner);
      }
      if (!first) line(indent);
      out += ']';
      break;
    }
    case boost::json::kind::object: {
      bool first = true;
      out += '{';
      for (const auto& [key, item] : value.get_object()) {
        if (!first) out += ',';
        first = false;
        line(inner);
        write_string(out, {key.data(), key.size()});
        out += indent < 0 ? ":" : ": ";
        write_value(out, item, inner);
      }
      if (!first) line(indent);
      out += '}';
      break;
    }
  }
}

}  // namespace

void write(std::string& out, const Value& value) {
  write_value(out, value, -1);
}

std::string write(const Value& value) {
  std::string out;
  write(out, value);
  return out;
}

std::string write_pretty(const Value& value) {
  std::string out;
  write_value(out, value, 0);
  return out;
}

const Value* find(const Value& value, std::string_view key) {
  if (!value.is_object()) return nullptr;
  const Value* found = value.get_object().if_contains(key);
  return found != nullptr && found->is_null() ? nullptr : found;
}

std::string_view get_string(const Value& value, std::string_view key, std::string_view otherwise) {
  const Value* found = find(value, key);
  return found != nullptr && found->is_string() ? text(found->get_string()) : otherwise;
}

std::int64_t get_int(const Value& value, std::string_view key, std::int64_t otherwise) {
  const Value* found = find(value, key);
  return found != nullptr && found->is_int64() ? found->get_int64() : otherwise;
}

bool get_bool(const Value& value, std::string_view key, bool otherwise) {
  const Value* found = find(value, key);
  return found != nullptr && found->is_bool() ? found->get_bool() : otherwise;
}

const Array& get_array(const Value& value, std::string_view key) {
  static const Array empty;
  const Value* found = find(value, key);
  return found != nullptr && found->is_array() ? found->get_array() : empty;
}

const Object& get_object(const Value& value, std::string_view key) {
  static const Object empty;
  const Value* found = find(value, key);
  return found != nullptr && found->is_object() ? found->get_object() : empty;
}

}  // namespace stoker::json
