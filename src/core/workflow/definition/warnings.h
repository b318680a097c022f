#pragma once
// What is legal and yet probably not meant.
#include "core/workflow/definition/diagnosis.h"
#include "json/json.h"

namespace stoker::asl {

// PASS_RESULT_IS_STATIC: Result is taken as it is, also keys that end in ".$".
void warn_of_static_result(const json::Value& result, const Where& where, Diagnosis& diagnosis);
// NO_DOLLAR: in a template of JSONPath mode a string that looks like a path or an intrinsic call, and is
// none.
void warn_of_missing_dollar(const json::Value& payload, const Where& where, Diagnosis& diagnosis);

}  // namespace stoker::asl
