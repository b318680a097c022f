#pragma once
// A container engine in this process: answers the Docker Engine API on a Unix socket from a small state that
// tests script, and misbehaves on request. Its containers are told by the test what to print and when to end.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "json/json.h"

namespace stoker::agent {

struct FakeContainer {
  json::Value body;
  std::string status = "created";
  int exit_code = 0;
  bool oom_killed = false;
  int starts = 0;
  std::vector<std::string> frames;    // the log, framed
  std::vector<std::int64_t> seconds;  // of each frame's timestamp
  std::vector<std::string> signals;
  std::string started_at = "0001-01-01T00:00:00Z";
  std::string finished_at = "0001-01-01T00:00:00Z";
};

class FakeEngine {
 public:
  FakeEngine();
  ~FakeEngine();
  FakeEngine(const FakeEngine&) = delete;
  FakeEngine& operator=(const FakeEngine&) = delete;

  [[nodiscard]] std::string socket() const { return folder_ + "/engine.sock"; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

  // What the test sees and sets, under lock().
  struct State {
    std::set<std::string> images;
    std::map<std::string, FakeContainer> containers;
    std::set<std::string> volumes;
    bool podman = false;
    bool nvidia_runtime = false;
    bool hold_pulls = false;  // a pull says nothing until this is false again
    bool hold_lists = false;  // the same of lists of images
    int lists = 0;            // of images, asked for
    std::vector<std::string> pull_lines = {
        R"({"status":"Downloading","id":"a","progressDetail":{"current":12582912,"total":41943040}})"};
    std::string pull_error;  // "": the pull succeeds
    std::map<std::string, int> pulls;
    int pulls_at_once = 0, pulls_at_once_max = 0;
    std::string registry_auth;  // of the last pull
    std::map<std::string, std::pair<int, std::string>>
        refusals;                                // by "METHOD /path after the name": status, body
    std::map<std::string, std::string> garbage;  // by the same: answered with 200
    std::map<std::string, int> dropped;          // by the same: so many requests get no answer
    std::map<std::string, int> unanswered;       // by the same: done, but the answer is lost
    bool ignore_term = false;
    int streams = 0;  // logs being followed
    int requests = 0;
  };
  template <class F>
  auto with(F f) {
    const std::lock_guard lock(mutex_);
    auto guard = Notify{changed_};
    return f(state_);
  }
  // Waits, at most some seconds, until it holds.
  bool wait_until(const std::function<bool(const State&)>& holds);

  void print(const std::string& name, int stream, const std::string& text, std::int64_t second,
             const std::string& fraction = "");
  void end(const std::string& name, int exit_code, bool oom_killed = false);
  void cut_streams();     // every log that is followed breaks off
  void stop_answering();  // as an engine that is being restarted; containers stay
  void answer_again();

 private:
  struct Notify {
    std::condition_variable& changed;
    ~Notify() { changed.notify_all(); }
  };
  struct Request {
    std::string method, path, query, body, auth;
  };
  struct Answer {
    int status = 200;
    std::string body;
    bool drop = false;
  };
  void listen();
  void accept_all(int listener);
  void serve(int fd);
  bool read_request(int fd, std::string& buffer, Request& out);
  Answer answer(const Request& request);
  Answer answer_container(const Request& request, const std::string& name, const std::string& rest);
  Answer create(const Request& request);
  void stream_pull(int fd, const Request& request);
  void stream_log(int fd, const Request& request, const std::string& name);

  std::string folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_;
  bool ending_ = false;
  int cuts_ = 0;
  int listener_ = -1;
  std::list<int> connections_;
  std::vector<std::thread> threads_;
};

}  // namespace stoker::agent
