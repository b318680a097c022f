#include "tasks/s3_task.h"

#include <algorithm>

#include "base/text.h"
#include "tasks/answer.h"
#include "tasks/object_store.h"
#include "tasks/s3_parameters.h"

namespace stoker::tasks {
namespace {

constexpr ServiceName kS3 = {.prefix = "S3", .type = "aws-sdk:s3"};
constexpr std::int64_t kKeysMax = 1000;

TaskFailure failure_of(const StoreError& error) {
  if (error.too_large) return too_large(kS3.type);
  if (error.code.empty()) return transport_failure(kS3, {Code::Unavailable, error.message});
  const std::string name = error.code.ends_with("Exception") ? error.code : error.code + "Exception";
  return {.error = "S3." + name, .cause = text_of(error)};
}

}  // namespace

TaskResult get_object(const TaskRequest& request, const Options& options, Caller& caller) {
  Parameters parameters(*request.parameters);
  const std::string bucket = bucket_of(parameters);
  const std::string key = key_of(parameters);
  parameters.refuse_others();
  if (!parameters.ok()) return std::unexpected(parameters.failure());

  auto object = store_of(bucket, options, caller)->get(bucket, key, kAnswerBytesMax);
  if (!object) return std::unexpected(failure_of(object.error()));
  json::Object metadata;
  for (const auto& [name, value] : object->metadata) metadata[name] = value;
  json::Object out;
  out["AcceptRanges"] = "bytes";
  out["ContentLength"] = object->info.size;
  out["ContentType"] = object->content_type;
  out["ETag"] = object->info.etag;
  out["LastModified"] = object->info.last_modified;
  out["Metadata"] = std::move(metadata);
  if (!object->encryption.empty()) out["ServerSideEncryption"] = object->encryption;
  if (!object->version.empty()) out["VersionId"] = object->version;
  out["Body"] = to_valid_utf8(object->body);
  return json::Value(std::move(out));
}

TaskResult put_object(const TaskRequest& request, const Options& options, Caller& caller) {
  Parameters parameters(*request.parameters);
  const std::string bucket = bucket_of(parameters);
  const std::string key = key_of(parameters);
  PutOptions put{.content_type = parameters.text("ContentType"), .metadata = {}};
  if (const json::Value* metadata = parameters.object("Metadata"))
    for (const auto& [name, value] : metadata->get_object()) {
      if (!value.is_string()) parameters.fault("The value of the field 'Metadata' has an invalid format");
      put.metadata[to_lower(std::string_view(name.data(), name.size()))] = json::text(value);
    }
  const json::Value* body = parameters.any("Body");
  parameters.refuse_others();
  if (!parameters.ok()) return std::unexpected(parameters.failure());

  // A text is written as it is, anything else as JSON.
  std::string bytes;
  if (body != nullptr) bytes = body->is_string() ? std::string(json::text(*body)) : json::write(*body);
  auto object = store_of(bucket, options, caller)->put(bucket, key, std::move(bytes), put);
  if (!object) return std::unexpected(failure_of(object.error()));
  json::Object out;
  out["ETag"] = object->info.etag;
  if (!object->encryption.empty()) out["ServerSideEncryption"] = object->encryption;
  if (!object->version.empty()) out["VersionId"] = object->version;
  return json::Value(std::move(out));
}

TaskResult list_objects(const TaskRequest& request, const Options& options, Caller& caller) {
  Parameters parameters(*request.parameters);
  const std::string bucket = bucket_of(parameters);
  const ListQuery query{
      .prefix = parameters.text("Prefix"),
      .delimiter = parameters.text("Delimiter"),
      .start_after = parameters.text("StartAfter"),
      .continuation = parameters.text("ContinuationToken"),
      .keys_max = std::clamp<std::int64_t>(parameters.integer("MaxKeys", kKeysMax), 1, kKeysMax)};
  parameters.refuse_others();
  if (!parameters.ok()) return std::unexpected(parameters.failure());

  auto listing = store_of(bucket, options, caller)->list(bucket, query);
  if (!listing) return std::unexpected(failure_of(listing.error()));
  json::Object out;
  json::Array contents, prefixes;
  for (const ObjectInfo& object : listing->objects)
    contents.push_back(json::Object{{"ETag", object.etag},
                                    {"Key", object.key},
                                    {"LastModified", object.last_modified},
                                    {"Size", object.size},
                                    {"StorageClass", object.storage_class}});
  for (const std::string& prefix : listing->prefixes) prefixes.push_back(json::Object{{"Prefix", prefix}});
  const std::size_t count = contents.size() + prefixes.size();
  if (!prefixes.empty()) out["CommonPrefixes"] = std::move(prefixes);
  if (!contents.empty()) out["Contents"] = std::move(contents);
  if (!query.delimiter.empty()) out["Delimiter"] = query.delimiter;
  out["IsTruncated"] = !listing->next.empty();
  out["KeyCount"] = count;
  out["MaxKeys"] = query.keys_max;
  out["Name"] = bucket;
  if (!listing->next.empty()) out["NextContinuationToken"] = listing->next;
  out["Prefix"] = query.prefix;
  return json::Value(std::move(out));
}

}  // namespace stoker::tasks
