#pragma once
// The turn: the one loop thread that owns the core. It takes everything that waits, applies it, makes one
// placement pass and hands the changed records with all answers and actions to the commit thread.
#include <atomic>
#include <functional>
#include <memory>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/core.h"
#include "net/http.h"
#include "rt/clock.h"
#include "rt/queue.h"
#include "server/commit.h"

namespace stoker::server {

// What the core asks of the server for workflows. Called on the commit thread, when what led to it is
// durable; must return at once. The answers come back as events.
class Services {
 public:
  virtual ~Services() = default;
  virtual void call(core::CallService action) = 0;
  virtual void cancel(core::CancelService action) = 0;
  virtual void describe(core::DescribeEndedJob action) = 0;
  virtual void read_items(core::ReadMapItems action) = 0;
  virtual void write_results(core::WriteMapResults action) = 0;
};

class TurnLoop {
 public:
  using Clock = std::function<Instant()>;
  // Neither is owned; both outlive the loop.
  TurnLoop(core::Core& core, CommitThread& commits, Clock clock = rt::now);

  // ---- from any thread ----
  using Done = std::move_only_function<void(Result<core::Answer>)>;
  void request(core::Request request, Done done);
  void event(core::Event event);
  using Read = std::move_only_function<net::Response(const core::State&, Instant)>;
  void read(Read read, net::Reply reply);
  // Not owned; before the first turn, and it outlives the loop.
  void use(Services& services) { services_ = &services; }
  // `read` runs on the commit thread, after everything that was committed before.
  void read_store(std::move_only_function<void(store::Store&)> read);
  // run() returns after a last turn with all that waited; turns place nothing any more.
  void stop();

  // ---- the loop thread ----
  void run();
  // One turn with what waits, after waiting for at most `most`. For tests and the start.
  void turn(Duration most);

 private:
  struct Asked {
    core::Request request;
    Done done;
  };
  struct Looked {
    Read read;
    net::Reply reply;
  };
  using Item = std::variant<Asked, core::Event, Looked>;

  void take(Instant now, Item& item, Commit& commit);
  void hand_over(Commit commit);

  core::Core& core_;
  CommitThread& commits_;
  Clock clock_;
  rt::Queue<Item> queue_;
  std::vector<Item> items_;
  core::Actions actions_;
  void take_action(core::Action& action, Commit& commit);

  Services* services_ = nullptr;
  std::unordered_map<core::RequestId, Done> waiting_;  // callers
  std::uint64_t next_request_ = 1;
  std::atomic<bool> stopping_ = false;
};

}  // namespace stoker::server
