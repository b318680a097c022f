#include "net/address.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"
#include "rt/clock.h"

namespace stoker::net {
namespace {

constexpr int kBacklog = 4096;  // the kernel cuts it to net.core.somaxconn

using Found = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Result<Found> look_up(const Address& address, bool to_listen) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = to_listen ? AI_PASSIVE : 0;
  addrinfo* list = nullptr;
  const int refusal = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &list);
  if (refusal != 0)
    return fail(to_listen ? Code::InvalidArgument : Code::Unavailable,
                address.host + ": " + ::gai_strerror(refusal));
  return Found(list, ::freeaddrinfo);
}

void set_flag(int fd, int level, int option) {
  const int on = 1;
  ::setsockopt(fd, level, option, &on, sizeof on);
}

Result<sockaddr_un> unix_address(const std::string& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  if (path.size() >= sizeof out.sun_path)
    return fail(Code::InvalidArgument,
                path + ": a socket's path has at most " + std::to_string(sizeof out.sun_path - 1) + " bytes");
  std::memcpy(out.sun_path, path.data(), path.size());
  return out;
}

const sockaddr* plain(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// Someone answers at this path.
bool answered(const sockaddr_un& address) {
  const rt::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return fd && ::connect(fd.get(), plain(address), sizeof address) == 0;
}

Result<ListeningSocket> listen_on_path(const std::string& path) {
  const sockaddr_un address = TRY(unix_address(path));
  rt::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return fail_errno("making a socket");
  if (::bind(fd.get(), plain(address), sizeof address) != 0) {
    struct stat info{};
    const bool stale = errno == EADDRINUSE && ::stat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode) &&
                       !answered(address);
    if (stale) ::unlink(path.c_str());
    if (!stale || ::bind(fd.get(), plain(address), sizeof address) != 0) {
      if (!stale) errno = EADDRINUSE;
      return fail_errno("listening at " + path);
    }
  }
  // Nobody can connect before listen(), so there is no moment with another mode.
  if (::chmod(path.c_str(), 0600) != 0 || ::listen(fd.get(), kBacklog) != 0)
    return fail_errno("listening at " + path);
  return ListeningSocket{.fd = std::move(fd), .family = AF_UNIX, .address = "unix:" + path};
}

std::string real_address(int fd, const std::string& host) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size);
  const bool v6 = bound.ss_family == AF_INET6;
  const in_port_t port = v6 ? reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port
                            : reinterpret_cast<const sockaddr_in*>(&bound)->sin_port;
  const bool brackets = host.find(':') != std::string::npos;
  std::string out = brackets ? "[" : "";
  out += host;
  out += brackets ? "]:" : ":";
  return out + std::to_string(ntohs(port));
}

std::int64_t now_ms() {
  return static_cast<std::int64_t>(rt::monotonic_us() / 1000);
}

// Nothing when it is connected, else errno.
std::optional<int> connect_by(int fd, const sockaddr* address, socklen_t size, std::int64_t end_ms) {
  if (::connect(fd, address, size) == 0) return std::nullopt;
  // EAGAIN: the listener of a Unix socket has no room in its queue.
  if (errno != EINPROGRESS && errno != EINTR) return errno;
  for (;;) {
    const std::int64_t left = end_ms - now_ms();
    if (left <= 0) return ETIMEDOUT;
    pollfd ready{.fd = fd, .events = POLLOUT, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) <= 0) continue;
    int refusal = 0;
    socklen_t refusal_size = sizeof refusal;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &refusal, &refusal_size);
    if (refusal == 0) return std::nullopt;
    return refusal;
  }
}

std::unexpected<Error> unavailable(const std::string& where, int refusal) {
  errno = refusal;
  auto error = fail_errno("connecting to " + where);
  error.error().code = Code::Unavailable;
  return error;
}

}  // namespace

Result<Address> parse_address(std::string_view text) {
  const auto refuse = [&] {
    return fail(Code::InvalidArgument,
                std::string(text) + " is no address: HOST:PORT, [IPV6]:PORT or unix:/PATH is wanted");
  };
  if (text.starts_with("unix:")) {
    if (text.size() < 7 || text[5] != '/') return refuse();
    return Address{.unix_path = std::string(text.substr(5))};
  }
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return refuse();
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.front() == '[') {
    if (host.back() != ']' || host.size() < 3) return refuse();
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return refuse();
  }
  const auto number = parse_int(port);
  if (!number || *number < 0 || *number > 65535) return refuse();
  return Address{.host = std::string(host), .port = std::string(port)};
}

Result<ListeningSocket> listen_on(const Address& address) {
  if (!address.unix_path.empty()) return listen_on_path(address.unix_path);
  const Found found = TRY(look_up(address, true));
  rt::UniqueFd fd(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return fail_errno("making a socket");
  set_flag(fd.get(), SOL_SOCKET, SO_REUSEADDR);
  // The sockets that it accepts inherit this.
  set_flag(fd.get(), IPPROTO_TCP, TCP_NODELAY);
  if (::bind(fd.get(), found->ai_addr, found->ai_addrlen) != 0 || ::listen(fd.get(), kBacklog) != 0)
    return fail_errno("listening at " + address.host + ":" + address.port);
  std::string real = real_address(fd.get(), address.host);
  return ListeningSocket{.fd = std::move(fd), .family = found->ai_family, .address = std::move(real)};
}

Result<ConnectedSocket> connect_to(const Address& address, Duration most) {
  const std::int64_t end = now_ms() + most.ms;
  if (!address.unix_path.empty()) {
    const sockaddr_un where = TRY(unix_address(address.unix_path));
    rt::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return fail_errno("making a socket");
    if (const auto refusal = connect_by(fd.get(), plain(where), sizeof where, end))
      return unavailable(address.unix_path, *refusal);
    return ConnectedSocket{.fd = std::move(fd), .family = AF_UNIX};
  }
  const Found found = TRY(look_up(address, false));
  int last = ENOENT;
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
    rt::UniqueFd fd(::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return fail_errno("making a socket");
    const auto refusal = connect_by(fd.get(), one->ai_addr, one->ai_addrlen, end);
    if (!refusal) {
      set_flag(fd.get(), IPPROTO_TCP, TCP_NODELAY);
      return ConnectedSocket{.fd = std::move(fd), .family = one->ai_family};
    }
    last = *refusal;
  }
  return unavailable(address.host + ":" + address.port, last);
}

}  // namespace stoker::net
