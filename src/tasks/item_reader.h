#pragma once
// The ItemReader of a distributed Map: items from objects, read in pieces. Repeating it gives the same items
// as long as the objects stay the same.
#include <expected>

#include "tasks/caller.h"

namespace stoker::asl {
struct ItemReader;
}

namespace stoker::tasks {

struct ItemsRequest {
  std::string resource;      // arn:aws:states:::s3:getObject or ...:s3:listObjectsV2
  json::Shared arguments;    // evaluated; null: none
  std::int64_t items_max{};  // 0: all
  const asl::ItemReader* reader = nullptr;
};
struct ItemsRead {
  json::Value items;   // an array
  std::string source;  // "S3://BUCKET/KEY"
};

// The text of a failure is the cause of a States.ItemReaderFailed.
std::expected<ItemsRead, std::string> read_items(const ItemsRequest& request, const Options& options,
                                                 Caller& caller);

}  // namespace stoker::tasks
