#include "core/workflow/dataset/inventory.h"

#include <algorithm>

#include "base/text.h"
#include "json/json.h"

namespace stoker::dataset {
namespace {

constexpr std::string_view kBucketArn = ":s3:::";

// "arn:aws:s3:::NAME" or just the name.
std::string bucket_name(std::string_view text) {
  const std::size_t at = text.find(kBucketArn);
  return std::string(at == std::string_view::npos ? text : text.substr(at + kBucketArn.size()));
}

}  // namespace

Result<Inventory> read_inventory(std::string_view manifest) {
  auto parsed = json::parse(manifest, {.bytes_max = kManifestBytesMax});
  if (!parsed) return std::unexpected(std::move(parsed).error().within("The manifest"));
  const std::string_view format = json::get_string(*parsed, "fileFormat");
  if (format != "CSV")
    return fail(Code::NotSupported,
                "An S3 inventory must have the fileFormat CSV, not \"" + to_valid_utf8(format) + "\"");
  Inventory out;
  const std::string bucket = bucket_name(json::get_string(*parsed, "destinationBucket"));
  for (const json::Value& file : json::get_array(*parsed, "files")) {
    out.files.push_back({.bucket = bucket, .key = std::string(json::get_string(file, "key"))});
    if (out.files.back().key.empty())
      return fail(Code::InvalidArgument, "The manifest has a file without a key");
  }
  for (const std::string_view column : split(json::get_string(*parsed, "fileSchema"), ','))
    out.columns.emplace_back(trim(column));
  const bool nameless =
      std::ranges::any_of(out.columns, [](const std::string& name) { return name.empty(); });
  if (bucket.empty() || nameless)
    return fail(Code::InvalidArgument,
                "The manifest is none of an S3 inventory: it needs destinationBucket, "
                "fileSchema and files");
  return out;
}

Result<std::vector<DataFile>> read_athena_manifest(std::string_view manifest) {
  constexpr std::string_view kScheme = "s3://";
  std::vector<DataFile> out;
  for (std::string_view line : split(manifest, '\n')) {
    line = trim(line);
    if (line.size() > 1 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
    if (line.empty()) continue;
    const std::size_t slash = line.find('/', kScheme.size());
    if (!line.starts_with(kScheme) || slash == std::string_view::npos || slash + 1 == line.size())
      return fail(Code::InvalidArgument,
                  "The manifest names \"" + to_valid_utf8(line) + "\", which is no s3://BUCKET/KEY");
    out.push_back({.bucket = std::string(line.substr(kScheme.size(), slash - kScheme.size())),
                   .key = std::string(line.substr(slash + 1))});
  }
  return out;
}

}  // namespace stoker::dataset
