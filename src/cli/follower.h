#pragma once
// Follows one job: its output on standard output, what becomes of it on standard error, until it has ended.
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "cli/api.h"
#include "cli/follow.h"
#include "cli/job_view.h"
#include "cli/log_tail.h"

namespace stoker::cli {

struct FollowOptions {
  bool log = true;                     // print the output
  bool states = true;                  // print changes of state
  bool timestamps = false;             // before each line of output
  bool json = false;                   // events as JSON, one a line
  std::optional<std::int64_t> last{};  // only the last lines of what is there at first
};

class Follower : public Followed {
 public:
  Follower(Context& context, Api& api, std::string id, FollowOptions options)
      : context_(context), api_(api), id_(std::move(id)), options_(options) {}

  // Looks once and prints what is new. True when the job has ended and all its output is printed. NotFound
  // when the job is unknown.
  Result<bool> step() override;
  [[nodiscard]] bool found_news() const override { return news_; }
  Result<void> end() override;
  void remark(std::string_view text) override { complain(context_, text); }
  [[nodiscard]] std::string_view what() const override { return "job"; }

  // As of the last step.
  [[nodiscard]] const json::Value& job() const { return job_; }
  [[nodiscard]] const JobView& view() const { return view_; }

 private:
  Result<void> print_output();
  Result<void> print_stream(const std::string& stream);
  void print_event(const json::Value& event);
  void tell_state();
  void tell(std::string_view text, Colour colour = Colour::Dim);

  Context& context_;
  Api& api_;
  std::string id_;
  FollowOptions options_;
  json::Value job_;
  json::Value output_;  // whose output is followed: itself, or its main node
  JobView view_;
  bool news_ = false;
  std::size_t attempts_done_ = 0;  // whose output is complete
  std::unique_ptr<LogTail> tail_;  // of the attempt after those
  // What was told last, and when.
  std::string told_status_;
  std::string told_remark_;
  Instant told_at_;
  std::optional<Instant> first_seen_;
};

// The exit status that says how a job ended: its own, 0 for success, kFailed where it has none.
int exit_status_of(const JobView& job);

}  // namespace stoker::cli
