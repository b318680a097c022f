#pragma once
// A WebSocket that is open or about to be, of either side. Internal to net.
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <boost/asio/ssl/stream.hpp>

#include "net/connection.h"
#include "net/http.h"
#include "net/loop.h"

namespace stoker::net {

using TlsStream = asio::ssl::stream<Socket>;

// What the user holds as WebSocket: the messages that wait to be sent. The session on the loop takes them.
class SendQueue final : public WebSocket {
 public:
  struct Message {
    Kind kind;
    std::string data;
  };

  SendQueue(std::shared_ptr<Mailbox> mailbox, std::uint64_t peer)
      : mailbox_(std::move(mailbox)), peer_(peer) {}

  bool send(Kind kind, std::string message) override;
  void close() override;

  // For the session. The next message; it counts as queued until sent() is called.
  std::optional<Message> next();
  void sent(const Message& message);
  // All is sent and close() was called.
  [[nodiscard]] bool wants_close() const;
  // The connection is gone: nothing is taken any more.
  void end();

 private:
  // Empty messages take memory too.
  static std::size_t cost(const std::string& message) { return message.size() + sizeof(Message); }

  const std::shared_ptr<Mailbox> mailbox_;
  const std::uint64_t peer_;
  mutable std::mutex mutex_;
  std::deque<Message> messages_;
  std::size_t queued_bytes_ = 0;
  bool woken_ = false;    // the session knows that there is something
  bool closing_ = false;  // close() was called
  bool ended_ = false;
};

// Answers the request to upgrade and carries on from there.
void accept_websocket(Loop& loop, std::uint64_t id, Socket stream, const Request& request,
                      WebSocketEvents events, std::shared_ptr<SendQueue> queue, Place place);
void accept_websocket(Loop& loop, std::uint64_t id, TlsStream stream, const Request& request,
                      WebSocketEvents events, std::shared_ptr<SendQueue> queue, Place place);

// The client's side: asks for the upgrade. `opened` is called once, with "" or why not; events only after "".
struct UpgradeRequest {
  std::string host;
  std::string target;
  std::vector<Header> headers;
};
using Opened = std::function<void(std::string refusal)>;
void request_websocket(Loop& loop, std::uint64_t id, Socket stream, UpgradeRequest request,
                       WebSocketEvents events, std::shared_ptr<SendQueue> queue, Opened opened);
void request_websocket(Loop& loop, std::uint64_t id, TlsStream stream, UpgradeRequest request,
                       WebSocketEvents events, std::shared_ptr<SendQueue> queue, Opened opened);

}  // namespace stoker::net
