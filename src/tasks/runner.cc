#include "tasks/runner.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>

#include "rt/thread.h"
#include "tasks/answer.h"
#include "tasks/http_task.h"
#include "tasks/lambda.h"
#include "tasks/s3_task.h"

namespace stoker::tasks {
namespace {

using Integration = TaskResult (*)(const TaskRequest&, const Options&, Caller&);

// Null: none of ours.
Integration integration_of(std::string_view resource) {
  constexpr std::string_view kToken = ".waitForTaskToken";
  if (resource.ends_with(kToken)) resource.remove_suffix(kToken.size());
  if (!resource.starts_with("arn:")) return nullptr;
  const auto is = [&](std::string_view rest) { return resource.ends_with(rest); };
  if (is(":states:::lambda:invoke")) return invoke_function;
  if (is(":states:::http:invoke")) return invoke_http;
  if (is(":states:::aws-sdk:s3:getObject")) return get_object;
  if (is(":states:::aws-sdk:s3:putObject")) return put_object;
  if (is(":states:::aws-sdk:s3:listObjectsV2")) return list_objects;
  const bool function = resource.find(":lambda:") != std::string_view::npos &&
                        resource.find(":function:") != std::string_view::npos;
  return function ? call_function : nullptr;
}

class Pool final : public Runner {
 public:
  Pool(Options options, std::function<void(TaskOutcome)> on_end)
      : options_(std::move(options)), on_end_(std::move(on_end)) {
    const int count = std::max(options_.workers, 1);
    for (int i = 0; i < count; ++i) workers_.push_back(std::make_unique<Worker>(options_));
    for (int i = 0; i < count; ++i)
      workers_[static_cast<std::size_t>(i)]->thread = rt::Thread(
          "task-" + std::to_string(i), [this, i] { serve(*workers_[static_cast<std::size_t>(i)]); });
  }

  ~Pool() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      waiting_.clear();
      for (const auto& worker : workers_) worker->caller.cancel();
    }
    wake_.notify_all();
    workers_.clear();  // joins
  }

  void run(TaskRequest request) override {
    const std::string token = request.token;
    const auto task = [this, request = std::move(request)](const Options& options, Caller& caller) {
      const Integration integration = integration_of(request.resource);
      TaskResult result =
          integration != nullptr
              ? integration(request, options, caller)
              : std::unexpected(TaskFailure{.error = "States.TaskFailed",
                                            .cause = "This server does not do " + request.resource});
      if (!caller.cancelled()) on_end_({.token = request.token, .result = std::move(result)});
    };
    if (!work(token, task))
      on_end_({.token = token,
               .result = std::unexpected(TaskFailure{.error = "States.TaskFailed",
                                                     .cause = "Too many tasks wait on this server"})});
  }

  bool work(std::string token, Work doing) override {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || known_.contains(token)) return true;
      if (waiting_.size() >= options_.waiting_max) return false;
      known_.insert(token);
      waiting_.push_back({.token = std::move(token), .doing = std::move(doing)});
    }
    wake_.notify_one();
    return true;
  }

  void cancel(std::string_view token) override {
    const std::lock_guard lock(mutex_);
    if (std::erase_if(waiting_, [&](const Waiting& one) { return one.token == token; }) > 0)
      known_.erase(known_.find(token));
    for (const auto& worker : workers_)
      if (worker->token == token) worker->caller.cancel();
  }

 private:
  struct Worker {
    explicit Worker(const Options& options) : caller(options) {}
    Caller caller;
    std::string token;  // of the task that it does; "" = none
    rt::Thread thread;  // last, so that it ends first
  };

  struct Waiting {
    std::string token;
    Work doing;
  };

  void serve(Worker& worker) {
    while (std::optional<Waiting> next_one = next(worker)) {
      next_one->doing(options_, worker.caller);
      const std::lock_guard lock(mutex_);
      known_.erase(worker.token);
      worker.token.clear();
    }
  }

  // Nothing: it is time to end.
  std::optional<Waiting> next(Worker& worker) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return std::nullopt;
    Waiting out = std::move(waiting_.front());
    waiting_.pop_front();
    worker.token = out.token;
    worker.caller.begin_task();
    return out;
  }

  const Options options_;
  const std::function<void(TaskOutcome)> on_end_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Waiting> waiting_;
  std::set<std::string, std::less<>> known_;  // tokens of what waits or is done now
  bool stopping_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

bool does(std::string_view resource) {
  return integration_of(resource) != nullptr;
}

std::unique_ptr<Runner> Runner::start(Options options, std::function<void(TaskOutcome)> on_end) {
  return std::make_unique<Pool>(std::move(options), std::move(on_end));
}

}  // namespace stoker::tasks
