#pragma once
// Moving members between wire shapes and the core's structs.
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/types.h"
#include "json/json.h"

namespace stoker::aws {

core::Tags read_tags(const json::Value& input, std::string_view member = "tags");
std::vector<std::string> read_texts(const json::Value& input, std::string_view member);
json::Object to_object(const std::map<std::string, std::string>& map);

// The named members, taken out of `input`, as an object of their own; null when none is there.
json::Shared take_members(json::Value& input, std::initializer_list<std::string_view> members);
// All members but the named ones.
json::Shared take_rest(json::Value& input, std::initializer_list<std::string_view> left_out);
// Copies those members of `from` that are there.
void copy_members(json::Object& to, const json::Value& from, std::initializer_list<std::string_view> members);

// state: ENABLED, DISABLED or absent.
std::optional<bool> read_enabled(const json::Value& input);
inline std::string_view state_name(bool enabled) {
  return enabled ? "ENABLED" : "DISABLED";
}

}  // namespace stoker::aws
