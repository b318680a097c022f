#pragma once
// Time, random bits and new ids, as the operating system gives them. The one source of them in the program;
// core never asks, its callers pass them in.
#include <cstdint>

#include "base/ids.h"
#include "base/time.h"

namespace stoker::rt {
Instant now();                 // the wall clock
std::uint64_t monotonic_us();  // microseconds of a clock that never jumps: for measuring, never for records
// 64 random bits of the kernel, fit for secrets. Fetched in batches per thread, so a call costs nanoseconds.
std::uint64_t entropy();
Uuid new_uuid();
}  // namespace stoker::rt
