#include "tasks/item_reader.h"

#include "core/workflow/dataset/inventory.h"
#include "core/workflow/dataset/item_parser.h"
#include "core/workflow/dataset/listing.h"
#include "core/workflow/definition/definition.h"
#include "tasks/gunzip.h"
#include "tasks/object_store.h"
#include "tasks/s3_parameters.h"

namespace stoker::tasks {
namespace {

constexpr std::int64_t kPieceBytes = 8 << 20;
constexpr std::int64_t kKeysAtATime = 100'000;  // an endpoint gives 1000

std::unexpected<Error> failed(const StoreError& error) {
  return std::unexpected(Error{Code::Unavailable, text_of(error)});
}

class Reading {
 public:
  Reading(const ItemsRequest& request, const Options& options, Caller& caller)
      : reader_(*request.reader), options_(options), caller_(caller), items_(request.items_max) {}

  Result<void> get_object(const std::string& bucket, const std::string& key, const ReadOptions& which) {
    if (reader_.manifest_type == "ATHENA_DATA") {
      const std::string manifest = TRY(whole_object(bucket, key, which));
      const std::vector<dataset::DataFile> files = TRY(dataset::read_athena_manifest(manifest));
      for (const dataset::DataFile& file : files) TRY(read_file(file, dataset::parser_for(reader_, items_)));
      return {};
    }
    if (reader_.input_type == "MANIFEST") {
      const std::string manifest = TRY(whole_object(bucket, key, which));
      const dataset::Inventory inventory = TRY(dataset::read_inventory(manifest));
      for (const dataset::DataFile& file : inventory.files)
        TRY(read_file(file, dataset::csv_parser({.headers = inventory.columns}, items_)));
      return {};
    }
    return read_object(bucket, key, which, dataset::parser_for(reader_, items_));
  }

  Result<void> list_objects(const std::string& bucket, ListQuery query) {
    const bool load = reader_.transformation == "LOAD_AND_FLATTEN";
    query.keys_max = kKeysAtATime;
    const auto store = store_of(bucket, options_, caller_);
    do {
      TRY(go_on());
      auto page = store->list(bucket, query);
      if (!page) return failed(page.error());
      for (const ObjectInfo& object : page->objects) {
        if (items_.full()) return {};
        if (!load)
          TRY(items_.add(dataset::listed_item(object.key, object.etag, object.last_modified, object.size,
                                              object.storage_class)));
        else if (!object.key.ends_with('/'))  // what stands for a folder
          TRY(read_object(bucket, object.key, {.version = {}, .owner = query.owner, .etag = {}},
                          dataset::parser_for(reader_, items_)));
      }
      query.continuation = page->next;
    } while (!query.continuation.empty());
    return {};
  }

  json::Array take() { return items_.take(); }

 private:
  [[nodiscard]] Result<void> go_on() const {
    if (caller_.cancelled()) return fail(Code::Unavailable, "cancelled");
    return {};
  }

  using Parser = Result<std::unique_ptr<dataset::ItemParser>>;

  Result<void> read_file(const dataset::DataFile& file, Parser parser) {
    if (items_.full()) return {};
    auto read = read_object(file.bucket, file.key, {}, std::move(parser));
    if (!read) return std::unexpected(std::move(read).error().within(file.bucket + "/" + file.key));
    return read;
  }

  Result<void> read_object(const std::string& bucket, const std::string& key, const ReadOptions& which,
                           Parser made) {
    const std::unique_ptr<dataset::ItemParser> parser = TRY(std::move(made));
    TRY(for_each_piece(bucket, key, which, [&](std::string_view bytes) { return parser->feed(bytes); }));
    return items_.full() ? Result<void>() : parser->finish();
  }

  Result<std::string> whole_object(const std::string& bucket, const std::string& key,
                                   const ReadOptions& which) {
    std::string out;
    TRY(for_each_piece(bucket, key, which, [&](std::string_view bytes) -> Result<void> {
      if (out.size() + bytes.size() > dataset::kManifestBytesMax)
        return fail(Code::LimitExceeded,
                    "A manifest may have at most " + std::to_string(dataset::kManifestBytesMax) + " bytes");
      out += bytes;
      return {};
    }));
    return out;
  }

  // Decompressed, all of one state of the object.
  Result<void> for_each_piece(const std::string& bucket, const std::string& key, ReadOptions which,
                              const Gunzip::OnBytes& on_bytes) {
    const auto store = store_of(bucket, options_, caller_);
    Gunzip plain(on_bytes);
    for (std::int64_t offset = 0; !items_.full();) {
      TRY(go_on());
      auto piece = store->read(bucket, key, which, offset, kPieceBytes);
      if (!piece) return failed(piece.error());
      which.etag = piece->info.etag;
      offset += static_cast<std::int64_t>(piece->body.size());
      TRY(plain.feed(piece->body));
      if (piece->body.empty() || offset >= piece->info.size) return plain.finish();
    }
    return {};
  }

  const asl::ItemReader& reader_;
  const Options& options_;
  Caller& caller_;
  dataset::ItemList items_;
};

}  // namespace

std::expected<ItemsRead, std::string> read_items(const ItemsRequest& request, const Options& options,
                                                 Caller& caller) {
  const bool lists = request.resource.ends_with(":states:::s3:listObjectsV2");
  if (!lists && !request.resource.ends_with(":states:::s3:getObject"))
    return std::unexpected("The resource " + request.resource + " is not available in this server.");
  const json::Value none = json::Object();
  Parameters parameters(request.arguments ? *request.arguments : none);
  const std::string bucket = bucket_of(parameters);
  const std::string key =
      lists ? key_of(parameters, "Prefix", Parameters::Need::Optional) : key_of(parameters);
  const std::string owner = parameters.text("ExpectedBucketOwner");
  const std::string version = lists ? "" : parameters.text("VersionId");
  const std::string start_after = lists ? parameters.text("StartAfter") : "";
  parameters.refuse_others();
  if (!parameters.ok()) return std::unexpected(parameters.failure().cause);

  Reading reading(request, options, caller);
  const Result<void> done =
      lists ? reading.list_objects(bucket, {.prefix = key,
                                            .delimiter = {},
                                            .start_after = start_after,
                                            .continuation = {},
                                            .owner = owner})
            : reading.get_object(bucket, key, {.version = version, .owner = owner, .etag = {}});
  if (!done) return std::unexpected(done.error().message);
  return ItemsRead{.items = json::Value(reading.take()), .source = "S3://" + bucket + "/" + key};
}

}  // namespace stoker::tasks
