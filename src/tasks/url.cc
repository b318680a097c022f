#include "tasks/url.h"

#include <algorithm>

#include "base/text.h"

namespace stoker::tasks {

std::optional<Url> parse_url(std::string_view text) {
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 127; }))
    return std::nullopt;
  Url out;
  if (text.starts_with("https://")) {
    out.tls = true;
  } else if (!text.starts_with("http://")) {
    return std::nullopt;
  }
  text.remove_prefix(out.tls ? 8 : 7);
  text = text.substr(0, text.find('#'));
  const std::size_t end = std::min(text.find_first_of("/?\\"), text.size());
  std::string_view authority = text.substr(0, end);
  out.target = text.substr(end);
  if (out.target.empty() || out.target[0] == '?') out.target.insert(0, "/");
  if (out.target[0] == '\\' || authority.find_first_of("@%") != std::string_view::npos) return std::nullopt;
  std::size_t colon = authority.rfind(':');
  if (const std::size_t bracket = authority.rfind(']'); bracket != std::string_view::npos) {
    if (!authority.starts_with('[')) return std::nullopt;
    if (colon < bracket) colon = std::string_view::npos;
    if (colon == std::string_view::npos ? bracket + 1 != authority.size() : bracket + 1 != colon)
      return std::nullopt;
  } else if (authority.find(':') != colon) {
    return std::nullopt;
  }
  if (colon != std::string_view::npos) {
    out.port = authority.substr(colon + 1);
    const auto number = parse_int(out.port);
    if (!number || *number < 1 || *number > 65535 || out.port[0] == '-') return std::nullopt;
    authority = authority.substr(0, colon);
  }
  out.host = to_lower(authority);
  if (out.host.empty()) return std::nullopt;
  return out;
}

std::string host_and_port(const Url& url) {
  return url.port.empty() ? url.host : url.host + ":" + url.port;
}

std::string origin_of(const Url& url) {
  return (url.tls ? "https://" : "http://") + host_and_port(url);
}

std::string origin_of(std::string_view url) {
  const auto parsed = parse_url(url);
  return parsed ? origin_of(*parsed) : std::string(url);
}

std::string host_of(std::string_view url) {
  const auto parsed = parse_url(url);
  return parsed ? host_and_port(*parsed) : std::string();
}

std::string path_of(std::string_view url) {
  const auto parsed = parse_url(url);
  std::string path = parsed ? parsed->target : std::string();
  path.resize(std::min(path.find('?'), path.size()));
  while (path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace stoker::tasks
