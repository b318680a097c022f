#pragma once
// What Task states may call.
#include <string_view>

#include "core/workflow/definition/reading.h"

namespace stoker::asl {

// Refuses what is no resource that AWS knows, and what an express machine cannot wait for. What AWS knows and
// this program cannot call is accepted: it fails when it runs.
void check_resource(std::string_view arn, const Where& where, Reading& reading);

// ".sync": the task ends when the job, child execution or the like does.
bool waits_for_work(std::string_view arn);

}  // namespace stoker::asl
