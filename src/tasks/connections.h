#pragma once
// Connections of http:invoke: what is added to a request so that its receiver lets us in, and more. They are
// read from a file that only its owner may read, in the shape of EventBridge's CreateConnection. Nothing of
// their values ever stands in an error or a log.
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "net/http.h"

namespace stoker::tasks {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// HttpParameters of a connection.
struct HttpParts {
  std::vector<net::Header> headers{};
  Pairs query{};
  Pairs body{};
  bool operator==(const HttpParts&) const = default;
};

// OAUTH_CLIENT_CREDENTIALS: a token from an authorization server, asked for when it is needed.
struct OAuth {
  std::string endpoint{};
  std::string method = "POST";
  std::string client_id{}, client_secret{};
  HttpParts more{};  // of the request for the token
  bool operator==(const OAuth&) const = default;
};

struct Connection {
  HttpParts parts{};  // API_KEY and BASIC are headers of these
  std::optional<OAuth> oauth{};
  bool operator==(const Connection&) const = default;
};
using Connections = std::map<std::string, Connection, std::less<>>;  // by name

// {"Connections": [{"Name", "AuthorizationType", "AuthParameters"}]}, or that list alone. InvalidArgument
// names the connection and the member.
Result<Connections> read_connections(std::string_view text);
// InvalidArgument when others than the owner may read it.
Result<Connections> load_connections(const std::string& file);

// The one that an ARN ("arn:aws:events:REGION:ACCOUNT:connection/NAME/ID") or a name means; null: none.
const Connection* find_connection(const Connections& connections, std::string_view named);

// Tokens that are still good, shared by all workers.
class TokenCache {
 public:
  [[nodiscard]] std::optional<std::string> get(const std::string& connection, Instant now);
  void put(const std::string& connection, std::string token, Instant until);
  void drop(const std::string& connection, const std::string& token);  // the receiver did not take it

 private:
  struct Token {
    std::string text;
    Instant until;
  };
  std::mutex mutex_;
  std::map<std::string, Token> tokens_;
};

}  // namespace stoker::tasks
