#pragma once
// Does the tasks that something outside does: functions (lambda:invoke and function ARNs), http:invoke and
// objects (aws-sdk:s3 getObject, putObject, listObjectsV2). A few threads with blocking calls.
//
// A task is done once per token as long as this process lives: a repeated request is the same task. After a
// restart the host asks again for what it is still owed; then a task may be done twice. Every request carries
// "Idempotency-Key", a digest of the token, by which a receiver can tell.
// Transport faults are tried again here, up to kTriesMax times in all, where that is safe: when nothing was
// sent, when the receiver said that it is too busy, and when repeating does no harm (reads, whole writes).
#include <functional>
#include <memory>
#include <string_view>

#include "tasks/caller.h"
#include "tasks/task.h"

namespace stoker::tasks {

inline constexpr int kTriesMax = 3;

// Whether a resource is one of these, also with ".waitForTaskToken" (then the output is what was submitted).
bool does(std::string_view resource);

class Runner {
 public:
  // `on_end` is called once for each task that was not cancelled: on a worker thread, or from run() when
  // Options::waiting_max tasks wait already.
  static std::unique_ptr<Runner> start(Options options, std::function<void(TaskOutcome)> on_end);
  // Interrupts what runs, forgets what waits, joins.
  virtual ~Runner() = default;
  // From any thread, never blocks. A token that waits or runs already: nothing happens.
  virtual void run(TaskRequest request) = 0;
  // The same for work that is no task: it is done once, on a worker thread, and tells its outcome itself;
  // Caller::cancelled() says that nobody wants it any more. False: too much waits already.
  using Work = std::move_only_function<void(const Options&, Caller&)>;
  [[nodiscard]] virtual bool work(std::string token, Work doing) = 0;
  // The outcome is wanted no more; interrupts the call where it has begun.
  virtual void cancel(std::string_view token) = 0;
};

}  // namespace stoker::tasks
