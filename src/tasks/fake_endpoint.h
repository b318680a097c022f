#pragma once
// What the tests of this folder share: an HTTP endpoint that answers as told and keeps what it was asked.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "net/http.h"
#include "tasks/runner.h"

namespace stoker::tasks {

constexpr std::chrono::seconds kPatience(30);  // of a test for what must happen

class FakeEndpoint {
 public:
  FakeEndpoint() {
    server_ =
        net::Server::start(
            {.listen = "127.0.0.1:0"},
            {.on_request = [this](net::Request request,
                                  net::Reply reply) { on_request(std::move(request), std::move(reply)); },
             .malformed = [](int status, std::string_view) { return net::Response{.status = status}; }})
            .value();
  }
  // The next requests get these answers, in order; all further ones the last.
  void answer(net::Response response) {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(response));
  }
  // From now on nothing is answered.
  void hang() {
    const std::lock_guard lock(mutex_);
    hanging_ = true;
  }
  std::vector<net::Request> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  bool wait_for_request() {
    std::unique_lock lock(mutex_);
    return asked_.wait_for(lock, kPatience, [&] { return !requests_.empty(); });
  }
  [[nodiscard]] std::string url() const { return "http://" + server_->address(); }
  [[nodiscard]] std::string address() const { return server_->address(); }

 private:
  void on_request(net::Request request, net::Reply reply) {
    net::Response out;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(std::move(request));
      asked_.notify_all();
      if (hanging_) {
        held_.push_back(std::move(reply));
        return;
      }
      if (!answers_.empty()) out = answers_.front();
      if (answers_.size() > 1) answers_.pop_front();
    }
    reply(std::move(out));
  }

  std::mutex mutex_;
  std::condition_variable asked_;
  std::deque<net::Response> answers_;
  std::vector<net::Request> requests_;
  std::vector<net::Reply> held_;
  bool hanging_ = false;
  std::unique_ptr<net::Server> server_;  // last: its handlers use the rest
};

// A runner whose outcomes are waited for.
class Harness {
 public:
  explicit Harness(Options options) {
    options.retry_delay = milliseconds(1);
    runner_ = Runner::start(std::move(options), [this](TaskOutcome outcome) {
      const std::lock_guard lock(mutex_);
      outcomes_.push_back(std::move(outcome));
      ended_.notify_all();
    });
  }
  void start(std::string token, std::string resource, std::string_view parameters) {
    runner_->run({.token = std::move(token),
                  .resource = std::move(resource),
                  .parameters = std::make_shared<const json::Value>(json::parse(parameters).value())});
  }
  // The outcomes, once there are so many.
  std::vector<TaskOutcome> wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(ended_.wait_for(lock, kPatience, [&] { return outcomes_.size() >= count; }));
    return outcomes_;
  }
  TaskResult run(std::string resource, std::string_view parameters) {
    const std::size_t before = count();
    start("token-" + std::to_string(before), std::move(resource), parameters);
    auto outcomes = wait(before + 1);
    if (outcomes.size() <= before)
      return std::unexpected(TaskFailure{.error = "none", .cause = "no outcome"});
    return outcomes[before].result;
  }
  // The output as JSON, or "ERROR: CAUSE".
  std::string text(std::string resource, std::string_view parameters) {
    const TaskResult result = run(std::move(resource), parameters);
    return result ? json::write(*result) : result.error().error + ": " + result.error().cause;
  }
  Runner& runner() { return *runner_; }

 private:
  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return outcomes_.size();
  }
  std::mutex mutex_;
  std::condition_variable ended_;
  std::vector<TaskOutcome> outcomes_;
  std::unique_ptr<Runner> runner_;  // last: its threads use the rest
};

}  // namespace stoker::tasks
