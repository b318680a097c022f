#pragma once
// Inside of Intrinsic: the functions by name (amazon-states-language intrinsic functions). Arguments are
// values already.
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "core/workflow/data/scope.h"
#include "json/json.h"

namespace stoker::asl::intrinsic {

inline constexpr std::size_t kTextCharactersMax = 10'000;  // of what is encoded, decoded or hashed
inline constexpr std::size_t kRangeItemsMax = 1'000;

struct Argument {
  const json::Value& value;
  // A text literal as it is written, without quotes but with escapes; null data for all other arguments.
  std::string_view raw = {};
};
using Arguments = std::span<const Argument>;

// A sentence for people, or empty for the usual "Invalid arguments in States.X".
using Applied = std::expected<json::Value, std::string>;
inline std::unexpected<std::string> invalid() {
  return std::unexpected(std::string());
}

struct Function {
  std::string_view name;  // "States.Format"
  std::size_t arguments_min;
  std::size_t arguments_max;
  Applied (*apply)(Arguments arguments, const Scope& scope);
};
inline constexpr std::size_t kAnyNumber = SIZE_MAX;

// Null: there is no such function.
const Function* find_function(std::string_view name);

// One family a file.
std::span<const Function> text_functions();
std::span<const Function> array_functions();
std::span<const Function> number_functions();

}  // namespace stoker::asl::intrinsic
