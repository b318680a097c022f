#pragma once
#include <string_view>

#include "core/workflow/jsonata/value/value.h"

namespace stoker::jsonata {

// The member of a map; of an array the members of all its items, in one sequence.
Answer<Value> lookup_member(Heap& heap, const Value& value, std::string_view name);

}  // namespace stoker::jsonata
