#pragma once
// The accounts by day as rows of FOCUS: a row for each day, payer, kind of machine and kind of cost. Single
// bills are not kept (cost_days.h), so no row is of one job or one machine.
#include <string>
#include <vector>

#include "core/provision/costs.h"

namespace stoker::core {

// With the header. The billed amounts add up to those of the rows.
std::string focus_csv(const std::vector<CostRow>& rows, const std::string& region);

}  // namespace stoker::core
