#pragma once
// The last lines of a terminal, drawn again and again, while what is said meanwhile scrolls by above them.
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"

namespace stoker::cli {

class LiveRegion {
 public:
  // `out` is a terminal and outlives this.
  explicit LiveRegion(Stream& out);
  // What was drawn last stays.
  ~LiveRegion();
  LiveRegion(const LiveRegion&) = delete;
  LiveRegion& operator=(const LiveRegion&) = delete;

  // Lines that fit the terminal, fewer than it has rows: what has left the screen cannot be drawn over.
  void draw(const std::vector<std::string>& lines);
  void say(std::string_view line);

 private:
  [[nodiscard]] std::string to_top() const;

  Stream& out_;
  std::vector<std::string> lines_;
};

}  // namespace stoker::cli
