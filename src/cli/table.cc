#include "cli/table.h"

#include <algorithm>

#include "base/assert.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr std::size_t kGap = 2;  // blanks between columns

std::string_view code_of(Colour colour) {
  switch (colour) {
    case Colour::Dim:
      return "\x1b[2m";
    case Colour::Bold:
      return "\x1b[1m";
    case Colour::Red:
      return "\x1b[31m";
    case Colour::Green:
      return "\x1b[32m";
    case Colour::Yellow:
      return "\x1b[33m";
    case Colour::Blue:
      return "\x1b[34m";
    case Colour::Cyan:
      return "\x1b[36m";
    case Colour::None:
      break;
  }
  return {};
}

// Columns of what follows, without the colours.
std::size_t text_width_of_plain(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      const std::size_t end = text.find('m');
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
      continue;
    }
    const std::string_view part = text.substr(0, text.find('\x1b'));
    width += text_width(part);
    text.remove_prefix(part.size());
  }
  return width;
}

}  // namespace

std::string paint(std::string_view text, Colour colour, bool colours) {
  if (!colours || colour == Colour::None || text.empty()) return std::string(text);
  return std::string(code_of(colour)) + std::string(text) + "\x1b[0m";
}

std::string cut_painted(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  bool painted = false;
  while (!text.empty()) {
    const bool is_code = text.front() == '\x1b';
    std::size_t end = is_code ? text.find('m') : text.find('\x1b');
    end = end == std::string_view::npos ? text.size() : end + (is_code ? 1 : 0);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end);
    painted = painted || is_code;
    if (is_code) {
      out += part;
      continue;
    }
    const std::size_t columns = text_width(part);
    // The last column goes to the ellipsis as soon as anything is cut off.
    if (used + columns > width || (used + columns == width && text_width_of_plain(text) > 0)) {
      out += cut_to_width(std::string(part) + "\u2026", std::max(width, used) - used);
      return painted ? out + "\x1b[0m" : out;
    }
    out += part;
    used += columns;
  }
  return out;
}

void Table::add(std::vector<Cell> row) {
  ASSERT(row.size() == columns_.size(), "a row has one cell a column");
  rows_.push_back(std::move(row));
}

std::vector<std::size_t> Table::widths(std::size_t most) const {
  std::vector<std::size_t> out;
  std::size_t total = columns_.empty() ? 0 : kGap * (columns_.size() - 1);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = text_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, text_width(row[i].text));
    out.push_back(width);
    total += width;
  }
  // Take column by column from the widest that may still shrink.
  while (most > 0 && total > most) {
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].shrinks_to == 0 || out[i] <= columns_[i].shrinks_to) continue;
      if (widest == columns_.size() || out[i] > out[widest]) widest = i;
    }
    if (widest == columns_.size()) break;
    --out[widest];
    --total;
  }
  return out;
}

std::vector<std::string> Table::lines(Look look) const {
  const std::vector<std::size_t> width = widths(look.columns);
  const auto line_of = [&](auto&& cell_at) {
    std::string line;
    std::size_t blanks = 0;  // owed before the next text
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Cell cell = cell_at(i);
      const std::string text = cut_to_width(cell.text, width[i]);
      const std::size_t room = width[i] - std::min(width[i], text_width(text));
      if (columns_[i].right) blanks += room;
      if (!text.empty()) {
        line.append(blanks, ' ');
        blanks = 0;
        line += paint(text, cell.colour, look.colours);
      }
      if (!columns_[i].right) blanks += room;
      blanks += kGap;
    }
    return line;
  };
  std::vector<std::string> out;
  out.push_back(line_of([&](std::size_t i) { return Cell{columns_[i].title, Colour::Bold}; }));
  for (const auto& row : rows_) out.push_back(line_of([&](std::size_t i) { return row[i]; }));
  return out;
}

std::string Table::render(Look look) const {
  std::string out;
  for (const std::string& line : lines(look)) {
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace stoker::cli
