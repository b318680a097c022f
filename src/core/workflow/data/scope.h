#pragma once
// What the expressions of a state may read.
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/time.h"
#include "json/json.h"

namespace stoker::asl {

// By name without '$'. Inner scopes see outer ones: the caller hands over the sum of all that is visible.
using Variables = std::map<std::string, json::Shared, std::less<>>;

struct Scope {
  // JSONPath: `$`. JSONata: not read, `$states` has everything.
  const json::Value* input = nullptr;
  const json::Value* context = nullptr;  // `$$`, `$states.context`
  const Variables* variables = nullptr;  // `$name`
  // JSONata only: members of `$states`; null: not there in this field.
  const json::Value* states_input = nullptr;
  const json::Value* states_result = nullptr;
  const json::Value* states_error_output = nullptr;
  Instant now = {};
  std::function<std::uint64_t()> random = {};  // must be set where an intrinsic or JSONata is evaluated
};

}  // namespace stoker::asl
