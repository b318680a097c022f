#pragma once
// Tables of text: aligned, in colours where wanted, and never wider than the terminal.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"

namespace stoker::cli {

enum class Colour { None, Dim, Bold, Red, Green, Yellow, Blue, Cyan };

// The text in the colour, when colours are wanted.
std::string paint(std::string_view text, Colour colour, bool colours);

// cut_to_width() for text with colours in it, which take no column.
std::string cut_painted(std::string_view text, std::size_t width);

struct Column {
  std::string title{};
  bool right = false;  // align to the right, for numbers
  // How far it may shrink when the table is too wide; 0: never. The widest such column gives way first.
  std::size_t shrinks_to = 0;
};

struct Cell {
  std::string text{};  // one line, see printable()
  Colour colour = Colour::None;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<Cell> row);  // one cell a column
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }

  struct Look {
    std::size_t columns = 0;  // of the terminal; 0: as wide as it gets
    bool colours = false;
  };
  // A line of titles, then a line a row, each ended by '\n', without blanks at the ends of lines.
  [[nodiscard]] std::string render(Look look) const;
  // The same line by line without the ends, titles first.
  [[nodiscard]] std::vector<std::string> lines(Look look) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t most) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// How a table should look on that stream.
inline Table::Look look_of(const Stream& stream) {
  return {.columns = stream.terminal && stream.columns > 0 ? static_cast<std::size_t>(stream.columns) : 0,
          .colours = stream.colours};
}

}  // namespace stoker::cli
