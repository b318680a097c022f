#include "core/workflow/test_state/map_inspection.h"

#include "core/workflow/dataset/item_parser.h"

namespace stoker::workflow {
namespace {

// Every iteration costs an evaluation, which may take its time; of Maps with more the inputs are not shown.
constexpr std::size_t kInspectedItemsMax = 200;

// A JSON array that is given up when it gets larger than the API can show.
class ShownArray {
 public:
  explicit ShownArray(const Limits& limits) : bytes_max_(limits.payload_bytes_max) {}
  bool add(std::string_view text) {
    if (text_.size() + text.size() + 2 > bytes_max_) return fits_ = false;
    if (text_.size() > 1) text_ += ',';
    text_ += text;
    return true;
  }
  std::optional<std::string> take() && {
    if (!fits_) return std::nullopt;
    return std::move(text_) + "]";
  }

 private:
  std::size_t bytes_max_;
  std::string text_ = "[";
  bool fits_ = true;
};

// The part of what a reader read that ItemsPointer (RFC 6901) names.
const json::Value* at_pointer(const json::Value& data, const std::string& pointer) {
  boost::json::error_code error;
  return data.find_pointer(pointer, error);
}

// How the data lies there: as the ReaderConfig says; listings and manifests as the JSON of their items.
asl::ItemReader format_of(const asl::ItemReader& reader) {
  asl::ItemReader out;
  out.input_type = reader.input_type == "CSV" || reader.input_type == "JSONL" ? reader.input_type : "JSON";
  out.csv_delimiter = reader.csv_delimiter;
  out.csv_headers = reader.csv_headers;
  out.csv_header_location = reader.csv_header_location;
  out.items_pointer = reader.items_pointer;
  return out;
}

Evaluated<MapItems> items_of_reader(const Surroundings& around, const std::optional<std::string>& data,
                                    Inspection& out) {
  const asl::ItemReader& reader = *std::get<asl::Map>(around.state.kind).reader;
  MapItems items{.items = std::make_shared<const json::Value>(json::Array()), .keys = {}};
  if (!data) return items;
  const auto failed = [](std::string cause) {
    return std::unexpected(Fault{
        .error = "States.ItemReaderFailed", .cause = std::move(cause), .prefixed = false, .location = {}});
  };
  auto items_max = map_whole(around, reader.items_max, "MaxItems");
  if (!items_max) return std::unexpected(std::move(items_max).error());
  if (items_max->value_or(0) < 0) return failed("field MaxItems must be positive");
  if (!reader.items_pointer.empty()) {
    if (const auto whole = json::parse(*data))
      if (const json::Value* named = at_pointer(*whole, reader.items_pointer))
        out.after_items_pointer = json::write(*named);
  }
  auto read = dataset::items_of_text(format_of(reader), *data, items_max->value_or(0));
  if (!read) return failed(read.error().message);
  items.items = std::make_shared<const json::Value>(*std::move(read));
  return items;
}

// The input of each iteration, one after the other; `use` says whether to go on.
Evaluated<void> for_each_input(const Surroundings& around, const Document& effective, const MapItems& items,
                               const std::function<bool(std::string_view)>& use) {
  json::Value context = *around.context;
  Surroundings inside = around;
  inside.context = &context;
  inside.trace = nullptr;
  const json::Array& list = items.items->get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    json::Object item{{"Index", i}, {"Value", list[i]}};
    if (i < items.keys.size()) item["Key"] = items.keys[i];
    context.get_object()["Map"] = json::Object{{"Item", std::move(item)}};
    auto input = map_item_input(inside, effective, list[i]);
    if (!input) return std::unexpected(std::move(input).error());
    if (!use(input->text())) return {};
  }
  return {};
}

Evaluated<void> inspect_selector(const Surroundings& around, const Document& effective, const MapItems& items,
                                 Inspection& out) {
  ShownArray inputs(*around.limits);
  auto done =
      for_each_input(around, effective, items, [&](std::string_view text) { return inputs.add(text); });
  if (done) out.after_item_selector = std::move(inputs).take();
  return done;
}

// {"BatchInput": ..., "Items": [...]} after the other, each as large as the batcher lets it grow.
Evaluated<void> inspect_batcher(const Surroundings& around, const Document& effective, const MapItems& items,
                                Inspection& out) {
  const asl::Map& map = std::get<asl::Map>(around.state.kind);
  auto items_max = map_integer(around, map.batcher->items_max, "MaxItemsPerBatch");
  if (!items_max) return std::unexpected(std::move(items_max).error());
  auto bytes_max = map_integer(around, map.batcher->bytes_max, "MaxInputBytesPerBatch");
  if (!bytes_max) return std::unexpected(std::move(bytes_max).error());
  std::string head = "{";
  if (map.batcher->batch_input) {
    asl::Scope scope;
    scope.input = &effective.value();
    scope.context = around.context;
    scope.variables = around.variables;
    scope.states_input = &around.input.value();
    scope.now = around.now;
    scope.random = around.random;
    auto input = map.batcher->batch_input->evaluate("ItemBatcher/BatchInput", scope);
    if (!input) return std::unexpected(std::move(input).error());
    head += "\"BatchInput\":" + json::write(*input) + ",";
  }
  head += "\"Items\":[";
  const std::int64_t most = items_max->value_or(0);
  const auto bytes = static_cast<std::size_t>(bytes_max->value_or(0));
  ShownArray batches(*around.limits);
  std::string batch = head;
  std::int64_t count = 0;
  const auto add = [&](std::string_view text) {
    const bool full = (most > 0 && count == most) || (bytes > 0 && batch.size() + text.size() + 3 > bytes);
    if (count > 0 && full) {
      if (!batches.add(batch + "]}")) return false;
      batch = head;
      count = 0;
    }
    if (count++ > 0) batch += ',';
    batch += text;
    return true;
  };
  auto done = for_each_input(around, effective, items, add);
  if (!done) return done;
  if (count > 0) batches.add(batch + "]}");
  out.after_item_batcher = std::move(batches).take();
  return {};
}

}  // namespace

Evaluated<MapFacts> inspect_map(const Surroundings& around, const std::optional<std::string>& reader_data,
                                Inspection& out) {
  const asl::Map& map = std::get<asl::Map>(around.state.kind);
  auto effective = effective_input(around);
  if (!effective) return std::unexpected(std::move(effective).error());
  if (around.trace != nullptr) around.trace->after_parameters = std::nullopt;  // a Map has none of its own
  auto items = map.reader ? items_of_reader(around, reader_data, out) : map_items(around);
  if (!items) return std::unexpected(std::move(items).error());
  if (!map.reader && around.state.language == asl::Language::JsonPath)
    out.after_items_path = json::write(*items->items);
  const bool few = items->items->get_array().size() <= kInspectedItemsMax;
  if (few && map.item_selector) {
    if (auto done = inspect_selector(around, *effective, *items, out); !done)
      return std::unexpected(std::move(done).error());
  }
  if (few && map.batcher) {
    if (auto done = inspect_batcher(around, *effective, *items, out); !done)
      return std::unexpected(std::move(done).error());
  }
  auto concurrency = map_concurrency(around);
  if (!concurrency) return std::unexpected(std::move(concurrency).error());
  out.concurrency_max = *concurrency;
  MapFacts facts{.items = items->items->get_array().size(), .tolerance = {}};
  auto tolerance = map_tolerance(around);
  if (!tolerance) return std::unexpected(std::move(tolerance).error());
  facts.tolerance = *tolerance;
  out.tolerated_failure_count = tolerance->count;
  out.tolerated_failure_percentage = tolerance->percentage;
  return facts;
}

}  // namespace stoker::workflow
