#include "sim/table.h"

#include <algorithm>

#include <zlib.h>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::sim {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header

Result<std::string> unpack(std::string_view packed, std::size_t bytes_max) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return fail(Code::Internal, "zlib does not start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int status = Z_OK;
  while (status == Z_OK && text.size() <= bytes_max) {
    const std::size_t done = text.size();
    text.resize(done + (1U << 20));
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + done);
    stream.avail_out = 1U << 20;
    status = inflate(&stream, Z_NO_FLUSH);
    text.resize(text.size() - stream.avail_out);
    if (status == Z_OK && stream.avail_in == 0 && stream.avail_out != 0) status = Z_BUF_ERROR;
  }
  inflateEnd(&stream);
  if (text.size() > bytes_max)
    return fail(Code::LimitExceeded, "it has more than " + std::to_string(bytes_max) + " bytes");
  if (status != Z_STREAM_END) return fail(Code::InvalidArgument, "it is damaged, or no gzip file");
  return text;
}

Result<std::vector<std::string>> parse_line(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted) {
      if (c != '"') {
        cells.back() += c;
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += c;
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"' && cells.back().empty()) {
      quoted = true;
    } else if (c == ',') {
      if (cells.size() == kColumnsMax) return fail(Code::LimitExceeded, "too many columns");
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  if (quoted) return fail(Code::InvalidArgument, "a quoted cell does not end");
  return cells;
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::size_t bytes_max) {
  auto bytes = rt::read_file(path, bytes_max);
  if (!bytes || !path.ends_with(".gz")) return bytes;
  auto text = unpack(*bytes, bytes_max);
  if (!text) return std::unexpected(std::move(text).error().within(path));
  return text;
}

Result<Table> Table::parse(std::string_view text) {
  Table table;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    auto cells = parse_line(line);
    if (!cells) return std::unexpected(std::move(cells).error().within("line " + std::to_string(number)));
    if (table.header_.empty())
      table.header_ = *std::move(cells);
    else
      table.rows_.push_back(*std::move(cells));
  }
  if (table.header_.empty()) return fail(Code::InvalidArgument, "the table has no header line");
  return table;
}

std::optional<std::size_t> Table::column(std::string_view name) const {
  const auto found = std::ranges::find(header_, name);
  if (found == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header_.begin());
}

std::string_view Table::cell(std::size_t row, std::size_t column) const {
  return column < rows_[row].size() ? std::string_view(rows_[row][column]) : std::string_view();
}

Result<std::size_t> Table::need_column(std::string_view name) const {
  if (const auto found = column(name)) return *found;
  return fail(Code::InvalidArgument, "there is no column " + std::string(name));
}

Result<std::int64_t> Table::whole(std::size_t row, std::size_t column, std::int64_t least,
                                  std::int64_t most) const {
  const auto number = parse_int(cell(row, column));
  if (number && *number >= least && *number <= most) return *number;
  return fail(Code::InvalidArgument, "row " + std::to_string(row + 1) + ", column " + header_[column] +
                                         ": expected a whole number from " + std::to_string(least) + " to " +
                                         std::to_string(most) + ", not '" + std::string(cell(row, column)) +
                                         "'");
}

}  // namespace stoker::sim
