#include "tasks/lambda.h"

#include "base/text.h"
#include "rt/clock.h"
#include "tasks/answer.h"
#include "tasks/idempotency.h"
#include "tasks/parameters.h"
#include "tasks/url.h"

namespace stoker::tasks {
namespace {

constexpr ServiceName kLambda = {.prefix = "Lambda", .type = "lambda"};

struct Invocation {
  FunctionName function;
  std::string payload;
  std::vector<net::Header> headers;
};

net::Request to_request(const Invocation& invocation, const TaskRequest& task, const Endpoint& endpoint) {
  net::Request out{.method = "POST",
                   .target = path_of(endpoint.url) + "/2015-03-31/functions/" +
                             percent_encode(invocation.function.name) + "/invocations",
                   .headers = invocation.headers,
                   .body = invocation.payload};
  if (!invocation.function.qualifier.empty())
    out.target += "?Qualifier=" + percent_encode(invocation.function.qualifier);
  out.headers.push_back({"Host", host_of(endpoint.url)});
  out.headers.push_back({"Content-Type", "application/json"});
  out.headers.push_back(idempotency_key(task.token));
  if (endpoint.credentials)
    aws::sign(out, *endpoint.credentials, {.region = endpoint.region, .service = "lambda"}, rt::now());
  return out;
}

// The function ran and failed: its error type is the error, all it says the cause.
TaskFailure function_failure(const net::Response& response) {
  const std::string body = to_valid_utf8(response.body);
  const json::Value payload = payload_of(body);
  const std::string_view type = json::get_string(payload, "errorType");
  if (!type.empty()) return {.error = std::string(type), .cause = body};
  return {.error = "Lambda.Unknown",
          .cause =
              "The cause could not be determined because Lambda did not return an error type. Returned "
              "payload: " +
              body};
}

// The API refused.
TaskFailure api_failure(const net::Response& response) {
  const json::Value body = payload_of(response.body);
  std::string code = to_valid_utf8(response.header("x-amzn-ErrorType"));
  if (code.empty()) code = json::get_string(body, "__type");
  code.resize(std::min(code.find(':'), code.size()));  // "Name:http://..."
  if (const auto hash = code.rfind('#'); hash != std::string::npos) code.erase(0, hash + 1);
  if (code.empty()) code = response.status >= 500 ? "ServiceException" : "AWSLambdaException";
  std::string_view message = json::get_string(body, "Message");
  if (message.empty()) message = json::get_string(body, "message");
  return {.error = "Lambda." + code,
          .cause = std::string(message) +
                   " (Service: AWSLambda; Status Code: " + std::to_string(response.status) +
                   "; Error Code: " + code + "; Request ID: " + request_id_of(response) + "; Proxy: null)"};
}

std::expected<net::Response, TaskFailure> invoke(const Invocation& invocation, const TaskRequest& task,
                                                 const Options& options, Caller& caller,
                                                 const ServiceName& service) {
  if (options.lambda.url.empty())
    return std::unexpected(TaskFailure{.error = "Lambda.SdkClientException",
                                       .cause = "No endpoint for functions is configured on this server"});
  auto response =
      caller.send({.base = origin_of(options.lambda.url), .timeout = options.lambda_timeout, .request = [&] {
                     return to_request(invocation, task, options.lambda);
                   }});
  if (!response) return std::unexpected(transport_failure(service, response.error()));
  if (response->status >= 300) return std::unexpected(api_failure(*response));
  if (!response->header("X-Amz-Function-Error").empty()) return std::unexpected(function_failure(*response));
  return *std::move(response);
}

}  // namespace

FunctionName read_function_name(std::string_view text) {
  constexpr std::string_view kMark = "function:";
  if (const auto at = text.find(kMark); at != std::string_view::npos) text.remove_prefix(at + kMark.size());
  const std::size_t colon = std::min(text.find(':'), text.size());
  return {.name = std::string(text.substr(0, colon)),
          .qualifier = std::string(text.substr(std::min(colon + 1, text.size())))};
}

TaskResult invoke_function(const TaskRequest& request, const Options& options, Caller& caller) {
  Parameters parameters(*request.parameters);
  Invocation invocation;
  invocation.function = read_function_name(parameters.text("FunctionName", Parameters::Need::Required));
  const std::string qualifier = parameters.text("Qualifier");
  if (!qualifier.empty()) invocation.function.qualifier = qualifier;
  const json::Value* payload = parameters.any("Payload");
  invocation.payload = payload != nullptr ? json::write(*payload) : "{}";
  const auto add_header = [&](std::string_view name, std::string_view parameter) {
    const std::string value = parameters.text(parameter);
    if (!value.empty()) invocation.headers.push_back({std::string(name), value});
  };
  add_header("X-Amz-Invocation-Type", "InvocationType");
  add_header("X-Amz-Client-Context", "ClientContext");
  add_header("X-Amz-Log-Type", "LogType");
  parameters.refuse_others();
  if (!parameters.ok()) return std::unexpected(parameters.failure());

  auto response = invoke(invocation, request, options, caller, kLambda);
  if (!response) return std::unexpected(std::move(response).error());
  const std::string_view version = response->header("X-Amz-Executed-Version");
  json::Object out;
  out["ExecutedVersion"] = version.empty() ? "$LATEST" : to_valid_utf8(version);
  if (!response->header("X-Amz-Log-Result").empty())
    out["LogResult"] = to_valid_utf8(response->header("X-Amz-Log-Result"));
  if (!response->body.empty()) out["Payload"] = payload_of(response->body);
  out["SdkHttpMetadata"] = sdk_http_metadata(*response);
  out["SdkResponseMetadata"] = json::Object{{"RequestId", request_id_of(*response)}};
  out["StatusCode"] = response->status;
  return json::Value(std::move(out));
}

TaskResult call_function(const TaskRequest& request, const Options& options, Caller& caller) {
  const Invocation invocation{.function = read_function_name(request.resource),
                              .payload = json::write(*request.parameters),
                              .headers = {}};
  auto response =
      invoke(invocation, request, options, caller, {.prefix = "Lambda", .type = request.resource});
  if (!response) return std::unexpected(std::move(response).error());
  return response->body.empty() ? json::Value() : payload_of(response->body);
}

}  // namespace stoker::tasks
