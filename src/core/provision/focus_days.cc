#include "core/provision/focus_days.h"

#include "core/cost/focus.h"

namespace stoker::core {

std::string focus_csv(const std::vector<CostRow>& rows, const std::string& region) {
  std::string out = cost::focus_header();
  for (const CostRow& row : rows)
    for (std::size_t kind = 0; kind < cost::kKindCount; ++kind) {
      if (row.sums.billed[kind] == Money{} && row.sums.time[kind] == Duration{}) continue;
      const CostMachine& machine = row.key.machine;
      cost::append_row(
          {.kind = static_cast<cost::Kind>(kind),
           .billed = row.sums.billed[kind],
           .list = row.sums.list[kind],
           .from = row.day,
           .to = row.day + days(1),
           .time = row.sums.time[kind],
           .payer = {.job = {}, .tenant = row.key.payer.share, .queue = row.key.payer.queue, .tag = {}},
           .node = {},
           .environment = row.environment,
           .machine = {.type = machine.type,
                       .region = region,
                       .zone = {},
                       .spot = machine.spot,
                       .gpus = machine.gpus,
                       .list_per_hour = {}},
           .provisional = row.provisional},
          out);
    }
  return out;
}

}  // namespace stoker::core
