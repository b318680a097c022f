#pragma once
// Tables as traces come: comma separated text with a header line, plain or compressed with gzip.
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stoker::sim {

inline constexpr std::size_t kTableBytesMax = std::size_t{1} << 28;  // uncompressed
inline constexpr std::size_t kColumnsMax = 1000;
inline constexpr std::size_t kCellsMax = std::size_t{1} << 26;  // a table of 2^26 cells takes 1.5 GiB at most

// The content of a file, uncompressed when its name ends in ".gz". LimitExceeded when it is larger than
// `bytes_max`; InvalidArgument for what is no gzip.
Result<std::string> read_text(const std::string& path, std::size_t bytes_max = kTableBytesMax);

// The content of a gzip file. Faults as above.
Result<std::string> unpack_gzip(std::string_view packed, std::size_t bytes_max = kTableBytesMax);

// The next line of `text`, which loses it, without its end; nothing after the last.
std::optional<std::string_view> take_line(std::string_view& text);

// Cells are plain or quoted with '"' (doubled inside); a quoted cell may not hold a line end. Rows may be
// shorter than the header: missing cells are "".
class Table {
 public:
  // InvalidArgument names the line. `text` must live as long as the table: plain cells are parts of it.
  static Result<Table> parse(std::string_view text);
  Table(Table&&) = default;
  Table& operator=(Table&&) = default;

  [[nodiscard]] std::size_t rows() const { return ends_.size(); }
  // None when there is no such column.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const;
  // NotFound or InvalidArgument with the line and the column's name.
  [[nodiscard]] Result<std::size_t> need_column(std::string_view name) const;
  [[nodiscard]] Result<std::int64_t> whole(std::size_t row, std::size_t column, std::int64_t least,
                                           std::int64_t most) const;

 private:
  Table() = default;
  Result<void> add_line(std::string_view line);

  std::vector<std::string_view> header_;
  std::vector<std::string_view> cells_;  // of all rows, one after the other
  std::vector<std::size_t> ends_;        // of each row among the cells
  std::deque<std::string> made_;         // quoted cells without their quotes
};

}  // namespace stoker::sim
