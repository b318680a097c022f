#pragma once
// A face over a real core and real log files, without threads: everything happens in the call. For tests of
// this folder.
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aws/face.h"
#include "aws/shapes_table.h"
#include "base/rng.h"
#include "core/core.h"
#include "core/testing/driver.h"
#include "joblog/store.h"

namespace stoker::aws::testing {

class FakeServer : public Backend {
 public:
  explicit FakeServer(FaceSettings settings = {});
  ~FakeServer() override;

  // The answer of the operation of that name (the first service that has it) to that JSON: its body, or for
  // an error "STATUS NAME: message". An answer that has not the operation's shape is an error of the test.
  std::string call(std::string_view operation, std::string_view input);
  net::Response handle(net::Request request);

  // An environment `local` with queue `default` is there from the beginning.
  void connect_node(const std::string& name, core::Resources total, std::vector<core::NodeGpu> gpus = {});
  void start_all();                                           // every run that was asked for begins
  void finish_all(int exit_code, const std::string& reason);  // every run that has begun ends
  void advance(Duration by);
  // Lines that the attempt with that stream wrote now.
  void write_log(const std::string& stream_name, const std::vector<std::string>& lines);

  [[nodiscard]] Instant time() const { return now_; }
  [[nodiscard]] Instant start_time() const { return kStart; }
  [[nodiscard]] const core::State& state() const { return core_.state(); }

  // Backend
  void request(core::Request request, std::move_only_function<void(Result<core::Answer>)> done) override;
  void read(std::move_only_function<net::Response(const core::State&, Instant now)> read,
            net::Reply reply) override;
  void read_logs(std::move_only_function<void(joblog::LogStore&)> work) override;
  void read_history(core::HistoryRange range,
                    std::move_only_function<void(Result<core::HistoryPage>)> done) override;
  void read_execution(std::uint64_t no,
                      std::move_only_function<void(Result<std::optional<workflow::Snapshot>>)> done) override;
  Instant now() override { return now_; }
  Uuid new_uuid() override { return Uuid::from_random(ids_.next(), ids_.next()); }

 private:
  static constexpr Instant kStart{1'700'000'000'000};
  // The invariants are checked after each of the first events, then now and then: a check costs by the size
  // of the state.
  static constexpr std::uint64_t kCheckedEvents = 500;
  static constexpr std::uint64_t kCheckEvery = 512;
  void event(core::Event event);
  void must(core::Request request);

  Instant now_ = kStart;
  std::uint64_t events_ = 0;
  Rng ids_{1};
  core::Core core_{core::Settings{}};
  core::Actions actions_;  // of the latest event
  core::testing::RecordMap store_;
  std::map<core::RequestId, std::move_only_function<void(Result<core::Answer>)>> callers_;
  std::uint64_t next_request_ = 1;
  std::vector<core::StartRun> asked_;
  std::vector<core::StartRun> running_;
  std::string log_dir_;
  std::unique_ptr<joblog::LogStore> logs_;
  Face face_;
};

// "" for an answer that is no error.
std::string_view error_name(const net::Response& response);

}  // namespace stoker::aws::testing
