#pragma once
// Follows one job: its output on standard output, what becomes of it on standard error, until it has ended.
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "cli/api.h"
#include "cli/job_view.h"
#include "cli/log_tail.h"
#include "rt/signals.h"

namespace stoker::cli {

struct FollowOptions {
  bool log = true;                     // print the output
  bool states = true;                  // print changes of state
  bool timestamps = false;             // before each line of output
  bool json = false;                   // events as JSON, one a line
  std::optional<std::int64_t> last{};  // only the last lines of what is there at first
};

class Follower {
 public:
  Follower(Context& context, Api& api, std::string id, FollowOptions options)
      : context_(context), api_(api), id_(std::move(id)), options_(options) {}

  // Looks once and prints what is new. True when the job has ended and all its output is printed. NotFound
  // when the job is unknown.
  Result<bool> step();
  // Whether the last step found anything new.
  [[nodiscard]] bool found_news() const { return news_; }

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

enum class FollowEnd { Ended, Interrupted, Detached };
struct FollowRules {
  // On SIGINT or SIGTERM: terminate the job and wait for its end. Otherwise only the following ends.
  bool terminates = false;
};
// What follow() listens to. Blocked before the job exists, so that none can end us between its submission and
// its following.
Result<std::unique_ptr<rt::Signals>> following_signals(Context& context);
// Steps until the job has ended. Survives a server that is away for up to kServerPatience. SIGHUP and SIGQUIT
// detach.
Result<FollowEnd> follow(Context& context, Api& api, Follower& follower, std::string_view id,
                         rt::Signals& signals, FollowRules rules);
inline constexpr Duration kServerPatience = minutes(10);

}  // namespace stoker::cli
