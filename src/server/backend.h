#pragma once
// What the faces may ask of the server.
#include "aws/face.h"
#include "server/log_thread.h"
#include "server/turn.h"

namespace stoker::server {

class ServerBackend : public aws::Backend {
 public:
  ServerBackend(TurnLoop& loop, LogThread& logs) : loop_(loop), logs_(logs) {}

  void request(core::Request request, std::move_only_function<void(Result<core::Answer>)> done) override {
    loop_.request(std::move(request), std::move(done));
  }
  void read(std::move_only_function<net::Response(const core::State&, Instant)> read,
            net::Reply reply) override {
    loop_.read(std::move(read), std::move(reply));
  }
  void read_logs(std::move_only_function<void(joblog::LogStore&)> work) override {
    logs_.push(std::move(work));
  }
  void read_history(core::HistoryRange range,
                    std::move_only_function<void(Result<core::HistoryPage>)> done) override {
    loop_.read_store(
        [range, done = std::move(done)](store::Store& store) mutable { done(store.history(range)); });
  }
  void read_execution(
      std::uint64_t no,
      std::move_only_function<void(Result<std::optional<workflow::Snapshot>>)> done) override {
    loop_.read_store(
        [no, done = std::move(done)](store::Store& store) mutable { done(store.execution(no)); });
  }
  Instant now() override;
  Uuid new_uuid() override;

 private:
  TurnLoop& loop_;
  LogThread& logs_;
};

}  // namespace stoker::server
