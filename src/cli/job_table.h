#pragma once
// Jobs as a table, the same in every command.
#include <vector>

#include "base/time.h"
#include "cli/job_view.h"
#include "cli/table.h"

namespace stoker::cli {

// A column for GPUs only when one of the jobs has any.
Table job_table(const std::vector<JobView>& jobs, Instant now);

}  // namespace stoker::cli
