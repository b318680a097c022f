#pragma once
// Manifests: objects that name further objects, whose rows are the items. Errors are causes of
// States.ItemReaderFailed.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stoker::dataset {

inline constexpr std::size_t kManifestBytesMax = 16u << 20;

struct DataFile {
  std::string bucket;
  std::string key;
  bool operator==(const DataFile&) const = default;
};

// manifest.json of an S3 inventory. Its files are CSV without a header row, mostly compressed.
struct Inventory {
  std::vector<DataFile> files;
  std::vector<std::string> columns;  // fileSchema
};
Result<Inventory> read_inventory(std::string_view manifest);

// What UNLOAD of Athena leaves behind: a line for each data file, "s3://BUCKET/KEY".
Result<std::vector<DataFile>> read_athena_manifest(std::string_view manifest);

}  // namespace stoker::dataset
