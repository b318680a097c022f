#pragma once
// Which variables each state reads, as DescribeStateMachine tells (variableReferences).
#include <map>
#include <string>
#include <vector>

#include "core/workflow/definition/definition.h"

namespace stoker::asl {

// By state name, also of states inside Map and Parallel; names without '$', sorted, each once. States that
// read none are absent.
std::map<std::string, std::vector<std::string>> variable_references(const Definition& definition);

}  // namespace stoker::asl
