#include "tasks/caller.h"

#include <chrono>

#include "tasks/runner.h"

namespace stoker::tasks {
namespace {

constexpr std::size_t kClientsMax = 16;  // connections that one worker keeps

bool is_busy(int status) {
  return status == 429 || status == 503;
}

}  // namespace

Result<net::Response> Caller::send(const Call& call) {
  for (int tries = 1;; ++tries) {
    Result<net::Response> response = send_once(call);
    if (cancelled_ || tries == kTriesMax || !worth_repeating(call, response)) return response;
    if (!wait(options_.retry_delay * (std::int64_t{1} << (tries - 1)))) return response;
  }
}

Result<net::Response> Caller::send_once(const Call& call) {
  net::Client& to = client(call);
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return fail(Code::Unavailable, "cancelled");
    calling_ = &to;
  }
  Result<net::Response> response = to.send(call.request());
  const std::lock_guard lock(mutex_);
  calling_ = nullptr;
  return response;
}

bool Caller::worth_repeating(const Call& call, const Result<net::Response>& response) {
  if (response) return call.retry_busy && is_busy(response->status);
  return response.error().code == Code::Unavailable && (call.repeatable || !client(call).sent_anything());
}

void Caller::begin_task() {
  const std::lock_guard lock(mutex_);
  // An interruption that came too late would hit the next call of its client.
  if (cancelled_) clients_.clear();
  cancelled_ = false;
}

void Caller::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (calling_ != nullptr) calling_->interrupt();
  wake_.notify_all();
}

net::Client& Caller::client(const Call& call) {
  const std::string name =
      call.base + " " + std::to_string(call.timeout.ms) + " " + std::to_string(call.bytes_max);
  if (clients_.size() >= kClientsMax && !clients_.contains(name)) clients_.clear();
  std::unique_ptr<net::Client>& out = clients_[name];
  if (out == nullptr)
    out = net::Client::create({.base = call.base,
                               .timeout = call.timeout,
                               .ca_file = options_.ca_file,
                               .response_bytes_max = call.bytes_max});
  return *out;
}

bool Caller::wait(Duration delay) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, std::chrono::milliseconds(delay.ms), [this] { return cancelled_.load(); });
}

}  // namespace stoker::tasks
