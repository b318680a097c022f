#pragma once
// ARNs of other accounts, regions and partitions. What they name is not here, whatever its name: a queue
// `default` of another account is another queue.
#include "aws/arn.h"
#include "json/json.h"

namespace stoker::aws {

// An ARN of Batch or Logs as above. Not one of a service that is not ours: operations refuse that themselves.
bool is_foreign(const Place& place, std::string_view text);

// InvalidArgument when a member of the input of an operation that names something of ours (jobQueue,
// resourceArn, dependsOn[].jobId, ...) has such an ARN. Values that are the user's own are not looked at, nor
// the lists of describe calls, where what does not exist is left out.
Result<void> check_arns(const Place& place, const json::Value& input);

}  // namespace stoker::aws
