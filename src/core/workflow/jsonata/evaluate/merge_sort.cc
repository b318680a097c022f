#include "core/workflow/jsonata/evaluate/merge_sort.h"

#include <numeric>

namespace stoker::jsonata {

namespace {

using ComesAfter = std::function<Answer<bool>(std::size_t, std::size_t)>;

// As deep as the logarithm of the number of items.
Answer<void> sort_part(Heap& heap, std::span<std::size_t> items, const ComesAfter& comes_after) {
  if (items.size() <= 1) return {};
  const std::size_t middle = items.size() / 2;
  TRY(sort_part(heap, items.first(middle), comes_after));
  TRY(sort_part(heap, items.subspan(middle), comes_after));
  TRY(heap.step(items.size()));
  std::vector<std::size_t> merged;
  merged.reserve(items.size());
  std::size_t left = 0;
  std::size_t right = middle;
  while (left < middle && right < items.size()) {
    const bool swap = TRY(comes_after(items[left], items[right]));
    merged.push_back(swap ? items[right++] : items[left++]);
  }
  while (left < middle) merged.push_back(items[left++]);
  std::copy(merged.begin(), merged.end(), items.begin());  // what is left on the right is in its place
  return {};
}

}  // namespace

Answer<std::vector<std::size_t>> merge_sort(Heap& heap, std::size_t count, const ComesAfter& comes_after) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  TRY(sort_part(heap, order, comes_after));
  return order;
}

}  // namespace stoker::jsonata
