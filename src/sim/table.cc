#include "sim/table.h"

#include <algorithm>

#include <zlib.h>

#include "base/text.h"
#include "rt/file.h"

namespace stoker::sim {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header

// One cell from the start of `line`, which loses it and the comma after it; `more`: there was a comma. What
// is not plain text of the line is kept in `made`.
Result<std::string_view> take_cell(std::string_view& line, bool& more, std::deque<std::string>& made) {
  if (!line.starts_with('"')) {
    const std::size_t end = line.find(',');
    const std::string_view cell = line.substr(0, end);
    more = end != std::string_view::npos;
    line.remove_prefix(more ? end + 1 : line.size());
    return cell;
  }
  std::string cell;
  bool quoted = false;
  more = false;
  std::size_t i = 0;
  for (; i < line.size() && !more; ++i) {
    const char c = line[i];
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        cell += c;
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"' && cell.empty()) {
      quoted = true;
    } else if (c == ',') {
      more = true;
    } else {
      cell += c;
    }
  }
  if (quoted) return fail(Code::InvalidArgument, "a quoted cell does not end");
  line.remove_prefix(i);
  return made.emplace_back(std::move(cell));
}

}  // namespace

Result<std::string> unpack_gzip(std::string_view packed, std::size_t bytes_max) {
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

Result<std::string> read_text(const std::string& path, std::size_t bytes_max) {
  auto bytes = rt::read_file(path, bytes_max);
  if (!bytes || !path.ends_with(".gz")) return bytes;
  auto text = unpack_gzip(*bytes, bytes_max);
  if (!text) return std::unexpected(std::move(text).error().within(path));
  return text;
}

std::optional<std::string_view> take_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Result<Table> Table::parse(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as spreadsheets write it
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Table table;
  for (std::size_t number = 1; auto line = take_line(text); ++number) {
    if (line->empty()) continue;
    if (auto added = table.add_line(*line); !added)
      return std::unexpected(std::move(added).error().within("line " + std::to_string(number)));
  }
  if (table.header_.empty()) return fail(Code::InvalidArgument, "the table has no header line");
  return table;
}

Result<void> Table::add_line(std::string_view line) {
  std::vector<std::string_view>& cells = header_.empty() ? header_ : cells_;
  const std::size_t first = cells.size();
  for (bool more = true; more;) {
    if (cells.size() - first == kColumnsMax) return fail(Code::LimitExceeded, "too many columns");
    if (cells.size() == kCellsMax) return fail(Code::LimitExceeded, "too many cells before it");
    const std::string_view cell = TRY(take_cell(line, more, made_));
    cells.push_back(cell);
  }
  if (&cells == &cells_) ends_.push_back(cells_.size());
  return {};
}

std::optional<std::size_t> Table::column(std::string_view name) const {
  const auto found = std::ranges::find(header_, name);
  if (found == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header_.begin());
}

std::string_view Table::cell(std::size_t row, std::size_t column) const {
  const std::size_t at = (row == 0 ? 0 : ends_[row - 1]) + column;
  return at < ends_[row] ? cells_[at] : std::string_view();
}

Result<std::size_t> Table::need_column(std::string_view name) const {
  if (const auto found = column(name)) return *found;
  return fail(Code::InvalidArgument, "there is no column " + std::string(name));
}

Result<std::int64_t> Table::whole(std::size_t row, std::size_t column, std::int64_t least,
                                  std::int64_t most) const {
  const auto number = parse_int(cell(row, column));
  if (number && *number >= least && *number <= most) return *number;
  return fail(Code::InvalidArgument, "row " + std::to_string(row + 1) + ", column " +
                                         std::string(header_[column]) + ": expected a whole number from " +
                                         std::to_string(least) + " to " + std::to_string(most) + ", not '" +
                                         std::string(cell(row, column)) + "'");
}

}  // namespace stoker::sim
