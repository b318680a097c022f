#pragma once
// Keeps a WebSocket to the server open, for ever: a thread that connects, waits for the end, and connects
// again.
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
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
  void serve();
  bool pause(int ms);  // false when it is over

  net::WebSocketOptions options_;
  Inbox& inbox_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::uint64_t closed_ = 0;  // the newest connection whose end was seen
  std::shared_ptr<net::WebSocket> socket_;
  std::thread thread_;
};

}  // namespace stoker::agent
