#pragma once
// The part of the Docker Engine API that the container driver uses, as Docker and Podman both speak it.
// Answers are read into plain values here; whatever an engine sends, wrong types and no JSON included,
// becomes an Error.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/json.h"

namespace stoker::net {
class Client;
struct Request;
struct Response;
}  // namespace stoker::net

namespace stoker::agent {

// What is on the other side of the socket.
struct EngineInfo {
  bool podman = false;
  std::string version;  // "4.3.1"
  bool rootless = false;
  bool cgroupfs = false;  // it names cgroups by path, so we may choose a parent
  int cgroup_version = 2;
  bool nvidia_runtime = false;  // it has a runtime called nvidia
  bool nvidia_is_default = false;
  bool cdi = false;  // it takes devices by their CDI names
  bool operator==(const EngineInfo&) const = default;
};

// State and labels of one container.
struct ContainerState {
  std::string id;
  std::string status;    // created, running, paused, exited, dead, ...
  bool running = false;  // a process of it may be alive (also paused, stopping, being removed)
  bool created = false;  // never started
  int exit_code = 0;
  bool oom_killed = false;
  std::string error;    // the engine's words when it could not start
  Instant started_at;   // 0: never
  Instant finished_at;  // 0: not yet
  std::vector<std::pair<std::string, std::string>> labels;
  [[nodiscard]] std::string_view label(std::string_view name) const;
};

struct ListedContainer {
  std::string id;
  std::string token;  // its label stoker.token
};

// One connection, one thread at a time (interrupt() aside). Errors: Unavailable when the engine did not
// answer or answered half; NotFound (404), Conflict (409), InvalidArgument (400), Io (the rest) with the
// engine's words when it refused; Internal when its answer made no sense.
class Engine {
 public:
  explicit Engine(std::string socket);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  Result<void> ping(Duration most);
  Result<EngineInfo> info();
  // Whether the image is there. `reference` is percent-encoded here.
  Result<bool> has_image(const std::string& reference);

  // The names of all images as the engine writes them, tags and digests, image by image.
  Result<std::vector<std::string>> list_images();

  // One line of progress of a pull; all numbers as the engine gave them, 0 when it did not.
  struct PullLine {
    std::string layer;
    std::string status;
    std::int64_t current = 0;
    std::int64_t total = 0;
  };
  struct PullRequest {
    std::string name;           // "docker.io/library/busybox"
    std::string tag;            // "1", "sha256:...", never empty
    std::string registry_auth;  // of X-Registry-Auth, "" for none
  };
  // Until it is pulled; on_line returns false to give up.
  Result<void> pull(const PullRequest& request, const std::function<bool(const PullLine&)>& on_line);

  Result<void> create_volume(const std::string& name, const std::string& token);
  Result<void> remove_volume(const std::string& name);  // no error when it is not there

  enum class Dialect { Docker, Libpod };  // of the body of create_container
  Result<void> create_container(const std::string& name, const json::Value& body, Dialect dialect);
  Result<void> start_container(const std::string& name);
  Result<ContainerState> inspect_container(const std::string& name);
  // Waits until it does not run.
  Result<void> wait_container(const std::string& name);
  Result<void> kill_container(const std::string& name, std::string_view signal);
  // With its anonymous volumes, running or not. No error when it is not there.
  Result<void> remove_container(const std::string& name);
  // Running or not, with this label and value.
  Result<std::vector<ListedContainer>> list_containers(const std::string& label);

  struct LogQuery {
    bool follow = true;
    std::int64_t since = 0;  // seconds since 1970; 0: from the beginning
  };
  // The raw bytes (framed, with timestamps) as they come; returns when the engine closes the stream.
  Result<void> read_logs(const std::string& name, const LogQuery& query,
                         const std::function<bool(std::string_view)>& on_bytes);

  // From any thread: the running call, or else the next one, returns Unavailable soon.
  void interrupt();

 private:
  // How long an answer may take.
  enum class Patience { Short, Long, Endless, Log };
  net::Client& client(Patience patience);
  Result<net::Response> call(const net::Request& request, Patience patience);
  Result<json::Value> call_json(const net::Request& request, Patience patience);

  std::string socket_;
  std::unique_ptr<net::Client> clients_[4];  // by patience: a client's timeout is fixed
};

// "2026-11-30T09:36:35.009262107Z" or with an offset; nothing for other texts. Years before 1970 give 0:
// engines write the year 1 for "never".
std::optional<Instant> parse_engine_time(std::string_view text);

}  // namespace stoker::agent
