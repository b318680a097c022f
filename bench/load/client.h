#pragma once
// The least an HTTP client needs to keep a server busy: one connection that stays open, one request at a
// time, the request's bytes made once. A full client would be slower than what is measured.
#include <string>
#include <string_view>

namespace bench {

// Says why on stderr and ends the program: a measurement that goes wrong has no result.
[[noreturn]] void give_up(std::string_view what, std::string_view detail = {});

// Seconds of a clock that never jumps, and nanoseconds since 1970.
double seconds_now();
long long wall_clock_ns();

// The bytes of a POST with a JSON body. `target`: X-Amz-Target; "": none.
std::string post(std::string_view host, std::string_view path, std::string_view body,
                 std::string_view target = {});

class Connection {
 public:
  // `address` is HOST:PORT or http://HOST:PORT.
  explicit Connection(const std::string& address);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Connection& operator=(Connection&&) = delete;

  void send(std::string_view request);
  // Waits for the whole answer; gives up when its status is not 200. The body, valid until the next call.
  std::string_view receive();
  std::string_view call(std::string_view request) {
    send(request);
    return receive();
  }
  [[nodiscard]] int descriptor() const { return socket_; }

 private:
  int socket_ = -1;
  std::string buffer_;
};

}  // namespace bench
