#pragma once
// One picture of the system for `stoker top`, from values alone.
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/cluster_view.h"
#include "cli/context.h"
#include "cli/frame_look.h"
#include "cli/job_view.h"

namespace stoker::cli {

struct TopData {
  std::string address{};
  std::vector<NodeView> nodes{};
  std::vector<QueueView> queues{};
  std::vector<JobView> running{};  // STARTING too
  std::vector<JobView> waiting{};
  std::vector<JobView> ended{};  // the last ones
};

// Lines of at most `columns` columns, at most `rows` of them. `fault`: why the data is old, or "".
std::vector<std::string> top_frame(const TopData& data, Instant now, FrameLook look, std::string_view fault);

// "███░░░" of `width` columns, filled by used / total.
std::string bar(std::int64_t used, std::int64_t total, std::size_t width);

}  // namespace stoker::cli
