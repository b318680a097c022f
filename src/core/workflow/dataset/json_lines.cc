// JSON Lines: a value a line. Empty lines mean nothing.
#include "base/text.h"
#include "core/workflow/dataset/item_parser.h"

namespace stoker::dataset {
namespace {

class JsonLinesParser final : public ItemParser {
 public:
  explicit JsonLinesParser(ItemList& items) : items_(items) {}

  Result<void> feed(std::string_view bytes) override {
    while (!bytes.empty() && !items_.full()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (line_.size() + part.size() > kItemBytesMax)
        return fail(Code::LimitExceeded, "Line " + std::to_string(number_) + " has more than " +
                                             std::to_string(kItemBytesMax) + " bytes");
      line_ += part;
      if (end == std::string_view::npos) return {};
      bytes.remove_prefix(end + 1);
      TRY(take_line());
    }
    return {};
  }
  Result<void> finish() override { return items_.full() ? Result<void>() : take_line(); }

 private:
  Result<void> take_line() {
    const std::string line = std::exchange(line_, {});
    const std::size_t number = number_++;
    const std::string_view text = trim(line);
    if (text.empty()) return {};
    auto item = json::parse(text, {.bytes_max = kItemBytesMax});
    if (!item) return std::unexpected(std::move(item).error().within("Line " + std::to_string(number)));
    return items_.add(*std::move(item));
  }

  ItemList& items_;
  std::string line_;
  std::size_t number_ = 1;
};

}  // namespace

std::unique_ptr<ItemParser> json_lines_parser(ItemList& items) {
  return std::make_unique<JsonLinesParser>(items);
}

}  // namespace stoker::dataset
