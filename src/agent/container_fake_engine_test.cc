#include "agent/container_fake_engine_test.h"

#include <chrono>
#include <functional>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/text.h"
#include "rt/clock.h"
#include "rt/file.h"

namespace stoker::agent {
namespace {

constexpr std::chrono::seconds kPatience{20};

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void send_chunk(int fd, std::string_view bytes) {
  char size[32];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  send_all(fd, std::string(size) + std::string(bytes) + "\r\n");
}

std::string parameter(const std::string& query, std::string_view name) {
  for (const auto part : split(query, '&'))
    if (part.starts_with(name) && part.size() > name.size() && part[name.size()] == '=')
      return percent_decode(part.substr(name.size() + 1)).value_or("");
  return "";
}

std::string message(std::string_view text) {
  return json::write(json::Object{{"message", text}});
}

}  // namespace

FakeEngine::FakeEngine() : folder_(rt::make_temporary_directory("/tmp/stoker-engine-").value()) {
  listen();
}

FakeEngine::~FakeEngine() {
  stop_answering();
  for (auto& thread : threads_) thread.join();
  (void)rt::remove_tree(folder_);
}

void FakeEngine::listen() {
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", socket().c_str());
  ::unlink(address.sun_path);
  EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(listener_, 128), 0);
  const std::lock_guard lock(mutex_);
  threads_.emplace_back([this, fd = listener_] { accept_all(fd); });
}

void FakeEngine::accept_all(int listener) {
  for (;;) {
    const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const std::lock_guard lock(mutex_);
    if (ending_) {
      ::close(fd);
      continue;
    }
    connections_.push_back(fd);
    threads_.emplace_back([this, fd] { serve(fd); });
  }
}

void FakeEngine::stop_answering() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const int fd : connections_) ::shutdown(fd, SHUT_RDWR);
    ::shutdown(listener_, SHUT_RDWR);
  }
  changed_.notify_all();
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    threads.swap(threads_);
  }
  for (auto& thread : threads) thread.join();
  ::close(listener_);
  ::unlink(socket().c_str());
}

void FakeEngine::answer_again() {
  with([&](State&) { ending_ = false; });
  listen();
}

bool FakeEngine::wait_until(const std::function<bool(const State&)>& holds) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return holds(state_); });
}

void FakeEngine::print(const std::string& name, int stream, const std::string& text, std::int64_t second,
                       const std::string& fraction) {
  auto time = iso_time(second * 1000);
  if (!fraction.empty()) time = time.substr(0, time.size() - 1) + "." + fraction + "Z";
  const std::string payload = time + " " + text;
  std::string frame = {static_cast<char>(stream), 0, 0, 0};
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>((payload.size() >> shift) & 0xff);
  with([&](State& state) {
    state.containers[name].frames.push_back(frame + payload);
    state.containers[name].seconds.push_back(second);
  });
}

void FakeEngine::end(const std::string& name, int exit_code, bool oom_killed) {
  with([&](State& state) {
    auto& container = state.containers[name];
    container.status = "exited";
    container.exit_code = exit_code;
    container.oom_killed = oom_killed;
    container.finished_at = iso_time(rt::now().ms, true);
  });
}

void FakeEngine::cut_streams() {
  with([&](State&) { ++cuts_; });
}

bool FakeEngine::read_request(int fd, std::string& buffer, Request& out) {
  std::size_t head = 0;
  char bytes[4096];
  while ((head = buffer.find("\r\n\r\n")) == std::string::npos) {
    const auto got = ::read(fd, bytes, sizeof bytes);
    if (got <= 0) return false;
    buffer.append(bytes, static_cast<std::size_t>(got));
  }
  out = {};
  std::size_t length = 0;
  for (const auto line : split(std::string_view(buffer).substr(0, head), '\n')) {
    const auto text = trim(line);
    if (out.method.empty()) {
      const auto parts = split(text, ' ');
      out.method = parts.at(0);
      const auto target = parts.at(1);
      out.path = target.substr(0, target.find('?'));
      if (target.find('?') != std::string_view::npos) out.query = target.substr(target.find('?') + 1);
    }
    if (to_lower(text).starts_with("content-length:"))
      length = static_cast<std::size_t>(parse_int(trim(text.substr(15))).value_or(0));
    if (to_lower(text).starts_with("x-registry-auth:")) out.auth = trim(text.substr(16));
  }
  while (buffer.size() < head + 4 + length) {
    const auto got = ::read(fd, bytes, sizeof bytes);
    if (got <= 0) return false;
    buffer.append(bytes, static_cast<std::size_t>(got));
  }
  out.body = buffer.substr(head + 4, length);
  buffer.erase(0, head + 4 + length);
  return true;
}

void FakeEngine::serve(int fd) {
  std::string buffer;
  Request request;
  while (read_request(fd, buffer, request)) {
    if (request.path == "/images/create" || request.path.ends_with("/logs")) {
      bool refused = false;
      {
        const std::lock_guard lock(mutex_);
        ++state_.requests;
        const auto name = request.path.ends_with("/logs") ? "GET /logs" : "POST /images/create";
        const auto refusal = state_.refusals.find(name);
        const auto garbage = state_.garbage.find(name);
        if (refusal != state_.refusals.end() || garbage != state_.garbage.end()) {
          refused = true;
          const auto status = refusal != state_.refusals.end() ? refusal->second.first : 200;
          const auto& body = refusal != state_.refusals.end() ? refusal->second.second : garbage->second;
          send_all(fd, "HTTP/1.1 " + std::to_string(status) +
                           " X\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        }
      }
      if (refused) continue;
      send_all(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      if (request.path == "/images/create")
        stream_pull(fd, request);
      else
        stream_log(fd, request, percent_decode(split(request.path, '/').at(2)).value());
      continue;
    }
    Answer given;
    {
      std::unique_lock lock(mutex_);
      ++state_.requests;
      if (request.path == "/images/json") {
        ++state_.lists;
        changed_.notify_all();
        changed_.wait(lock, [&] { return ending_ || !state_.hold_lists; });
      }
      given = answer(request);
    }
    changed_.notify_all();
    if (given.drop) break;
    std::string head = "HTTP/1.1 " + std::to_string(given.status) + " X\r\nApi-Version: 1.41\r\n";
    if (given.status != 204) head += "Content-Length: " + std::to_string(given.body.size()) + "\r\n";
    send_all(fd, head + "\r\n" + given.body);
  }
  {
    const std::lock_guard lock(mutex_);
    connections_.remove(fd);
  }
  ::close(fd);
}

FakeEngine::Answer FakeEngine::answer(const Request& request) {
  const auto parts = split(request.path, '/');
  const bool of_container =
      parts.size() >= 3 && parts[1] == "containers" && parts[2] != "create" && parts[2] != "json";
  std::string rest = request.path;
  std::string name;
  if (of_container) {
    name = percent_decode(parts[2]).value();
    rest = parts.size() > 3 ? "/" + std::string(parts[3]) : "";
  } else if (parts.size() > 3 && parts[1] == "images") {
    rest = "/images";
  }
  const std::string key = request.method + " " + rest;
  if (auto& left = state_.dropped[key]; left > 0) {
    --left;
    return {.body = {}, .drop = true};
  }
  if (const auto found = state_.refusals.find(key); found != state_.refusals.end())
    return {.status = found->second.first, .body = found->second.second};
  if (const auto found = state_.garbage.find(key); found != state_.garbage.end())
    return {.body = found->second};
  Answer given;
  if (of_container)
    given = answer_container(request, name, rest);
  else if (rest == "/images/json") {
    json::Array list;
    for (const auto& one : state_.images)
      list.emplace_back(json::Object{{"RepoTags", json::Array{json::Value(one)}}});
    given = {.body = json::write(list)};
  } else if (rest == "/images")
    given = state_.images.contains(percent_decode(request.path.substr(8, request.path.size() - 13)).value())
                ? Answer{.body = "{}"}
                : Answer{.status = 404, .body = message("no such image")};
  else if (rest == "/_ping")
    given = {.body = "OK"};
  else if (rest == "/version")
    given = {.body = state_.podman ? R"({"Version":"4.3.1","Components":[{"Name":"Podman Engine"}]})"
                                   : R"({"Version":"27.0","Components":[{"Name":"Engine"}]})"};
  else if (rest == "/info")
    given = {
        .body =
            state_.nvidia_runtime
                ? R"({"CgroupDriver":"systemd","CgroupVersion":"2","Runtimes":{"runc":{},"nvidia":{}},"DefaultRuntime":"runc"})"
                : R"({"CgroupDriver":"systemd","CgroupVersion":"2","Runtimes":{"runc":{}},"DefaultRuntime":"runc"})"};
  else if (rest == "/containers/create" || rest == "/v4.0.0/libpod/containers/create")
    given = create(request);
  else if (rest == "/containers/json") {
    json::Array list;
    for (const auto& [one, container] : state_.containers)
      list.emplace_back(json::Object{{"Id", one}, {"Labels", container.body.as_object().at("Labels")}});
    given = {.body = json::write(list)};
  } else if (rest == "/volumes/create") {
    state_.volumes.insert(std::string(json::get_string(json::parse(request.body).value(), "Name")));
    given = {.status = 201, .body = "{}"};
  } else if (request.method == "DELETE" && parts[1] == "volumes") {
    given = state_.volumes.erase(percent_decode(parts[2]).value()) > 0 ? Answer{.status = 204, .body = {}}
                                                                       : Answer{.status = 404, .body = {}};
  } else {
    given = {.status = 404, .body = message("page not found")};
  }
  if (auto& left = state_.unanswered[key]; left > 0) {
    --left;
    given.drop = true;
  }
  return given;
}

FakeEngine::Answer FakeEngine::create(const Request& request) {
  const auto body = json::parse(request.body).value();
  const bool libpod = request.path.find("libpod") != std::string::npos;
  const auto name = libpod ? std::string(json::get_string(body, "name")) : parameter(request.query, "name");
  const auto image = std::string(json::get_string(body, libpod ? "image" : "Image"));
  if (!state_.images.contains(image)) return {.status = 404, .body = message("no such image: " + image)};
  if (state_.containers.contains(name))
    return {.status = state_.podman ? 500 : 409, .body = message("the name " + name + " is already in use")};
  state_.containers[name].body = body;
  return {.status = 201, .body = R"({"Id":"0123","Warnings":[]})"};
}

FakeEngine::Answer FakeEngine::answer_container(const Request& request, const std::string& name,
                                                const std::string& rest) {
  const auto found = state_.containers.find(name);
  if (found == state_.containers.end()) return {.status = 404, .body = message("no such container")};
  auto& container = found->second;
  if (request.method == "DELETE") {
    state_.containers.erase(found);
    return {.status = 204, .body = {}};
  }
  if (rest == "/start") {
    // An ended one starts again: what a driver must never ask for.
    ++container.starts;
    container.status = "running";
    container.started_at = iso_time(rt::now().ms, true);
    return {.status = 204, .body = {}};
  }
  if (rest == "/kill") {
    if (container.status != "running") return {.status = 409, .body = message("is not running")};
    container.signals.push_back(parameter(request.query, "signal"));
    if (container.signals.back() == "SIGKILL" || !state_.ignore_term) {
      container.status = "exited";
      container.exit_code = container.signals.back() == "SIGKILL" ? 137 : 143;
      container.finished_at = iso_time(rt::now().ms, true);
    }
    return {.status = 204, .body = {}};
  }
  if (rest == "/json") {
    const auto& labels = container.body.as_object().at("Labels");
    return {.body = json::write(json::Object{{"Id", "0123"},
                                             {"State", json::Object{{"Status", container.status},
                                                                    {"ExitCode", container.exit_code},
                                                                    {"OOMKilled", container.oom_killed},
                                                                    {"StartedAt", container.started_at},
                                                                    {"FinishedAt", container.finished_at}}},
                                             {"Config", json::Object{{"Labels", labels}}}})};
  }
  return {.status = 404, .body = message("page not found")};
}

void FakeEngine::stream_pull(int fd, const Request& request) {
  const auto image = parameter(request.query, "fromImage") + ":" + parameter(request.query, "tag");
  std::unique_lock lock(mutex_);
  ++state_.pulls[image];
  state_.registry_auth = request.auth;
  state_.pulls_at_once_max = std::max(state_.pulls_at_once_max, ++state_.pulls_at_once);
  changed_.notify_all();
  for (const auto& line : state_.pull_lines) send_chunk(fd, line + "\n");
  changed_.wait(lock, [&] { return ending_ || !state_.hold_pulls; });
  --state_.pulls_at_once;
  if (!state_.pull_error.empty()) {
    send_chunk(fd, json::write(json::Object{{"error", state_.pull_error}}) + "\n");
  } else if (!ending_) {
    state_.images.insert(image);
    send_chunk(fd, "{\"status\":\"Download complete\",\"id\":\"a\"}\n");
  }
  send_all(fd, "0\r\n\r\n");
}

void FakeEngine::stream_log(int fd, const Request& request, const std::string& name) {
  const bool follow = parameter(request.query, "follow") == "1";
  const auto since = parse_int(parameter(request.query, "since")).value_or(0);
  std::unique_lock lock(mutex_);
  const int cuts = cuts_;
  ++state_.streams;
  changed_.notify_all();
  std::size_t at = 0;
  for (;;) {
    const auto found = state_.containers.find(name);
    if (found == state_.containers.end()) break;
    for (; at < found->second.frames.size(); ++at)
      if (found->second.seconds[at] >= since) send_chunk(fd, found->second.frames[at]);
    if (!follow || ending_ || found->second.status != "running") break;
    changed_.wait(lock);
    if (cuts != cuts_) {
      ::shutdown(fd, SHUT_RDWR);
      --state_.streams;
      return;
    }
  }
  --state_.streams;
  changed_.notify_all();
  send_all(fd, "0\r\n\r\n");
}

}  // namespace stoker::agent
