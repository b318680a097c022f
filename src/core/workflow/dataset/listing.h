#pragma once
// One object of a listing as an item of a map run.
#include <cstdint>
#include <string_view>

#include "json/json.h"

namespace stoker::dataset {

// RECORDED: {"Etag", "LastModified" (seconds since 1970), "Key", "Size", "StorageClass"}.
json::Value listed_item(std::string_view key, std::string_view etag, std::string_view last_modified,
                        std::int64_t size, std::string_view storage_class);

}  // namespace stoker::dataset
