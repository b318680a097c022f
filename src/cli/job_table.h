#pragma once
// Jobs as a table, the same in every command.
#include <string_view>
#include <vector>

#include "base/time.h"
#include "cli/job_view.h"
#include "cli/table.h"

namespace stoker::cli {

// A column for GPUs only when one of the jobs has any. `title`: of the first column, which has the ids.
Table job_table(const std::vector<JobView>& jobs, Instant now, std::string_view title = "ID");

}  // namespace stoker::cli
