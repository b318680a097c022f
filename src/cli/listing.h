#pragma once
// Many jobs from the server, page by page.
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/api.h"

namespace stoker::cli {

struct JobQuery {
  std::vector<std::string> statuses{};  // empty: any
  std::string queue{};                  // "": any
  std::string array{};                  // the id of an array: its children instead, from the first on
  std::string nodes{};                  // the same of a multi-node job: its nodes
  bool costs = false;                   // with what each cost
};

// The lines of ListAllJobs, plain jobs and array parents, newest first, until `take` returns false.
Result<void> list_jobs(Api& api, const JobQuery& query, const std::function<bool(const json::Value&)>& take);

// JobDetails in the order of the ids; ids that the server does not know are left out.
Result<std::vector<json::Value>> describe_jobs(Api& api, const std::vector<std::string>& ids);

}  // namespace stoker::cli
