#pragma once
// The agent's end of the zygote: starts it, hands it launch requests, notices its end.
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "rt/fd.h"

namespace stoker::agent {

class ZygoteLink {
 public:
  // `program`: the path of stoker-supervisor.
  ZygoteLink(std::string program, std::string state_dir)
      : program_(std::move(program)), state_dir_(std::move(state_dir)) {}
  ~ZygoteLink();
  ZygoteLink(const ZygoteLink&) = delete;
  ZygoteLink& operator=(const ZygoteLink&) = delete;

  // Waits until no zygote of an earlier agent is left (it forks what was queued, then goes), then starts one
  // and waits until it is ready. Unavailable after `patience`.
  Result<void> start(int patience_ms);
  // True while a zygote of an earlier agent or a start of its is under way.
  static bool is_busy(const std::string& state_dir);

  [[nodiscard]] bool running() const { return static_cast<bool>(socket_); }
  [[nodiscard]] int fd() const { return socket_.get(); }
  // Wants to be told when fd() can be written to.
  [[nodiscard]] bool has_backlog() const { return !backlog_.empty(); }

  // Queued when the socket is full. The order is kept.
  void send(std::string message);
  void flush();
  void drop_backlog() { backlog_.clear(); }

  // Reads what the zygote says: tokens that could not be forked. False when the zygote is gone; the caller
  // starts a new one and decides about what was sent.
  bool receive(std::vector<std::string>& not_forked);

 private:
  void close();

  std::string program_;
  std::string state_dir_;
  rt::UniqueFd socket_;
  pid_t pid_ = -1;
  std::deque<std::string> backlog_;
};

}  // namespace stoker::agent
