#include "cli/job_table.h"

#include <algorithm>

#include "cli/quantity.h"

namespace stoker::cli {

Table job_table(const std::vector<JobView>& jobs, Instant now, JobTableLook look) {
  const bool gpus = std::ranges::any_of(jobs, [](const JobView& job) { return !job.gpus.empty(); });
  std::vector<Column> columns{{.title = std::string(look.title)},  {.title = "NAME", .shrinks_to = 12},
                              {.title = "QUEUE", .shrinks_to = 8}, {.title = "STATUS"},
                              {.title = "WAIT", .right = true},    {.title = "RUN", .right = true},
                              {.title = "CPUS", .right = true},    {.title = "MEM", .right = true}};
  if (gpus) columns.push_back({.title = "GPUS", .right = true});
  if (look.costs) columns.push_back({.title = "USD", .right = true});
  columns.push_back({.title = "REASON", .shrinks_to = 10});
  Table table(std::move(columns));
  for (const JobView& job : jobs) {
    std::string size = job.array_size ? " ×" + std::to_string(*job.array_size) : "";
    if (job.nodes) size = " (" + std::to_string(*job.nodes) + (*job.nodes == 1 ? " node)" : " nodes)");
    std::vector<Cell> row{{short_id(job.id)},
                          {job.name + size},
                          {job.queue},
                          {job.status, colour_of_status(job.status)},
                          {job.array_size ? "" : duration_text(job.waited(now))},
                          {job.started ? duration_text(job.ran(now)) : ""},
                          {cpus_text(job.cpus_milli)},
                          {memory_text(job.memory_mib)}};
    if (gpus) row.push_back({job.gpus});
    if (look.costs) row.push_back({job.cost});
    row.push_back({job.remark(), job.status == "FAILED" ? Colour::Red : Colour::None});
    table.add(std::move(row));
  }
  return table;
}

}  // namespace stoker::cli
