#pragma once
// What the tests of this folder share: a server on a free port or a Unix socket, and a raw client that sends
// exactly the bytes it is told.
#include <functional>
#include <memory>
#include <string>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/address.h"
#include "net/http.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::net {

constexpr Duration kPatience = seconds(30);  // of a test for what must happen

// Waits for a condition with a deadline.
inline bool eventually(const std::function<bool()>& condition) {
  const auto end = rt::monotonic_us() + static_cast<std::uint64_t>(kPatience.ms) * 1000;
  while (!condition()) {
    if (rt::monotonic_us() > end) return false;
    ::usleep(1000);
  }
  return true;
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(rt::make_temporary_directory("/tmp/stoker-net-test-").value()) {}
  ~TemporaryDirectory() { (void)rt::remove_tree(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Answers with "METHOD TARGET BODY"; refusals as "STATUS!".
inline ServerHandlers echo_handlers() {
  return {.on_request =
              [](Request request, Reply reply) {
                reply({.body = request.method + " " + request.target + " " + request.body});
              },
          .malformed =
              [](int status, std::string_view) {
                return Response{.status = status,
                                .headers = {{.name = "Content-Type", .value = "text/x-refusal"}},
                                .body = std::to_string(status) + "!"};
              }};
}

inline std::unique_ptr<Server> start_server(ServerHandlers handlers, ServerOptions options = {}) {
  if (options.listen.empty()) options.listen = "127.0.0.1:0";
  auto server = Server::start(std::move(options), std::move(handlers));
  if (!server) {
    ::fprintf(stderr, "no server: %s\n", server.error().message.c_str());
    ::abort();
  }
  return std::move(*server);
}

// One plain connection.
class RawClient {
 public:
  explicit RawClient(const std::string& address)
      : fd_(connect_to(parse_address(address).value(), kPatience).value().fd) {}

  // False when the peer has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!ready(POLLOUT)) return false;
      const ssize_t put = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (put < 0 && errno == EAGAIN) continue;
      if (put < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

  // What comes until `text` was seen, the peer closes, or patience ends.
  std::string read_until(std::string_view text) {
    for (;;) {
      const auto found = input_.find(text);
      if (found != std::string::npos) {
        std::string out = input_.substr(0, found + text.size());
        input_.erase(0, out.size());
        return out;
      }
      if (!read_more()) return std::exchange(input_, {});
    }
  }
  std::string read_to_end() {
    while (read_more()) {
    }
    return std::exchange(input_, {});
  }
  // The peer has closed, within patience.
  bool closed() {
    char byte = 0;
    return ready(POLLIN) && ::recv(fd_.get(), &byte, 1, 0) <= 0;
  }
  void shut() { fd_.reset(); }

 private:
  bool ready(short event) {
    pollfd wait{.fd = fd_.get(), .events = event, .revents = 0};
    return ::poll(&wait, 1, static_cast<int>(kPatience.ms)) == 1;
  }
  bool read_more() {
    if (!ready(POLLIN)) return false;
    char bytes[65536];
    const ssize_t got = ::recv(fd_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    input_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  rt::UniqueFd fd_;
  std::string input_;
};

}  // namespace stoker::net
