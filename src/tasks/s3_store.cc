#include <ctime>

#include "base/text.h"
#include "rt/clock.h"
#include "tasks/answer.h"
#include "tasks/object_store.h"
#include "tasks/url.h"
#include "tasks/xml.h"

namespace stoker::tasks {
namespace {

constexpr std::size_t kListBytesMax = 4u << 20;  // 1000 keys of 1024 bytes, and what is around them
constexpr std::string_view kMetadata = "x-amz-meta-";
constexpr int kPartial = 206;
constexpr int kNoSuchRange = 416;

// "Wed, 12 Oct 2009 17:50:00 GMT" as ISO 8601; "" for anything else.
std::string iso_of_http_date(const std::string& text) {
  std::tm time{};
  const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &time);
  if (end == nullptr || *end != '\0') return {};
  return iso_time(static_cast<std::int64_t>(timegm(&time)) * 1000, true);
}

StoreError error_of(const net::Response& response) {
  StoreError out{.code = {}, .message = {}, .status = response.status, .request_id = request_id_of(response)};
  if (const auto xml = parse_xml(response.body); xml && xml->name == "Error") {
    out.code = (*xml)["Code"];
    out.message = (*xml)["Message"];
    if (out.request_id.empty()) out.request_id = (*xml)["RequestId"];
  }
  if (out.code.empty()) out.code = response.status == 404 ? "NoSuchKey" : "S3";
  return out;
}

Object object_of(std::string_view key, const net::Response& response) {
  const auto header = [&](std::string_view name) { return to_valid_utf8(response.header(name)); };
  Object out{.info = {.key = std::string(key),
                      .etag = header("ETag"),
                      .last_modified = iso_of_http_date(header("Last-Modified")),
                      .size = static_cast<std::int64_t>(response.body.size())},
             .content_type = header("Content-Type"),
             .metadata = {},
             .version = header("x-amz-version-id"),
             .encryption = header("x-amz-server-side-encryption"),
             .body = {}};
  for (const net::Header& each : response.headers)
    if (const std::string name = to_lower(each.name); name.starts_with(kMetadata))
      out.metadata[name.substr(kMetadata.size())] = to_valid_utf8(each.value);
  return out;
}

class S3Store final : public ObjectStore {
 public:
  S3Store(const Options& options, Caller& caller) : options_(options), caller_(caller) {}

  Stored<Object> get(std::string_view bucket, std::string_view key, std::size_t bytes_max) override {
    auto response = send({.method = "GET", .target = target_of(bucket, key)}, bytes_max);
    if (!response) return std::unexpected(std::move(response).error());
    Object out = object_of(key, *response);
    out.body = std::move(response->body);
    return out;
  }

  Stored<Piece> read(std::string_view bucket, std::string_view key, const ReadOptions& options,
                     std::int64_t offset, std::int64_t bytes_max) override {
    net::Request request{.method = "GET", .target = target_of(bucket, key)};
    if (!options.version.empty()) request.target += "?versionId=" + percent_encode(options.version);
    request.headers.push_back(
        {"Range", "bytes=" + std::to_string(offset) + "-" + std::to_string(offset + bytes_max - 1)});
    if (!options.etag.empty()) request.headers.push_back({"If-Match", options.etag});
    add_owner(request, options.owner);
    auto response = send(request, static_cast<std::size_t>(bytes_max));
    // A range behind the end; that of an empty object is one, too.
    if (!response && response.error().status == kNoSuchRange) return Piece{};
    if (!response) return std::unexpected(std::move(response).error());
    if (response->status != kPartial && offset > 0)
      return std::unexpected(StoreError{
          .code = "NotImplemented", .message = "The endpoint gives no parts of objects", .status = 501});
    Piece out{.info = object_of(key, *response).info, .body = std::move(response->body)};
    // "bytes 0-9/1234"
    const auto parts = split(response->header("Content-Range"), '/');
    if (parts.size() == 2) out.info.size = parse_int(parts[1]).value_or(out.info.size);
    return out;
  }

  Stored<Object> put(std::string_view bucket, std::string_view key, std::string body,
                     const PutOptions& options) override {
    net::Request request{.method = "PUT", .target = target_of(bucket, key), .body = std::move(body)};
    if (!options.content_type.empty()) request.headers.push_back({"Content-Type", options.content_type});
    for (const auto& [name, value] : options.metadata)
      request.headers.push_back({std::string(kMetadata) + name, value});
    add_owner(request, options.owner);
    auto response = send(request, kAnswerBytesMax);
    if (!response) return std::unexpected(std::move(response).error());
    return object_of(key, *response);
  }

  Stored<Listing> list(std::string_view bucket, const ListQuery& query) override {
    // In the order that signing wants.
    std::string target = path_of(options_.s3.url) + "/" + percent_encode(bucket) + "?";
    const auto add = [&](std::string_view name, const std::string& value) {
      if (!value.empty()) target += std::string(name) + "=" + percent_encode(value) + "&";
    };
    add("continuation-token", query.continuation);
    add("delimiter", query.delimiter);
    target += "list-type=2&max-keys=" + std::to_string(query.keys_max) + "&";
    add("prefix", query.prefix);
    add("start-after", query.start_after);
    target.pop_back();
    net::Request request{.method = "GET", .target = target};
    add_owner(request, query.owner);
    auto response = send(request, kListBytesMax);
    if (!response) return std::unexpected(std::move(response).error());
    const auto xml = parse_xml(response->body);
    if (!xml || xml->name != "ListBucketResult")
      return std::unexpected(StoreError{.code = {}, .message = "the answer is no list of objects"});
    return listing_of(*xml);
  }

 private:
  [[nodiscard]] std::string target_of(std::string_view bucket, std::string_view key) const {
    return path_of(options_.s3.url) + "/" + percent_encode(bucket) + "/" + percent_encode(key, true);
  }

  static void add_owner(net::Request& request, const std::string& owner) {
    if (!owner.empty()) request.headers.push_back({"x-amz-expected-bucket-owner", owner});
  }

  Stored<net::Response> send(const net::Request& request, std::size_t bytes_max) {
    if (options_.s3.url.empty())
      return std::unexpected(StoreError{.code = {}, .message = "no endpoint for buckets is configured"});
    auto response = caller_.send({.base = origin_of(options_.s3.url),
                                  .timeout = options_.s3_timeout,
                                  .bytes_max = bytes_max,
                                  .repeatable = true,
                                  .request = [&] { return signed_request(request); }});
    if (!response && response.error().code == Code::LimitExceeded)
      return std::unexpected(StoreError{.code = {}, .message = response.error().message, .too_large = true});
    if (!response) return std::unexpected(StoreError{.code = {}, .message = response.error().message});
    if (response->status >= 300) return std::unexpected(error_of(*response));
    return *std::move(response);
  }

  [[nodiscard]] net::Request signed_request(net::Request request) const {
    request.headers.push_back({"Host", host_of(options_.s3.url)});
    if (options_.s3.credentials)
      aws::sign(request, *options_.s3.credentials, {.region = options_.s3.region, .service = "s3"}, rt::now(),
                {.with_body_hash = true, .encode_path_again = false});
    return request;
  }

  static Listing listing_of(const XmlElement& xml) {
    Listing out;
    for (const XmlElement& child : xml.children) {
      if (child.name == "CommonPrefixes") out.prefixes.emplace_back(child["Prefix"]);
      if (child.name != "Contents") continue;
      ObjectInfo info{.key = std::string(child["Key"]),
                      .etag = std::string(child["ETag"]),
                      .last_modified = std::string(child["LastModified"]),
                      .size = parse_int(child["Size"]).value_or(0)};
      if (!child["StorageClass"].empty()) info.storage_class = child["StorageClass"];
      out.objects.push_back(std::move(info));
    }
    if (xml["IsTruncated"] == "true") out.next = xml["NextContinuationToken"];
    return out;
  }

  const Options& options_;
  Caller& caller_;
};

}  // namespace

std::unique_ptr<ObjectStore> s3_store(const Options& options, Caller& caller) {
  return std::make_unique<S3Store>(options, caller);
}

std::string text_of(const StoreError& error) {
  if (error.code.empty()) return error.message;
  return error.message + " (Service: S3, Status Code: " + std::to_string(error.status) +
         ", Request ID: " + error.request_id + ")";
}

std::unique_ptr<ObjectStore> store_of(std::string_view bucket, const Options& options, Caller& caller) {
  return options.directories.contains(bucket) ? directory_store(options) : s3_store(options, caller);
}

}  // namespace stoker::tasks
