#include "base/text.h"
#include "tasks/http_task.h"

namespace stoker::tasks {
namespace {

std::string plain(const json::Value& value) {
  return value.is_string() ? std::string(json::text(value)) : json::write(value);
}

void add(std::string& out, const std::string& name, const std::string& value) {
  if (!out.empty()) out += '&';
  out += percent_encode(name);
  out += '=';
  out += percent_encode(value);
}

// As deep as the parameters nest, which is bounded where they come from.
void encode(std::string& out, const std::string& name, const json::Value& value, ArrayFormat format) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.get_object())
      encode(out, name.empty() ? std::string(key) : name + "[" + std::string(key) + "]", member, format);
    return;
  }
  if (!value.is_array() || format == ArrayFormat::None) return add(out, name, plain(value));
  std::string joined;
  std::size_t index = 0;
  for (const json::Value& item : value.get_array()) {
    switch (format) {
      case ArrayFormat::Indices:
        encode(out, name + "[" + std::to_string(index) + "]", item, format);
        break;
      case ArrayFormat::Brackets:
        encode(out, name + "[]", item, format);
        break;
      case ArrayFormat::Commas:
        joined += (index > 0 ? "," : "") + plain(item);
        break;
      default:
        encode(out, name, item, format);
    }
    ++index;
  }
  if (format == ArrayFormat::Commas) add(out, name, joined);
}

}  // namespace

std::optional<ArrayFormat> read_array_format(std::string_view name) {
  if (name.empty() || name == "INDICES") return ArrayFormat::Indices;
  if (name == "BRACKETS") return ArrayFormat::Brackets;
  if (name == "REPEAT") return ArrayFormat::Repeat;
  if (name == "COMMAS") return ArrayFormat::Commas;
  if (name == "NONE") return ArrayFormat::None;
  return std::nullopt;
}

std::string url_encode(const json::Value& object, ArrayFormat format) {
  std::string out;
  encode(out, "", object, format);
  return out;
}

}  // namespace stoker::tasks
