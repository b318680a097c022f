#pragma once
// What the integrations share when they read an answer.
#include <string>
#include <string_view>

#include "tasks/task.h"

namespace stoker::tasks {

// The names of an integration in error texts: the optimized ones speak as version 1 of the SDK did.
struct ServiceName {
  std::string_view prefix;  // "Lambda", "S3": before the dot of error names
  std::string_view type;    // "lambda", "aws-sdk:s3": what a result that is too large is called
};

// "Lambda.SdkClientException" or, for an answer that is too large, States.DataLimitExceeded.
TaskFailure transport_failure(const ServiceName& service, const Error& error);
TaskFailure too_large(std::string_view type);

// {"AllHttpHeaders": {...: [...]}, "HttpHeaders": {...}, "HttpStatusCode": 200}
json::Value sdk_http_metadata(const net::Response& response);
std::string request_id_of(const net::Response& response);

// The body as JSON where it is that, else as a text.
json::Value payload_of(std::string_view body);

}  // namespace stoker::tasks
