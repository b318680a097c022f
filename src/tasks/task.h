#pragma once
// A task of a workflow that something outside of this server does, and what became of it.
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aws/sigv4.h"
#include "base/time.h"
#include "json/json.h"
#include "net/http.h"
#include "tasks/connections.h"

namespace stoker::tasks {

// Of an answer, before it becomes an output; the bound of the States Language. More is
// States.DataLimitExceeded.
inline constexpr std::size_t kAnswerBytesMax = 262'144;

struct TaskRequest {
  std::string token;        // names this try of the task for ever; a secret
  std::string resource;     // the whole ARN
  json::Shared parameters;  // effective
};

struct TaskFailure {
  std::string error;
  std::string cause;
  // The parameters have the wrong shape: no failure of the work, but of the definition. The cause is the
  // sentence "The Parameters '...' could not be used to start the Task: [...]".
  bool wrong_parameters = false;
  bool operator==(const TaskFailure&) const = default;
};
using TaskResult = std::expected<json::Value, TaskFailure>;

struct TaskOutcome {
  std::string token;
  TaskResult result;
};

// An endpoint that speaks an API of AWS. No credentials: requests are not signed.
struct Endpoint {
  std::string url{};  // "http://127.0.0.1:9000"; "" = there is none
  std::string region = "us-east-1";
  std::optional<aws::Credentials> credentials{};
};

struct HttpOptions {
  // Hosts that http:invoke may call: "api.example.com", "10.0.0.1:8443", "*.example.com". None: no host at
  // all.
  std::vector<std::string> hosts{};
  bool plain = false;  // also http://, which AWS does not allow
  Connections connections{};
  std::shared_ptr<TokenCache> tokens = std::make_shared<TokenCache>();  // of those with OAuth
  Duration timeout = seconds(60);
};

struct Options {
  int workers = 16;                          // tasks at a time
  std::size_t waiting_max = 100'000;         // further ones fail at once
  Duration retry_delay = milliseconds(200);  // before the second try, doubled before each further one
  Endpoint lambda{};
  Duration lambda_timeout = minutes(15);
  HttpOptions http{};
  Endpoint s3{};
  Duration s3_timeout = seconds(60);
  // Buckets that are directories of this machine, by name. They come before the endpoint.
  std::map<std::string, std::string, std::less<>> directories{};
  std::string account = "000000000000";  // whom these directories belong to
  std::optional<std::string> ca_file{};
};

}  // namespace stoker::tasks
