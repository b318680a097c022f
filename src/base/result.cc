#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace stoker {
std::unexpected<Error> fail_errno(const std::string& doing) {
  return fail(Code::Io, doing + ": " + std::generic_category().message(errno));
}
}  // namespace stoker
