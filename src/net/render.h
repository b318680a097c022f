#pragma once
// A Response as the bytes of HTTP/1.1.
#include <string>
#include <string_view>

#include "net/http.h"

namespace stoker::net {

struct RenderOptions {
  std::string_view date{};  // of the Date header
  bool keep_alive = true;
  bool http_1_0 = false;  // the client speaks HTTP/1.0, where keeping alive has to be said
  bool head = false;      // the answer to HEAD: the length of the body, but no body
};

// Appends the status line and the headers with the empty line. Line ends inside names and values become
// spaces, so no value can end a header and begin another.
void render_head(std::string& out, const Response& response, const RenderOptions& options);

// Whether the body follows the head at all.
bool has_body(const Response& response, const RenderOptions& options);

// "Connection: close" among the headers.
bool asks_to_close(const Response& response);

// RFC 9110: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::int64_t seconds_since_epoch);

}  // namespace stoker::net
