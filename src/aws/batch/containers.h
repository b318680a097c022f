#pragma once
// The container of a definition or a job as answers show it.
#include "json/json.h"

namespace stoker::aws {

// A copy of a containerProperties in which the lists that AWS always sends are there, empty where nothing was
// given.
json::Object with_empty_lists(const json::Value& properties);

}  // namespace stoker::aws
