#include "core/resources/rules.h"

#include <algorithm>

namespace stoker::core {

std::unexpected<Error> refuse(std::string_view place, std::string_view rule) {
  std::string text(place);
  text += ": ";
  text += rule;
  return fail(Code::InvalidArgument, std::move(text));
}

std::string item_of(std::string_view place, std::size_t index) {
  return std::string(place) + "[" + std::to_string(index) + "]";
}

std::string member_of(std::string_view place, std::string_view name) {
  std::string text(place);
  if (!text.empty()) text += '.';
  text += name;
  return text;
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool all_of_set(std::string_view text, std::string_view punctuation) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alphanumeric(c) || punctuation.find(c) != std::string_view::npos;
  });
}

Result<void> check_name(std::string_view what, std::string_view name) {
  constexpr std::size_t kNameMax = 128;
  if (!name.empty() && name.size() <= kNameMax && is_alphanumeric(name.front()) && all_of_set(name, "-_"))
    return {};
  return fail(Code::InvalidArgument,
              std::string(what) + " should match valid pattern: ^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$");
}

Result<void> check_range(const json::Value& holder, std::string_view member, std::string_view place,
                         std::int64_t least, std::int64_t most) {
  const json::Value* value = json::find(holder, member);
  if (value == nullptr) return {};
  if (value->is_int64() && value->get_int64() >= least && value->get_int64() <= most) return {};
  return refuse(member_of(place, member), most == INT32_MAX ? "must be " + std::to_string(least) + " or more"
                                                            : "must be between " + std::to_string(least) +
                                                                  " and " + std::to_string(most));
}

Result<void> check_one_of(const json::Value& holder, std::string_view member, std::string_view place,
                          std::initializer_list<std::string_view> values) {
  const json::Value* value = json::find(holder, member);
  if (value == nullptr || std::find(values.begin(), values.end(), json::text(*value)) != values.end())
    return {};
  std::string rule = "must be one of";
  for (const auto known : values) (rule += ' ') += known;
  return refuse(member_of(place, member), rule);
}

Result<void> check_no_nul(const json::Value& value, std::string_view place) {
  if (value.is_string()) {
    if (json::text(value).find('\0') != std::string_view::npos)
      return refuse(place, "must not hold a NUL character");
  } else if (value.is_array()) {
    std::size_t index = 0;
    for (const auto& entry : value.get_array()) TRY(check_no_nul(entry, item_of(place, index++)));
  } else if (value.is_object()) {
    for (const auto& [key, entry] : value.get_object()) {
      const std::string_view name{key.data(), key.size()};
      if (name.find('\0') != std::string_view::npos) return refuse(place, "must not hold a NUL character");
      TRY(check_no_nul(entry, member_of(place, name)));
    }
  }
  return {};
}

bool is_given(const json::Value& holder, std::string_view member) {
  const json::Value* value = json::find(holder, member);
  if (value == nullptr) return false;
  if (value->is_string()) return !value->get_string().empty();
  if (value->is_array()) return !value->get_array().empty();
  if (value->is_object()) return !value->get_object().empty();
  return true;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string_view name_from_arn(std::string_view text) {
  if (!text.starts_with("arn:")) return text;
  return text.substr(text.rfind('/') + 1);  // npos + 1 is 0: an ARN without a slash names nothing known
}

}  // namespace stoker::core
