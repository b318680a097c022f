#include "aws/members.h"

namespace stoker::aws {

core::Tags read_tags(const json::Value& input, std::string_view member) {
  core::Tags out;
  for (const auto& [key, value] : json::get_object(input, member))
    out.emplace(std::string(key), json::text(value));
  return out;
}

std::vector<std::string> read_texts(const json::Value& input, std::string_view member) {
  std::vector<std::string> out;
  const json::Array& list = json::get_array(input, member);
  out.reserve(list.size());
  for (const json::Value& text : list) out.emplace_back(json::text(text));
  return out;
}

json::Object to_object(const std::map<std::string, std::string>& map) {
  json::Object out;
  out.reserve(map.size());
  for (const auto& [key, value] : map) out.emplace(key, value);
  return out;
}

json::Shared take_members(json::Value& input, std::initializer_list<std::string_view> members) {
  json::Object& object = input.get_object();
  json::Object out;
  for (const std::string_view member : members) {
    const auto found = object.find(member);
    if (found == object.end()) continue;
    if (out.empty()) out.reserve(members.size());
    out.emplace(member, std::move(found->value()));
    object.erase(found);
  }
  if (out.empty()) return nullptr;
  return std::make_shared<const json::Value>(std::move(out));
}

json::Shared take_rest(json::Value& input, std::initializer_list<std::string_view> left_out) {
  json::Object out;
  for (auto& [key, value] : input.get_object()) {
    const std::string_view name{key.data(), key.size()};
    if (std::ranges::find(left_out, name) == left_out.end()) out.emplace(key, value);
  }
  return std::make_shared<const json::Value>(std::move(out));
}

void copy_members(json::Object& to, const json::Value& from,
                  std::initializer_list<std::string_view> members) {
  for (const std::string_view member : members) {
    if (const json::Value* value = json::find(from, member)) to[member] = *value;
  }
}

std::optional<bool> read_enabled(const json::Value& input) {
  const std::string_view state = json::get_string(input, "state");
  if (state.empty()) return std::nullopt;
  return state == "ENABLED";
}

}  // namespace stoker::aws
