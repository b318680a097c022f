#include "net/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "net/render.h"

namespace stoker::net {
namespace {

// Feeds the bytes as a connection does, in pieces of `step`. The rest that was not used is in `left`.
struct Outcome {
  bool done = false;
  int refusal = 0;
  Request request{};
  bool keeps_alive = false;
  bool websocket = false;
  std::string left{};
};

Outcome parse(std::string_view bytes, std::size_t step = std::string::npos, ParserLimits limits = {}) {
  RequestParser parser(limits);
  Outcome out;
  std::string pending;
  while (!parser.done() && !parser.refusal()) {
    const std::string_view piece = bytes.substr(0, step);
    bytes.remove_prefix(piece.size());
    pending += piece;
    const std::size_t used = pending.empty() ? 0 : parser.feed(pending);
    pending.erase(0, used);
    if (piece.empty() && used == 0) break;
  }
  if (parser.refusal()) out.refusal = parser.refusal()->status;
  out.done = parser.done();
  out.left = pending + std::string(bytes);
  if (!out.done) return out;
  out.keeps_alive = parser.keeps_alive();
  out.websocket = parser.asks_for_websocket();
  out.request = parser.take();
  return out;
}

const std::string kPost =
    "POST /v1/submitjob?a=%2F HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nContent-Length: 5\r\n\r\nhello";

TEST(Parser, TakesARequestInAnyPieces) {
  for (std::size_t step = 1; step <= kPost.size(); ++step) {
    const Outcome got = parse(kPost + "GET / H", step);
    ASSERT_TRUE(got.done) << step;
    EXPECT_EQ(got.request.method, "POST");
    EXPECT_EQ(got.request.target, "/v1/submitjob?a=%2F");
    EXPECT_EQ(got.request.header("content-length"), "5");
    EXPECT_EQ(got.request.header("x-EMPTY"), "");
    EXPECT_EQ(got.request.headers.size(), 3u);
    EXPECT_EQ(got.request.body, "hello");
    EXPECT_EQ(got.left, "GET / H");
    EXPECT_TRUE(got.keeps_alive);
  }
}

TEST(Parser, ChunkedBodiesAreJoinedAndTrailersDropped) {
  const std::string bytes =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Late: "
      "1\r\n\r\n";
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    const Outcome got = parse(bytes, step);
    ASSERT_TRUE(got.done) << step;
    EXPECT_EQ(got.request.body, "abc0123456789");
    EXPECT_EQ(got.request.header("x-late"), "");
  }
}

TEST(Parser, RefusalsHaveTheirStatus) {
  struct Row {
    const char* rule;
    std::string bytes;
    int status;
  };
  const Row rows[] = {
      {"what is no HTTP", "\x16\x03\x01 hello\r\n\r\n", 400},
      {"a version that does not exist", "GET / HTTP/3.7\r\n\r\n", 400},
      {"a space in the target", "GET / b HTTP/1.1\r\n\r\n", 400},
      {"a header without a colon", "GET / HTTP/1.1\r\nbroken\r\n\r\n", 400},
      {"a header name with a space before the colon", "GET / HTTP/1.1\r\nA : b\r\n\r\n", 400},
      {"a NUL in a header", std::string("GET / HTTP/1.1\r\nA: b\0c\r\n\r\n", 26), 400},
      {"two lengths", "POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400},
      {"a length and chunks at once",
       "POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"a negative length", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
      {"a length beyond numbers", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 400},
      {"a broken chunk", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
      {"a body above the limit", "POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", 413},
      {"chunks above the limit together",
       "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n" + std::string(64, 'x') + "\r\n40\r\n",
       413},
      {"a long header", "GET / HTTP/1.1\r\nA: " + std::string(2000, 'x') + "\r\n\r\n", 431},
      {"a long target", "GET /" + std::string(2000, 'x') + " HTTP/1.1\r\n\r\n", 431},
      {"many headers",
       [] {
         std::string all = "GET / HTTP/1.1\r\n";
         for (int i = 0; i < 200; ++i) all += "A: b\r\n";
         return all + "\r\n";
       }(),
       431},
  };
  for (const Row& row : rows)
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::string::npos})
      EXPECT_EQ(parse(row.bytes, step, {.header_bytes_max = 1000, .body_bytes_max = 100}).refusal, row.status)
          << row.rule << " in steps of " << step;
}

TEST(Parser, KeepingAliveFollowsVersionAndHeader) {
  EXPECT_TRUE(parse("GET / HTTP/1.1\r\n\r\n").keeps_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").keeps_alive);
  EXPECT_FALSE(parse("GET / HTTP/1.0\r\n\r\n").keeps_alive);
  EXPECT_TRUE(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keeps_alive);
}

TEST(Parser, OnlyAWebSocketIsTakenAsUpgrade) {
  EXPECT_TRUE(
      parse("GET / HTTP/1.1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\r\n").websocket);
  EXPECT_FALSE(parse("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n").websocket);
  EXPECT_FALSE(parse("GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n").websocket);
}

// Nothing that comes in may do more than be refused.
TEST(Parser, SurvivesMutatedRequests) {
  const std::string seeds[] = {
      kPost,
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc=\r\n\r\n"};
  Rng rng(1);
  int done = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = seeds[rng.below(3)];
    for (std::uint64_t i = rng.below(4); i-- > 0;) {
      const std::size_t at = rng.below(bytes.size());
      if (rng.chance(1, 3)) {
        bytes.erase(at, rng.below(8));
      } else if (rng.chance(1, 2)) {
        bytes.insert(at, bytes.substr(rng.below(bytes.size()), rng.below(16)));
      } else {
        bytes[at] = static_cast<char>(rng.next());
      }
      if (bytes.empty()) bytes = "x";
    }
    const Outcome got = parse(bytes, 1 + rng.below(bytes.size()));
    done += got.done;
    EXPECT_LE(got.request.body.size(), bytes.size());
  }
  EXPECT_GT(done, 5000);
  EXPECT_LT(done, 19'000);
}

std::string rendered(const Response& response, RenderOptions options = {}) {
  if (options.date.empty()) options.date = "D";
  std::string out;
  render_head(out, response, options);
  return out;
}

TEST(Render, HeadersAreOursWhereTheyFrameTheMessage) {
  const Response response{
      .status = 200,
      .headers = {{"Content-Length", "99"}, {"date", "x"}, {"Connection", "close"}, {"A", "b"}},
      .body = "12345"};
  EXPECT_EQ(rendered(response), "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\nDate: D\r\n\r\n");
  EXPECT_TRUE(asks_to_close(response));
}

TEST(Render, NoValueEndsItsHeader) {
  EXPECT_EQ(rendered({.status = 404, .headers = {{"A", "b\r\nC: d"}}}),
            "HTTP/1.1 404 Not Found\r\nA: b  C: d\r\nContent-Length: 0\r\nDate: D\r\n\r\n");
}

TEST(Render, TheConnectionIsSaidWhereItDiffersFromTheVersion) {
  EXPECT_THAT(rendered({}, {.keep_alive = false}), testing::HasSubstr("\r\nConnection: close\r\n\r\n"));
  EXPECT_THAT(rendered({}, {.http_1_0 = true}), testing::HasSubstr("\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(Render, SomeAnswersHaveNoBody) {
  EXPECT_FALSE(has_body({.status = 204, .body = "x"}, {}));
  EXPECT_FALSE(has_body({.status = 304, .body = "x"}, {}));
  EXPECT_FALSE(has_body({.status = 200, .body = "x"}, {.head = true}));
  EXPECT_TRUE(has_body({.status = 200, .body = "x"}, {}));
  EXPECT_EQ(rendered({.status = 204}), "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n");
}

TEST(Render, TheDateIsThatOfHttp) {
  EXPECT_EQ(http_date(784'111'777), "Sun, 06 Nov 1994 08:49:37 GMT");
}

}  // namespace
}  // namespace stoker::net
