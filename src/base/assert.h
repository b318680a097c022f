#pragma once
// ASSERT(condition, message): a bug of ours ends the process, in every build. Never for input of a user.
// A restart loads the records, so stopping is safer than going on with a broken state.
#include <string_view>

namespace stoker {
[[noreturn]] void assertion_failed(std::string_view condition, std::string_view file, int line,
                                   std::string_view message);
}  // namespace stoker

#define ASSERT(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition)) [[unlikely]]                                                                 \
      ::stoker::assertion_failed(#condition, __FILE__, __LINE__, ::std::string_view{__VA_ARGS__}); \
  } while (false)
