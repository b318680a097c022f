#pragma once
// What the face needs to know to carry out an operation. A change is a request to the core and an answer made
// from the core's; a read is a function of the state. Operations know nothing of HTTP.
#include <array>
#include <memory>

#include "aws/arn.h"
#include "aws/face.h"
#include "aws/shapes_table.h"
#include "core/requests.h"
#include "core/state.h"
#include "json/json.h"

namespace stoker::aws {

// The input has passed the validator. `prepare` may take members out of it that `finish` does not need.
using Prepare = Result<core::Request> (*)(const Place& place, json::Value& input, Backend& backend);
using Finish = json::Value (*)(const Place& place, const json::Value& input, const core::Answer& answer);
// On the loop thread: quick, and bounded whatever the size of the state.
using Read = Result<json::Value> (*)(const Place& place, const json::Value& input, const core::State& state,
                                     Instant now);

// Called once, with the output or the error, on any thread.
using Completion = std::move_only_function<void(Result<json::Value>)>;
// For operations that need more than one step.
using Run = void (*)(const Place& place, json::Value input, Backend& backend, Completion done);

// One of: prepare and finish; prepare and read, which then makes the output; read alone; run alone.
// None: the operation is known but not supported.
struct Handler {
  Prepare prepare = nullptr;
  Finish finish = nullptr;
  Read read = nullptr;
  Run run = nullptr;
  // Requests with larger bodies are refused; 0: only the bound of the HTTP server.
  std::size_t body_bytes_max = 0;
};

class Handlers {
 public:
  Handler& operator[](OperationId id) { return all_[static_cast<std::size_t>(id)]; }
  const Handler& operator[](OperationId id) const { return all_[static_cast<std::size_t>(id)]; }

 private:
  static constexpr std::size_t kOperationsMax = 256;
  std::array<Handler, kOperationsMax> all_{};
};

// One function a family, defined beside its operations.
void add_compute_environments(Handlers& handlers);
void add_consumable_resources(Handlers& handlers);
void add_job_definitions(Handlers& handlers);
void add_job_queues(Handlers& handlers);
void add_jobs(Handlers& handlers);
void add_job_lists(Handlers& handlers);
void add_quota_shares(Handlers& handlers);
void add_scheduling_policies(Handlers& handlers);
void add_tags(Handlers& handlers);
void add_logs(Handlers& handlers);
void add_own(Handlers& handlers);
void add_states(Handlers& handlers);

// The state as of a turn, from any thread; `then` runs on a server thread with what `read` gave.
template <class T>
void read_state(Backend& backend, std::move_only_function<T(const core::State&, Instant)> read,
                std::move_only_function<void(T)> then) {
  auto value = std::make_shared<std::optional<T>>();
  backend.read(
      [value, read = std::move(read)](const core::State& state, Instant now) mutable {
        value->emplace(read(state, now));
        return net::Response{};
      },
      [value, then = std::move(then)](net::Response) mutable { then(std::move(**value)); });
}

}  // namespace stoker::aws
