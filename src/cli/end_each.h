#pragma once
// What `cancel` and `stop` share: ending several things that were named, one after another.
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"

namespace stoker::cli {

struct EndedOne {
  std::string id;      // as the API names it, for JSON
  std::string shown;   // as a person is told
  std::string result;  // "is stopped"
};
// Calls `end` for each and prints a line each, or with `as_json` one list whose objects name the id
// `id_member`. One that cannot be ended keeps none of the others, unless no server answers. The exit status:
// that of the first fault.
int end_each(Context& context, std::span<const std::string> names, bool as_json, std::string_view id_member,
             const std::function<Result<EndedOne>(const std::string& name)>& end);

// "Cancelled by USER", for a reason that was not given.
std::string done_by_user(const Context& context, std::string_view done);

}  // namespace stoker::cli
