#pragma once
// Whether a failed attempt is tried again (AWS Batch User Guide, automated job retries; evaluateOnExit).
#include "core/model/definition.h"
#include "core/model/job.h"

namespace stoker::core {

// What the first rule that matches says about a lost attempt; true when none matches.
bool may_run_again(const RetryStrategy& strategy, const Attempt& attempt);

// True: another attempt is allowed by the count and by the first rule that matches all its conditions (no
// match: retry). A condition is a pattern in which '*' stands for anything; what the attempt lacks counts as
// "".
bool should_retry(const RetryStrategy& strategy, int attempts_counted, const Attempt& attempt);

}  // namespace stoker::core
