#include "core/workflow/definition/label.h"
#include "core/workflow/definition/machine_fields.h"
#include "core/workflow/definition/state.h"
#include "core/workflow/definition/values.h"

namespace stoker::asl {
namespace {

constexpr std::int64_t kCountMax = 2'147'483'647;  // where AWS names no limit, its integers end here
constexpr std::int64_t kReaderItemsMax = 100'000'000;
constexpr std::int64_t kBatchBytesMax = 262'144;

constexpr Field kProcessorConfigFields[] = {
    {.name = "Mode", .forms = kString},
    {.name = "ExecutionType", .forms = kString},
};
constexpr Field kReaderFields[] = {
    {.name = "Resource", .forms = kString, .required = true},
    {.name = "Parameters", .languages = kJsonPathOnly},
    {.name = "Arguments", .languages = kJsonataOnly},
    {.name = "ReaderConfig", .forms = kObject},
};
constexpr Field kReaderConfigFields[] = {
    {.name = "InputType", .forms = kString},
    {.name = "ManifestType", .forms = kString},
    {.name = "Transformation", .forms = kString},
    {.name = "CSVHeaderLocation", .forms = kString},
    {.name = "CSVHeaders", .forms = kArray},
    {.name = "CSVDelimiter", .forms = kString},
    {.name = "ItemsPointer", .forms = kString},
    {.name = "MaxItems", .forms = kInteger | kExpression},
    {.name = "MaxItemsPath", .forms = kString, .languages = kJsonPathOnly, .twin = "MaxItems"},
};
constexpr Field kBatcherFields[] = {
    {.name = "MaxItemsPerBatch", .forms = kInteger | kExpression},
    {.name = "MaxItemsPerBatchPath",
     .forms = kString,
     .languages = kJsonPathOnly,
     .twin = "MaxItemsPerBatch"},
    {.name = "MaxInputBytesPerBatch", .forms = kInteger | kExpression},
    {.name = "MaxInputBytesPerBatchPath",
     .forms = kString,
     .languages = kJsonPathOnly,
     .twin = "MaxInputBytesPerBatch"},
    {.name = "BatchInput"},
};
constexpr Field kWriterFields[] = {
    {.name = "Resource", .forms = kString},
    {.name = "Parameters", .languages = kJsonPathOnly},
    {.name = "Arguments", .languages = kJsonataOnly},
    {.name = "WriterConfig", .forms = kObject},
};
constexpr Field kWriterConfigFields[] = {
    {.name = "Transformation", .forms = kString},
    {.name = "OutputType", .forms = kString},
};
constexpr std::string_view kModes[] = {"INLINE", "DISTRIBUTED"};
constexpr std::string_view kExecutionTypes[] = {"STANDARD", "EXPRESS"};
constexpr std::string_view kInputTypes[] = {"CSV", "JSON", "JSONL", "PARQUET", "MANIFEST"};
constexpr std::string_view kManifestTypes[] = {"ATHENA_DATA", "S3_INVENTORY"};
constexpr std::string_view kReaderTransformations[] = {"NONE", "LOAD_AND_FLATTEN"};
constexpr std::string_view kHeaderLocations[] = {"FIRST_ROW", "GIVEN"};
constexpr std::string_view kDelimiters[] = {"COMMA", "PIPE", "SEMICOLON", "SPACE", "TAB"};
constexpr std::string_view kWriterTransformations[] = {"NONE", "COMPACT", "FLATTEN"};
constexpr std::string_view kOutputTypes[] = {"JSON", "JSONL"};

// The object in `name`, if it is there.
std::optional<Fields> read_object(const Fields& fields, std::string_view name, std::span<const Field> table,
                                  Diagnosis& diagnosis) {
  const json::Value* value = fields.get(name);
  if (value == nullptr) return std::nullopt;
  return read_fields(*value, table, kMap, fields.language(), fields.at(name), diagnosis);
}

std::string read_word(const Fields& fields, std::string_view name, std::span<const std::string_view> words,
                      Diagnosis& diagnosis) {
  return check_one_of(fields, name, words, diagnosis) ? fields.string(name) : std::string();
}

std::optional<Payload> read_arguments(const Fields& fields, Diagnosis& diagnosis) {
  return read_payload(fields, fields.language() == Language::Jsonata ? "Arguments" : "Parameters", {},
                      diagnosis);
}

std::vector<std::string> read_csv_headers(const Fields& config, Diagnosis& diagnosis) {
  std::vector<std::string> headers;
  const json::Value* value = config.get("CSVHeaders");
  if (value == nullptr) return headers;
  const json::Array& list = value->get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string())
      diagnosis.schema("Expected value of type [STRING]", config.at("CSVHeaders").item(i));
    headers.emplace_back(json::text(list[i]));
  }
  return headers;
}

std::optional<ItemReader> read_item_reader(const Fields& map, Diagnosis& diagnosis) {
  const auto fields = read_object(map, "ItemReader", kReaderFields, diagnosis);
  if (!fields) return std::nullopt;
  ItemReader reader;
  reader.resource = fields->string("Resource");
  reader.arguments = read_arguments(*fields, diagnosis);
  const auto config = read_object(*fields, "ReaderConfig", kReaderConfigFields, diagnosis);
  if (!config) return reader;
  reader.input_type = read_word(*config, "InputType", kInputTypes, diagnosis);
  reader.manifest_type = read_word(*config, "ManifestType", kManifestTypes, diagnosis);
  reader.transformation = read_word(*config, "Transformation", kReaderTransformations, diagnosis);
  reader.csv_header_location = read_word(*config, "CSVHeaderLocation", kHeaderLocations, diagnosis);
  reader.csv_delimiter = read_word(*config, "CSVDelimiter", kDelimiters, diagnosis);
  reader.csv_headers = read_csv_headers(*config, diagnosis);
  reader.items_pointer = config->string("ItemsPointer");
  reader.items_max = read_number(*config, "MaxItems", {0, kReaderItemsMax}, diagnosis);
  return reader;
}

std::optional<ItemBatcher> read_item_batcher(const Fields& map, Diagnosis& diagnosis) {
  const auto fields = read_object(map, "ItemBatcher", kBatcherFields, diagnosis);
  if (!fields) return std::nullopt;
  ItemBatcher batcher;
  batcher.items_max = read_number(*fields, "MaxItemsPerBatch", {1, kCountMax}, diagnosis);
  batcher.bytes_max = read_number(*fields, "MaxInputBytesPerBatch", {1, kBatchBytesMax}, diagnosis);
  batcher.batch_input = read_payload(*fields, "BatchInput", {}, diagnosis);
  const bool bounded = fields->has("MaxItemsPerBatch") || fields->has("MaxItemsPerBatchPath") ||
                       fields->has("MaxInputBytesPerBatch") || fields->has("MaxInputBytesPerBatchPath");
  if (!bounded)
    diagnosis.schema("One of these fields is required: [MaxItemsPerBatch, MaxInputBytesPerBatch]",
                     fields->where());
  return batcher;
}

std::optional<ResultWriter> read_result_writer(const Fields& map, Diagnosis& diagnosis) {
  const auto fields = read_object(map, "ResultWriter", kWriterFields, diagnosis);
  if (!fields) return std::nullopt;
  ResultWriter writer;
  writer.resource = fields->string("Resource");
  writer.arguments = read_arguments(*fields, diagnosis);
  if (const auto config = read_object(*fields, "WriterConfig", kWriterConfigFields, diagnosis)) {
    writer.transformation = read_word(*config, "Transformation", kWriterTransformations, diagnosis);
    writer.output_type = read_word(*config, "OutputType", kOutputTypes, diagnosis);
  }
  return writer;
}

// A number from 0 to 100 that need not be whole.
std::optional<Setting> read_percentage(const Fields& fields, Diagnosis& diagnosis) {
  constexpr std::string_view kName = "ToleratedFailurePercentage";
  const json::Value* value = fields.get(kName);
  if (value == nullptr || !value->is_number()) return read_number(fields, kName, {0, 100}, diagnosis);
  const double percentage = value->to_number<double>();
  if (percentage >= 0 && percentage <= 100) return Setting(*value);
  diagnosis.schema("Value is out of range: it must be between 0 and 100", fields.at(kName));
  return std::nullopt;
}

void read_processor_config(const Fields& processor, Map& map, Reading& reading) {
  const auto config = read_object(processor, "ProcessorConfig", kProcessorConfigFields, reading.diagnosis);
  if (!config) return;
  map.distributed = read_word(*config, "Mode", kModes, reading.diagnosis) == "DISTRIBUTED";
  map.express = read_word(*config, "ExecutionType", kExecutionTypes, reading.diagnosis) == "EXPRESS";
  if (map.distributed && !config->has("ExecutionType"))
    reading.diagnosis.schema("These fields are required: [ExecutionType]", config->where());
  if (map.distributed && reading.express)
    reading.diagnosis.schema("Express state machine does not support 'DISTRIBUTED' Map state",
                             config->at("Mode"));
}

void read_processor(const Fields& fields, Map& map, Reading& reading) {
  const std::string_view name = fields.has("ItemProcessor") ? "ItemProcessor" : "Iterator";
  const json::Value* value = fields.get(name);
  if (value == nullptr) {
    reading.diagnosis.schema("These fields are required: [ItemProcessor]", fields.where());
    return;
  }
  const auto processor =
      read_fields(*value, kProcessorFields, kMap, reading.language, fields.at(name), reading.diagnosis);
  if (!processor) return;
  read_processor_config(*processor, map, reading);
  // The children of a distributed Map are machines of their own, with their own type.
  const bool express = std::exchange(reading.express, map.distributed ? map.express : reading.express);
  map.processor = read_inner_machine(*processor, reading);
  reading.express = express;
}

}  // namespace

Kind read_map(const Fields& fields, Reading& reading) {
  Diagnosis& diagnosis = reading.diagnosis;
  Map map;
  read_processor(fields, map, reading);
  map.label = read_label(fields, reading);
  map.items_path = read_path(fields, "ItemsPath", diagnosis);
  map.items = read_payload(fields, "Items", {}, diagnosis);
  map.old_parameters = fields.has("Parameters");
  map.item_selector = read_payload(fields, map.old_parameters ? "Parameters" : "ItemSelector", {}, diagnosis);
  map.concurrency_max = read_number(fields, "MaxConcurrency", {0, kCountMax}, diagnosis);
  map.tolerated_failure_count = read_number(fields, "ToleratedFailureCount", {0, kCountMax}, diagnosis);
  map.tolerated_failure_percentage = read_percentage(fields, diagnosis);
  map.reader = read_item_reader(fields, diagnosis);
  map.batcher = read_item_batcher(fields, diagnosis);
  map.writer = read_result_writer(fields, diagnosis);
  return map;
}

}  // namespace stoker::asl
