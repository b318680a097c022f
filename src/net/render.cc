#include "net/render.h"

#include <charconv>
#include <ctime>

#include <boost/beast/http/status.hpp>

#include "base/text.h"

namespace stoker::net {
namespace {

void append_number(std::string& out, std::size_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end.ptr);
}

void append_clean(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  out += text;
  for (std::size_t i = start; i < out.size(); ++i)
    if (out[i] == '\r' || out[i] == '\n' || out[i] == '\0') out[i] = ' ';
}

bool ours(std::string_view name) {
  // By length first: most names differ already there.
  switch (name.size()) {
    case 4:
      return equal_ignoring_case(name, "date");
    case 10:
      return equal_ignoring_case(name, "connection");
    case 14:
      return equal_ignoring_case(name, "content-length");
    case 17:
      return equal_ignoring_case(name, "transfer-encoding");
    default:
      return false;
  }
}

bool may_have_body(int status) {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace

void render_head(std::string& out, const Response& response, const RenderOptions& options) {
  namespace http = boost::beast::http;
  if (response.status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
  } else {
    const auto status = static_cast<unsigned>(std::clamp(response.status, 100, 999));
    out += "HTTP/1.1 ";
    append_number(out, status);
    out += ' ';
    const auto reason = http::obsolete_reason(http::int_to_status(status));
    out.append(reason.data(), reason.size());
    out += "\r\n";
  }
  for (const Header& header : response.headers) {
    if (ours(header.name)) continue;
    append_clean(out, header.name);
    out += ": ";
    append_clean(out, header.value);
    out += "\r\n";
  }
  if (may_have_body(response.status)) {
    out += "Content-Length: ";
    append_number(out, response.body.size());
    out += "\r\n";
  }
  out += "Date: ";
  out += options.date;
  if (!options.keep_alive) {
    out += "\r\nConnection: close\r\n\r\n";
  } else if (options.http_1_0) {
    out += "\r\nConnection: keep-alive\r\n\r\n";
  } else {
    out += "\r\n\r\n";
  }
}

bool has_body(const Response& response, const RenderOptions& options) {
  return !options.head && may_have_body(response.status);
}

bool asks_to_close(const Response& response) {
  for (const Header& header : response.headers)
    if (header.name.size() == 10 && equal_ignoring_case(header.name, "connection") &&
        equal_ignoring_case(header.value, "close"))
      return true;
  return false;
}

std::string http_date(std::int64_t seconds_since_epoch) {
  // By hand instead of strftime, whose names follow the locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t at = seconds_since_epoch;
  std::tm t{};
  ::gmtime_r(&at, &t);
  const auto two = [](int n) {
    return std::string{static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
  };
  return std::string(kDays[t.tm_wday]) + ", " + two(t.tm_mday) + " " + kMonths[t.tm_mon] + " " +
         std::to_string(t.tm_year + 1900) + " " + two(t.tm_hour) + ":" + two(t.tm_min) + ":" + two(t.tm_sec) +
         " GMT";
}

}  // namespace stoker::net
