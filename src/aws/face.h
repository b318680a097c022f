#pragma once
// The AWS face: HTTP requests in the shapes of Batch, CloudWatch Logs and our own extension become requests
// to the core or reads of its state, and answers become wire shapes. Stateless but for its settings; handle()
// runs on any I/O thread.
#include <functional>
#include <memory>
#include <string>

#include "core/records.h"
#include "core/requests.h"
#include "core/state.h"
#include "net/http.h"

namespace stoker::joblog {
class LogStore;
}

namespace stoker::aws {

class AccessKeys;  // sigv4: key id → secret
struct Operation;

struct FaceSettings {
  std::string region = "us-east-1";
  std::string account = "000000000000";
  // Null: requests need no signature (loopback only; the server sees to that).
  std::shared_ptr<const AccessKeys> access_keys;
};

// What the face needs of the server. Both calls may be made from any thread and return at once.
class Backend {
 public:
  virtual ~Backend() = default;
  // Applied in the next turn; `done` runs when the changes are durable (or refused), on a thread of the
  // server: it must not block.
  virtual void request(core::Request request, std::move_only_function<void(Result<core::Answer>)> done) = 0;
  // `read` runs on the loop thread with the state as of then and must be quick; the response it returns is
  // sent once everything it can have seen is durable.
  virtual void read(std::move_only_function<net::Response(const core::State&, Instant now)> read,
                    net::Reply reply) = 0;
  // `work` runs on the thread that owns the streams of job output, where it may read files. What it needs to
  // know of jobs it asks by a read() from there.
  virtual void read_logs(std::move_only_function<void(joblog::LogStore&)> work) = 0;
  // Of executions, from the store, after everything that was answered before is in it.
  virtual void read_history(core::HistoryRange range,
                            std::move_only_function<void(Result<core::HistoryPage>)> done) = 0;
  // Nothing when there is no such execution.
  virtual void read_execution(
      std::uint64_t no, std::move_only_function<void(Result<std::optional<workflow::Snapshot>>)> done) = 0;
  virtual Instant now() = 0;
  virtual Uuid new_uuid() = 0;
};

class Face {
 public:
  Face(FaceSettings settings, Backend& backend);
  ~Face();
  // Answers exactly once, now or later. Verifies the signature when access keys are set; routes; validates;
  // acts.
  void handle(net::Request request, net::Reply reply);
  // One of our operations on behalf of a task of a workflow: no HTTP and no signature, the same checks.
  // `backend` takes the place of the face's own and must live until `done` was called, once, on any thread.
  void call(const Operation& operation, json::Value input, Backend& backend,
            std::move_only_function<void(Result<json::Value>)> done);
  // For ServerHandlers::malformed.
  static net::Response malformed(int status, std::string_view why);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stoker::aws
