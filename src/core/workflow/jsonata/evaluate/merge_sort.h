#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/workflow/jsonata/value/heap.h"

namespace stoker::jsonata {

// The order of `count` items, stable. `comes_after(a, b)` may fail, and need not be consistent.
Answer<std::vector<std::size_t>> merge_sort(
    Heap& heap, std::size_t count, const std::function<Answer<bool>(std::size_t, std::size_t)>& comes_after);

}  // namespace stoker::jsonata
