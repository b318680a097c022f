#pragma once
// The items of one map run while they are read.
#include <cstddef>
#include <cstdint>

#include "json/json.h"

namespace stoker::dataset {

inline constexpr std::size_t kItemBytesMax = 8u << 20;     // of one item, row or line
inline constexpr std::size_t kItemsBytesMax = 128u << 20;  // of all items as JSON: they are kept in memory
inline constexpr std::size_t kItemsMax = 1'000'000;

class ItemList {
 public:
  // `items_max` of MaxItems; 0: all there are.
  explicit ItemList(std::int64_t items_max) : items_max_(items_max) {}

  // LimitExceeded when there are too many. The text is a cause of States.ItemReaderFailed.
  Result<void> add(json::Value item);
  [[nodiscard]] bool full() const {
    return items_max_ > 0 && items_.size() >= static_cast<std::size_t>(items_max_);
  }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  json::Array take() { return std::move(items_); }

 private:
  std::int64_t items_max_;
  json::Array items_;
  std::size_t bytes_ = 0;
};

}  // namespace stoker::dataset
