// The HTTP server of http.h: a listening socket, I/O threads, and connections spread over them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <unistd.h>

#include "log/log.h"
#include "net/address.h"
#include "net/connection.h"
#include "net/http.h"
#include "net/loop.h"

namespace stoker::net {
namespace {

using ErrorCode = boost::system::error_code;
using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, asio::io_context::executor_type>;

// After accept(2) failed, mostly for want of descriptors: trying again at once would spin.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);
constexpr int kThreadsMax = 64;

class AsioServer final : public Server {
 public:
  AsioServer(ServerOptions options, ServerHandlers handlers, std::unique_ptr<asio::ssl::context> tls,
             ListeningSocket listening);
  ~AsioServer() override;
  AsioServer(const AsioServer&) = delete;
  AsioServer& operator=(const AsioServer&) = delete;

  [[nodiscard]] std::string address() const override { return address_; }

 private:
  void accept();
  void on_accept(const ErrorCode& error, Loop& loop, Socket socket);
  void begin(Loop& loop, Place place, Socket socket);
  void on_room();

  ServerShared shared_;
  const std::unique_ptr<asio::ssl::context> tls_;
  const std::string address_;
  std::vector<std::unique_ptr<Loop>> loops_;
  // On the first loop.
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<asio::steady_timer> pause_;
  std::size_t next_loop_ = 0;
  // Set by the acceptor when all places are taken; whoever clears it lets it go on.
  std::atomic<bool> full_{false};
  std::atomic<bool> stopping_{false};
};

AsioServer::AsioServer(ServerOptions options, ServerHandlers handlers,
                       std::unique_ptr<asio::ssl::context> tls, ListeningSocket listening)
    : tls_(std::move(tls)), address_(std::move(listening.address)) {
  const Duration tick = milliseconds(std::clamp<std::int64_t>(options.idle_timeout.ms / 4, 10, 1000));
  const int threads = std::clamp(options.threads, 1, kThreadsMax);
  shared_.options = std::move(options);
  shared_.handlers = std::move(handlers);
  shared_.on_room = [this] { on_room(); };
  for (int i = 0; i < threads; ++i)
    loops_.push_back(std::make_unique<Loop>("net-" + std::to_string(i), tick));
  Loop& first = *loops_.front();
  acceptor_ = std::make_unique<Acceptor>(first.io());
  pause_ = std::make_unique<asio::steady_timer>(first.io());
  acceptor_->assign(asio::generic::stream_protocol(listening.family, 0), listening.fd.release());
  asio::post(first.io(), [this] { accept(); });
  for (const auto& loop : loops_) loop->start();
}

AsioServer::~AsioServer() {
  stopping_ = true;
  asio::post(loops_.front()->io(), [this] {
    ErrorCode ignored;
    acceptor_->close(ignored);
    pause_->cancel();
  });
  for (const auto& loop : loops_) loop->stop();
  if (address_.starts_with("unix:")) ::unlink(address_.c_str() + 5);
}

void AsioServer::accept() {
  if (stopping_) return;
  if (shared_.connections >= shared_.options.connections_max) {
    full_ = true;
    // One may have ended between the look and the flag; then nobody else will call.
    if (shared_.connections >= shared_.options.connections_max || !full_.exchange(false)) return;
  }
  Loop& loop = *loops_[next_loop_];
  next_loop_ = (next_loop_ + 1) % loops_.size();
  acceptor_->async_accept(loop.io(), [this, &loop](const ErrorCode& error, Socket socket) {
    on_accept(error, loop, std::move(socket));
  });
}

void AsioServer::on_accept(const ErrorCode& error, Loop& loop, Socket socket) {
  if (stopping_ || error == asio::error::operation_aborted) return;
  if (error) {
    log::warning("accept_failed", {{"address", address_}, {"reason", error.message()}});
    pause_->expires_after(kAcceptPause);
    pause_->async_wait([this](const ErrorCode& cancelled) {
      if (!cancelled) accept();
    });
    return;
  }
  Place place(shared_);
  if (loop.on_own_thread()) {
    begin(loop, std::move(place), std::move(socket));
  } else {
    asio::post(loop.io(), [this, &loop, place = std::move(place), socket = std::move(socket)]() mutable {
      begin(loop, std::move(place), std::move(socket));
    });
  }
  accept();
}

void AsioServer::begin(Loop& loop, Place place, Socket socket) {
  if (loop.stopping()) return;
  if (tls_) {
    start_tls_connection(loop, shared_, std::move(place), *tls_, std::move(socket));
  } else {
    start_connection(loop, shared_, std::move(place), std::move(socket));
  }
}

void AsioServer::on_room() {
  if (stopping_ || !full_.exchange(false)) return;
  asio::post(loops_.front()->io(), [this] { accept(); });
}

Result<std::unique_ptr<asio::ssl::context>> load_tls(const TlsFiles& files) {
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  ErrorCode error;
  context->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_sslv2 |
                           asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                           asio::ssl::context::no_tlsv1_1,
                       error);
  context->use_certificate_chain_file(files.certificate_file, error);
  if (error)
    return fail(Code::Io, "reading the certificate " + files.certificate_file + ": " + error.message());
  context->use_private_key_file(files.key_file, asio::ssl::context::pem, error);
  if (error) return fail(Code::Io, "reading the key " + files.key_file + ": " + error.message());
  return context;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, ServerHandlers handlers) {
  if (!handlers.on_request) return fail(Code::InvalidArgument, "a server without on_request");
  std::unique_ptr<asio::ssl::context> tls;
  if (options.tls) tls = TRY(load_tls(*options.tls));
  const Address address = TRY(parse_address(options.listen));
  ListeningSocket listening = TRY(listen_on(address));
  return std::make_unique<AsioServer>(std::move(options), std::move(handlers), std::move(tls),
                                      std::move(listening));
}

}  // namespace stoker::net
