#pragma once
// One I/O thread: its io_context, what lives on it, and the mailbox through which other threads reach that.
// Internal to net: only .cc files of this folder include it.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/http.h"
#include "rt/thread.h"

namespace stoker::net {

namespace asio = boost::asio;

// TCP and Unix sockets are one type, so that everything above is compiled once for both.
using Socket = asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;

// Something with a socket that lives on a loop: a connection of the HTTP server or a WebSocket. All methods
// are called on the thread of the loop.
class Peer {
 public:
  virtual ~Peer() = default;
  // The answer to its request, or nothing when the Reply was dropped.
  virtual void deliver(std::optional<Response> /*answer*/) {}
  // There is something to send.
  virtual void wake() {}
  // Whether its time is over at `now_ms` of the loop's clock; then close_now() follows.
  [[nodiscard]] virtual bool expired(std::int64_t /*now_ms*/) const { return false; }
  // Closes the socket, leaves the loop, tells whoever has to know. More than once does nothing.
  virtual void close_now() = 0;
};

// How other threads reach the peers of a loop, also after the loop has gone (then nothing happens). One
// wake-up of the loop for all that arrives until it looks.
class Mailbox {
 public:
  explicit Mailbox(class Loop& loop) : loop_(&loop) {}

  void deliver(std::uint64_t peer, std::optional<Response> answer);
  void wake(std::uint64_t peer);
  void close();  // the loop has gone

 private:
  friend class Loop;
  struct Item {
    std::uint64_t peer;
    bool wake_only;
    std::optional<Response> answer;
  };
  void push(Item item);

  std::mutex mutex_;
  Loop* loop_;
  bool scheduled_ = false;
  std::vector<Item> items_;
};

class Loop {
 public:
  // `tick`: how often deadlines are looked at.
  Loop(std::string name, Duration tick);
  ~Loop() { stop(); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start();
  // Closes all peers, waits until nothing of them runs any more. Not from its own thread.
  void stop();
  [[nodiscard]] bool on_own_thread() const;

  asio::io_context& io() { return io_; }
  const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }

  // From here on: on the thread of the loop only.
  std::uint64_t next_id() { return ++last_id_; }
  void add(std::uint64_t id, std::shared_ptr<Peer> peer);
  void remove(std::uint64_t id);
  [[nodiscard]] bool stopping() const { return stopping_; }
  // Milliseconds of a clock that never jumps, to about 4 ms: cheap enough for every request.
  [[nodiscard]] static std::int64_t now_ms();
  // For the Date header; made anew each second.
  const std::string& date();
  // While a handler runs for this peer, its Reply on this thread goes straight to it.
  void set_handling(std::uint64_t id, Peer* peer) {
    handling_id_ = id;
    handling_ = peer;
  }

 private:
  friend class Mailbox;
  void run();
  void schedule_tick();
  void on_tick();
  void read_mail();
  void close_all();

  std::string name_;
  Duration tick_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  asio::steady_timer timer_{io_};
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>(*this);
  std::unordered_map<std::uint64_t, std::shared_ptr<Peer>> peers_;
  std::vector<Mailbox::Item> mail_;
  std::uint64_t last_id_ = 0;
  std::uint64_t handling_id_ = 0;
  Peer* handling_ = nullptr;
  bool stopping_ = false;
  std::int64_t date_second_ = -1;
  std::string date_;
  rt::Thread thread_;
};

// The Reply to the request that this peer waits for.
Reply make_reply(std::shared_ptr<Mailbox> mailbox, std::uint64_t peer);

}  // namespace stoker::net
