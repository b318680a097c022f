#include "tasks/answer.h"

#include "base/text.h"

namespace stoker::tasks {

TaskFailure too_large(std::string_view type) {
  return {.error = "States.DataLimitExceeded",
          .cause = "The state/task '" + std::string(type) +
                   "' returned a result with a size exceeding the maximum number of bytes service limit."};
}

TaskFailure transport_failure(const ServiceName& service, const Error& error) {
  if (error.code == Code::LimitExceeded) return too_large(service.type);
  return {.error = std::string(service.prefix) + ".SdkClientException",
          .cause = "Unable to execute HTTP request: " + error.message};
}

json::Value sdk_http_metadata(const net::Response& response) {
  json::Object all, single;
  for (const net::Header& header : response.headers) {
    const std::string value = to_valid_utf8(header.value);
    json::Value& values = all[to_valid_utf8(header.name)];
    if (!values.is_array()) values = json::Array();
    values.get_array().emplace_back(value);
    single[to_valid_utf8(header.name)] = value;
  }
  json::Object out;
  out["AllHttpHeaders"] = std::move(all);
  out["HttpHeaders"] = std::move(single);
  out["HttpStatusCode"] = response.status;
  return out;
}

std::string request_id_of(const net::Response& response) {
  for (const std::string_view name : {"x-amzn-RequestId", "x-amz-request-id", "x-amzn-request-id"})
    if (!response.header(name).empty()) return to_valid_utf8(response.header(name));
  return {};
}

json::Value payload_of(std::string_view body) {
  auto value = json::parse(body);
  return value ? *std::move(value) : json::Value(to_valid_utf8(body));
}

}  // namespace stoker::tasks
