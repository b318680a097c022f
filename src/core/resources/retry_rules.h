#pragma once
// retryStrategy and timeout, of a definition or of a submission (aws-batch.md 2.8, 4.5 and 4.6).
#include <optional>
#include <string_view>

#include "base/result.h"
#include "core/model/definition.h"
#include "json/json.h"

namespace stoker::core {

// `holder` has the members retryStrategy and timeout, or lacks them.
Result<void> check_retry(const json::Value& holder);
Result<void> check_timeout(const json::Value& holder);
// Nothing when the member is absent.
std::optional<RetryStrategy> read_retry(const json::Value& holder);
std::optional<Duration> read_timeout(const json::Value& holder);

}  // namespace stoker::core
