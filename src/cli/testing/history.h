#pragma once
// Histories for tests: events in short.
#include <string_view>

#include "json/json.h"

namespace stoker::cli::testing {

struct EventLine {
  std::int64_t id;
  std::int64_t previous;
  std::string_view type;
  std::string_view details = "";  // a JSON object
};

// As GetExecutionHistory gives them; event N happens at second 1000 + N.
json::Array history(std::initializer_list<EventLine> lines);

}  // namespace stoker::cli::testing
