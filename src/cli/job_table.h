#pragma once
// Jobs as a table, the same in every command.
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/job_view.h"
#include "cli/table.h"

namespace stoker::cli {

struct JobTableLook {
  std::string_view title = "ID";  // of the first column, which has the ids
  bool costs = false;             // a column for what they cost
};
// A column for GPUs only when one of the jobs has any.
Table job_table(const std::vector<JobView>& jobs, Instant now, JobTableLook look = {});

}  // namespace stoker::cli
