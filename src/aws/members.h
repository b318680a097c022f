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

// What a describe operation is asked for by names and ARNs: each thing is answered once, where it was named
// first, however often it is named. AWS does not say; its emulators do so.
class Named {
 public:
  // `thing` was not named before.
  bool is_new(const void* thing) {
    for (const void* other : seen_)
      if (other == thing) return false;
    seen_.push_back(thing);
    return true;
  }

 private:
  std::vector<const void*> seen_;  // at most 100: a request names no more
};

// state: ENABLED, DISABLED or absent.
std::optional<bool> read_enabled(const json::Value& input);
inline std::string_view state_name(bool enabled) {
  return enabled ? "ENABLED" : "DISABLED";
}

}  // namespace stoker::aws
