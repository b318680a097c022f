#pragma once
// Reading texts that people write, where an object that says a thing twice is a mistake.
#include "json/json.h"

namespace stoker::json {

// As parse(), and a member that stands twice in an object is a fault, too.
Result<Value> parse_strictly(std::string_view text, ParseLimits limits = {});

}  // namespace stoker::json
