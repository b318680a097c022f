#include "agent/connector.h"

#include <algorithm>
#include <chrono>

#include "log/log.h"

namespace stoker::agent {

Connector::Connector(net::WebSocketOptions options, Inbox& inbox)
    : options_(std::move(options)), inbox_(inbox), thread_([this] { serve(); }) {}

Connector::~Connector() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    if (socket_) socket_->close();
  }
  changed_.notify_all();
  thread_.join();
}

bool Connector::pause(int ms) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return over_; });
}

void Connector::serve() {
  int pause_ms = kFirstPauseMs;
  bool complained = false;
  for (std::uint64_t connection = 1;; ++connection) {
    // Messages are decoded here, on the connection's thread, so that the core gets values.
    net::WebSocketEvents events;
    events.on_message = [this, connection](net::WebSocket::Kind kind, std::string bytes) {
      auto message = wire::decode_to_agent(kind == net::WebSocket::Kind::Binary, bytes);
      if (message)
        inbox_.push_input(Received{connection, *std::move(message)});
      else
        log::warning("message_not_understood", {{"error", message.error().message}});
    };
    events.on_close = [this, connection] {
      inbox_.push_input(Disconnected{connection});
      const std::lock_guard lock(mutex_);
      closed_ = std::max(closed_, connection);
      changed_.notify_all();
    };
    auto socket = net::connect_websocket(options_, std::move(events));
    if (socket) {
      std::unique_lock lock(mutex_);
      socket_ = *socket;
      inbox_.push_input(Connected{connection, *std::move(socket)});
      pause_ms = kFirstPauseMs;
      complained = false;
      changed_.wait(lock, [&] { return over_ || closed_ >= connection; });
      if (over_) socket_->close();
      socket_.reset();
      if (over_) return;
    } else if (!complained) {
      complained = true;
      log::info("server_not_reached", {{"server", options_.url}, {"error", socket.error().message}});
    }
    if (!pause(pause_ms)) return;
    pause_ms = std::min(pause_ms * 2, kPauseMaxMs);
  }
}

}  // namespace stoker::agent
