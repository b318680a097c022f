#pragma once
// One file with several scenarios that differ in a few members: a sweep, or with and without something.
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "sim/run/scenario.h"

namespace stoker::sim {

inline constexpr std::size_t kVariantsMax = 100;

// "variants": [{"name": "no window", "story": "…", "set": {"/environments/0/fleet/window/seconds": 0}}]: the
// file once for each, with these members set; places are JSON pointers (RFC 6901) to members of what is
// there. A variant's name is added to the file's, "window: none"; its story replaces the file's. Without
// variants: the file alone. InvalidArgument names the variant and the place.
Result<std::size_t> count_variants(const json::Value& file);
// The file as this variant of it has it; one at a time, as each is a copy.
Result<json::Value> variant_of(const json::Value& file, std::size_t index);

// All scenarios of a file.
Result<std::vector<Scenario>> read_scenarios(const json::Value& file);

}  // namespace stoker::sim
