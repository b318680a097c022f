#pragma once
// One connection of the HTTP server, from the accepted socket to its end. Internal to net.
#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

#include <boost/asio/ssl/context.hpp>

#include "net/http.h"
#include "net/loop.h"

namespace stoker::net {

// What all connections of a server share. Outlives them.
struct ServerShared {
  ServerOptions options;
  ServerHandlers handlers;
  std::atomic<std::size_t> connections{0};
  std::function<void()> on_room{};  // a connection has ended; any thread
};

// One of the connections_max places; free again when this is destroyed or reset.
class Place {
 public:
  explicit Place(ServerShared& shared) : shared_(&shared) { ++shared.connections; }
  Place(Place&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  Place& operator=(Place&&) = delete;
  ~Place() { reset(); }
  void reset() {
    ServerShared* const shared = std::exchange(shared_, nullptr);
    if (shared == nullptr) return;
    --shared->connections;
    shared->on_room();
  }

 private:
  ServerShared* shared_;
};

// On the thread of the loop. The connection keeps itself alive there.
void start_connection(Loop& loop, ServerShared& shared, Place place, Socket socket);
void start_tls_connection(Loop& loop, ServerShared& shared, Place place, asio::ssl::context& tls,
                          Socket socket);

}  // namespace stoker::net
