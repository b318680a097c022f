#pragma once
// What the Resource of a Task means (amazon-states-language.md 6).
#include <string>
#include <string_view>

#include "core/workflow/run/effects.h"

namespace stoker::workflow {

struct Resource {
  TaskKind kind = TaskKind::Service;
  Pattern pattern = Pattern::RequestResponse;
  std::string service;  // resourceType of events: "batch", "aws-sdk:sfn", "lambda"
  std::string api;      // "submitJob"
  std::string name;     // resource of events: "submitJob.sync"; the whole ARN of activities and functions
};
// Any text: what is no known form is a Service with an empty api.
Resource read_resource(std::string_view arn);

// The field of an ARN, from 0 ("arn"); the sixth has all the rest. "" when there are fewer.
std::string_view arn_field(std::string_view arn, int field);

}  // namespace stoker::workflow
