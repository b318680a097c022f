// connect_websocket of http.h: each connection has a small loop and thread of its own.
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>

#include "net/address.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/websocket_session.h"

namespace stoker::net {
namespace {

constexpr Duration kTick = seconds(1);

struct Url {
  Address address;
  bool tls = false;
  std::string host;    // of the Host header
  std::string target;  // "/path?query"
};

Result<Url> parse_url(const std::string& text) {
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("unix:")) {
    const auto end = rest.find(":/", 6);
    url.target = end == std::string_view::npos ? "/" : std::string(rest.substr(end + 1));
    url.address = TRY(parse_address(rest.substr(0, end)));
    url.host = "localhost";
    return url;
  }
  url.tls = rest.starts_with("wss://");
  if (!url.tls && !rest.starts_with("ws://"))
    return fail(Code::InvalidArgument,
                "'" + text + "' is no URL of a WebSocket: ws://, wss:// or unix:/ is wanted");
  rest.remove_prefix(url.tls ? 6 : 5);
  const auto slash = rest.find_first_of("/?");
  url.host = std::string(rest.substr(0, slash));
  if (slash != std::string_view::npos) url.target = std::string(rest.substr(slash));
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  std::string with_port = url.host;
  const auto colon = with_port.rfind(':');
  const auto bracket = with_port.rfind(']');
  const bool has_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  if (!has_port) with_port += url.tls ? ":443" : ":80";
  url.address = TRY(parse_address(with_port));
  return url;
}

Result<asio::ssl::context> make_tls(const WebSocketOptions& options) {
  asio::ssl::context context(asio::ssl::context::tls_client);
  boost::system::error_code error;
  context.set_verify_mode(asio::ssl::verify_peer, error);
  if (options.ca_file) {
    context.load_verify_file(*options.ca_file, error);
    if (error) return fail(Code::Io, "reading the authorities " + *options.ca_file + ": " + error.message());
  } else {
    context.set_default_verify_paths(error);
  }
  return context;
}

class ClientWebSocket final : public WebSocket {
 public:
  ClientWebSocket() : loop_(std::make_unique<Loop>("net-websocket", kTick)) {
    queue_ = std::make_shared<SendQueue>(loop_->mailbox(), id_);
    loop_->start();
  }
  ~ClientWebSocket() override {
    if (!loop_->on_own_thread()) return;
    // Dropped inside an event: a loop cannot wait for itself.
    std::thread([loop = std::move(loop_)] {}).detach();
  }
  ClientWebSocket(const ClientWebSocket&) = delete;
  ClientWebSocket& operator=(const ClientWebSocket&) = delete;

  bool send(Kind kind, std::string message) override { return queue_->send(kind, std::move(message)); }
  void close() override { queue_->close(); }

  // Waits until the connection is open; the text says why not.
  std::string open(const Url& url, ConnectedSocket connected, WebSocketOptions options,
                   asio::ssl::context* tls, WebSocketEvents events, std::chrono::milliseconds most);

 private:
  static constexpr std::uint64_t id_ = 1;  // the only one of its loop
  std::unique_ptr<Loop> loop_;
  std::shared_ptr<SendQueue> queue_;
};

std::string ClientWebSocket::open(const Url& url, ConnectedSocket connected, WebSocketOptions options,
                                  asio::ssl::context* tls, WebSocketEvents events,
                                  std::chrono::milliseconds most) {
  Socket socket(loop_->io());
  boost::system::error_code error;
  socket.assign(asio::generic::stream_protocol(connected.family, 0), connected.fd.get(), error);
  if (error) return error.message();
  (void)connected.fd.release();

  // Shared with the callback, which may come after we stopped waiting.
  const auto result = std::make_shared<std::promise<std::string>>();
  std::future<std::string> opened = result->get_future();
  Opened on_opened = [result](std::string refusal) { result->set_value(std::move(refusal)); };
  UpgradeRequest request{.host = url.host, .target = url.target, .headers = std::move(options.headers)};
  if (tls != nullptr) {
    TlsStream stream(std::move(socket), *tls);
    stream.set_verify_callback(asio::ssl::host_name_verification(url.address.host), error);
    ::SSL_set_tlsext_host_name(stream.native_handle(), url.address.host.c_str());
    asio::post(loop_->io(), [this, stream = std::move(stream), request = std::move(request),
                             events = std::move(events), on_opened = std::move(on_opened)]() mutable {
      request_websocket(*loop_, id_, std::move(stream), std::move(request), std::move(events), queue_,
                        std::move(on_opened));
    });
  } else {
    asio::post(loop_->io(), [this, socket = std::move(socket), request = std::move(request),
                             events = std::move(events), on_opened = std::move(on_opened)]() mutable {
      request_websocket(*loop_, id_, std::move(socket), std::move(request), std::move(events), queue_,
                        std::move(on_opened));
    });
  }
  if (opened.wait_for(most) == std::future_status::ready) return opened.get();
  return "no answer in time";
}

}  // namespace

Result<std::shared_ptr<WebSocket>> connect_websocket(WebSocketOptions options, WebSocketEvents events) {
  const auto start = std::chrono::steady_clock::now();
  const Url url = TRY(parse_url(options.url));
  std::optional<asio::ssl::context> tls;
  if (url.tls) tls = TRY(make_tls(options));
  ConnectedSocket connected = TRY(connect_to(url.address, options.connect_timeout));
  const std::string where = options.url;
  const auto left =
      std::chrono::milliseconds(options.connect_timeout.ms) -
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
  auto socket = std::make_shared<ClientWebSocket>();
  const std::string refusal = socket->open(url, std::move(connected), std::move(options),
                                           tls ? &*tls : nullptr, std::move(events), left);
  if (!refusal.empty()) return fail(Code::Unavailable, "opening " + where + ": " + refusal);
  return socket;
}

}  // namespace stoker::net
