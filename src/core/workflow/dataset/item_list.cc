#include "core/workflow/dataset/item_list.h"

namespace stoker::dataset {

Result<void> ItemList::add(json::Value item) {
  if (items_.size() == kItemsMax)
    return fail(Code::LimitExceeded,
                "A map run may have at most " + std::to_string(kItemsMax) + " items; MaxItems reads fewer");
  bytes_ += json::write(item).size() + 1;
  if (bytes_ > kItemsBytesMax)
    return fail(Code::LimitExceeded, "The items of a map run may have at most " +
                                         std::to_string(kItemsBytesMax) +
                                         " bytes as JSON; MaxItems reads fewer");
  items_.push_back(std::move(item));
  return {};
}

}  // namespace stoker::dataset
