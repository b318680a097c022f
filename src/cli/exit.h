#pragma once
// The exit statuses of the command. Scripts rely on them: they only ever grow.
#include "base/result.h"

namespace stoker::cli {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;    // also: the job failed without an exit status of its own
inline constexpr int kUsage = 2;     // the command line makes no sense
inline constexpr int kNoServer = 3;  // no server answered
inline constexpr int kNotFound = 4;  // no such job
inline constexpr int kRefused = 5;   // the server said no
inline constexpr int kInterrupted = 130;

// NotFound, InvalidArgument (of the command line), Unavailable and Io have their own; every other error came
// from the server.
int exit_status(const Error& error);

}  // namespace stoker::cli
