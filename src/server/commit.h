#pragma once
// The commit thread: makes the records of turns durable, several turns in one transaction when they come
// faster than the disk, and only then lets out what depends on them: answers to callers, messages to nodes.
#include <atomic>
#include <functional>
#include <vector>

#include "core/records.h"
#include "net/http.h"
#include "rt/queue.h"
#include "rt/thread.h"
#include "store/store.h"
#include "wire/messages.h"

namespace stoker::server {

struct NodeMessage {
  std::string node;
  wire::ToAgent message;
};

struct Commit {
  core::Records records;
  std::vector<std::move_only_function<void()>> answers;
  std::vector<NodeMessage> messages;
  std::vector<std::move_only_function<void(store::Store&)>> reads;  // after the records; must be short
  std::size_t bytes = 0;  // of large texts in the records; push() counts them
};

// Where messages to nodes go, after the commit. Called on the commit thread; must not block.
class NodeMessages {
 public:
  virtual ~NodeMessages() = default;
  virtual void send(NodeMessage message) = 0;
};

class CommitThread {
 public:
  // Neither is owned; both outlive the thread.
  CommitThread(store::Store& store, NodeMessages& nodes);
  ~CommitThread();  // finishes what was pushed

  void push(Commit commit);
  // Returns when at most kWaitingBytesMax of large texts wait to be written: who makes records faster than
  // the disk takes them must not fill the memory with them.
  void wait_for_room() const;
  static constexpr std::size_t kWaitingBytesMax = 64u << 20;

 private:
  void run();
  void save(core::Records records);

  store::Store& store_;
  NodeMessages& nodes_;
  rt::Queue<Commit> queue_;
  std::atomic<std::size_t> waiting_bytes_ = 0;
  std::atomic<bool> stopping_ = false;
  rt::Thread thread_;
};

}  // namespace stoker::server
