#pragma once
// The server as the commands see it: operations by name, JSON in, JSON out.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"
#include "json/json.h"
#include "net/http.h"

namespace stoker::cli {

inline constexpr std::string_view kDefaultAddress = "http://127.0.0.1:7790";

// Where the server is: the option, else AWS_ENDPOINT_URL_BATCH, AWS_ENDPOINT_URL, STOKER_SERVER, else
// kDefaultAddress. "HOST:PORT" means http. InvalidArgument for what is no address.
Result<std::string> server_address(const Context& context, std::string_view option);

// What the server calls the errors that a command does something about.
inline constexpr std::array<std::string_view, 3> kErrorNames = {"StateMachineAlreadyExists",
                                                                "InvalidDefinition", "ExecutionDoesNotExist"};

// One connection. Errors: Unavailable when no server answered, NotFound never (see find_job.h), every "no" of
// the server as Conflict with its text, its own faults as Internal. Error::name is set where it is one of
// kErrorNames.
class Api {
 public:
  static Result<Api> connect(const Context& context, std::string_view server_option);

  // "SubmitJob", "DescribeJobs", ... of AWS Batch.
  Result<json::Value> batch(std::string_view operation, const json::Value& input);
  // "GetLogEvents", ... of CloudWatch Logs.
  Result<json::Value> logs(std::string_view operation, const json::Value& input);
  // "StartExecution", "GetExecutionHistory", ... of Step Functions.
  Result<json::Value> states(std::string_view operation, const json::Value& input);
  // "Explain", "ListNodes", ... of stoker itself.
  Result<json::Value> own(std::string_view operation, const json::Value& input);

  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  Api(const Context& context, std::string address, std::unique_ptr<net::Client> client)
      : context_(&context), address_(std::move(address)), client_(std::move(client)) {}
  Result<json::Value> exchange(net::Request request, std::string_view service);

  const Context* context_;  // outlives the connection
  std::string address_;
  std::unique_ptr<net::Client> client_;
};

}  // namespace stoker::cli
