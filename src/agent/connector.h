#pragma once
// Keeps a WebSocket to the server open, for ever: a thread that connects, waits for the end, and connects
// again.
#include <cstdint>
#include <memory>
#include <thread>

#include "agent/inbox.h"
#include "net/http.h"

namespace stoker::agent {

class Connector {
 public:
  // What happens goes to the inbox: Connected, Received, Disconnected, each with the number of its
  // connection.
  Connector(net::WebSocketOptions options, Inbox& inbox);
  ~Connector();  // closes and waits for the thread
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  static constexpr int kFirstPauseMs = 5;
  static constexpr int kPauseMaxMs = 1'000;

 private:
  // What callbacks of connections share with the Connector. They run on threads of the network, some of them
  // after the Connector is gone.
  struct Shared;

  void serve();
  bool pause(int ms);  // false when it is over

  net::WebSocketOptions options_;
  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace stoker::agent
