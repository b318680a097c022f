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

// What all expressions of one visit of a state may cost together: nodes of JSONata that are evaluated and
// values that paths visit. About a second.
inline constexpr std::uint64_t kEffortMax = 20'000'000;

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
  // What expressions cost is added to it; null: not counted, and no bound but that of each expression.
  std::uint64_t* effort = nullptr;
  std::function<std::uint64_t()> random = {};  // must be set where an intrinsic or JSONata is evaluated
};

}  // namespace stoker::asl
