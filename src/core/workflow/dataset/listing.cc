#include "core/workflow/dataset/listing.h"

#include "core/workflow/data/timestamp.h"

namespace stoker::dataset {

json::Value listed_item(std::string_view key, std::string_view etag, std::string_view last_modified,
                        std::int64_t size, std::string_view storage_class) {
  constexpr std::int64_t kMsPerSecond = 1000;
  const auto modified = asl::parse_timestamp(last_modified);
  return json::Object{{"Etag", etag},
                      {"LastModified", modified ? modified->ms / kMsPerSecond : 0},
                      {"Key", key},
                      {"Size", size},
                      {"StorageClass", storage_class}};
}

}  // namespace stoker::dataset
