#include "net/parser.h"

#include <boost/beast/http/error.hpp>

#include "base/text.h"

namespace stoker::net {

namespace http = boost::beast::http;

RequestParser::RequestParser(const ParserLimits& limits) {
  eager(true);
  header_limit(static_cast<std::uint32_t>(limits.header_bytes_max));
  body_limit(limits.body_bytes_max);
  request_.headers.reserve(12);
}

std::size_t RequestParser::feed(std::string_view bytes) {
  ErrorCode error;
  const std::size_t used = put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
  if (error && error != http::error::need_more) {
    refusal_.emplace();
    if (error == http::error::header_limit) refusal_->status = 431;
    if (error == http::error::body_limit) refusal_->status = 413;
    refusal_->why = error.message();
  }
  return used;
}

bool RequestParser::asks_for_websocket() const {
  return upgrade() && request_.method == "GET" &&
         equal_ignoring_case(request_.header("upgrade"), "websocket");
}

void RequestParser::on_request_impl(Verb, Text method, Text target, int version, ErrorCode&) {
  request_.method.assign(method.data(), method.size());
  request_.target.assign(target.data(), target.size());
  version_ = version;
}

void RequestParser::on_field_impl(Field name, Text name_text, Text value, ErrorCode&) {
  // After the header these are trailers of a chunked body: nothing that was not there when the header was
  // judged may still become part of it.
  if (header_done_) return;
  request_.headers.push_back(
      Header{std::string(name_text.data(), name_text.size()), std::string(value.data(), value.size())});
  if (name == Field::expect)
    expects_continue_ = version_ >= 11 && equal_ignoring_case(request_.headers.back().value, "100-continue");
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode&) {
  // Within the limit already: the parser looks before it asks. Reserved only as far as a liar costs nothing.
  constexpr std::uint64_t kReserveMax = 256u << 10;
  if (length) request_.body.reserve(static_cast<std::size_t>(std::min(*length, kReserveMax)));
}

std::size_t RequestParser::on_body_impl(Text body, ErrorCode&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, Text body, ErrorCode&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

}  // namespace stoker::net
