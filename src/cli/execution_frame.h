#pragma once
// One picture of an execution: the tree of its states, from values alone.
#include <map>
#include <string>
#include <vector>

#include "base/time.h"
#include "cli/execution_tree.h"
#include "cli/frame_look.h"
#include "cli/job_view.h"
#include "json/json.h"

namespace stoker::cli {

struct ExecutionData {
  std::string name{};
  std::string machine{};
  ExecutionTree tree{};
  std::map<std::string, JobView> jobs{};          // Batch jobs by id: those that are known
  std::map<std::string, json::Value> map_runs{};  // answers of DescribeMapRun by ARN
};

// A headline and the tree, at most `columns` wide and at most `rows` high. Where there is too little room,
// iterations that are done are counted instead of shown, then others, the earliest states last of all.
std::vector<std::string> execution_frame(const ExecutionData& data, Instant now, FrameLook look);

}  // namespace stoker::cli
