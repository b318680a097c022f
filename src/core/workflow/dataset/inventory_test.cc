#include "core/workflow/dataset/inventory.h"

#include <gtest/gtest.h>

#include "core/workflow/dataset/listing.h"
#include "json/json.h"

namespace stoker::dataset {
namespace {

TEST(Inventory, NamesItsFilesAndColumns) {
  const auto read =
      read_inventory(R"({"sourceBucket":"s","destinationBucket":"arn:aws:s3:::lists","fileFormat":"CSV",
    "fileSchema":"Bucket, Key, Size","files":[{"key":"i/data/1.csv.gz","size":10,"MD5checksum":"x"},{"key":"i/data/2.csv.gz"}]})");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->files, (std::vector<DataFile>{{"lists", "i/data/1.csv.gz"}, {"lists", "i/data/2.csv.gz"}}));
  EXPECT_EQ(read->columns, (std::vector<std::string>{"Bucket", "Key", "Size"}));
}

TEST(Inventory, RefusesWhatIsNone) {
  for (const auto& [text, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"no json", "The manifest: JSON: syntax error at byte 0"},
           {R"({"fileFormat":"ORC"})", "An S3 inventory must have the fileFormat CSV, not \"ORC\""},
           {R"({"fileFormat":"CSV","fileSchema":"Key","files":[]})",
            "The manifest is none of an S3 inventory: it needs destinationBucket, fileSchema and files"},
           {R"({"fileFormat":"CSV","destinationBucket":"b","files":[]})",
            "The manifest is none of an S3 inventory: it needs destinationBucket, fileSchema and files"},
           {R"({"fileFormat":"CSV","fileSchema":"Key","destinationBucket":"b","files":[{}]})",
            "The manifest has a file without a key"}})
    EXPECT_EQ(read_inventory(text).error().message, why);
}

TEST(AthenaManifest, IsALineForEachFile) {
  const auto read = read_athena_manifest("s3://b/a/1.gz\r\n\n\"s3://b/a/2.gz\"\n");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, (std::vector<DataFile>{{"b", "a/1.gz"}, {"b", "a/2.gz"}}));
  EXPECT_EQ(read_athena_manifest("s3://b/").error().message,
            "The manifest names \"s3://b/\", which is no s3://BUCKET/KEY");
  EXPECT_FALSE(read_athena_manifest("http://b/k").has_value());
}

TEST(Listing, OneObject) {
  EXPECT_EQ(json::write(listed_item("a/b", "\"e\"", "2023-11-14T22:13:20.500Z", 12, "STANDARD")),
            R"({"Etag":"\"e\"","LastModified":1700000000,"Key":"a/b","Size":12,"StorageClass":"STANDARD"})");
}

}  // namespace
}  // namespace stoker::dataset
