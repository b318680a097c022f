#include "core/workflow/jsonata/value/convert.h"

#include <cmath>

#include "core/workflow/jsonata/value/number.h"
#include "core/workflow/jsonata/value/text.h"

namespace stoker::jsonata {

std::unexpected<Fault> too_deep_value() {
  return std::unexpected(Fault("U1001").saying("Value is nested too deeply"));
}

Answer<bool> is_numeric(const Value& value) {
  if (!value.is_number()) return false;
  if (std::isinf(value.as_number())) return std::unexpected(Fault("D1001").with("value", "null"));
  return !std::isnan(value.as_number());
}

Answer<bool> are_numbers(Heap& heap, const Value& value) {
  if (!value.is_array()) return false;
  TRY(heap.step(value.size()));
  for (std::size_t i = 0; i < value.size(); ++i)
    if (!TRY(is_numeric(value.at(i)))) return false;
  return true;
}

namespace {

Answer<bool> boolean_within(Heap& heap, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  switch (value.type()) {
    case Value::Type::Boolean:
      return value.as_boolean();
    case Value::Type::Number:
      return TRY(is_numeric(value)) && value.as_number() != 0;
    case Value::Type::BorrowedText:
    case Value::Type::Text:
      return !value.as_text().empty();
    case Value::Type::BorrowedMap:
    case Value::Type::Map:
      return value.size() > 0;
    case Value::Type::BorrowedArray:
    case Value::Type::Array:
      for (std::size_t i = 0; i < value.size(); ++i) {
        TRY(heap.step());
        if (TRY(boolean_within(heap, value.at(i), depth + 1))) return true;
      }
      return false;
    default:
      return false;
  }
}

Answer<bool> equal_within(Heap& heap, const Value& a, const Value& b, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  TRY(heap.step());
  if (a.same(b)) return true;
  if (a.is_array() && b.is_array()) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!TRY(equal_within(heap, a.at(i), b.at(i), depth + 1))) return false;
    return true;
  }
  if (!a.is_map() || !b.is_map() || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Value key = a.key_at(i);
    if (!b.has_member(key.as_text())) return false;
    if (!TRY(equal_within(heap, a.at(i), b.member(key.as_text()), depth + 1))) return false;
  }
  return true;
}

void write_text(std::string& out, std::string_view text) {
  if (text.find('\xed') == std::string_view::npos) return json::write_string(out, text);
  out += '"';  // halves of surrogate pairs are written as escapes
  std::string part;
  const auto flush = [&] {
    std::string quoted;
    json::write_string(quoted, part);
    out.append(quoted, 1, quoted.size() - 2);
    part.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t point = next_code_point(text, at);
    if (point < 0xd800 || point > 0xdfff) {
      part += text.substr(from, at - from);
      continue;
    }
    flush();
    constexpr std::string_view kHex = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kHex[point >> shift & 15];
  }
  flush();
  out += '"';
}

class Writer {
 public:
  Writer(Heap& heap, bool pretty) : heap_(heap), pretty_(pretty) {}

  Answer<void> write(const Value& value, std::size_t depth) {
    if (depth > kValueDepthMax) return too_deep_value();
    TRY(heap_.step());
    TRY(heap_.room(static_cast<double>(out.size())));
    switch (value.type()) {
      case Value::Type::Undefined:
      case Value::Type::Null:
        out += "null";
        return {};
      case Value::Type::Boolean:
        out += value.as_boolean() ? "true" : "false";
        return {};
      case Value::Type::Number:
        out += TRY(is_numeric(value)) ? number_text(to_precision(value.as_number(), 15)) : "null";
        return {};
      case Value::Type::Function:
        out += "\"\"";
        return {};
      default:
        if (value.is_text()) {
          write_text(out, value.as_text());
          return {};
        }
        return value.is_array() ? array(value, depth) : map(value, depth);
    }
  }

  std::string out;

 private:
  Answer<void> array(const Value& value, std::size_t depth) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      new_line(depth + 1);
      TRY(write(value.at(i), depth + 1));
    }
    if (value.size() > 0) new_line(depth);
    out += ']';
    return {};
  }

  Answer<void> map(const Value& value, std::size_t depth) {
    out += '{';
    bool first = true;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Value member = value.at(i);
      if (member.is_undefined()) continue;
      if (!first) out += ',';
      first = false;
      new_line(depth + 1);
      write_text(out, value.key_at(i).as_text());
      out += pretty_ ? ": " : ":";
      TRY(write(member, depth + 1));
    }
    if (!first) new_line(depth);
    out += '}';
    return {};
  }

  void new_line(std::size_t depth) {
    if (!pretty_) return;
    out += '\n';
    out.append(2 * depth, ' ');
  }

  Heap& heap_;
  bool pretty_;
};

}  // namespace

Answer<bool> boolean_of(Heap& heap, const Value& value) {
  return boolean_within(heap, value, 0);
}

Answer<bool> deep_equal(Heap& heap, const Value& a, const Value& b) {
  return equal_within(heap, a, b, 0);
}

Answer<std::string> stringify(Heap& heap, const Value& value, bool pretty) {
  Writer writer(heap, pretty);
  TRY(writer.write(value.unwrapped(), 0));
  return std::move(writer.out);
}

Answer<std::string> string_of(Heap& heap, const Value& value, bool pretty) {
  if (value.is_text()) return std::string(value.as_text());
  if (value.is_function() || value.is_undefined()) return std::string();
  if (value.is_number()) {
    if (!std::isfinite(value.as_number())) return fault("D3001");
    return number_text(to_precision(value.as_number(), 15));
  }
  return stringify(heap, value, pretty);
}

std::string shown(const Value& value) {
  if (value.is_undefined() || value.is_function()) return "undefined";
  if (value.is_number()) return std::isfinite(value.as_number()) ? number_text(value.as_number()) : "null";
  constexpr std::size_t kShownMax = 2000;
  Heap small({.steps = 10'000, .bytes = 4 * kShownMax});
  auto text = stringify(small, value);
  std::string out = text ? *std::move(text) : "...";
  if (out.size() <= kShownMax) return out;
  std::size_t end = kShownMax;
  while (end > 0 && (static_cast<std::uint8_t>(out[end]) & 0xc0) == 0x80) --end;
  return out.substr(0, end) + "...";
}

Answer<void> append_items(ArrayObject& out, const Value& value) {
  if (!value.is_array()) {
    out.push(value);
    return {};
  }
  const std::size_t size = value.size();
  TRY(out.heap.room(static_cast<double>(size * kItemBytes)));
  TRY(out.heap.step(size));
  for (std::size_t i = 0; i < size; ++i) out.push(value.at(i));
  return {};
}

namespace {

Answer<Value> copy_within(Heap& heap, const Value& value, std::size_t depth) {
  if (depth > kValueDepthMax) return too_deep_value();
  TRY(heap.step());
  if (value.is_array()) {
    Ref<ArrayObject> out = new_array(heap);
    for (std::size_t i = 0; i < value.size(); ++i) out->push(TRY(copy_within(heap, value.at(i), depth + 1)));
    return Value::of(out);
  }
  if (!value.is_map()) return value;
  Ref<MapObject> out = new_map(heap);
  for (std::size_t i = 0; i < value.size(); ++i)
    out->set(value.key_at(i), TRY(copy_within(heap, value.at(i), depth + 1)));
  return Value::of(out);
}

class JsonMaker {
 public:
  JsonMaker(Heap& heap, std::size_t bytes_max, bool aws)
      : heap_(heap), bytes_left_(static_cast<std::int64_t>(bytes_max)), aws_(aws) {}

  Answer<json::Value> make(const Value& value, std::size_t depth) {
    if (depth > kValueDepthMax) return too_deep_value();
    TRY(take(kItemBytes));
    switch (value.type()) {
      case Value::Type::Boolean:
        return json::Value(value.as_boolean());
      case Value::Type::Number:
        return number(value.as_number());
      case Value::Type::BorrowedText:
      case Value::Type::Text:
        TRY(take(value.as_text().size()));
        return json::Value(text(value.as_text()));
      case Value::Type::BorrowedArray:
        return copy_array(*value.borrowed_array(), depth);
      case Value::Type::BorrowedMap:
        return copy_object(*value.borrowed_map(), depth);
      case Value::Type::Array: {
        json::Array out;
        out.reserve(value.size());
        for (std::size_t i = 0; i < value.size(); ++i) out.push_back(TRY(make(value.at(i), depth + 1)));
        return json::Value(std::move(out));
      }
      case Value::Type::Map: {
        json::Object out;
        for (std::size_t i = 0; i < value.size(); ++i) {
          const Value member = value.at(i);
          if (member.is_undefined()) continue;
          const std::string_view key = value.key_at(i).as_text();
          TRY(take(key.size()));
          out.insert_or_assign(text(key), TRY(make(member, depth + 1)));
        }
        return json::Value(std::move(out));
      }
      case Value::Type::Function:
        holds_function = true;
        return json::Value();
      default:
        return json::Value();
    }
  }

  bool holds_function = false;

 private:
  // What comes from outside goes out as it came: no number loses digits.
  Answer<json::Value> copy(const json::Value& value, std::size_t depth) {
    if (depth > kValueDepthMax) return too_deep_value();
    TRY(take(kItemBytes + (value.is_string() ? value.get_string().size() : 0)));
    if (value.is_array()) return copy_array(value.get_array(), depth);
    if (value.is_object()) return copy_object(value.get_object(), depth);
    return value;
  }
  Answer<json::Value> copy_array(const json::Array& array, std::size_t depth) {
    json::Array out;
    out.reserve(array.size());
    for (const json::Value& item : array) out.push_back(TRY(copy(item, depth + 1)));
    return json::Value(std::move(out));
  }
  Answer<json::Value> copy_object(const json::Object& object, std::size_t depth) {
    json::Object out;
    for (const auto& member : object) {
      TRY(take(member.key().size()));
      out.insert_or_assign(member.key(), TRY(copy(member.value(), depth + 1)));
    }
    return json::Value(std::move(out));
  }

  Answer<void> take(std::size_t bytes) {
    TRY(heap_.step());
    bytes_left_ -= static_cast<std::int64_t>(bytes);
    if (bytes_left_ < 0)
      return std::unexpected(Fault("U1001").saying("Expression evaluation memory limit exceeded"));
    return {};
  }

  static std::string text(std::string_view text) {
    return text.find('\xed') == std::string_view::npos ? std::string(text) : without_lone_halves(text);
  }

  Answer<json::Value> number(double number) const {
    if (!std::isfinite(number)) {
      if (aws_) return json::Value(number_text(number));
      return std::unexpected(Fault("D1001").with("value", "null"));
    }
    constexpr double kInt64Max = 9223372036854775807.0;
    if (number == std::trunc(number) && std::fabs(number) < kInt64Max)
      return json::Value(static_cast<std::int64_t>(number));
    return json::Value(number);
  }

  Heap& heap_;
  std::int64_t bytes_left_;
  bool aws_;
};

}  // namespace

Answer<Value> deep_copy(Heap& heap, const Value& value) {
  return copy_within(heap, value, 0);
}

Answer<Json> to_json(Heap& heap, const Value& value, std::size_t bytes_max, bool aws) {
  JsonMaker maker(heap, bytes_max, aws);
  Json out;
  out.value = TRY(maker.make(value.unwrapped(), 0));
  out.holds_function = maker.holds_function;
  return out;
}

}  // namespace stoker::jsonata
