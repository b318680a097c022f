#include "core/workflow/dataset/item_parser.h"

#include "core/workflow/definition/definition.h"
#include "json/element_reader.h"

namespace stoker::dataset {
namespace {

class JsonParser final : public ItemParser {
 public:
  JsonParser(std::string_view pointer, ItemList& items)
      : items_(items), reader_(pointer, {.bytes_max = kItemBytesMax}, [this](json::Value item) {
          return take(std::move(item));
        }) {}

  Result<void> feed(std::string_view bytes) override {
    TRY(reader_.feed(bytes));
    return std::exchange(result_, {});
  }
  Result<void> finish() override {
    TRY(reader_.finish());
    if (!result_) return std::exchange(result_, {});
    // RECORDED
    if (reader_.found() != json::ElementReader::Found::AnArray)
      return fail(Code::InvalidArgument, "Attempting to map over non-iterable node.");
    return {};
  }

 private:
  bool take(json::Value item) {
    if (!items_.full()) result_ = items_.add(std::move(item));
    return result_.has_value() && !items_.full();
  }

  ItemList& items_;
  Result<void> result_;
  json::ElementReader reader_;
};

Result<char> delimiter_of(std::string_view name) {
  if (name.empty() || name == "COMMA") return ',';
  if (name == "PIPE") return '|';
  if (name == "SEMICOLON") return ';';
  if (name == "SPACE") return ' ';
  if (name == "TAB") return '\t';
  return fail(Code::InvalidArgument, "There is no CSVDelimiter " + std::string(name));
}

}  // namespace

std::unique_ptr<ItemParser> json_parser(std::string_view pointer, ItemList& items) {
  return std::make_unique<JsonParser>(pointer, items);
}

Result<std::unique_ptr<ItemParser>> parser_for(const asl::ItemReader& reader, ItemList& items) {
  if (reader.input_type == "CSV") {
    CsvFormat format{.delimiter = TRY(delimiter_of(reader.csv_delimiter))};
    if (reader.csv_header_location.empty())
      return fail(Code::InvalidArgument, "The ReaderConfig of a CSV needs the field CSVHeaderLocation");
    format.header_in_first_row = reader.csv_header_location == "FIRST_ROW";
    if (!format.header_in_first_row) format.headers = reader.csv_headers;
    return csv_parser(std::move(format), items);
  }
  if (reader.input_type == "JSONL") return json_lines_parser(items);
  if (reader.input_type == "JSON") return json_parser(reader.items_pointer, items);
  if (reader.input_type.empty())
    return fail(Code::InvalidArgument, "The ItemReader needs a ReaderConfig with the field InputType");
  return fail(Code::NotSupported,
              "This server reads CSV, JSON, JSONL and MANIFEST, not InputType " + reader.input_type);
}

Result<json::Array> items_of_text(const asl::ItemReader& reader, std::string_view text,
                                  std::int64_t items_max) {
  ItemList items(items_max);
  const auto parser = TRY(parser_for(reader, items));
  TRY(parser->feed(text));
  TRY(parser->finish());
  return items.take();
}

}  // namespace stoker::dataset
