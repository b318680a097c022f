#pragma once
// The ResultWriter of a distributed Map: result files and their manifest. Writing the same results again
// leaves the same files.
#include <expected>
#include <functional>
#include <vector>

#include "core/workflow/dataset/result_files.h"
#include "tasks/caller.h"

namespace stoker::tasks {

struct ResultsRequest {
  std::string resource;    // arn:aws:states:::s3:putObject
  json::Shared arguments;  // evaluated; null: none
  std::string map_run_arn;
  std::string machine_arn;  // of the children
  const asl::ResultWriter* writer = nullptr;
  // From this item on none was started. Null: there are none.
  json::Shared items{};
  std::size_t first_pending = 0;
};
// The next results in their order; empty: that was all.
using NextResults = std::function<Result<std::vector<dataset::ChildResult>>()>;

// {"Bucket", "Key"} of the manifest. The text of a failure is the cause of a States.ResultWriterFailed.
std::expected<json::Value, std::string> write_results(const ResultsRequest& request, const NextResults& next,
                                                      const Options& options, Caller& caller);

}  // namespace stoker::tasks
