#pragma once
// Amazon Resource Names: built for answers, taken apart in requests. The core speaks names only.
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/requests.h"

namespace stoker::aws {

// Where this server claims to be.
struct Place {
  std::string region;
  std::string account;
};

// "arn:aws:batch:REGION:ACCOUNT:job-queue/NAME"; `type` is "job-queue", "job", "job-definition", ...
std::string batch_arn(const Place& place, std::string_view type, std::string_view name);
// Of the things that AWS's container service would have made for a job.
std::string task_arn(const Place& place, std::string_view task);
std::string container_instance_arn(const Place& place, std::string_view node);
std::string log_group_arn(const Place& place, std::string_view group);

// "name" as it is; of an ARN what follows "TYPE/". An ARN of something else is InvalidArgument. Region and
// account of an ARN are not looked at here: foreign_arns.h does that for the whole request.
Result<std::string> name_in(std::string_view name_or_arn, std::string_view type);
// The same where only an ARN will do.
Result<std::string> name_in_arn(std::string_view arn, std::string_view type);
// "/aws/batch/job" from that or from "arn:aws:logs:REGION:ACCOUNT:log-group:/aws/batch/job[:*]".
std::string log_group_in(std::string_view name_or_arn);

// "name:12" taken apart; InvalidArgument when there is no revision.
struct DefinitionId {
  std::string name;
  int revision = 0;
};
Result<DefinitionId> definition_in(std::string_view name_or_arn);

// Of "arn:…:job-queue/QUEUE/quota-share/NAME", the only way in which requests name a quota share.
struct QuotaShareId {
  std::string queue;
  std::string name;
};
Result<QuotaShareId> quota_share_in(std::string_view arn);
std::string quota_share_arn(const Place& place, std::string_view queue, std::string_view name);

// Anything that can have tags.
Result<core::ResourceRef> resource_in(std::string_view arn);

// "uuid", "uuid:index" of a child of an array or "uuid#index" of a node; nothing for anything else.
struct JobName {
  Uuid id;
  int index = -1;
  bool node = false;
};
std::optional<JobName> job_in(std::string_view id_or_arn);

}  // namespace stoker::aws
