#pragma once
// Bytes to a Request: Beast's strict incremental parser, which fills our struct directly.
#include <cstddef>
#include <optional>
#include <string_view>

#include <boost/beast/http/basic_parser.hpp>

#include "net/http.h"

namespace stoker::net {

struct ParserLimits {
  std::size_t header_bytes_max = 64u << 10;
  std::size_t body_bytes_max = 4u << 20;
};

// Why bytes are no request that we take.
struct ParseRefusal {
  int status = 400;  // 400, 413 (body too large) or 431 (header too large)
  std::string why{};
};

// One request. The bytes of the header must be offered again, together, until they are used.
class RequestParser final : private boost::beast::http::basic_parser<true> {
 public:
  explicit RequestParser(const ParserLimits& limits);

  // Uses some of the bytes and says how many; stops after the last byte of the request. `bytes` is not empty.
  std::size_t feed(std::string_view bytes);

  [[nodiscard]] bool done() const { return is_done(); }
  [[nodiscard]] bool started() const { return got_some(); }
  [[nodiscard]] const std::optional<ParseRefusal>& refusal() const { return refusal_; }
  // The header is there, the body is not, and the client waits to be told to send it.
  [[nodiscard]] bool wants_continue() const { return is_header_done() && expects_continue_ && !is_done(); }

  // Of a request that is done.
  [[nodiscard]] bool keeps_alive() const { return keep_alive(); }
  [[nodiscard]] bool http_1_0() const { return version_ == 10; }
  [[nodiscard]] bool asks_for_websocket() const;
  Request take() { return std::move(request_); }

 private:
  using Verb = boost::beast::http::verb;
  using Field = boost::beast::http::field;
  using Text = boost::beast::string_view;
  using ErrorCode = boost::beast::error_code;

  void on_request_impl(Verb, Text method, Text target, int version, ErrorCode&) override;
  void on_response_impl(int, Text, int, ErrorCode&) override {}
  void on_field_impl(Field name, Text name_text, Text value, ErrorCode&) override;
  void on_header_impl(ErrorCode&) override { header_done_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode&) override;
  std::size_t on_body_impl(Text body, ErrorCode&) override;
  void on_chunk_header_impl(std::uint64_t, Text, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, ErrorCode&) override;
  void on_finish_impl(ErrorCode&) override {}

  Request request_;
  std::optional<ParseRefusal> refusal_;
  int version_ = 11;
  bool header_done_ = false;
  bool expects_continue_ = false;
};

}  // namespace stoker::net
