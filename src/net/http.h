#pragma once
// HTTP in plain types. The server runs on its own I/O threads and calls the handler there; the handler
// answers through `Reply`, from any thread, now or later. Nothing of Asio, Beast, OpenSSL or curl shows here.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace stoker::net {

struct Header {
  std::string name{};
  std::string value{};
  bool operator==(const Header&) const = default;
};

struct Request {
  std::string method{};  // "POST"
  std::string target{};  // raw, with the query: "/v1/tags/arn%3Aaws?tagKeys=a"
  std::vector<Header> headers{};
  std::string body{};

  // The first header of that name in any case, "" when absent.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::vector<Header>
      headers{};  // Content-Length, Date and Connection are added; "Connection: close" is obeyed
  std::string body{};

  // The first header of that name in any case, "" when absent.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

// Call once, from any thread. Dropping it unanswered closes the connection. An answer after the connection or
// the server has gone is harmless.
using Reply = std::move_only_function<void(Response)>;

// One WebSocket connection. Methods may be called from any thread. A peer that is silent for kSilenceMax is
// asked for a sign of life and then closed.
class WebSocket {
 public:
  virtual ~WebSocket() = default;
  enum class Kind { Text, Binary };
  // Queued and sent in order. False when the connection is closed or more than kQueuedBytesMax wait to be
  // sent.
  virtual bool send(Kind kind, std::string message) = 0;
  // What was queued is still sent; on_close tells the end.
  virtual void close() = 0;
  static constexpr std::size_t kQueuedBytesMax = 64u << 20;
  static constexpr std::size_t kMessageBytesMax = 64u << 20;  // received; a larger one closes the connection
  static constexpr Duration kSilenceMax = seconds(30);
};

struct WebSocketEvents {
  // Called on an I/O thread, one at a time and in order; on_close exactly once, last.
  std::function<void(WebSocket::Kind, std::string)> on_message{};
  std::function<void()> on_close{};
};

struct TlsFiles {
  std::string certificate_file{};  // PEM chain
  std::string key_file{};          // PEM
};

struct ServerOptions {
  // "127.0.0.1:7790", "[::1]:0" or "unix:/path"; port 0 takes a free one. A Unix socket is made with mode
  // 0600, replaces one that nobody listens to any more, and goes with the server.
  std::string listen{};
  std::optional<TlsFiles> tls{};
  int threads = 1;
  std::size_t body_bytes_max = 4u << 20;  // larger: 413 in the shape `oversize_response` gives
  std::size_t header_bytes_max = 64u << 10;
  std::size_t connections_max = 4096;  // further ones wait in the listen backlog
  Duration idle_timeout = minutes(5);  // between requests; also for the bytes of one request
};

// All are called on I/O threads (with threads > 1 at the same time) and must not block: every connection of
// the thread waits meanwhile.
struct ServerHandlers {
  std::function<void(Request, Reply)> on_request{};
  // A request to upgrade. Return the events to accept it, nothing to answer 404. `socket` stays usable until
  // on_close; what is sent before the handshake is done waits for it.
  std::function<std::optional<WebSocketEvents>(const Request&, std::shared_ptr<WebSocket> socket)>
      on_websocket{};
  // The answer to bytes that are no HTTP request (status 400) or too large (413, 431), and to a refused
  // upgrade (404): the caller's error shape. The connection is closed after it.
  std::function<Response(int status, std::string_view why)> malformed{};
};

class Server {
 public:
  // Binds and starts to accept. Io when the address cannot be bound, InvalidArgument when it is none.
  static Result<std::unique_ptr<Server>> start(ServerOptions options, ServerHandlers handlers);
  // Stops accepting, closes all connections (WebSockets get their on_close), joins. Not from a handler.
  virtual ~Server() = default;
  [[nodiscard]] virtual std::string address() const = 0;  // "127.0.0.1:41234" with the real port
};

// ---- client ----

struct ClientOptions {
  std::string base{};  // "http://127.0.0.1:7790", "https://host:port" or "unix:/run/podman/podman.sock"
  Duration connect_timeout = seconds(5);
  Duration timeout = minutes(1);  // for a whole exchange; zero: none (streams)
  std::optional<std::string> ca_file{};
  std::size_t response_bytes_max = 256u << 20;  // of a body that send() returns; larger: LimitExceeded
};

// Blocking, keeps its connection alive between calls. One thread at a time.
class Client {
 public:
  static std::unique_ptr<Client> create(ClientOptions options);
  virtual ~Client() = default;
  // Unavailable when there was no answer at all; any HTTP status is an answer.
  virtual Result<Response> send(const Request& request) = 0;
  // The body in pieces as it arrives; on_data returns false to stop early (then the result is what came so
  // far). The Response has an empty body.
  virtual Result<Response> stream(const Request& request,
                                  const std::function<bool(std::string_view)>& on_data) = 0;
  // Whether any byte of the last request left this machine. If not, repeating it is safe, whatever it asks
  // for.
  [[nodiscard]] virtual bool sent_anything() const = 0;
  // May be called from another thread: makes the running send or stream, or else the next one, return
  // Unavailable at once (so it cannot come too early by a hair and be lost).
  virtual void interrupt() = 0;
};

// Connects to a WebSocket, blocking until it is open: "ws://host:port/path", "wss://..." or
// "unix:/path:/url/path". Events may come before it returns. Dropping the last pointer to the result closes
// the connection at once; when that is done from outside of the events, none runs any more afterwards.
struct WebSocketOptions {
  std::string url{};
  std::vector<Header> headers{};
  std::optional<std::string> ca_file{};
  Duration connect_timeout = seconds(5);
};
// Unavailable when there is no connection in time or the peer refuses it (the text has the HTTP status).
Result<std::shared_ptr<WebSocket>> connect_websocket(WebSocketOptions options, WebSocketEvents events);

}  // namespace stoker::net
