#include "cli/live_region.h"

#include <utility>

namespace stoker::cli {

// No cursor, and no line that wraps when the terminal becomes narrower.
LiveRegion::LiveRegion(Stream& out) : out_(out) {
  out_.write("\x1b[?25l\x1b[?7l");
}

LiveRegion::~LiveRegion() {
  out_.write("\x1b[?7h\x1b[?25h");
}

std::string LiveRegion::to_top() const {
  return lines_.empty() ? "\r" : "\r\x1b[" + std::to_string(lines_.size()) + "A";
}

void LiveRegion::draw(const std::vector<std::string>& lines) {
  std::string text = to_top();
  for (const std::string& line : lines) text += line + "\x1b[K\n";
  out_.write(text + "\x1b[J");
  lines_ = lines;
}

void LiveRegion::say(std::string_view line) {
  out_.write(to_top() + "\x1b[J" + std::string(line) + "\n");
  const auto again = std::exchange(lines_, {});
  draw(again);
}

}  // namespace stoker::cli
