#pragma once
// Variables: a machine inside a Map or Parallel may read the variables around it, not assign them.
#include "core/workflow/definition/diagnosis.h"
#include "json/json.h"

namespace stoker::asl {

// `document` has passed all other checks. Children of a distributed Map see no variables around them, so that
// any name is theirs.
void check_scopes(const json::Value& document, Diagnosis& diagnosis);

}  // namespace stoker::asl
