#pragma once
// What a submission makes of a definition (aws-batch.md 3.2).
#include <memory>

#include "base/result.h"
#include "core/model/definition.h"

namespace stoker::core {

// The overrides merged in, without asking whether they are allowed: a spec from the store was once.
// `overrides` may be null. InvalidArgument only for a Ref:: without a parameter.
Result<JobSpec> merge_overrides(std::shared_ptr<const JobDefinition> definition, json::Shared overrides);

}  // namespace stoker::core
