#pragma once
// Addresses as people write them, and the sockets behind them. Internal to net; plain POSIX.
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "rt/fd.h"

namespace stoker::net {

// "host:port", "[v6]:port" or "unix:/path".
struct Address {
  std::string host{};  // without brackets
  std::string port{};
  std::string unix_path{};  // when this is not empty, the two above are
};
// InvalidArgument with the text that is no address.
Result<Address> parse_address(std::string_view text);

struct ListeningSocket {
  rt::UniqueFd fd;
  int family = 0;       // AF_INET, AF_INET6, AF_UNIX
  std::string address;  // with the real port, in the form of parse_address
};
Result<ListeningSocket> listen_on(const Address& address);

struct ConnectedSocket {
  rt::UniqueFd fd;
  int family = 0;
};
// Unavailable when nobody answers within `most`. The look-up of a name is not bounded by it.
Result<ConnectedSocket> connect_to(const Address& address, Duration most);

}  // namespace stoker::net
