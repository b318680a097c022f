#include "sim/run/variants.h"

#include <algorithm>

#include "base/text.h"
#include "sim/run/members.h"

namespace stoker::sim {
namespace {

// "~1" is "/", "~0" is "~".
std::string unescaped(std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '~' || i + 1 == part.size()) {
      out += part[i];
      continue;
    }
    out += part[++i] == '1' ? '/' : '~';
  }
  return out;
}

json::Value* child_of(json::Value& parent, const std::string& name) {
  if (parent.is_object()) return parent.get_object().if_contains(name);
  if (!parent.is_array()) return nullptr;
  const auto index = parse_int(name);
  const bool there = index && *index >= 0 && static_cast<std::size_t>(*index) < parent.get_array().size();
  return there ? &parent.get_array()[static_cast<std::size_t>(*index)] : nullptr;
}

// The last part may be a member that is new; everything before it must be there.
Result<void> set_at(json::Value& root, std::string_view place, const json::Value& value) {
  if (!place.starts_with('/')) return bad_member(place, "a place begins with '/'");
  std::vector<std::string_view> parts = split(place.substr(1), '/');
  const std::string last = unescaped(parts.back());
  parts.pop_back();
  json::Value* at = &root;
  for (const std::string_view part : parts) {
    at = child_of(*at, unescaped(part));
    if (at == nullptr) return bad_member(place, "there is nothing at '" + std::string(part) + "'");
  }
  if (at->is_object()) {
    at->get_object()[last] = value;
    return {};
  }
  json::Value* const entry = child_of(*at, last);
  if (entry == nullptr) return bad_member(place, "there is nothing at '" + last + "'");
  *entry = value;
  return {};
}

Result<json::Value> expand_one(const json::Value& file, const json::Value& variant) {
  if (!variant.is_object()) return fail(Code::InvalidArgument, "must be an object");
  Members members(variant);
  std::string name;
  TRY(members.text("name", name));
  if (name.empty()) return bad_member("name", "must be given");
  const json::Value* set = members.find("set");
  const json::Value* story = members.find("story");
  TRY(members.nothing_else());
  json::Value made = file;
  made.get_object().erase("variants");
  if (set != nullptr) {
    if (!set->is_object()) return bad_member("set", "must be an object: a value for each place");
    for (const auto& entry : set->get_object()) {
      auto done = set_at(made, std::string_view(entry.key().data(), entry.key().size()), entry.value());
      if (!done) return std::unexpected(std::move(done).error().within("set"));
    }
  }
  const std::string_view whole = json::get_string(file, "name");
  made.get_object()["name"] = whole.empty() ? name : std::string(whole) + ": " + name;
  if (story != nullptr) {
    if (const json::Value* about = json::find(made, "story"))
      made.get_object()["about"] = json::Value(*about);
    made.get_object()["story"] = *story;
  }
  return made;
}

}  // namespace

Result<std::size_t> count_variants(const json::Value& file) {
  const json::Value* list = json::find(file, "variants");
  if (list == nullptr) return 1;
  if (!list->is_array() || list->get_array().empty() || list->get_array().size() > kVariantsMax)
    return bad_member("variants", "must be a list of 1 to " + std::to_string(kVariantsMax));
  return list->get_array().size();
}

Result<json::Value> variant_of(const json::Value& file, std::size_t index) {
  const json::Value* list = json::find(file, "variants");
  if (list == nullptr) return file;
  auto made = expand_one(file, list->get_array()[index]);
  if (!made) return std::unexpected(std::move(made).error().within(numbered("variants", index)));
  return made;
}

Result<std::vector<Scenario>> read_scenarios(const json::Value& file) {
  std::vector<Scenario> scenarios;
  const std::size_t count = TRY(count_variants(file));
  // What variants put their own in the place of.
  for (const std::string_view member : {"name", "story"})
    if (const json::Value* text = json::find(file, member); text != nullptr && !text->is_string())
      return bad_member(member, "must be text");
  for (std::size_t i = 0; i < count; ++i) {
    const json::Value one = TRY(variant_of(file, i));
    const std::string_view name = json::get_string(one, "name");
    if (std::ranges::find(scenarios, name, &Scenario::name) != scenarios.end())
      return bad_member(numbered("variants", i), "name: another variant has it");
    auto scenario = read_scenario(one);
    if (!scenario && json::find(file, "variants") != nullptr)
      return std::unexpected(std::move(scenario).error().within(numbered("variants", i)));
    scenarios.push_back(TRY(std::move(scenario)));
  }
  return scenarios;
}

}  // namespace stoker::sim
