#pragma once
// Fields whose value is a path, a template, an expression or a number in a range.
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/workflow/definition/definition.h"
#include "core/workflow/definition/fields.h"

namespace stoker::asl {

// Which members of $states an expression may read: input and context everywhere, these only here and there.
struct StatesMembers {
  bool result = false;
  bool error_output = false;
};

// InputPath, OutputPath.
Selector read_selector(const Fields& fields, std::string_view name, Diagnosis& diagnosis);
// ResultPath: a reference path into the input.
Selector read_result_path(const Fields& fields, Diagnosis& diagnosis);
std::optional<Path> read_path(const Fields& fields, std::string_view name, Diagnosis& diagnosis);

std::optional<Payload> read_payload(const Fields& fields, std::string_view name, StatesMembers members,
                                    Diagnosis& diagnosis);
// Assign: an object whose keys are names of variables.
std::optional<Payload> read_assign(const Fields& fields, StatesMembers members, Diagnosis& diagnosis);

std::optional<jsonata::Expression> read_expression(std::string_view text, StatesMembers members,
                                                   const Where& where, Diagnosis& diagnosis);

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 0;
};
// A whole number, "{% %}" (JSONata), or the path in the twin NAMEPath (JSONPath).
std::optional<Setting> read_number(const Fields& fields, std::string_view name, Range range,
                                   Diagnosis& diagnosis);
// The number alone; nothing when it is absent or out of range.
std::optional<std::int64_t> read_integer(const Fields& fields, std::string_view name, Range range,
                                         Diagnosis& diagnosis);
// A string, "{% %}" (JSONata), or a path or an intrinsic call in the twin NAMEPath (JSONPath).
std::optional<Setting> read_text(const Fields& fields, std::string_view name, Diagnosis& diagnosis);

// The warning for a literal that looks like a path.
void warn_of_path(const Fields& fields, std::string_view name, Diagnosis& diagnosis);

}  // namespace stoker::asl
