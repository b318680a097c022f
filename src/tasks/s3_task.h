#pragma once
// arn:aws:states:::aws-sdk:s3:getObject, putObject and listObjectsV2, with the answers and errors of the SDK
// integration.
#include "tasks/caller.h"

namespace stoker::tasks {

TaskResult get_object(const TaskRequest& request, const Options& options, Caller& caller);
TaskResult put_object(const TaskRequest& request, const Options& options, Caller& caller);
TaskResult list_objects(const TaskRequest& request, const Options& options, Caller& caller);

}  // namespace stoker::tasks
