#pragma once
// A report as one page for a browser: charts, tables, plain words; no network, nothing beside it.
#include <string>
#include <vector>

#include "sim/run/compare.h"
#include "sim/run/spread.h"
#include "sim/run/timeline.h"

namespace stoker::sim {

// A scenario with its runs; charts are of the first.
struct PageEntry {
  const Scenario* scenario = nullptr;
  Runs runs;
  Timeline timeline;
  Spreads spreads;
};

// At least one entry, each with at least one run. Names of all kinds are data in it, never markup.
std::string page_html(const std::vector<PageEntry>& entries);

}  // namespace stoker::sim
