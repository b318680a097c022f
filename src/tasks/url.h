#pragma once
// Addresses that tasks call.
#include <optional>
#include <string>
#include <string_view>

namespace stoker::tasks {

struct Url {
  bool tls = false;
  std::string host;    // lower case; "[::1]" for IPv6
  std::string port;    // "" = that of the scheme
  std::string target;  // "/path?query", percent-encoded as it was given; at least "/"
};
// "http://" or "https://" only; no user names, blanks or control characters. A fragment is dropped.
std::optional<Url> parse_url(std::string_view text);

std::string host_and_port(const Url& url);  // as the Host header has it
std::string origin_of(const Url& url);      // "https://host:port"

// The same of a configured address, which was checked before.
std::string origin_of(std::string_view url);
std::string host_of(std::string_view url);
std::string path_of(std::string_view url);  // without the slash at its end: "" for most

}  // namespace stoker::tasks
