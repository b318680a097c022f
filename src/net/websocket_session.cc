#include "net/websocket_session.h"

#include <chrono>
#include <exception>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "base/text.h"
#include "log/log.h"

namespace stoker::net {

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using ErrorCode = boost::system::error_code;

// ---- SendQueue ----

bool SendQueue::send(Kind kind, std::string message) {
  // A peer that gets text which is none must close the connection; what a program said is worth less than
  // that.
  if (kind == Kind::Text && !is_valid_utf8(message)) message = to_valid_utf8(message);
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || ended_ || message.size() > kMessageBytesMax) return false;
    // One message may always wait, however large.
    if (queued_bytes_ > 0 && queued_bytes_ + cost(message) > kQueuedBytesMax) return false;
    queued_bytes_ += cost(message);
    messages_.push_back({kind, std::move(message)});
    if (std::exchange(woken_, true)) return true;
  }
  mailbox_->wake(peer_);
  return true;
}

void SendQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(closing_, true) || ended_) return;
  }
  mailbox_->wake(peer_);
}

std::optional<SendQueue::Message> SendQueue::next() {
  const std::lock_guard lock(mutex_);
  if (messages_.empty()) {
    woken_ = false;
    return std::nullopt;
  }
  Message message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

void SendQueue::sent(const Message& message) {
  const std::lock_guard lock(mutex_);
  queued_bytes_ -= cost(message.data);
}

bool SendQueue::wants_close() const {
  const std::lock_guard lock(mutex_);
  return closing_ && messages_.empty();
}

void SendQueue::end() {
  std::deque<Message> unsent;  // freed outside of the lock
  const std::lock_guard lock(mutex_);
  ended_ = true;
  unsent.swap(messages_);
}

namespace {

constexpr auto kHandshakeTimeout = std::chrono::seconds(10);  // also for the closing handshake
constexpr std::size_t kKeptReadBytes = 256u << 10;            // of memory for the next message

template <class Stream>
class WebSocketSession final : public Peer, public std::enable_shared_from_this<WebSocketSession<Stream>> {
 public:
  WebSocketSession(Loop& loop, std::uint64_t id, Stream stream, WebSocketEvents events,
                   std::shared_ptr<SendQueue> queue, std::optional<Place> place)
      : loop_(loop),
        id_(id),
        ws_(std::move(stream)),
        events_(std::move(events)),
        queue_(std::move(queue)),
        place_(std::move(place)) {
    ws_.set_option(
        websocket::stream_base::timeout{.handshake_timeout = kHandshakeTimeout,
                                        .idle_timeout = std::chrono::milliseconds(WebSocket::kSilenceMax.ms),
                                        .keep_alive_pings = true});
    ws_.read_message_max(WebSocket::kMessageBytesMax);
    ws_.auto_fragment(false);
  }

  void accept(const Request& request);
  void connect(UpgradeRequest request, Opened opened);

  void wake() override { write(); }
  void close_now() override;

 private:
  void open() {
    open_ = true;
    read();
    write();
  }
  void ask(UpgradeRequest request, Opened opened);
  // There never was an open connection: no event tells its end.
  void give_up(const Opened& opened, std::string refusal) {
    close_now();
    opened(std::move(refusal));
  }
  void read();
  void on_message();
  void write();

  Loop& loop_;
  const std::uint64_t id_;
  websocket::stream<Stream> ws_;
  WebSocketEvents events_;
  const std::shared_ptr<SendQueue> queue_;
  std::optional<Place> place_;
  beast::flat_buffer input_;
  std::optional<SendQueue::Message> output_;  // being written
  websocket::response_type response_;         // to our own request
  bool open_ = false;
  bool tells_end_ = false;  // on_close is owed
  bool closing_ = false;
  bool ended_ = false;
};

template <class Stream>
void WebSocketSession<Stream>::accept(const Request& request) {
  tells_end_ = true;  // the handler was told of the beginning already
  loop_.add(id_, this->shared_from_this());
  beast::http::request<beast::http::empty_body> upgrade;
  upgrade.version(11);
  upgrade.method(beast::http::verb::get);
  upgrade.target(request.target);
  for (const Header& header : request.headers) upgrade.insert(header.name, header.value);
  ws_.async_accept(upgrade, [self = this->shared_from_this()](const ErrorCode& error) {
    if (self->ended_) return;
    if (error) return self->close_now();
    self->open();
  });
}

template <class Stream>
void WebSocketSession<Stream>::connect(UpgradeRequest request, Opened opened) {
  loop_.add(id_, this->shared_from_this());
  if constexpr (std::is_same_v<Stream, Socket>) {
    ask(std::move(request), std::move(opened));
  } else {
    ws_.next_layer().async_handshake(asio::ssl::stream_base::client,
                                     [self = this->shared_from_this(), request = std::move(request),
                                      opened = std::move(opened)](const ErrorCode& error) mutable {
                                       if (error || self->ended_)
                                         return self->give_up(opened, error ? error.message() : "closed");
                                       self->ask(std::move(request), std::move(opened));
                                     });
  }
}

template <class Stream>
void WebSocketSession<Stream>::ask(UpgradeRequest request, Opened opened) {
  ws_.set_option(
      websocket::stream_base::decorator([headers = std::move(request.headers)](websocket::request_type& r) {
        for (const Header& header : headers) r.set(header.name, header.value);
      }));
  ws_.async_handshake(response_, request.host, request.target,
                      [self = this->shared_from_this(), opened = std::move(opened)](const ErrorCode& error) {
                        if (error == websocket::error::upgrade_declined)
                          return self->give_up(
                              opened, "the answer was HTTP " + std::to_string(self->response_.result_int()));
                        if (error || self->ended_)
                          return self->give_up(opened, error ? error.message() : "closed");
                        self->tells_end_ = true;
                        opened("");
                        self->open();
                      });
}

template <class Stream>
void WebSocketSession<Stream>::read() {
  ws_.async_read(input_, [self = this->shared_from_this()](const ErrorCode& error, std::size_t) {
    if (self->ended_) return;
    if (error) return self->close_now();
    self->on_message();
    if (!self->ended_) self->read();
  });
}

template <class Stream>
void WebSocketSession<Stream>::on_message() {
  const auto bytes = input_.data();
  std::string message(static_cast<const char*>(bytes.data()), bytes.size());
  input_.consume(input_.size());
  if (input_.capacity() > kKeptReadBytes) input_.shrink_to_fit();
  if (!events_.on_message) return;
  try {
    events_.on_message(ws_.got_text() ? WebSocket::Kind::Text : WebSocket::Kind::Binary, std::move(message));
  } catch (const std::exception& e) {
    log::error("net_handler_threw", {{"what", e.what()}});
  }
}

template <class Stream>
void WebSocketSession<Stream>::write() {
  if (!open_ || ended_ || output_ || closing_) return;
  output_ = queue_->next();
  if (output_) {
    ws_.binary(output_->kind == WebSocket::Kind::Binary);
    ws_.async_write(asio::buffer(output_->data),
                    [self = this->shared_from_this()](const ErrorCode& error, std::size_t) {
                      self->queue_->sent(*self->output_);
                      self->output_.reset();
                      if (self->ended_) return;
                      if (error) return self->close_now();
                      self->write();
                    });
    return;
  }
  if (!queue_->wants_close()) return;
  closing_ = true;
  // The read under way ends too, with the peer's part of the closing handshake.
  ws_.async_close(websocket::close_code::normal,
                  [self = this->shared_from_this()](const ErrorCode&) { self->close_now(); });
}

template <class Stream>
void WebSocketSession<Stream>::close_now() {
  if (std::exchange(ended_, true)) return;
  const auto self = this->shared_from_this();
  ErrorCode ignored;
  beast::get_lowest_layer(ws_).close(ignored);
  queue_->end();
  place_.reset();
  loop_.remove(id_);
  const WebSocketEvents events = std::exchange(events_, {});
  if (!events.on_close || !tells_end_) return;
  try {
    events.on_close();
  } catch (const std::exception& e) {
    log::error("net_handler_threw", {{"what", e.what()}});
  }
}

template <class Stream>
void start_accept(Loop& loop, std::uint64_t id, Stream stream, const Request& request, WebSocketEvents events,
                  std::shared_ptr<SendQueue> queue, Place place) {
  std::make_shared<WebSocketSession<Stream>>(loop, id, std::move(stream), std::move(events), std::move(queue),
                                             std::move(place))
      ->accept(request);
}

template <class Stream>
void start_connect(Loop& loop, std::uint64_t id, Stream stream, UpgradeRequest request,
                   WebSocketEvents events, std::shared_ptr<SendQueue> queue, Opened opened) {
  std::make_shared<WebSocketSession<Stream>>(loop, id, std::move(stream), std::move(events), std::move(queue),
                                             std::nullopt)
      ->connect(std::move(request), std::move(opened));
}

}  // namespace

void accept_websocket(Loop& loop, std::uint64_t id, Socket stream, const Request& request,
                      WebSocketEvents events, std::shared_ptr<SendQueue> queue, Place place) {
  start_accept(loop, id, std::move(stream), request, std::move(events), std::move(queue), std::move(place));
}

void accept_websocket(Loop& loop, std::uint64_t id, TlsStream stream, const Request& request,
                      WebSocketEvents events, std::shared_ptr<SendQueue> queue, Place place) {
  start_accept(loop, id, std::move(stream), request, std::move(events), std::move(queue), std::move(place));
}

void request_websocket(Loop& loop, std::uint64_t id, Socket stream, UpgradeRequest request,
                       WebSocketEvents events, std::shared_ptr<SendQueue> queue, Opened opened) {
  start_connect(loop, id, std::move(stream), std::move(request), std::move(events), std::move(queue),
                std::move(opened));
}

void request_websocket(Loop& loop, std::uint64_t id, TlsStream stream, UpgradeRequest request,
                       WebSocketEvents events, std::shared_ptr<SendQueue> queue, Opened opened) {
  start_connect(loop, id, std::move(stream), std::move(request), std::move(events), std::move(queue),
                std::move(opened));
}

}  // namespace stoker::net
