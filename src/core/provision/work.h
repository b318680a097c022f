#pragma once
// What fleet sizing has to do, between the events. Private to the core.
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace stoker::core {

struct ProvisionWork {
  bool look_due = false;             // something happened since the last look
  Instant last_look;                 // that found something to decide
  std::optional<Instant> look_at;    // when time alone may change the plans
  std::optional<Instant> owned_due;  // when machines that were not launched are to be accounted for
  std::vector<std::string> touched;  // launched nodes on which runs came or went, or that are new
};

}  // namespace stoker::core
