#include "load/client.h"

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bench {
namespace {

constexpr std::size_t kReadAtOnce = 64 << 10;
constexpr std::string_view kHeadEnd = "\r\n\r\n";

int open_socket(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
    give_up("no such address " + host + ":" + port, ::gai_strerror(error));
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0 || ::connect(socket, found->ai_addr, found->ai_addrlen) != 0)
    give_up("no connection to " + host + ":" + port, std::strerror(errno));
  ::freeaddrinfo(found);
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

// The value of Content-Length; the servers we measure always send one.
std::size_t content_length(std::string_view head) {
  constexpr std::string_view kName = "\r\ncontent-length:";
  for (std::size_t at = 0; at + kName.size() <= head.size(); ++at) {
    std::size_t same = 0;
    while (same < kName.size() && std::tolower(static_cast<unsigned char>(head[at + same])) == kName[same])
      ++same;
    if (same < kName.size()) continue;
    const char* digits = head.data() + at + same;
    while (*digits == ' ') ++digits;
    std::size_t length = 0;
    std::from_chars(digits, head.data() + head.size(), length);
    return length;
  }
  give_up("an answer without Content-Length", head);
}

}  // namespace

void give_up(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "bench_load: %.*s%s%.*s\n", static_cast<int>(what.size()), what.data(),
               detail.empty() ? "" : ": ", static_cast<int>(detail.size()), detail.data());
  std::exit(1);
}

double seconds_now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

long long wall_clock_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<long long>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

std::string post(std::string_view host, std::string_view path, std::string_view body,
                 std::string_view target) {
  std::string request = "POST ";
  request.append(path).append(" HTTP/1.1\r\nHost: ").append(host);
  if (target.empty())
    request.append("\r\nContent-Type: application/json");
  else
    request.append("\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: ").append(target);
  request.append("\r\nContent-Length: ").append(std::to_string(body.size()));
  request.append(kHeadEnd).append(body);
  return request;
}

Connection::Connection(const std::string& address) {
  constexpr std::string_view kScheme = "http://";
  const std::string place = address.starts_with(kScheme) ? address.substr(kScheme.size()) : address;
  const auto colon = place.rfind(':');
  if (colon == std::string::npos) give_up("an address is HOST:PORT, not " + address);
  socket_ = open_socket(place.substr(0, colon), place.substr(colon + 1));
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), buffer_(std::move(other.buffer_)) {}

Connection::~Connection() {
  if (socket_ >= 0) ::close(socket_);
}

void Connection::send(std::string_view request) {
  while (!request.empty()) {
    const ssize_t sent = ::send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) give_up("the server does not take a request", std::strerror(errno));
    request.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string_view Connection::receive() {
  buffer_.resize(kReadAtOnce);
  std::size_t filled = 0;
  std::size_t wanted = 0;  // the whole answer, once its head is there
  std::size_t head = 0;
  while (wanted == 0 || filled < wanted) {
    if (buffer_.size() - filled < kReadAtOnce / 2) buffer_.resize(buffer_.size() + kReadAtOnce);
    const ssize_t got = ::recv(socket_, buffer_.data() + filled, buffer_.size() - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) give_up("the server closed a connection", got < 0 ? std::strerror(errno) : "end of stream");
    filled += static_cast<std::size_t>(got);
    const std::string_view all(buffer_.data(), filled);
    if (wanted != 0) continue;
    const auto end = all.find(kHeadEnd);
    if (end == std::string_view::npos) continue;
    head = end + kHeadEnd.size();
    wanted = head + content_length(all.substr(0, end + 2));
  }
  const std::string_view answer(buffer_.data(), wanted);
  if (!answer.starts_with("HTTP/1.1 200")) give_up("the server refused a request", answer);
  return answer.substr(head);
}

}  // namespace bench
