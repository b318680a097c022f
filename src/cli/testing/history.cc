#include "cli/testing/history.h"

#include "base/assert.h"

namespace stoker::cli::testing {

json::Array history(std::initializer_list<EventLine> lines) {
  json::Array out;
  for (const EventLine& line : lines) {
    json::Object event{{"timestamp", 1000.0 + static_cast<double>(line.id)},
                       {"type", line.type},
                       {"id", line.id},
                       {"previousEventId", line.previous}};
    if (!line.details.empty()) {
      const auto details = json::parse(line.details);
      ASSERT(details && details->is_object(), "details as JSON");
      event["someEventDetails"] = *details;  // what the member is called is looked at by its end alone
    }
    out.push_back(std::move(event));
  }
  return out;
}

}  // namespace stoker::cli::testing
