#pragma once
// What a Map makes of its input before its iterations begin.
#include "core/workflow/run/flow.h"
#include "core/workflow/test_state/test_state.h"

namespace stoker::workflow {

struct MapFacts {
  std::size_t items = 0;
  Tolerance tolerance;
};

// Items, the input of each iteration and batches (of up to 200 items), and the numbers; noted in `out` as far
// as it comes.
// `reader_data` stands in for what an ItemReader would read.
Evaluated<MapFacts> inspect_map(const Surroundings& around, const std::optional<std::string>& reader_data,
                                Inspection& out);

}  // namespace stoker::workflow
