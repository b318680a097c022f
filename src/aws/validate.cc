#include "aws/validate.h"

#include <bit>
#include <cmath>

#include "aws/pattern.h"
#include "base/assert.h"
#include "base/text.h"

namespace stoker::aws {
namespace {

// Where a value sits, as a chain of frames on the stack: the text is only made when something is wrong.
struct Path {
  const Path* parent = nullptr;
  std::string_view name;     // of a member or a map key; empty for an element of a list
  std::size_t position = 0;  // of an element, from 1

  void append_to(std::string& out) const {
    if (parent != nullptr) {
      parent->append_to(out);
      if (!out.empty()) out += '.';
    }
    if (position != 0) {
      out += std::to_string(position) + ".member";
    } else {
      out += name;
    }
  }
};

// Index of the compiled pattern of each shape; shapes without one are empty.
const std::vector<std::optional<Pattern>>& patterns() {
  static const std::vector<std::optional<Pattern>> compiled = [] {
    std::vector<std::optional<Pattern>> out(shapes().size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (shapes()[i].pattern.empty()) continue;
      auto pattern = Pattern::compile(shapes()[i].pattern);
      ASSERT(pattern.has_value(), pattern.error().message);
      out[i] = std::move(*pattern);
    }
    return out;
  }();
  return compiled;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<std::uint8_t>(c) & 0xc0) != 0x80; }));
}

std::string clipped(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text + "...";
}

// As much of a value as an error text needs: no large value is written out in full only to be cut.
std::string quotable(const json::Value& value, std::size_t most) {
  if (value.is_string()) return clipped(std::string(json::text(value).substr(0, most + 4)), most);
  if (value.is_array()) return "[" + std::to_string(value.get_array().size()) + " entries]";
  if (value.is_object()) return "{" + std::to_string(value.get_object().size()) + " members}";
  return json::write(value);
}

// Error texts list an enumeration in the order of the model, except where AWS was seen to say it otherwise.
std::span<const std::string_view> told_order(const Shape& is) {
  static constexpr std::string_view kExecutionStatus[] = {"SUCCEEDED", "TIMED_OUT", "PENDING_REDRIVE",
                                                          "ABORTED",   "FAILED",    "RUNNING"};
  if (is.name == "ExecutionStatus" && is.values.size() == std::size(kExecutionStatus))
    return kExecutionStatus;
  return is.values;
}

std::string_view type_words(Type type) {
  switch (type) {
    case Type::Structure:
    case Type::Map:
      return "an object";
    case Type::List:
      return "a list";
    case Type::String:
      return "a string";
    case Type::Integer:
      return "a whole number of 32 bits";
    case Type::Long:
      return "a whole number of 64 bits";
    case Type::Float:
    case Type::Double:
    case Type::Timestamp:
      return "a number";
    case Type::Boolean:
      return "a boolean";
    case Type::Blob:
      return "bytes in base64";
  }
  return "";
}

class Checker {
 public:
  Checker(bool strict, std::size_t quoted_bytes_max) : strict_(strict), quoted_bytes_max_(quoted_bytes_max) {}

  // `value` is changed only by dropping null members.
  void check(ShapeId id, json::Value& value, const Path& path, int depth) {
    if (faults_.size() > kFaultsNamedMax) return;
    const Shape& is = shape(id);
    if (depth > kShapeDepthMax) return fault(is, value, path, "Member must not be nested so deep");
    switch (is.type) {
      case Type::Structure:
        return structure(is, value, path, depth);
      case Type::List:
        return list(is, value, path, depth);
      case Type::Map:
        return map(is, value, path, depth);
      case Type::String:
        if (!value.is_string()) return wrong_type(is, value, path);
        return string(id, json::text(value), value, path);
      case Type::Integer:
      case Type::Long:
        return whole_number(is, value, path);
      case Type::Float:
      case Type::Double:
      case Type::Timestamp:
        return real_number(is, value, path);
      case Type::Boolean:
        if (!value.is_bool()) wrong_type(is, value, path);
        return;
      case Type::Blob:
        if (!value.is_string() || !base64_decode(json::text(value))) wrong_type(is, value, path);
        return;
    }
  }

  std::vector<std::string> take_faults() { return std::move(faults_); }

 private:
  void fault(const Shape& is, const json::Value& value, const Path& path, std::string_view rule) {
    std::string quoted = is.sensitive ? "***" : quotable(value, quoted_bytes_max_);
    add(value.is_null() ? "null" : "'" + quoted + "'", path, rule);
  }
  void add(const std::string& quoted, const Path& path, std::string_view rule) {
    std::string where;
    path.append_to(where);
    faults_.push_back("Value " + quoted +
                      (where.empty() ? "" : " at '" + clipped(std::move(where), quoted_bytes_max_) + "'") +
                      " failed to satisfy constraint: " + std::string(rule));
  }
  void wrong_type(const Shape& is, const json::Value& value, const Path& path) {
    fault(is, value, path,
          value.is_null() ? std::string("Member must not be null")
                          : "Member must be " + std::string(type_words(is.type)));
  }

  void structure(const Shape& is, json::Value& value, const Path& path, int depth) {
    if (!value.is_object()) return wrong_type(is, value, path);
    json::Object& object = value.get_object();
    std::uint64_t seen = 0;
    bool nulls = false;
    for (auto& [key, member_value] : object) {
      const std::string_view name{key.data(), key.size()};
      const auto member = std::ranges::find(is.members, name, &Member::name);
      if (member_value.is_null()) {
        nulls = true;
        continue;
      }
      if (member == is.members.end()) {
        if (strict_)
          add("'" + quotable(member_value, quoted_bytes_max_) + "'", {&path, name},
              "Member is not in the model");
        continue;
      }
      seen |= std::uint64_t{1} << (member - is.members.begin());
      check(member->shape, member_value, {&path, name}, depth + 1);
    }
    for (std::uint64_t missing = is.required & ~seen; missing != 0; missing &= missing - 1) {
      const Member& member = is.members[static_cast<std::size_t>(std::countr_zero(missing))];
      if (faults_.size() <= kFaultsNamedMax) add("null", {&path, member.name}, "Member must not be null");
    }
    if (nulls) drop_nulls(object);
  }

  static void drop_nulls(json::Object& object) {
    for (auto it = object.begin(); it != object.end();) {
      it = it->value().is_null() ? object.stable_erase(it) : it + 1;
    }
  }

  void list(const Shape& is, json::Value& value, const Path& path, int depth) {
    if (!value.is_array()) return wrong_type(is, value, path);
    json::Array& array = value.get_array();
    length(is, array.size(), value, path);
    for (std::size_t i = 0; i < array.size() && faults_.size() <= kFaultsNamedMax; ++i) {
      check(is.element, array[i], {&path, {}, i + 1}, depth + 1);
    }
  }

  void map(const Shape& is, json::Value& value, const Path& path, int depth) {
    if (!value.is_object()) return wrong_type(is, value, path);
    json::Object& object = value.get_object();
    bool nulls = false;
    std::size_t entries = 0;
    for (auto& [key, entry] : object) {
      if (faults_.size() > kFaultsNamedMax) return;
      if (entry.is_null()) {
        nulls = true;
        continue;
      }
      ++entries;
      const std::string_view name{key.data(), key.size()};
      key_of_map(is, name, path);
      check(is.element, entry, {&path, name}, depth + 1);
    }
    length(is, entries, value, path);
    if (nulls) drop_nulls(object);
  }

  void key_of_map(const Shape& is, std::string_view name, const Path& path) {
    std::string rule;
    if (broken_rule(is.key, name, rule)) {
      add("'" + clipped(std::string(name.substr(0, quoted_bytes_max_ + 4)), quoted_bytes_max_) + "'", path,
          "Map keys must satisfy constraint: [" + rule + "]");
    }
  }

  void length(const Shape& is, std::size_t size, const json::Value& value, const Path& path) {
    std::string rule;
    if (broken_length(is, size, rule)) fault(is, value, path, rule);
  }
  static bool broken_length(const Shape& is, std::size_t size, std::string& rule) {
    if (static_cast<std::int64_t>(size) < is.min) {
      rule = "Member must have length greater than or equal to " + std::to_string(is.min);
    } else if (static_cast<std::int64_t>(size) > is.max) {
      rule = "Member must have length less than or equal to " + std::to_string(is.max);
    }
    return !rule.empty();
  }

  void string(ShapeId id, std::string_view text, const json::Value& value, const Path& path) {
    std::string rule;
    if (broken_rule(id, text, rule)) fault(shape(id), value, path, rule);
  }
  // The first rule of a string shape that the text breaks.
  static bool broken_rule(ShapeId id, std::string_view text, std::string& rule) {
    const Shape& is = shape(id);
    if (!is.values.empty()) {
      if (std::ranges::find(is.values, text) != is.values.end()) return false;
      // Of this one enumeration the documentation says that its case does not matter.
      const auto same = [text](std::string_view one) { return equal_ignoring_case(one, text); };
      if (is.name == "RetryAction" && std::ranges::any_of(is.values, same)) return false;
      rule = "Member must satisfy enum value set: [";
      std::string_view separator;
      for (const std::string_view value : told_order(is)) {
        rule.append(separator).append(value);
        separator = ", ";
      }
      rule += ']';
      return true;
    }
    const bool bounded = is.min != kNoMin || is.max != kNoMax;
    if (bounded && broken_length(is, characters(text), rule)) return true;
    if (is.pattern.empty() || patterns()[id]->matches(text)) return false;
    rule = "Member must satisfy regular expression pattern: " + std::string(is.pattern);
    return true;
  }

  void whole_number(const Shape& is, const json::Value& value, const Path& path) {
    if (value.is_uint64() || !value.is_int64()) return wrong_type(is, value, path);
    const std::int64_t number = value.get_int64();
    const bool fits = is.type == Type::Long || (number >= std::numeric_limits<std::int32_t>::min() &&
                                                number <= std::numeric_limits<std::int32_t>::max());
    if (!fits) return wrong_type(is, value, path);
    range(is, number<is.min, number> is.max, value, path);
  }

  void real_number(const Shape& is, const json::Value& value, const Path& path) {
    if (!value.is_number()) return wrong_type(is, value, path);
    const double number = value.is_double()  ? value.get_double()
                          : value.is_int64() ? static_cast<double>(value.get_int64())
                                             : static_cast<double>(value.get_uint64());
    range(is, is.min != kNoMin && number < static_cast<double>(is.min),
          is.max != kNoMax && number > static_cast<double>(is.max), value, path);
  }

  void range(const Shape& is, bool below, bool above, const json::Value& value, const Path& path) {
    if (below) {
      fault(is, value, path, "Member must have value greater than or equal to " + std::to_string(is.min));
    } else if (above) {
      fault(is, value, path, "Member must have value less than or equal to " + std::to_string(is.max));
    }
  }

  bool strict_;
  std::size_t quoted_bytes_max_;
  std::vector<std::string> faults_;
};

}  // namespace

Result<void> validate(ShapeId id, json::Value& value, std::size_t quoted_bytes_max) {
  Checker checker(false, quoted_bytes_max);
  checker.check(id, value, {}, 0);
  std::vector<std::string> faults = checker.take_faults();
  if (faults.empty()) return {};
  const bool cut = faults.size() > kFaultsNamedMax;
  if (cut) faults.resize(kFaultsNamedMax);
  std::string text = std::to_string(faults.size()) + (cut ? " and more" : "") +
                     (faults.size() == 1 ? " validation error detected: " : " validation errors detected: ");
  return fail(Code::InvalidArgument, text + join(faults, "; "));
}

std::vector<std::string> faults_of_answer(ShapeId id, const json::Value& value) {
  Checker checker(true, kQuotedBytesMax);
  json::Value copy = value;
  checker.check(id, copy, {}, 0);
  return checker.take_faults();
}

void compile_patterns() {
  (void)patterns();
}

}  // namespace stoker::aws
