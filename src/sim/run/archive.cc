#include "sim/run/archive.h"

#include "sim/table.h"

namespace stoker::sim {
namespace {

constexpr std::size_t kBlock = 512;

std::string_view until_zero(std::string_view field) {
  return field.substr(0, field.find('\0'));
}

// Octal digits with spaces or zeros around them.
std::optional<std::size_t> octal(std::string_view field) {
  std::size_t value = 0;
  bool any = false;
  for (const char c : until_zero(field)) {
    if (c == ' ') continue;
    if (c < '0' || c > '7' || value > (std::size_t{1} << 56)) return std::nullopt;
    value = value * 8 + static_cast<std::size_t>(c - '0');
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

std::string_view bare(std::string_view name) {
  if (name.starts_with("./")) name.remove_prefix(2);
  return name;
}

}  // namespace

Result<std::string> file_of_tar(std::string_view archive, std::string_view name) {
  for (std::size_t at = 0; at + kBlock <= archive.size();) {
    const std::string_view header = archive.substr(at, kBlock);
    if (header.find_first_not_of('\0') == std::string_view::npos) break;  // the end
    const auto size = octal(header.substr(124, 12));
    if (!size || *size > archive.size() - at - kBlock)
      return fail(Code::InvalidArgument, "it is no tar archive, or damaged");
    const char type = header[156];
    const bool plain = type == '0' || type == '\0';
    if (plain && bare(until_zero(header.substr(0, 100))) == bare(name))
      return std::string(archive.substr(at + kBlock, *size));
    at += kBlock + (*size + kBlock - 1) / kBlock * kBlock;
  }
  return fail(Code::NotFound, "the archive has no file " + std::string(name));
}

Result<std::string> read_trace_text(const std::string& path) {
  const std::size_t colon = path.find(".tar.gz:");
  if (colon == std::string::npos) return read_text(path);
  const std::string archive = path.substr(0, colon + 7);
  const std::string text = TRY(read_text(archive));
  auto file = file_of_tar(text, path.substr(colon + 8));
  if (!file) return std::unexpected(std::move(file).error().within(archive));
  return file;
}

}  // namespace stoker::sim
