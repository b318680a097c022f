#pragma once
// What AWS's optimized integrations add to an API's answer: SdkHttpMetadata and SdkResponseMetadata.
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "json/json.h"

namespace stoker::core {

// Adds both to `answer`, whose JSON text had `bytes` bytes on the wire.
void add_sdk_metadata(json::Object& answer, const Uuid& request, Instant now, std::size_t bytes,
                      std::string_view content_type);

// "MSG (Service: AWSStepFunctions; Status Code: 400; Error Code: NAME; Request ID: ID; Proxy: null)"
std::string sdk_cause(std::string_view message, std::string_view service, int status, std::string_view name,
                      const Uuid& request);

// "Mon, 30 Nov 2026 16:55:25 GMT"
std::string http_date(Instant at);

}  // namespace stoker::core
