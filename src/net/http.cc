#include "net/http.h"

#include "base/text.h"

namespace stoker::net {
namespace {

std::string_view find_header(const std::vector<Header>& headers, std::string_view name) {
  for (const Header& header : headers)
    if (equal_ignoring_case(header.name, name)) return header.value;
  return {};
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  return find_header(headers, name);
}
std::string_view Response::header(std::string_view name) const {
  return find_header(headers, name);
}

}  // namespace stoker::net
