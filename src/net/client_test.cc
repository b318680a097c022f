#include <atomic>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <stdlib.h>

#include "net/test_server.h"
#include "rt/subprocess.h"

namespace stoker::net {
namespace {

using testing::HasSubstr;

TEST(Client, SendsWhatItIsTold) {
  Request seen;
  ServerHandlers handlers;
  handlers.on_request = [&](Request request, Reply reply) {
    seen = std::move(request);
    reply({.status = 418, .headers = {{"X-One", "1"}, {"X-Empty", ""}}, .body = "short and stout"});
  };
  const auto server = start_server(std::move(handlers));
  const auto client = Client::create({.base = "http://" + server->address() + "/"});
  const Request request{.method = "PATCH",
                        .target = "/a/../b%2Fc?x=%20&y",
                        .headers = {{"Authorization", "Bearer x"}, {"X-Nothing", ""}},
                        .body = std::string("b\0dy", 4)};
  const auto answer = client->send(request);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 418);
  EXPECT_EQ(answer->body, "short and stout");
  EXPECT_EQ(answer->header("x-one"), "1");
  EXPECT_EQ(seen.method, "PATCH");
  EXPECT_EQ(seen.target, request.target);
  EXPECT_EQ(seen.body, request.body);
  EXPECT_EQ(seen.header("authorization"), "Bearer x");
  EXPECT_EQ(seen.header("host"), server->address());
  std::vector<std::string> names;
  for (const Header& header : seen.headers) names.push_back(header.name);
  EXPECT_THAT(
      names, testing::UnorderedElementsAre("Host", "Accept", "Authorization", "X-Nothing", "Content-Length"));
}

TEST(Client, EachMethodHasItsBodyOrNone) {
  const auto server = start_server(echo_handlers());
  const auto client = Client::create({.base = "http://" + server->address()});
  for (const char* method : {"GET", "POST", "PUT", "DELETE", "OPTIONS"}) {
    EXPECT_EQ(client->send({.method = method, .target = "/"})->body, std::string(method) + " / ");
    EXPECT_EQ(client->send({.method = method, .target = "/", .body = "b"})->body,
              std::string(method) + " / b");
  }
  const auto head = client->send({.method = "HEAD", .target = "/"});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(head->header("content-length"), "7");
}

TEST(Client, RefusesToSendWhatIsNoRequest) {
  const auto client = Client::create({.base = "http://127.0.0.1:1"});
  const Request rows[] = {{.method = "GET", .target = "/a\r\nX: y"},
                          {.method = "GET\n", .target = "/"},
                          {.method = "GET", .target = "no-slash"},
                          {.method = "GET", .target = "/", .headers = {{"A", "b\r\nC: d"}}}};
  for (const Request& row : rows) EXPECT_EQ(client->send(row).error().code, Code::InvalidArgument);
}

TEST(Client, KeepsItsConnection) {
  // With one place, a second connection would wait for ever behind the first.
  const auto server = start_server(echo_handlers(), {.connections_max = 1});
  const auto client = Client::create({.base = "http://" + server->address(), .timeout = seconds(20)});
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(client->send({.method = "GET", .target = "/"}));
}

TEST(Client, NoAnswerIsUnavailable) {
  std::mutex mutex;
  std::vector<Reply> kept;
  ServerHandlers handlers;
  handlers.on_request = [&](Request request, Reply reply) {
    const std::lock_guard lock(mutex);
    if (request.target == "/never") kept.push_back(std::move(reply));
  };
  const auto server = start_server(std::move(handlers));
  const auto client = Client::create({.base = "http://" + server->address(), .timeout = milliseconds(200)});
  EXPECT_EQ(client->send({.method = "GET", .target = "/dropped"}).error().code, Code::Unavailable);
  EXPECT_EQ(client->send({.method = "GET", .target = "/never"}).error().code, Code::Unavailable);
  for (const char* base :
       {"http://127.0.0.1:1", "unix:/nonexistent/socket", "ftp://127.0.0.1/", "http://no.such.invalid"})
    EXPECT_EQ(Client::create({.base = base})->send({.method = "GET", .target = "/"}).error().code,
              Code::Unavailable)
        << base;
}

TEST(Client, KnowsWhetherAnythingWasSent) {
  const auto nobody = Client::create({.base = "http://127.0.0.1:1"});
  EXPECT_FALSE(nobody->send({.method = "POST", .target = "/", .body = "x"}));
  EXPECT_FALSE(nobody->sent_anything());
  const auto server = start_server(echo_handlers());
  const auto client = Client::create({.base = "http://" + server->address()});
  EXPECT_TRUE(client->send({.method = "POST", .target = "/", .body = "x"}));
  EXPECT_TRUE(client->sent_anything());
  EXPECT_FALSE(client->send({.method = "", .target = "/"}));
  EXPECT_FALSE(client->sent_anything());
}

TEST(Client, AnswersAreBounded) {
  const auto server = start_server(echo_handlers());
  const auto client = Client::create({.base = "http://" + server->address(), .response_bytes_max = 1000});
  EXPECT_TRUE(client->send({.method = "POST", .target = "/", .body = std::string(993, 'x')}));
  EXPECT_EQ(client->send({.method = "POST", .target = "/", .body = std::string(994, 'x')}).error().code,
            Code::LimitExceeded);
  EXPECT_TRUE(client->send({.method = "POST", .target = "/"}));
}

TEST(Client, StreamsInPiecesAndStopsEarly) {
  const auto server = start_server(echo_handlers(), {.body_bytes_max = 32u << 20});
  const auto client = Client::create({.base = "http://" + server->address()});
  const Request request{.method = "POST", .target = "/", .body = std::string(10'000'000, 'x')};
  std::size_t got = 0;
  int pieces = 0;
  auto answer = client->stream(request, [&](std::string_view piece) {
    got += piece.size();
    ++pieces;
    return true;
  });
  ASSERT_TRUE(answer);
  EXPECT_EQ(got, request.body.size() + 7);
  EXPECT_GT(pieces, 1);
  EXPECT_EQ(answer->body, "");
  got = 0;
  answer = client->stream(request, [&](std::string_view piece) { return got += piece.size(), false; });
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_LT(got, 1'000'000u);
  EXPECT_TRUE(client->send({.method = "GET", .target = "/"}));
}

TEST(Client, IsInterruptedFromAnotherThread) {
  std::mutex mutex;
  std::vector<Reply> kept;
  ServerHandlers handlers;
  handlers.on_request = [&](Request request, Reply reply) {
    const std::lock_guard lock(mutex);
    if (request.target == "/never") return kept.push_back(std::move(reply));
    reply({});
  };
  const auto server = start_server(std::move(handlers));
  const auto client = Client::create({.base = "http://" + server->address(), .timeout = Duration{}});
  std::atomic<bool> returned{false};
  std::thread caller([&] {
    EXPECT_EQ(client->send({.method = "GET", .target = "/never"}).error().code, Code::Unavailable);
    returned = true;
  });
  EXPECT_TRUE(eventually([&] { return std::lock_guard(mutex), !kept.empty(); }));
  EXPECT_FALSE(returned);
  client->interrupt();
  caller.join();
  EXPECT_TRUE(client->send({.method = "GET", .target = "/"}));
  // One that comes just before the call is not lost.
  client->interrupt();
  EXPECT_EQ(client->send({.method = "GET", .target = "/never"}).error().code, Code::Unavailable);
}

TEST(Client, AProxyIsNotAskedForThisMachine) {
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  const auto server = start_server(echo_handlers());
  EXPECT_TRUE(
      Client::create({.base = "http://" + server->address()})->send({.method = "GET", .target = "/"}));
  ::unsetenv("http_proxy");
}

// ---- TLS ----

class Tls : public testing::Test {
 protected:
  void SetUp() override {
    const auto made =
        rt::capture({.argv = {"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                              "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                              "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                              "-keyout", files().key_file, "-out", files().certificate_file}});
    ASSERT_TRUE(made && made->exit.success()) << made->errors;
  }
  [[nodiscard]] TlsFiles files() const {
    return {.certificate_file = dir_ / "cert", .key_file = dir_ / "key"};
  }

  TemporaryDirectory dir_;
};

TEST_F(Tls, ServesThoseWhoTrustTheCertificate) {
  const auto server = start_server(echo_handlers(), {.tls = files(), .body_bytes_max = 32u << 20});
  const std::string base = "https://" + server->address();
  const auto client = Client::create({.base = base, .ca_file = files().certificate_file});
  for (const std::size_t size : {0uz, 5uz, 100'000uz, 9'000'000uz}) {
    const std::string body(size, 'x');
    const auto answer = client->send({.method = "POST", .target = "/", .body = body});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_TRUE(answer->body == "POST / " + body);
  }
  const auto closing = client->send({.method = "GET", .target = "/", .headers = {{"Connection", "close"}}});
  EXPECT_TRUE(closing);
  const auto too_large = client->send({.method = "POST", .target = "/", .body = std::string(33u << 20, 'x')});
  ASSERT_TRUE(too_large) << too_large.error().message;
  EXPECT_EQ(too_large->status, 413);
  EXPECT_EQ(Client::create({.base = base})->send({.method = "GET", .target = "/"}).error().code,
            Code::Unavailable);
}

TEST_F(Tls, OtherBytesEndTheConnectionOnly) {
  const auto server = start_server(echo_handlers(), {.tls = files(), .idle_timeout = milliseconds(200)});
  RawClient plain(server->address());
  ASSERT_TRUE(plain.send("GET / HTTP/1.1\r\n\r\n"));
  plain.read_to_end();
  const auto client =
      Client::create({.base = "https://" + server->address(), .ca_file = files().certificate_file});
  EXPECT_TRUE(client->send({.method = "GET", .target = "/"}));
}

TEST_F(Tls, ABodyThatNeverComesIsNotWaitedForLong) {
  const auto server = start_server(echo_handlers(), {.tls = files(), .idle_timeout = milliseconds(200)});
  const auto connected = connect_to(parse_address(server->address()).value(), kPatience).value();
  ::fcntl(connected.fd.get(), F_SETFL, 0);
  const timeval patience{.tv_sec = kPatience.ms / 1000, .tv_usec = 0};
  ::setsockopt(connected.fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  const std::unique_ptr<SSL, void (*)(SSL*)> ssl(SSL_new(context.get()), SSL_free);
  SSL_set_fd(ssl.get(), connected.fd.get());
  ASSERT_EQ(SSL_connect(ssl.get()), 1);
  const std::string request = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
  ASSERT_GT(SSL_write(ssl.get(), request.data(), static_cast<int>(request.size())), 0);
  char bytes[1000];
  ASSERT_GT(SSL_read(ssl.get(), bytes, sizeof bytes), 0);
  const auto start = rt::monotonic_us();
  EXPECT_LE(SSL_read(ssl.get(), bytes, sizeof bytes), 0);
  EXPECT_LT(rt::monotonic_us() - start, static_cast<std::uint64_t>(kPatience.ms) * 900);
}

TEST_F(Tls, AServerWithoutItsFilesDoesNotStart) {
  EXPECT_EQ(Server::start({.listen = "127.0.0.1:0",
                           .tls = TlsFiles{.certificate_file = dir_ / "none", .key_file = dir_ / "key"}},
                          echo_handlers())
                .error()
                .code,
            Code::Io);
  EXPECT_FALSE(Server::start({.listen = "127.0.0.1:0",
                              .tls = TlsFiles{.certificate_file = dir_ / "cert", .key_file = dir_ / "cert"}},
                             echo_handlers()));
}

TEST_F(Tls, WebSocketsRunOverIt) {
  ServerHandlers handlers = echo_handlers();
  handlers.on_websocket = [](const Request&, const std::shared_ptr<WebSocket>& socket) {
    return WebSocketEvents{.on_message = [socket](WebSocket::Kind kind, std::string message) {
      socket->send(kind, std::move(message));
    }};
  };
  const auto server = start_server(std::move(handlers), {.tls = files()});
  std::mutex mutex;
  std::string got;
  const WebSocketEvents events{.on_message = [&](WebSocket::Kind, std::string message) {
    const std::lock_guard lock(mutex);
    got += message;
  }};
  const std::string url = "wss://" + server->address() + "/";
  const auto socket = connect_websocket({.url = url, .ca_file = files().certificate_file}, events);
  ASSERT_TRUE(socket) << socket.error().message;
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE((*socket)->send(WebSocket::Kind::Binary, large));
  EXPECT_TRUE(eventually([&] { return std::lock_guard(mutex), got.size() == large.size(); }));
  EXPECT_EQ(connect_websocket({.url = url}, {}).error().code, Code::Unavailable);
  // The certificate does not speak for this name.
  const std::string other = "wss://localhost.localdomain" + url.substr(url.rfind(':'));
  EXPECT_FALSE(connect_websocket({.url = other, .ca_file = files().certificate_file}, {}));
}

}  // namespace
}  // namespace stoker::net
