#include "agent/testing/station.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ids.h"
#include "rt/clock.h"
#include "rt/file.h"

extern char** environ;

namespace stoker::agent::testing {

Station::Station() : dir_(rt::make_temporary_directory("/tmp/agent_test.").value()) {
  logs_.emplace(joblog::LogStore::open(dir_ + "/logs").value());
  open();
}

Station::~Station() {
  if (agent_ > 0) kill_agent(SIGTERM);
  server_.reset();
  if (::testing::Test::HasFailure())
    std::fprintf(stderr, "%s\n", rt::read_file(state_dir() + ".log").value_or("").c_str());
  (void)rt::remove_tree(dir_);
}

void Station::open() {
  net::ServerOptions options;
  options.listen = "unix:" + dir_ + "/s";
  net::ServerHandlers handlers;
  handlers.on_request = [](net::Request, net::Reply reply) { reply({}); };
  handlers.malformed = [](int status, std::string_view) {
    net::Response response;
    response.status = status;
    return response;
  };
  handlers.on_websocket = [this](const net::Request&, std::shared_ptr<net::WebSocket> socket) {
    const std::lock_guard lock(mutex_);
    socket_ = socket;
    net::WebSocketEvents events;
    events.on_message = [this, weak = std::weak_ptr(socket)](net::WebSocket::Kind kind, std::string bytes) {
      if (const auto strong = weak.lock()) on_message(kind, bytes, *strong);
    };
    events.on_close = [this, weak = std::weak_ptr(socket)] {
      const std::lock_guard inner(mutex_);
      if (socket_ == weak.lock()) socket_.reset();
      changed_.notify_all();
    };
    return std::optional<net::WebSocketEvents>(std::move(events));
  };
  auto server = net::Server::start(options, std::move(handlers));
  ASSERT_TRUE(server) << server.error().message;
  server_ = *std::move(server);
}

void Station::close() {
  server_.reset();
  const std::lock_guard lock(mutex_);
  socket_.reset();
}

void Station::set_acknowledge(bool on) {
  const std::lock_guard lock(mutex_);
  acknowledge_ = on;
}

void Station::start_agent(const std::string& gpus) {
  std::vector<std::string> arguments = {STOKER_TEST_AGENT, "unix:" + dir_ + "/s:/stoker/v1/node", state_dir(),
                                        STOKER_TEST_SUPERVISOR, gpus};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ASSERT_EQ(::posix_spawn(&agent_, STOKER_TEST_AGENT, nullptr, nullptr, pointers.data(), environ), 0);
}

void Station::kill_agent(int signal) {
  if (agent_ <= 0) return;
  ::kill(agent_, signal);
  (void)wait_agent();
}

int Station::wait_agent() {
  int status = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (::waitpid(agent_, &status, WNOHANG) == agent_) {
      agent_ = -1;
      return status;
    }
    ::usleep(1'000);
  }
  ADD_FAILURE() << "the agent does not end";
  ::kill(agent_, SIGKILL);
  ::waitpid(agent_, &status, 0);
  agent_ = -1;
  return status;
}

wire::Token Station::new_token() {
  std::string text = rt::new_uuid().str();
  std::erase(text, '-');
  return text;
}

void Station::send(const wire::ToAgent& message) {
  wire::Frame frame = wire::encode(message);
  const std::lock_guard lock(mutex_);
  if (socket_) (void)socket_->send(net::WebSocket::Kind::Text, std::move(frame.bytes));
}

wire::StartRun Station::a_run(std::vector<std::string> command) {
  wire::StartRun run;
  run.token = new_token();
  run.job_id = "job";
  run.image = "host";
  run.command = std::move(command);
  run.cpus_milli = 1000;
  run.memory_mib = 512;
  return run;
}

wire::Token Station::start(const wire::StartRun& run) {
  send(run);
  return run.token;
}

bool Station::wait(const std::function<bool()>& condition, int seconds) {
  std::unique_lock lock(mutex_);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (!condition())
    if (changed_.wait_until(
            lock, std::min(until, std::chrono::steady_clock::now() + std::chrono::milliseconds(50))) ==
            std::cv_status::timeout &&
        std::chrono::steady_clock::now() >= until)
      return condition();
  return true;
}

bool Station::wait_hello(std::size_t count, int seconds) {
  return wait([&] { return hellos_.size() >= count && socket_ != nullptr; }, seconds);
}

std::optional<wire::RunExited> Station::wait_exit(const wire::Token& token, int seconds) {
  if (!wait([&] { return !seen_[token].exits.empty(); }, seconds)) return {};
  const std::lock_guard lock(mutex_);
  return seen_[token].exits.front();
}

bool Station::wait_started(const wire::Token& token, int seconds) {
  return wait([&] { return seen_[token].started > 0; }, seconds);
}

wire::RunExited Station::run(const wire::StartRun& start_message, int seconds) {
  start(start_message);
  const auto end = wait_exit(start_message.token, seconds);
  EXPECT_TRUE(end) << "no end of " << start_message.command.at(0);
  return end.value_or(wire::RunExited{});
}

Seen Station::seen(const wire::Token& token) {
  const std::lock_guard lock(mutex_);
  return seen_[token];
}

std::vector<wire::Hello> Station::hellos() {
  const std::lock_guard lock(mutex_);
  return hellos_;
}

std::vector<std::string> Station::log_lines(const wire::Token& token) {
  std::vector<std::string> lines;
  joblog::Position at;
  const joblog::StreamReader reader = joblog::LogStore::reader(dir_ + "/logs", token);
  for (;;) {
    const joblog::Page page = reader.forward(at).value();
    for (const joblog::Event& event : page.events) lines.push_back(event.text);
    if (page.at_end) return lines;
    at = page.next;
  }
}

void Station::on_message(net::WebSocket::Kind kind, const std::string& bytes, net::WebSocket& socket) {
  auto message = wire::decode_from_agent(kind == net::WebSocket::Kind::Binary, bytes);
  const std::lock_guard lock(mutex_);
  if (!message) {
    ADD_FAILURE() << message.error().message;
    return;
  }
  const auto answer = [&](const wire::ToAgent& it) {
    (void)socket.send(net::WebSocket::Kind::Text, wire::encode(it).bytes);
  };
  if (auto* hello = std::get_if<wire::Hello>(&*message)) {
    for (const wire::RunReport& report : hello->runs) {
      Seen& seen = seen_[report.token];
      seen.hello_phases.push_back(report.phase);
      if (report.end) seen.exits.push_back({report.token, report.started_at, *report.end});
      if (acknowledge_) answer(wire::LogAck{report.token, logs_->next(report.token).value()});
    }
    hellos_.push_back(std::move(*hello));
  } else if (auto* started = std::get_if<wire::RunStarted>(&*message)) {
    ++seen_[started->token].started;
    seen_[started->token].started_at = started->at;
  } else if (auto* progress = std::get_if<wire::RunProgress>(&*message)) {
    seen_[progress->token].progress.push_back(progress->text);
  } else if (auto* exited = std::get_if<wire::RunExited>(&*message)) {
    seen_[exited->token].exits.push_back(*exited);
  } else if (auto* chunk = std::get_if<wire::LogChunk>(&*message)) {
    seen_[chunk->token].log_bytes += chunk->bytes.size();
    if (acknowledge_) {
      const auto next = logs_->append(rt::now(), chunk->token, chunk->offset, chunk->bytes, 64u << 20);
      if (next)
        answer(wire::LogAck{chunk->token, *next});
      else
        ADD_FAILURE() << next.error().message;
    }
  }
  changed_.notify_all();
}

}  // namespace stoker::agent::testing
