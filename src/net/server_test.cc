#include <atomic>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "net/test_server.h"
#include "rt/queue.h"
#include "rt/thread.h"

namespace stoker::net {
namespace {

using testing::HasSubstr;

std::string get(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + more + "\r\n";
}

TEST(Server, KeepsConnectionsAlive) {
  const auto server = start_server(echo_handlers());
  RawClient client(server->address());
  for (int i = 0; i < 100; ++i) {
    const std::string target = "/" + std::to_string(i);
    ASSERT_TRUE(client.send(get(target)));
    const std::string answer = client.read_until("GET " + target + " ");
    EXPECT_THAT(answer, testing::StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(answer, testing::Not(HasSubstr("Connection:")));
  }
}

TEST(Server, AnswersRequestsSentAheadInOrder) {
  const auto server = start_server(echo_handlers());
  RawClient client(server->address());
  std::string all;
  for (int i = 0; i < 2000; ++i)
    all += "\r\nPOST /" + std::to_string(i) + " HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
  std::thread sender([&] { EXPECT_TRUE(client.send(all)); });
  for (int i = 0; i < 2000; ++i) {
    const std::string wanted = "POST /" + std::to_string(i) + " abc";
    ASSERT_THAT(client.read_until(wanted), testing::EndsWith(wanted));
  }
  sender.join();
}

TEST(Server, ClosesWhenAsked) {
  const auto server = start_server(echo_handlers());
  const std::string requests[] = {get("/", "Connection: close\r\n"), "GET / HTTP/1.0\r\n\r\n"};
  for (const std::string& request : requests) {
    RawClient client(server->address());
    ASSERT_TRUE(client.send(request));
    EXPECT_THAT(client.read_to_end(),
                testing::AllOf(HasSubstr("\r\nConnection: close\r\n"), HasSubstr("GET / ")));
  }
  RawClient old(server->address());
  ASSERT_TRUE(old.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
  EXPECT_THAT(old.read_until("GET /a "), HasSubstr("\r\nConnection: keep-alive\r\n"));
  ASSERT_TRUE(old.send("GET /b HTTP/1.0\r\n\r\n"));
  EXPECT_THAT(old.read_to_end(), HasSubstr("GET /b "));
}

TEST(Server, HeadHasTheLengthButNoBody) {
  const auto server = start_server(echo_handlers());
  RawClient client(server->address());
  ASSERT_TRUE(client.send("HEAD /abc HTTP/1.1\r\n\r\n" + get("/next", "Connection: close\r\n")));
  const std::string all = client.read_to_end();
  EXPECT_THAT(all, HasSubstr("Content-Length: 10\r\n"));
  EXPECT_THAT(all, testing::Not(HasSubstr("HEAD /abc")));
  EXPECT_THAT(all, HasSubstr("GET /next"));
}

TEST(Server, RefusalsUseTheCallersShapeAndClose) {
  const auto server = start_server(echo_handlers(), {.body_bytes_max = 1000, .header_bytes_max = 2000});
  const std::pair<std::string, std::string> rows[] = {
      {"nonsense\r\n\r\n", "400!"},
      {"GET / HTTP/1.1\r\nA: " + std::string(100'000, 'x') + "\r\n\r\n", "431!"},
      {"POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n" + std::string(1001, 'x'), "413!"},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n" + std::string(4096, 'x'), "413!"},
      {get("/", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"), "404!"},
      // Endless lengths of a chunk's line, never complete.
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(300'000, 'x'), "431!"},
  };
  for (const auto& [bytes, body] : rows) {
    RawClient client(server->address());
    client.send(bytes);
    const std::string answer = client.read_to_end();
    EXPECT_THAT(answer, testing::StartsWith("HTTP/1.1 " + body.substr(0, 3))) << bytes.substr(0, 60);
    EXPECT_THAT(answer, HasSubstr("Content-Type: text/x-refusal\r\n"));
    EXPECT_THAT(answer, testing::EndsWith("\r\n\r\n" + body));
  }
}

TEST(Server, ARefusalReachesAClientThatStillSends) {
  const auto server = start_server(echo_handlers(), {.body_bytes_max = 1000});
  RawClient client(server->address());
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nContent-Length: 20000000\r\n\r\n"));
  EXPECT_TRUE(client.send(std::string(20'000'000, 'x')));
  EXPECT_THAT(client.read_until("413!"), testing::EndsWith("413!"));
}

TEST(Server, LargeBodiesGoBothWays) {
  const auto server = start_server(echo_handlers(), {.body_bytes_max = 64u << 20});
  const auto client = Client::create({.base = "http://" + server->address()});
  for (const std::size_t size : {0uz, 1uz, 8191uz, 8192uz, 70'000uz, 32u * 1024uz, 30'000'000uz}) {
    std::string body(size, 'x');
    for (std::size_t i = 0; i < size; i += 997) body[i] = static_cast<char>('a' + i % 26);
    const auto answer = client->send({.method = "PUT", .target = "/", .body = body});
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->body == "PUT / " + body) << size;
  }
}

TEST(Server, TellsTheClientToContinue) {
  const auto server = start_server(echo_handlers(), {.body_bytes_max = 100});
  RawClient client(server->address());
  ASSERT_TRUE(client.send("PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"));
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  ASSERT_TRUE(client.send("hello"));
  EXPECT_THAT(client.read_until("PUT /a hello"), testing::StartsWith("HTTP/1.1 200"));
  // Not when the body is there already, and not for a body that is not wanted.
  ASSERT_TRUE(client.send("PUT /b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi"));
  EXPECT_THAT(client.read_until("PUT /b hi"), testing::StartsWith("HTTP/1.1 200"));
  ASSERT_TRUE(client.send("PUT /c HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 500\r\n\r\n"));
  EXPECT_THAT(client.read_to_end(), testing::StartsWith("HTTP/1.1 413"));
}

TEST(Server, SlowClientsLoseTheirConnection) {
  const auto server = start_server(echo_handlers(), {.idle_timeout = milliseconds(150)});
  RawClient silent(server->address());
  RawClient after_one(server->address());
  RawClient in_header(server->address());
  RawClient in_body(server->address());
  ASSERT_TRUE(after_one.send(get("/")));
  EXPECT_THAT(after_one.read_until("GET / "), HasSubstr("200"));
  ASSERT_TRUE(in_header.send("GET / HTTP/1.1\r\n"));
  ASSERT_TRUE(in_body.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n123"));
  for (RawClient* client : {&silent, &after_one, &in_header, &in_body}) EXPECT_TRUE(client->closed());
}

TEST(Server, DribblingARequestDoesNotExtendItsTime) {
  const auto server = start_server(echo_handlers(), {.idle_timeout = milliseconds(200)});
  RawClient client(server->address());
  const std::string request = "GET / HTTP/1.1\r\nA: " + std::string(100'000, 'x');
  std::size_t sent = 0;
  EXPECT_TRUE(eventually([&] { return !client.send(request.substr(sent++, 1)); }));
}

TEST(Server, AClientThatReadsNothingLosesItsConnection) {
  std::atomic<bool> gone{false};
  ServerHandlers handlers;
  handlers.on_request = [&](Request request, Reply reply) {
    if (request.target == "/count") return reply({.body = gone ? "gone" : "here"});
    reply({.body = std::string(50'000'000, 'x')});
  };
  const auto server =
      start_server(std::move(handlers), {.connections_max = 1, .idle_timeout = milliseconds(200)});
  RawClient stuck(server->address());
  ASSERT_TRUE(stuck.send(get("/")));
  // The only place becomes free again: the next client is served.
  RawClient next(server->address());
  ASSERT_TRUE(next.send(get("/count")));
  EXPECT_THAT(next.read_until("here"), HasSubstr("200 OK"));
}

TEST(Server, ConnectionsAreBounded) {
  const auto server = start_server(echo_handlers(), {.connections_max = 2});
  auto first = std::make_unique<RawClient>(server->address());
  RawClient second(server->address());
  for (RawClient* client : {first.get(), &second}) {
    ASSERT_TRUE(client->send(get("/a")));
    ASSERT_THAT(client->read_until("GET /a "), HasSubstr("200"));
  }
  RawClient third(server->address());
  ASSERT_TRUE(third.send(get("/third")));
  ASSERT_TRUE(second.send(get("/b")));
  ASSERT_THAT(second.read_until("GET /b "), HasSubstr("200"));
  first.reset();
  EXPECT_THAT(third.read_until("GET /third "), HasSubstr("200"));
}

// A handler that hands every request to one other thread, as the real server does.
class Worker {
 public:
  Worker() : thread_("worker", [this] { run(); }) {}
  ~Worker() {
    stop_ = true;
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ServerHandlers handlers() {
    ServerHandlers out = echo_handlers();
    out.on_request = [this](Request request, Reply reply) {
      queue_.push({std::move(request), std::move(reply)});
    };
    return out;
  }

 private:
  struct Item {
    Request request;
    Reply reply;
  };
  void run() {
    std::vector<Item> items;
    while (!stop_) {
      queue_.take_all(items, milliseconds(5));
      for (Item& item : items) item.reply({.body = item.request.target});
    }
  }
  rt::Queue<Item> queue_;
  std::atomic<bool> stop_{false};
  rt::Thread thread_;
};

TEST(Server, AnswersFromOtherThreadsReachTheirOwnConnection) {
  Worker worker;
  const auto server = start_server(worker.handlers(), {.threads = 2});
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      const auto client = Client::create({.base = "http://" + server->address()});
      for (int i = 0; i < 200; ++i) {
        const std::string target = "/" + std::to_string(c) + "/" + std::to_string(i);
        const auto answer = client->send({.method = "GET", .target = target});
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->body, target);
      }
    });
  }
  for (auto& client : clients) client.join();
  RawClient ahead(server->address());
  std::string all;
  for (int i = 0; i < 500; ++i) all += get("/ahead" + std::to_string(i) + ".");
  ASSERT_TRUE(ahead.send(all));
  for (int i = 0; i < 500; ++i) {
    const std::string wanted = "/ahead" + std::to_string(i) + ".";
    ASSERT_THAT(ahead.read_until(wanted), testing::EndsWith(wanted));
  }
}

TEST(Server, ADroppedReplyClosesTheConnection) {
  ServerHandlers handlers;
  std::mutex mutex;
  std::vector<Reply> kept;
  handlers.on_request = [&](Request request, Reply reply) {
    if (request.target == "/ok") return reply({.body = "ok"});
    if (request.target == "/throw") throw std::runtime_error("a bug of the handler");
    const std::lock_guard lock(mutex);
    if (request.target == "/later") kept.push_back(std::move(reply));
  };
  const auto server = start_server(std::move(handlers));
  for (const char* target : {"/drop", "/throw"}) {
    RawClient client(server->address());
    ASSERT_TRUE(client.send(get("/ok") + get(target) + get("/ok")));
    const std::string all = client.read_to_end();
    EXPECT_THAT(all, testing::EndsWith("ok"));
    EXPECT_EQ(all.find("200 OK"), all.rfind("200 OK"));
  }
  RawClient client(server->address());
  ASSERT_TRUE(client.send(get("/later")));
  ASSERT_TRUE(eventually([&] { return std::lock_guard(mutex), !kept.empty(); }));
  kept.clear();
  EXPECT_TRUE(client.closed());
}

TEST(Server, LateAnswersAreHarmless) {
  ServerHandlers handlers;
  std::mutex mutex;
  std::vector<Reply> kept;
  handlers.on_request = [&](Request, Reply reply) {
    const std::lock_guard lock(mutex);
    kept.push_back(std::move(reply));
  };
  auto server = start_server(std::move(handlers), {.threads = 2});
  const auto count = [&] { return std::lock_guard(mutex), kept.size(); };
  // One whose client has gone, three that are open while the server goes.
  RawClient gone(server->address());
  ASSERT_TRUE(gone.send(get("/")));
  ASSERT_TRUE(eventually([&] { return count() == 1; }));
  gone.shut();
  kept[0](Response{.body = std::string(1'000'000, 'x')});
  RawClient open[3] = {RawClient(server->address()), RawClient(server->address()),
                       RawClient(server->address())};
  for (RawClient& client : open) ASSERT_TRUE(client.send(get("/")));
  ASSERT_TRUE(eventually([&] { return count() == 4; }));
  const std::string address = server->address();
  server.reset();
  for (RawClient& client : open) EXPECT_TRUE(client.closed());
  kept[1](Response{});
  kept[2](Response{});
  kept.clear();  // one dropped
  EXPECT_FALSE(connect_to(parse_address(address).value(), seconds(1)));
}

TEST(Server, GoesWhileRequestsPour) {
  for (int round = 0; round < 5; ++round) {
    Worker worker;
    auto server = start_server(worker.handlers(), {.threads = 2});
    std::atomic<int> answered{0};
    std::vector<std::thread> clients;
    for (int c = 0; c < 4; ++c)
      clients.emplace_back([&, address = server->address()] {
        const auto client = Client::create({.base = "http://" + address});
        while (client->send({.method = "GET", .target = "/"})) ++answered;
      });
    EXPECT_TRUE(eventually([&] { return answered > 50; }));
    server.reset();
    for (auto& client : clients) client.join();
  }
}

TEST(Server, ListensOnAUnixSocket) {
  const TemporaryDirectory dir;
  const std::string listen = "unix:" + dir / "socket";
  auto server = start_server(echo_handlers(), {.listen = listen});
  EXPECT_EQ(server->address(), listen);
  struct stat info{};
  ASSERT_EQ(::stat((dir / "socket").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto client = Client::create({.base = listen});
  EXPECT_EQ(client->send({.method = "GET", .target = "/x"})->body, "GET /x ");
  // One that is in use is not taken away; one that nobody listens to is.
  EXPECT_EQ(Server::start({.listen = listen}, echo_handlers()).error().code, Code::Io);
  server.reset();
  EXPECT_FALSE(rt::file_exists(dir / "socket"));
  {
    const auto leftover = listen_on(parse_address(listen).value());
  }
  ASSERT_TRUE(rt::file_exists(dir / "socket"));
  server = start_server(echo_handlers(), {.listen = listen});
  EXPECT_EQ(client->send({.method = "GET", .target = "/y"})->body, "GET /y ");
  // Nor is a file that is no socket.
  ASSERT_TRUE(rt::write_file_atomically(dir / "file", "precious"));
  EXPECT_FALSE(Server::start({.listen = "unix:" + dir / "file"}, echo_handlers()));
  EXPECT_EQ(rt::read_file(dir / "file").value(), "precious");
}

TEST(Server, AddressesThatAreNoneAreRefused) {
  for (const char* listen : {"", "7790", ":7790", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "::1:80",
                             "[]:1", "unix:", "unix:relative", "no.such.host.invalid:1"})
    EXPECT_EQ(Server::start({.listen = listen}, echo_handlers()).error().code, Code::InvalidArgument)
        << listen;
  const auto server = start_server(echo_handlers());
  EXPECT_EQ(Server::start({.listen = server->address()}, echo_handlers()).error().code, Code::Io);
  EXPECT_THAT(server->address(), testing::MatchesRegex("127.0.0.1:[1-9][0-9]*"));
}

TEST(Server, SpeaksIpv6) {
  auto server = Server::start({.listen = "[::1]:0"}, echo_handlers());
  if (!server) GTEST_SKIP() << "no IPv6 here: " << server.error().message;
  const auto client = Client::create({.base = "http://" + (*server)->address()});
  EXPECT_EQ(client->send({.method = "GET", .target = "/"})->body, "GET / ");
}

}  // namespace
}  // namespace stoker::net
