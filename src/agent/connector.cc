#include "agent/connector.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "log/log.h"

namespace stoker::agent {

struct Connector::Shared {
  explicit Shared(Inbox& target) : inbox(target) {}

  void deliver(Input input) {
    const std::lock_guard lock(mutex);
    if (!over) inbox.push_input(std::move(input));
  }
  void connection_closed(std::uint64_t connection) {
    const std::lock_guard lock(mutex);
    if (!over) inbox.push_input(Disconnected{connection});
    closed = std::max(closed, connection);
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  Inbox& inbox;  // alive while !over
  bool over = false;
  std::uint64_t closed = 0;  // the newest connection whose end was seen
};

Connector::Connector(net::WebSocketOptions options, Inbox& inbox)
    : options_(std::move(options)), shared_(std::make_shared<Shared>(inbox)), thread_([this] { serve(); }) {}

Connector::~Connector() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->over = true;
  }
  shared_->changed.notify_all();
  thread_.join();
}

bool Connector::pause(int ms) {
  std::unique_lock lock(shared_->mutex);
  return !shared_->changed.wait_for(lock, std::chrono::milliseconds(ms), [this] { return shared_->over; });
}

void Connector::serve() {
  int pause_ms = kFirstPauseMs;
  bool complained = false;
  for (std::uint64_t connection = 1;; ++connection) {
    // Messages are decoded here, on the connection's thread, so that the core gets values.
    net::WebSocketEvents events;
    events.on_message = [shared = shared_, connection](net::WebSocket::Kind kind, std::string bytes) {
      auto message = wire::decode_to_agent(kind == net::WebSocket::Kind::Binary, bytes);
      if (message)
        shared->deliver(Received{connection, *std::move(message)});
      else
        log::warning("message_not_understood", {{"error", message.error().message}});
    };
    events.on_close = [shared = shared_, connection] { shared->connection_closed(connection); };
    auto socket = net::connect_websocket(options_, std::move(events));
    if (socket) {
      shared_->deliver(Connected{connection, *socket});
      pause_ms = kFirstPauseMs;
      complained = false;
      std::unique_lock lock(shared_->mutex);
      shared_->changed.wait(lock, [&] { return shared_->over || shared_->closed >= connection; });
      if (shared_->over) {
        (*socket)->close();
        return;
      }
    } else if (!complained) {
      complained = true;
      log::info("server_not_reached", {{"server", options_.url}, {"error", socket.error().message}});
    }
    if (!pause(pause_ms)) return;
    pause_ms = std::min(pause_ms * 2, kPauseMaxMs);
  }
}

}  // namespace stoker::agent
