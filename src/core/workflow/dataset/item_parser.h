#pragma once
// The bytes of one object to items, piece by piece. Errors are causes of States.ItemReaderFailed.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/dataset/item_list.h"

namespace stoker::asl {
struct ItemReader;
}

namespace stoker::dataset {

class ItemParser {
 public:
  virtual ~ItemParser() = default;
  virtual Result<void> feed(std::string_view bytes) = 0;
  virtual Result<void> finish() = 0;  // that was all
};

struct CsvFormat {
  char delimiter = ',';
  std::vector<std::string> headers{};
  bool header_in_first_row = false;  // instead of `headers`
};

// All keep a reference to the list, and look at no more bytes once it is full.
// InvalidArgument for headers that AWS does not take.
Result<std::unique_ptr<ItemParser>> csv_parser(CsvFormat format, ItemList& items);
std::unique_ptr<ItemParser> json_lines_parser(ItemList& items);
// The elements of the array at `pointer` (ItemsPointer); "" = the text itself.
std::unique_ptr<ItemParser> json_parser(std::string_view pointer, ItemList& items);

// The one for the reader's InputType: CSV, JSON, JSONL. NotSupported for PARQUET.
Result<std::unique_ptr<ItemParser>> parser_for(const asl::ItemReader& reader, ItemList& items);

// The items of a whole text.
Result<json::Array> items_of_text(const asl::ItemReader& reader, std::string_view text,
                                  std::int64_t items_max);

}  // namespace stoker::dataset
