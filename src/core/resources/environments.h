#pragma once
// Rules on the document of a compute environment (aws-batch.md 7). Private to resources/.
#include "base/result.h"
#include "core/model/resources.h"
#include "json/json.h"

namespace stoker::core {

// Whether a complete environment makes sense, new or after an update.
Result<void> check_environment_document(bool managed, const json::Value& document);
// The document after an update (7.7): what is allowed for the kind, what empty values mean, desiredvCpus.
Result<json::Value> updated_environment(const ComputeEnvironment& environment, const json::Value& update);

inline bool is_fargate_type(std::string_view type) {
  return type == "FARGATE" || type == "FARGATE_SPOT";
}
// The members of computeResources that only EC2 kinds have.
inline constexpr std::string_view kEc2Members[] = {"allocationStrategy",
                                                   "minvCpus",
                                                   "desiredvCpus",
                                                   "instanceTypes",
                                                   "imageId",
                                                   "ec2KeyPair",
                                                   "instanceRole",
                                                   "tags",
                                                   "placementGroup",
                                                   "bidPercentage",
                                                   "spotIamFleetRole",
                                                   "launchTemplate",
                                                   "ec2Configuration",
                                                   "scalingPolicy"};

}  // namespace stoker::core
