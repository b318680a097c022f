#pragma once
// Objects in buckets: an S3-compatible endpoint, or directories of this machine. Blocking.
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/caller.h"

namespace stoker::tasks {

struct ObjectInfo {
  std::string key;
  std::string etag;           // with its quotes
  std::string last_modified;  // ISO 8601 with milliseconds
  std::int64_t size = 0;
  std::string storage_class = "STANDARD";
};
struct Object {
  ObjectInfo info;
  std::string content_type;
  std::map<std::string, std::string> metadata;
  std::string version;     // "" = none
  std::string encryption;  // ServerSideEncryption; "" = none
  std::string body;
};
// Which object is meant, and which state of it.
struct ReadOptions {
  std::string version;  // VersionId; "" = the newest
  std::string owner;    // ExpectedBucketOwner; "" = whoever
  std::string etag;     // only as long as it is still that one; "" = whichever
};
struct Piece {
  ObjectInfo info;  // of the whole object
  std::string body;
};
struct ListQuery {
  std::string prefix, delimiter, start_after, continuation;
  std::int64_t keys_max = 1000;  // an endpoint gives at most 1000
  std::string owner = {};        // ExpectedBucketOwner; "" = whoever
};
struct Listing {
  std::vector<ObjectInfo> objects;  // in the order of their keys
  std::vector<std::string> prefixes;
  std::string next;  // continuation of the rest; "" = that was all
};

struct StoreError {
  std::string code;  // "NoSuchKey"; "" = there was no answer
  std::string message;
  int status = 400;
  std::string request_id = {};
  bool too_large = false;  // the object has more than bytes_max
};
template <class T>
using Stored = std::expected<T, StoreError>;

// "MSG (Service: S3, Status Code: 404, Request ID: ...)", as AWS's SDK says it.
std::string text_of(const StoreError& error);

// What goes with the bytes of an object that is written.
struct PutOptions {
  std::string content_type;
  std::map<std::string, std::string> metadata;
  std::string owner = {};  // ExpectedBucketOwner; "" = whoever
};

class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  virtual Stored<Object> get(std::string_view bucket, std::string_view key, std::size_t bytes_max) = 0;
  // The bytes from `offset` on, at most `bytes_max`; none behind the end. "PreconditionFailed" when the
  // object is another one meanwhile.
  virtual Stored<Piece> read(std::string_view bucket, std::string_view key, const ReadOptions& options,
                             std::int64_t offset, std::int64_t bytes_max) = 0;
  // The information of what was written. Whole or not at all.
  virtual Stored<Object> put(std::string_view bucket, std::string_view key, std::string body,
                             const PutOptions& options) = 0;
  virtual Stored<Listing> list(std::string_view bucket, const ListQuery& query) = 0;
};

// For both, `caller` and `options` must outlive the store.
std::unique_ptr<ObjectStore> s3_store(const Options& options, Caller& caller);
// Keys are paths below the directory: no empty, "." or ".." parts, and no symbolic link is ever followed, so
// nothing outside of it can be read, written or listed. Metadata is not kept.
std::unique_ptr<ObjectStore> directory_store(const Options& options);
// The one for a bucket.
std::unique_ptr<ObjectStore> store_of(std::string_view bucket, const Options& options, Caller& caller);

}  // namespace stoker::tasks
