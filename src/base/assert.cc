#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace stoker {
void assertion_failed(std::string_view condition, std::string_view file, int line, std::string_view message) {
  std::fprintf(stderr, "assertion failed: %.*s at %.*s:%d %.*s\n", static_cast<int>(condition.size()),
               condition.data(), static_cast<int>(file.size()), file.data(), line,
               static_cast<int>(message.size()), message.data());
  std::abort();
}
}  // namespace stoker
