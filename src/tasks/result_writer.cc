#include "tasks/result_writer.h"

#include "tasks/object_store.h"
#include "tasks/s3_parameters.h"

namespace stoker::tasks {
namespace {

Result<void> write_all(dataset::ResultFiles& files, const ResultsRequest& request, const NextResults& next,
                       const dataset::ResultFiles::Place& place) {
  for (;;) {
    const std::vector<dataset::ChildResult> results = TRY(next());
    if (results.empty()) break;
    for (const dataset::ChildResult& result : results) TRY(files.add(result));
  }
  if (request.items) {
    const json::Array& items = request.items->get_array();
    for (std::size_t i = request.first_pending; i < items.size(); ++i)
      TRY(files.add_pending(json::write(items[i])));
  }
  return files.finish(place);
}

}  // namespace

std::expected<json::Value, std::string> write_results(const ResultsRequest& request, const NextResults& next,
                                                      const Options& options, Caller& caller) {
  if (!request.resource.ends_with(":states:::s3:putObject"))
    return std::unexpected("The resource " + request.resource + " is not available in this server.");
  const json::Value none = json::Object();
  Parameters parameters(request.arguments ? *request.arguments : none);
  const std::string bucket = bucket_of(parameters);
  std::string folder = key_of(parameters, "Prefix", Parameters::Need::Optional);
  const PutOptions put{
      .content_type = "application/json", .metadata = {}, .owner = parameters.text("ExpectedBucketOwner")};
  parameters.refuse_others();
  if (!parameters.ok()) return std::unexpected(parameters.failure().cause);

  // "PREFIX/RUN/"
  if (!folder.empty() && !folder.ends_with('/')) folder += '/';
  folder += request.map_run_arn.substr(request.map_run_arn.rfind(':') + 1) + '/';
  const auto store = store_of(bucket, options, caller);
  dataset::ResultFiles files(*request.writer, request.machine_arn,
                             [&](const std::string& name, std::string body) -> Result<void> {
                               if (caller.cancelled()) return fail(Code::Unavailable, "cancelled");
                               auto stored = store->put(bucket, folder + name, std::move(body), put);
                               if (!stored) return fail(Code::Unavailable, text_of(stored.error()));
                               return {};
                             });
  const Result<void> written = write_all(
      files, request, next, {.bucket = bucket, .folder = folder, .map_run_arn = request.map_run_arn});
  if (!written) return std::unexpected(written.error().message);
  return json::Value(json::Object{{"Bucket", bucket}, {"Key", folder + "manifest.json"}});
}

}  // namespace stoker::tasks
