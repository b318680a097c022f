#pragma once
// A scripted server for tests of the agent: the real network code, real logs, no rules. It acknowledges logs
// and remembers everything; the test says what to start, stop and forget.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "joblog/reader.h"
#include "joblog/store.h"
#include "net/http.h"
#include "wire/messages.h"

namespace stoker::agent::testing {

struct Seen {
  int started = 0;
  std::optional<Instant> started_at;
  std::vector<wire::RunExited> exits;
  std::vector<wire::RunPhase> hello_phases;
  std::vector<std::string> progress;
  std::uint64_t log_bytes = 0;
};

class Station {
 public:
  Station();
  ~Station();
  Station(const Station&) = delete;
  Station& operator=(const Station&) = delete;

  [[nodiscard]] const std::string& dir() const { return dir_; }
  [[nodiscard]] std::string state_dir() const { return dir_ + "/agent"; }

  // The agent's process; ends it by SIGKILL at the end of the test.
  void start_agent(const std::string& gpus = "none");
  void kill_agent(int signal);  // and waits for its end
  [[nodiscard]] pid_t agent_pid() const { return agent_; }
  int wait_agent();  // its exit status

  void open();   // (again): accept connections
  void close();  // the server is gone: connections end
  // Acknowledge logs (default) or leave them unanswered.
  void set_acknowledge(bool on);

  static wire::Token new_token();
  void send(const wire::ToAgent& message);
  wire::StartRun a_run(std::vector<std::string> command);
  wire::Token start(const wire::StartRun& run);

  // Wait for a condition over what was seen, at most `seconds`; false when it did not come.
  bool wait(const std::function<bool()>& condition, int seconds = 20);
  bool wait_hello(std::size_t count, int seconds = 20);
  std::optional<wire::RunExited> wait_exit(const wire::Token& token, int seconds = 20);
  bool wait_started(const wire::Token& token, int seconds = 20);
  // Starts it and waits for its end.
  wire::RunExited run(const wire::StartRun& start, int seconds = 20);

  Seen seen(const wire::Token& token);
  std::vector<wire::Hello> hellos();
  std::vector<std::string> log_lines(const wire::Token& token);

 private:
  void on_message(net::WebSocket::Kind kind, const std::string& bytes, net::WebSocket& socket);

  std::string dir_;
  pid_t agent_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<net::WebSocket> socket_;
  std::map<wire::Token, Seen> seen_;
  std::vector<wire::Hello> hellos_;
  bool acknowledge_ = true;
  std::optional<joblog::LogStore> logs_;
  std::unique_ptr<net::Server> server_;
};

}  // namespace stoker::agent::testing
