#include "net/connection.h"

#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "log/log.h"
#include "net/parser.h"
#include "net/render.h"
#include "net/websocket_session.h"

namespace stoker::net {
namespace {

using ErrorCode = boost::system::error_code;

constexpr std::size_t kBufferBytes = 8u << 10;       // to begin with
constexpr std::size_t kBufferBytesBody = 64u << 10;  // once a body fills it
constexpr std::size_t kReadBytesMin = 2u << 10;      // room that a read wants
constexpr std::size_t kCorkBytes = 64u << 10;  // answers to pipelined requests are sent together up to this
constexpr std::size_t kCopiedBodyMax = 32u << 10;     // larger bodies are sent from where they are
constexpr std::size_t kKeptOutputBytes = 256u << 10;  // of memory for the next answer
// After the last answer what the client still sends is read and dropped for a while: closing at once would
// make its system throw the answer away.
constexpr std::int64_t kLingerMs = 2000;
constexpr std::size_t kLingerBytesMax = 64u << 20;
constexpr std::int64_t kHandshakeMs = 10'000;

// A state machine of callbacks: read bytes, parse, call the handler, wait for its answer, write. One request
// at a time; those that a client has sent ahead wait in the buffer.
template <class Stream>
class Connection final : public Peer, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  static constexpr bool kTls = !std::is_same_v<Stream, Socket>;

  Connection(Loop& loop, ServerShared& shared, Place place, Stream stream)
      : loop_(loop),
        shared_(shared),
        place_(std::move(place)),
        stream_(std::move(stream)),
        id_(loop.next_id()),
        limits_{.header_bytes_max = shared.options.header_bytes_max,
                .body_bytes_max = shared.options.body_bytes_max},
        buffer_(kBufferBytes) {}

  void start() {
    loop_.add(id_, this->shared_from_this());
    ErrorCode ignored;
    stream_.lowest_layer().non_blocking(true, ignored);
    if constexpr (kTls) {
      set_deadline(kHandshakeMs);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](const ErrorCode& error) {
                                if (self->closed_) return;
                                if (error) return self->close_now();
                                self->read();
                              });
    } else {
      read();
    }
  }

  void deliver(std::optional<Response> answer) override {
    answered_ = true;
    answer_ = std::move(answer);
    if (!in_handler_ && !writing_) after_answer();
  }
  [[nodiscard]] bool expired(std::int64_t now_ms) const override {
    return deadline_ms_ != 0 && now_ms >= deadline_ms_;
  }
  void close_now() override;

 private:
  // What comes after all output is written.
  enum class Next { Advance, Read, Answer, Upgrade, Linger, Close };

  void read();
  void on_read(std::size_t bytes);
  bool make_room();
  void advance();
  bool handle_request();
  bool respond();
  void after_answer();
  void refuse(int status, std::string_view why);
  void upgrade();

  bool flush(Next next);
  void finish(Next next) {
    if (flush(next)) continue_with(next);
  }
  void continue_with(Next next);
  void write_more();
  std::size_t write_now(ErrorCode& error);
  [[nodiscard]] std::array<asio::const_buffer, 2> unsent() const;
  [[nodiscard]] bool all_sent() const { return sent_ == out_.size() + tail_.size(); }
  void linger();
  void discard();

  void set_deadline(std::int64_t ms) { deadline_ms_ = Loop::now_ms() + ms; }
  void set_idle_deadline() { set_deadline(shared_.options.idle_timeout.ms); }

  Loop& loop_;
  ServerShared& shared_;
  Place place_;
  Stream stream_;
  const std::uint64_t id_;
  const ParserLimits limits_;
  bool closed_ = false;
  std::int64_t deadline_ms_ = 0;  // of the loop's clock; 0: none

  // Input: bytes begin_ to end_ of buffer_ are not parsed yet.
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool last_read_filled_ = false;
  std::optional<RequestParser> parser_;
  std::int64_t request_deadline_ms_ = 0;  // all its bytes must be there by then
  bool continued_ = false;                // 100 Continue was said
  std::size_t discarded_ = 0;

  // The request being answered.
  Request upgrade_request_;
  bool keep_alive_ = true;
  bool head_ = false;
  bool http_1_0_ = false;
  bool in_handler_ = false;
  bool answered_ = false;
  std::optional<Response> answer_;
  bool refused_ = false;

  // Output: out_, then tail_ (one large body), of both the first sent_ bytes are sent.
  std::string out_;
  std::string tail_;
  std::size_t sent_ = 0;
  bool writing_ = false;
  Next next_ = Next::Read;
};

// ---- input ----

template <class Stream>
bool Connection<Stream>::make_room() {
  if (begin_ == end_) {
    begin_ = end_ = 0;
    // A body comes faster than we read: take more at a time.
    if (last_read_filled_ && parser_ && buffer_.size() < kBufferBytesBody) buffer_.resize(kBufferBytesBody);
  }
  if (buffer_.size() - end_ >= kReadBytesMin) return true;
  if (begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  // Only a header (or the line before a chunk) that is not complete yet stays in the buffer.
  const std::size_t bytes_max = limits_.header_bytes_max + kBufferBytesBody;
  if (buffer_.size() - end_ < kReadBytesMin) buffer_.resize(std::min(buffer_.size() * 2, bytes_max));
  return end_ < buffer_.size();
}

template <class Stream>
void Connection<Stream>::read() {
  if (!make_room()) return refuse(431, "header too large");
  if (parser_) {
    deadline_ms_ = request_deadline_ms_;
  } else {
    set_idle_deadline();
  }
  stream_.async_read_some(asio::buffer(buffer_.data() + end_, buffer_.size() - end_),
                          [self = this->shared_from_this()](const ErrorCode& error, std::size_t bytes) {
                            if (self->closed_) return;
                            if (error) return self->close_now();
                            self->on_read(bytes);
                          });
}

template <class Stream>
void Connection<Stream>::on_read(std::size_t bytes) {
  end_ += bytes;
  last_read_filled_ = end_ == buffer_.size();
  advance();
}

template <class Stream>
void Connection<Stream>::advance() {
  while (!closed_) {
    if ((!tail_.empty() || out_.size() >= kCorkBytes) && !flush(Next::Advance)) return;
    // RFC 9112, 2.2: empty lines before a request are skipped.
    while (!parser_ && begin_ < end_ && (buffer_[begin_] == '\r' || buffer_[begin_] == '\n')) ++begin_;
    if (begin_ == end_) return finish(Next::Read);
    if (!parser_) {
      parser_.emplace(limits_);
      continued_ = false;
      request_deadline_ms_ = Loop::now_ms() + shared_.options.idle_timeout.ms;
    }
    begin_ += parser_->feed({buffer_.data() + begin_, end_ - begin_});
    if (parser_->refusal()) return refuse(parser_->refusal()->status, parser_->refusal()->why);
    if (!parser_->done()) {
      if (parser_->wants_continue() && !continued_ && begin_ == end_) {
        continued_ = true;
        out_ += "HTTP/1.1 100 Continue\r\n\r\n";
      }
      return finish(Next::Read);
    }
    if (!handle_request()) return;
  }
}

// ---- the request and its answer ----

// False when what follows waits for something.
template <class Stream>
bool Connection<Stream>::handle_request() {
  keep_alive_ = parser_->keeps_alive();
  http_1_0_ = parser_->http_1_0();
  const bool websocket = parser_->asks_for_websocket();
  Request request = parser_->take();
  parser_.reset();
  head_ = request.method == "HEAD";
  deadline_ms_ = 0;
  if (websocket) {
    upgrade_request_ = std::move(request);
    finish(Next::Upgrade);
    return false;
  }
  answered_ = false;
  in_handler_ = true;
  loop_.set_handling(id_, this);
  try {
    shared_.handlers.on_request(std::move(request), make_reply(loop_.mailbox(), id_));
  } catch (const std::exception& e) {
    log::error("net_handler_threw", {{"what", e.what()}});
  }
  loop_.set_handling(0, nullptr);
  in_handler_ = false;
  if (answered_) return respond();
  finish(Next::Answer);
  return false;
}

// Puts the answer into the output. False when nothing follows it.
template <class Stream>
bool Connection<Stream>::respond() {
  answered_ = false;
  if (!answer_) {
    finish(Next::Close);
    return false;
  }
  Response answer = *std::exchange(answer_, std::nullopt);
  const bool closes = !keep_alive_ || asks_to_close(answer);
  const RenderOptions options{
      .date = loop_.date(), .keep_alive = !closes, .http_1_0 = http_1_0_, .head = head_};
  render_head(out_, answer, options);
  if (has_body(answer, options)) {
    if (answer.body.size() <= kCopiedBodyMax) {
      out_ += answer.body;
    } else {
      tail_ = std::move(answer.body);
    }
  }
  if (!closes) return true;
  finish(Next::Linger);
  return false;
}

template <class Stream>
void Connection<Stream>::after_answer() {
  if (!closed_ && answered_ && respond()) advance();
}

template <class Stream>
void Connection<Stream>::refuse(int status, std::string_view why) {
  refused_ = true;
  keep_alive_ = false;
  Response answer{.status = status, .headers = {}, .body = {}};
  try {
    if (shared_.handlers.malformed) answer = shared_.handlers.malformed(status, why);
  } catch (const std::exception& e) {
    log::error("net_handler_threw", {{"what", e.what()}});
  }
  answer_ = std::move(answer);
  head_ = false;
  respond();
}

template <class Stream>
void Connection<Stream>::upgrade() {
  if (begin_ != end_) return refuse(400, "bytes after a request to upgrade");
  const std::uint64_t id = loop_.next_id();
  const auto queue = std::make_shared<SendQueue>(loop_.mailbox(), id);
  std::optional<WebSocketEvents> events;
  try {
    if (shared_.handlers.on_websocket) events = shared_.handlers.on_websocket(upgrade_request_, queue);
  } catch (const std::exception& e) {
    log::error("net_handler_threw", {{"what", e.what()}});
  }
  if (!events) {
    queue->end();
    return refuse(404, "no WebSocket here");
  }
  const auto self = this->shared_from_this();
  closed_ = true;
  loop_.remove(id_);
  accept_websocket(loop_, id, std::move(stream_), upgrade_request_, std::move(*events), queue,
                   std::move(place_));
}

// ---- output ----

template <class Stream>
std::array<asio::const_buffer, 2> Connection<Stream>::unsent() const {
  if (sent_ >= out_.size()) {
    const std::size_t of_tail = sent_ - out_.size();
    return {asio::const_buffer(tail_.data() + of_tail, tail_.size() - of_tail), asio::const_buffer()};
  }
  return {asio::const_buffer(out_.data() + sent_, out_.size() - sent_), asio::buffer(tail_)};
}

template <class Stream>
std::size_t Connection<Stream>::write_now(ErrorCode& error) {
  const auto buffers = unsent();
  // One buffer takes send(2), two take sendmsg(2).
  return buffers[1].size() == 0 ? stream_.write_some(buffers[0], error) : stream_.write_some(buffers, error);
}

// True when everything is written already; else `next` follows once it is. Plain sockets are tried at once:
// nearly every answer fits into the kernel's buffer, and the way through the loop costs more than the call.
template <class Stream>
bool Connection<Stream>::flush(Next next) {
  if constexpr (!kTls) {
    while (!all_sent()) {
      ErrorCode error;
      sent_ += write_now(error);
      if (error == asio::error::would_block || error == asio::error::try_again) break;
      if (error && error != asio::error::interrupted) {
        close_now();
        return false;
      }
    }
  }
  if (all_sent()) {
    sent_ = 0;
    out_.clear();
    if (out_.capacity() > kKeptOutputBytes) out_ = {};
    tail_ = {};
    return true;
  }
  next_ = next;
  writing_ = true;
  write_more();
  return false;
}

template <class Stream>
void Connection<Stream>::write_more() {
  set_idle_deadline();  // each piece that the client takes gives it time again
  stream_.async_write_some(unsent(),
                           [self = this->shared_from_this()](const ErrorCode& error, std::size_t bytes) {
                             if (self->closed_) return;
                             if (error) return self->close_now();
                             self->sent_ += bytes;
                             if (!self->all_sent()) return self->write_more();
                             self->writing_ = false;
                             self->deadline_ms_ = 0;
                             self->finish(self->next_);
                           });
}

template <class Stream>
void Connection<Stream>::continue_with(Next next) {
  switch (next) {
    case Next::Advance:
      return advance();
    case Next::Read:
      return read();
    case Next::Answer:
      return after_answer();
    case Next::Upgrade:
      return upgrade();
    case Next::Linger:
      return linger();
    case Next::Close:
      return close_now();
  }
}

// ---- the end ----

template <class Stream>
void Connection<Stream>::linger() {
  set_deadline(kLingerMs);
  if constexpr (kTls) {
    if (!refused_) {
      stream_.async_shutdown([self = this->shared_from_this()](const ErrorCode&) { self->close_now(); });
      return;
    }
  } else {
    ErrorCode ignored;
    stream_.shutdown(Socket::shutdown_send, ignored);
  }
  discard();
}

template <class Stream>
void Connection<Stream>::discard() {
  stream_.async_read_some(asio::buffer(buffer_),
                          [self = this->shared_from_this()](const ErrorCode& error, std::size_t bytes) {
                            if (self->closed_) return;
                            self->discarded_ += bytes;
                            if (error || self->discarded_ > kLingerBytesMax) return self->close_now();
                            self->discard();
                          });
}

template <class Stream>
void Connection<Stream>::close_now() {
  if (closed_) return;
  const auto self = this->shared_from_this();
  closed_ = true;
  ErrorCode ignored;
  stream_.lowest_layer().close(ignored);
  place_.reset();
  loop_.remove(id_);
}

}  // namespace

void start_connection(Loop& loop, ServerShared& shared, Place place, Socket socket) {
  std::make_shared<Connection<Socket>>(loop, shared, std::move(place), std::move(socket))->start();
}

void start_tls_connection(Loop& loop, ServerShared& shared, Place place, asio::ssl::context& tls,
                          Socket socket) {
  using Stream = asio::ssl::stream<Socket>;
  std::make_shared<Connection<Stream>>(loop, shared, std::move(place), Stream(std::move(socket), tls))
      ->start();
}

}  // namespace stoker::net
