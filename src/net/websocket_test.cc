#include <atomic>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/test_server.h"

namespace stoker::net {
namespace {

using Kind = WebSocket::Kind;

// The events of one side, kept.
class Log {
 public:
  explicit Log(bool one_connection = true) : one_connection_(one_connection) {}
  WebSocketEvents events() {
    return {.on_message =
                [this](Kind kind, std::string message) {
                  const std::lock_guard lock(mutex_);
                  EXPECT_TRUE(!one_connection_ || closes_ == 0);
                  messages_.emplace_back(kind, std::move(message));
                },
            .on_close =
                [this] {
                  const std::lock_guard lock(mutex_);
                  ++closes_;
                }};
  }
  [[nodiscard]] std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return messages_.size();
  }
  [[nodiscard]] int closes() const {
    const std::lock_guard lock(mutex_);
    return closes_;
  }
  std::vector<std::pair<Kind, std::string>> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(messages_, {});
  }

 private:
  const bool one_connection_;
  mutable std::mutex mutex_;
  std::vector<std::pair<Kind, std::string>> messages_;
  int closes_ = 0;
};

// A server whose side of each WebSocket echoes, and of which the last is at hand.
class WebSocketTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    ServerHandlers handlers = echo_handlers();
    handlers.on_websocket = [this](
                                const Request& request,
                                const std::shared_ptr<WebSocket>& socket) -> std::optional<WebSocketEvents> {
      if (request.target != "/echo") return std::nullopt;
      token_ = std::string(request.header("x-token"));
      {
        const std::lock_guard lock(mutex_);
        peer_ = socket;
      }
      WebSocketEvents events = server_log_.events();
      events.on_message = [socket, log = events.on_message](Kind kind, std::string message) {
        socket->send(kind, message);
        log(kind, std::move(message));
      };
      return events;
    };
    server_ = start_server(std::move(handlers), std::move(options));
  }
  void TearDown() override {
    peer_.reset();
    server_.reset();
  }
  [[nodiscard]] std::string url() const { return "ws://" + server_->address() + "/echo"; }
  std::shared_ptr<WebSocket> peer() {
    const std::lock_guard lock(mutex_);
    return peer_;
  }

  Log server_log_{false};
  std::string token_;
  std::mutex mutex_;
  std::shared_ptr<WebSocket> peer_;
  std::unique_ptr<Server> server_;
};

TEST_F(WebSocketTest, MessagesComeBackInOrderAndKind) {
  start();
  Log log;
  auto socket = connect_websocket({.url = url(), .headers = {{"X-Token", "secret"}}}, log.events());
  ASSERT_TRUE(socket) << socket.error().message;
  std::vector<std::pair<Kind, std::string>> sent;
  for (int i = 0; i < 500; ++i) {
    const Kind kind = i % 3 == 0 ? Kind::Binary : Kind::Text;
    sent.emplace_back(kind, std::to_string(i) + std::string(static_cast<std::size_t>(i), 'x'));
  }
  sent.emplace_back(Kind::Binary, std::string("\0\xff\n", 3));
  sent.emplace_back(Kind::Text, "");
  for (const auto& [kind, text] : sent) ASSERT_TRUE((*socket)->send(kind, text));
  ASSERT_TRUE(eventually([&] { return log.count() == sent.size(); }));
  EXPECT_EQ(log.take(), sent);
  EXPECT_EQ(token_, "secret");
  EXPECT_EQ(log.closes(), 0);
}

TEST_F(WebSocketTest, LargeMessagesPassAndTooLargeOnesAreRefused) {
  start();
  Log log;
  auto socket = connect_websocket({.url = url()}, log.events());
  ASSERT_TRUE(socket);
  const std::string large(9u << 20, 'x');
  ASSERT_TRUE((*socket)->send(Kind::Binary, large));
  ASSERT_TRUE(eventually([&] { return log.count() == 1; }));
  EXPECT_TRUE(log.take()[0].second == large);
  EXPECT_FALSE((*socket)->send(Kind::Binary, std::string(WebSocket::kMessageBytesMax + 1, 'x')));
  EXPECT_TRUE((*socket)->send(Kind::Binary, "still open"));
  EXPECT_TRUE(eventually([&] { return log.count() == 1; }));
}

const std::string kHandshake =
    "GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

TEST_F(WebSocketTest, WhatWaitsToBeSentIsBounded) {
  start();
  RawClient reads_nothing(server_->address());
  ASSERT_TRUE(reads_nothing.send(kHandshake));
  ASSERT_TRUE(eventually([&] { return peer() != nullptr; }));
  // The kernel takes a few of the bytes, never a whole message.
  const std::string large(15u << 20, 'x');
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(peer()->send(Kind::Binary, large)) << i;
  EXPECT_FALSE(peer()->send(Kind::Binary, large));
  EXPECT_TRUE(peer()->send(Kind::Binary, "small"));
}

TEST_F(WebSocketTest, TextThatIsNoneIsRepairedInsteadOfEndingTheConnection) {
  start();
  Log log;
  auto socket = connect_websocket({.url = url()}, log.events());
  ASSERT_TRUE((*socket)->send(Kind::Text, "a\xff"));
  ASSERT_TRUE(eventually([&] { return log.count() == 1; }));
  EXPECT_EQ(log.take()[0].second, "a\xEF\xBF\xBD");
}

TEST_F(WebSocketTest, ClosingSendsWhatWaitsAndBothSidesHearOfItOnce) {
  start();
  for (const bool by_client : {true, false}) {
    Log log;
    auto socket = connect_websocket({.url = url()}, log.events());
    ASSERT_TRUE(socket);
    const int closes_before = server_log_.closes();
    server_log_.take();
    WebSocket& closer = by_client ? **socket : *peer();
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(closer.send(Kind::Text, std::string(10'000, 'x')));
    closer.close();
    closer.close();
    EXPECT_FALSE(closer.send(Kind::Text, "late"));
    EXPECT_TRUE(eventually([&] { return log.closes() == 1 && server_log_.closes() == closes_before + 1; }));
    EXPECT_EQ(by_client ? server_log_.count() : log.count(), 100u);
    EXPECT_FALSE((*socket)->send(Kind::Text, "late"));
    EXPECT_FALSE(peer()->send(Kind::Text, "late"));
  }
}

TEST_F(WebSocketTest, AnotherAnswerThanUpgradeIsSaid) {
  start();
  const std::string base = url().substr(0, url().size() - 5);
  const auto refused = connect_websocket({.url = base + "/other"}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Unavailable);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("HTTP 404"));
  for (const char* bad : {"http://127.0.0.1:1/", "ws://", "unix:x", ""})
    EXPECT_EQ(connect_websocket({.url = bad}, {}).error().code, Code::InvalidArgument) << bad;
  EXPECT_EQ(connect_websocket({.url = "ws://127.0.0.1:1/"}, {}).error().code, Code::Unavailable);
  EXPECT_EQ(connect_websocket({.url = "unix:/nonexistent:/x"}, {}).error().code, Code::Unavailable);
}

TEST_F(WebSocketTest, APeerThatNeverAnswersIsNotWaitedForLong) {
  auto silent = listen_on(parse_address("127.0.0.1:0").value());
  ASSERT_TRUE(silent);
  Log log;
  const auto refused = connect_websocket(
      {.url = "ws://" + silent->address + "/", .connect_timeout = milliseconds(100)}, log.events());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Unavailable);
  EXPECT_EQ(log.closes(), 0);
}

TEST_F(WebSocketTest, RunsOverUnixSockets) {
  const TemporaryDirectory dir;
  start({.listen = "unix:" + dir / "s"});
  Log log;
  auto socket = connect_websocket({.url = "unix:" + dir / "s" + ":/echo"}, log.events());
  ASSERT_TRUE(socket) << socket.error().message;
  ASSERT_TRUE((*socket)->send(Kind::Text, "hello"));
  EXPECT_TRUE(eventually([&] { return log.count() == 1; }));
}

TEST_F(WebSocketTest, TheEndOfTheServerIsHeard) {
  start({.threads = 2});
  Log logs[3];
  std::vector<std::shared_ptr<WebSocket>> sockets;
  for (Log& log : logs) sockets.push_back(connect_websocket({.url = url()}, log.events()).value());
  const auto last = peer();
  server_.reset();
  EXPECT_EQ(server_log_.closes(), 3);  // before the destructor returns
  for (Log& log : logs) EXPECT_TRUE(eventually([&] { return log.closes() == 1; }));
  EXPECT_FALSE(last->send(Kind::Text, "after the server"));
  last->close();
}

TEST_F(WebSocketTest, DroppingTheClientEndsItsEvents) {
  start();
  for (int round = 0; round < 20; ++round) {
    auto log = std::make_unique<Log>();
    auto socket = connect_websocket({.url = url()}, log->events()).value();
    for (int i = 0; i < 50; ++i) socket->send(Kind::Text, std::string(1000, 'x'));
    socket.reset();
    EXPECT_EQ(log->closes(), 1);
    log.reset();  // nothing may touch it any more
  }
  EXPECT_TRUE(eventually([&] { return server_log_.closes() == 20; }));
}

TEST_F(WebSocketTest, TheClientMayBeDroppedInItsOwnEvent) {
  start();
  std::mutex mutex;
  std::shared_ptr<WebSocket> held;
  std::atomic<int> closes{0};
  WebSocketEvents events{.on_message =
                             [&](Kind, const std::string&) {
                               const std::lock_guard lock(mutex);
                               held.reset();
                             },
                         .on_close = [&] { ++closes; }};
  {
    const std::lock_guard lock(mutex);
    held = connect_websocket({.url = url()}, std::move(events)).value();
    held->send(Kind::Text, "x");
  }
  EXPECT_TRUE(eventually([&] { return closes == 1 && server_log_.closes() == 1; }));
}

TEST_F(WebSocketTest, MessagesSentBeforeTheHandshakeIsDoneArriveAfterIt) {
  ServerHandlers handlers = echo_handlers();
  handlers.on_websocket = [](const Request&, const std::shared_ptr<WebSocket>& socket) {
    EXPECT_TRUE(socket->send(Kind::Text, "welcome"));
    return WebSocketEvents{};
  };
  server_ = start_server(std::move(handlers));
  Log log;
  auto socket = connect_websocket({.url = url()}, log.events());
  ASSERT_TRUE(socket);
  ASSERT_TRUE(eventually([&] { return log.count() == 1; }));
  EXPECT_EQ(log.take()[0].second, "welcome");
}

TEST_F(WebSocketTest, BrokenFramesEndTheConnection) {
  start();
  RawClient client(server_->address());
  ASSERT_TRUE(client.send(kHandshake));
  EXPECT_THAT(client.read_until("\r\n\r\n"), testing::HasSubstr("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
  // Not masked, reserved bits set.
  ASSERT_TRUE(client.send("\xff\x05hello"));
  client.read_to_end();
  client.shut();
  EXPECT_TRUE(eventually([&] { return server_log_.closes() == 1; }));
  // And a request to upgrade that is broken itself.
  RawClient other(server_->address());
  ASSERT_TRUE(
      other.send("GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"));
  other.read_to_end();
  EXPECT_TRUE(eventually([&] { return server_log_.closes() == 2; }));
}

}  // namespace
}  // namespace stoker::net
