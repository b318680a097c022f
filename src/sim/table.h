#pragma once
// Tables as traces come: comma separated text with a header line, plain or compressed with gzip.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stoker::sim {

inline constexpr std::size_t kTableBytesMax = std::size_t{1} << 30;  // uncompressed
inline constexpr std::size_t kColumnsMax = 1000;

// The content of a file, uncompressed when its name ends in ".gz". LimitExceeded when it is larger than
// `bytes_max`; InvalidArgument for what is no gzip.
Result<std::string> read_text(const std::string& path, std::size_t bytes_max = kTableBytesMax);

// Cells are plain or quoted with '"' (doubled inside); a quoted cell may not hold a line end. Rows may be
// shorter than the header: missing cells are "".
class Table {
 public:
  // InvalidArgument names the line. `text` must live as long as the table.
  static Result<Table> parse(std::string_view text);

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  // None when there is no such column.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const;
  // NotFound or InvalidArgument with the line and the column's name.
  [[nodiscard]] Result<std::size_t> need_column(std::string_view name) const;
  [[nodiscard]] Result<std::int64_t> whole(std::size_t row, std::size_t column, std::int64_t least,
                                           std::int64_t most) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace stoker::sim
