#include "cli/exit.h"

namespace stoker::cli {

int exit_status(const Error& error) {
  switch (error.code) {
    case Code::InvalidArgument:
      return kUsage;
    case Code::NotFound:
      return kNotFound;
    case Code::Unavailable:
      return kNoServer;
    case Code::Io:
      return kFailed;
    default:
      return kRefused;
  }
}

}  // namespace stoker::cli
