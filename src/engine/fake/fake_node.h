#pragma once
// A node without a machine: takes the messages of the server as an agent would and answers that runs start
// and end, at once or after a while. For tests and for measuring everything but the processes. It can be told
// to misbehave in the ways of real nodes: news lost until the next hello, late, repeated.
#include <atomic>
#include <functional>
#include <map>
#include <string>

#include "base/rng.h"
#include "rt/queue.h"
#include "rt/thread.h"
#include "wire/messages.h"

namespace stoker::engine {

struct FakeNodeOptions {
  std::string node = "local";
  wire::Inventory inventory;
  Duration run_time;  // between start and end of each run
  // Chances in a thousand, by `seed`.
  std::uint64_t seed = 1;
  std::uint64_t lose = 0;    // a message to the server vanishes; a reconnection (new hello) follows
  std::uint64_t repeat = 0;  // a message to the server comes twice
};

class FakeNode {
 public:
  // `say` takes what the node says, on the node's own thread. Says hello at once.
  FakeNode(FakeNodeOptions options, std::function<void(wire::FromAgent)> say);
  ~FakeNode();
  void send(wire::ToAgent message) { queue_.push(std::move(message)); }

 private:
  struct Run {
    Instant started_at;
    Instant ends_at;
    std::optional<wire::RunEnd> end;
  };
  void loop();
  void take(wire::ToAgent& message);
  void tell(wire::FromAgent message);
  void end_due_runs(Instant now);
  void hello();

  FakeNodeOptions options_;
  std::function<void(wire::FromAgent)> say_;
  Rng rng_;
  std::map<wire::Token, Run> runs_;
  std::multimap<Instant, wire::Token> ends_;
  bool lost_some_ = false;
  rt::Queue<wire::ToAgent> queue_;
  std::atomic<bool> stopping_ = false;
  rt::Thread thread_;
};

}  // namespace stoker::engine
