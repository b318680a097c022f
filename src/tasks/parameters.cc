#include "tasks/parameters.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::tasks {

const json::Value* Parameters::any(std::string_view name) {
  asked_.emplace_back(name);
  return json::find(value_, name);
}

std::string Parameters::text(std::string_view name, Need need) {
  const json::Value* found = any(name);
  if (found == nullptr) {
    if (need == Need::Required) fault("The field '" + std::string(name) + "' is required but was missing");
    return {};
  }
  if (found->is_string()) return std::string(json::text(*found));
  fault("The value for the field '" + std::string(name) + "' must be a STRING");
  return {};
}

std::int64_t Parameters::integer(std::string_view name, std::int64_t otherwise) {
  const json::Value* found = any(name);
  if (found == nullptr) return otherwise;
  if (found->is_int64()) return found->get_int64();
  fault("The value for the field '" + std::string(name) + "' must be an INTEGER");
  return otherwise;
}

const json::Value* Parameters::object(std::string_view name) {
  const json::Value* found = any(name);
  if (found == nullptr || found->is_object()) return found;
  fault("The value of the field '" + std::string(name) + "' has an invalid format");
  return nullptr;
}

void Parameters::refuse_others() {
  if (!value_.is_object()) return fault("The parameters must be an OBJECT");
  for (const auto& member : value_.get_object()) {
    const std::string_view name(member.key().data(), member.key().size());
    if (std::ranges::find(asked_, name) == asked_.end())
      fault("The field '" + std::string(name) + "' is not supported by Step Functions");
  }
}

TaskFailure Parameters::failure() const {
  return {.error = "States.Runtime",
          .cause = "The Parameters '" + json::write(value_) + "' could not be used to start the Task: [" +
                   join(faults_, ", ") + "]",
          .wrong_parameters = true};
}

}  // namespace stoker::tasks
