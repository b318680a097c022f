#pragma once
// What the files of our own operations share.
#include "aws/operation.h"
#include "core/cost/summary.h"
#include "core/model/types.h"
#include "json/json.h"

namespace stoker::aws {

Result<json::Value> explain(const Place& place, const json::Value& input, const core::State& state,
                            Instant now);

Result<json::Value> list_all_executions(const Place& place, const json::Value& input,
                                        const core::State& state, Instant now);

Result<json::Value> list_costs(const Place& place, const json::Value& input, const core::State& state,
                               Instant now);

// The execution and the state whose task started the job; nothing for all others.
void put_starter(json::Object& out, const core::Job& job, const core::State& state);

json::Object to_json(const core::Resources& resources);
json::Object to_json(const cost::Totals& costs);
json::Array to_array(const std::vector<std::string>& texts);

}  // namespace stoker::aws
