// Text with delimiters, as AWS's documentation of ItemReader describes it: fields may be enclosed in double
// quotes, two of which stand for one; a backslash makes a delimiter, a double quote or a backslash a plain
// character, and is dropped before any other.
#include <set>

#include "base/text.h"
#include "core/workflow/dataset/item_parser.h"

namespace stoker::dataset {
namespace {

constexpr std::size_t kHeaderBytesMax = 10 * 1024;  // Step Functions Developer Guide, ItemReader
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Result<void> check_headers(const std::vector<std::string>& headers) {
  std::size_t bytes = 0;
  for (const std::string& header : headers) bytes += header.size();
  if (bytes > kHeaderBytesMax)
    return fail(Code::InvalidArgument,
                "CSV headers may have at most " + std::to_string(kHeaderBytesMax) + " bytes.");
  // RECORDED
  if (std::set(headers.begin(), headers.end()).size() != headers.size())
    return fail(Code::InvalidArgument, "CSV headers cannot contain duplicates.");
  return {};
}

class CsvParser final : public ItemParser {
 public:
  CsvParser(CsvFormat format, ItemList& items) : format_(std::move(format)), items_(items) {}

  Result<void> feed(std::string_view bytes) override {
    if (at_start_) bytes = without_mark(bytes);
    for (const char c : bytes) {
      if (items_.full()) return {};
      TRY(take(c));
    }
    return {};
  }
  Result<void> finish() override {
    if (items_.full()) return {};
    for (const char c : std::exchange(mark_, {})) TRY(take(c));
    return end_row();
  }

 private:
  enum class At : std::uint8_t { FieldStart, Plain, Quoted, QuoteInQuoted };

  // The first bytes may be a byte order mark, and may come one by one.
  std::string_view without_mark(std::string_view bytes) {
    while (!bytes.empty() && mark_.size() < kByteOrderMark.size() &&
           bytes.front() == kByteOrderMark[mark_.size()]) {
      mark_ += bytes.front();
      bytes.remove_prefix(1);
    }
    if (mark_.size() == kByteOrderMark.size()) {
      mark_.clear();
      at_start_ = false;
    } else if (!bytes.empty()) {
      field_ = std::exchange(mark_, {});
      at_ = field_.empty() ? At::FieldStart : At::Plain;
      at_start_ = false;
    }
    return bytes;
  }

  Result<void> take(char c) {
    const bool after_return = std::exchange(after_return_, false);
    if (c == '\n' && after_return) return {};  // of the row that is over
    if (std::exchange(escaped_, false) && (c == '"' || c == '\\' || c == format_.delimiter)) return put(c);
    if (at_ == At::Quoted) {
      if (c == '"') {
        at_ = At::QuoteInQuoted;
        return {};
      }
      if (c == '\\') {
        escaped_ = true;
        return {};
      }
      return put(c);
    }
    if (c == '"' && at_ == At::QuoteInQuoted) {
      at_ = At::Quoted;
      return put(c);
    }
    if (c == '"' && at_ == At::FieldStart) {
      at_ = At::Quoted;
      quoted_ = true;
      return {};
    }
    if (c == format_.delimiter) {
      end_field();
      return {};
    }
    if (c == '\n' || c == '\r') {
      after_return_ = c == '\r';
      return end_row();
    }
    at_ = At::Plain;
    if (c == '\\') {
      escaped_ = true;
      return {};
    }
    return put(c);
  }

  Result<void> put(char c) {
    if (++row_bytes_ > kItemBytesMax)
      return fail(Code::LimitExceeded, "Row " + std::to_string(row_) + " has more than " +
                                           std::to_string(kItemBytesMax) + " bytes");
    field_ += c;
    return {};
  }

  void end_field() {
    // Further fields than there are headers are dropped.
    if (!has_headers() || fields_.size() < format_.headers.size()) fields_.push_back(std::move(field_));
    field_.clear();
    delimited_ = true;
    at_ = At::FieldStart;
  }

  [[nodiscard]] bool has_headers() const { return !format_.header_in_first_row; }

  Result<void> end_row() {
    const bool empty = at_ == At::FieldStart && !delimited_ && !quoted_ && field_.empty();
    if (!empty) end_field();
    std::vector<std::string> fields = std::exchange(fields_, {});
    at_ = At::FieldStart;
    delimited_ = quoted_ = escaped_ = false;
    row_bytes_ = 0;
    ++row_;
    if (empty) return {};
    if (!has_headers()) {
      for (const std::string& field : fields) format_.headers.push_back(to_valid_utf8(field));
      format_.header_in_first_row = false;
      return check_headers(format_.headers);
    }
    json::Object item;
    item.reserve(format_.headers.size());
    for (std::size_t i = 0; i < format_.headers.size(); ++i)
      item[format_.headers[i]] = i < fields.size() ? to_valid_utf8(fields[i]) : std::string();
    return items_.add(json::Value(std::move(item)));
  }

  CsvFormat format_;
  ItemList& items_;
  std::vector<std::string> fields_;
  std::string field_;
  std::string mark_;
  At at_ = At::FieldStart;
  bool at_start_ = true;
  bool escaped_ = false;
  bool after_return_ = false;
  bool delimited_ = false;  // the row has a delimiter
  bool quoted_ = false;     // the row has a field in quotes
  std::size_t row_bytes_ = 0;
  std::size_t row_ = 1;
};

}  // namespace

Result<std::unique_ptr<ItemParser>> csv_parser(CsvFormat format, ItemList& items) {
  if (!format.header_in_first_row) {
    TRY(check_headers(format.headers));
    if (format.headers.empty())
      return fail(Code::InvalidArgument, "CSVHeaderLocation GIVEN needs the field CSVHeaders");
  }
  return std::make_unique<CsvParser>(std::move(format), items);
}

}  // namespace stoker::dataset
