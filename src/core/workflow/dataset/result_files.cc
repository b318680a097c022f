#include "core/workflow/dataset/result_files.h"

#include "base/text.h"
#include "core/workflow/definition/definition.h"
#include "json/json.h"

namespace stoker::dataset {
namespace {

constexpr std::string_view kPending = "PENDING";

}  // namespace

std::string with_metadata(const ChildResult& result, std::string_view machine_arn) {
  const json::Object included{{"Included", true}};
  const bool succeeded = result.status == "SUCCEEDED";
  json::Object out;
  if (result.cause) out["Cause"] = *result.cause;
  if (result.error) out["Error"] = *result.error;
  out["ExecutionArn"] = result.arn;
  if (!result.input.empty()) {
    out["Input"] = result.input;
    out["InputDetails"] = included;
  }
  out["Name"] = result.name;
  if (succeeded) out["Output"] = result.output;
  out["OutputDetails"] = included;
  out["RedriveCount"] = result.redrive_count;
  if (succeeded) {
    out["RedriveStatus"] = "NOT_REDRIVABLE";
    out["RedriveStatusReason"] = "Execution is SUCCEEDED and cannot be redriven";
  } else {
    out["RedriveStatus"] = result.express ? "REDRIVABLE_BY_MAP_RUN" : "REDRIVABLE";
  }
  out["StartDate"] = iso_time(result.started_at.ms, true);
  out["StateMachineArn"] = machine_arn;
  out["Status"] = result.status;
  out["StopDate"] = iso_time(result.stopped_at.ms, true);
  return json::write(json::Value(std::move(out)));
}

std::optional<std::string_view> elements_of(std::string_view json) {
  json = trim(json);
  if (!json.starts_with('[')) return std::nullopt;
  return trim(json.substr(1, json.size() - 2));
}

ResultFiles::ResultFiles(const asl::ResultWriter& writer, std::string machine_arn, Put put)
    : writer_(writer),
      machine_arn_(std::move(machine_arn)),
      put_(std::move(put)),
      lines_(writer.output_type == "JSONL") {}

Result<void> ResultFiles::add(const ChildResult& result) {
  if (result.status != "SUCCEEDED") return append(failed_, with_metadata(result, machine_arn_));
  // Without a WriterConfig an export has the metadata.
  if (writer_.transformation.empty() || writer_.transformation == "NONE")
    return append(succeeded_, with_metadata(result, machine_arn_));
  const auto elements = writer_.transformation == "FLATTEN" ? elements_of(result.output) : std::nullopt;
  if (!elements) return append(succeeded_, result.output);
  if (!lines_) return elements->empty() ? Result<void>() : append(succeeded_, *elements);
  const json::Value array =
      TRY(json::parse(result.output, {.depth_max = 512, .bytes_max = std::size_t{1} << 30}));
  for (const json::Value& element : array.get_array()) TRY(append(succeeded_, json::write(element)));
  return {};
}

Result<void> ResultFiles::add_pending(std::string_view item) {
  return append(pending_, json::write(json::Object{{"Input", item},
                                                   {"InputDetails", json::Object{{"Included", true}}},
                                                   {"StateMachineArn", machine_arn_},
                                                   {"Status", kPending}}));
}

Result<void> ResultFiles::append(Group& group, std::string_view entry) {
  if (lines_) {
    group.open += entry;
    group.open += '\n';
  } else {
    group.open += group.open.empty() ? '[' : ',';
    group.open += entry;
  }
  return group.open.size() < kResultFileBytesMax ? Result<void>() : close(group);
}

Result<void> ResultFiles::close(Group& group) {
  if (group.open.empty()) return {};
  if (!lines_) group.open += ']';
  std::string name =
      std::string(group.name) + "_" + std::to_string(group.files.size()) + (lines_ ? ".jsonl" : ".json");
  group.files.push_back({.name = name, .size = group.open.size()});
  return put_(name, std::exchange(group.open, {}));
}

Result<void> ResultFiles::finish(const Place& place) {
  for (Group* group : {&succeeded_, &failed_, &pending_}) TRY(close(*group));
  return put_("manifest.json", manifest(place));
}

std::string ResultFiles::manifest(const Place& place) const {
  json::Object files;
  for (const Group* group : {&failed_, &pending_, &succeeded_}) {
    json::Array& list = files[group->name].emplace_array();
    for (const File& file : group->files)
      list.push_back(json::Object{{"Key", place.folder + file.name}, {"Size", file.size}});
  }
  return json::write(json::Object{{"DestinationBucket", place.bucket},
                                  {"MapRunArn", place.map_run_arn},
                                  {"ResultFiles", std::move(files)}});
}

}  // namespace stoker::dataset
