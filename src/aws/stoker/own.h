#pragma once
// What the files of our own operations share.
#include "aws/operation.h"
#include "core/model/types.h"
#include "json/json.h"

namespace stoker::aws {

Result<json::Value> explain(const Place& place, const json::Value& input, const core::State& state,
                            Instant now);

json::Object to_json(const core::Resources& resources);
json::Array to_array(const std::vector<std::string>& texts);

}  // namespace stoker::aws
