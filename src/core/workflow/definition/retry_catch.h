#pragma once
// Retry and Catch of Task, Parallel and Map.
#include <vector>

#include "core/workflow/definition/definition.h"
#include "core/workflow/definition/fields.h"

namespace stoker::asl {

std::vector<Retrier> read_retry(const Fields& fields, Diagnosis& diagnosis);
std::vector<Catcher> read_catch(const Fields& fields, std::string_view state_name,
                                std::vector<Transition>& transitions, Diagnosis& diagnosis);

}  // namespace stoker::asl
