#pragma once
// Follows one execution: a live tree of its states on a terminal, a line for what happens elsewhere, all on
// standard error.
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "cli/api.h"
#include "cli/execution_frame.h"
#include "cli/follow.h"
#include "cli/live_region.h"

namespace stoker::cli {

class ExecutionFollower : public Followed {
 public:
  // `quiet`: shows nothing.
  ExecutionFollower(Context& context, Api& api, std::string arn, bool quiet);

  // NotFound and the like when the server does not know it.
  Result<bool> step() override;
  [[nodiscard]] bool found_news() const override { return news_; }
  Result<void> end() override;
  void remark(std::string_view text) override;
  [[nodiscard]] std::string_view what() const override { return "execution"; }

  // What DescribeExecution says, once the execution has ended; null before.
  [[nodiscard]] const json::Value& description() const { return description_; }
  [[nodiscard]] const ExecutionTree& tree() const { return data_.tree; }

 private:
  void look_at_jobs();
  void look_at_map_runs();
  void tell_events(const std::vector<json::Value>& events);
  void tell_waiting_jobs();
  void tell(Instant at, const std::string& path, const std::string& text, bool failed);
  void draw(bool last);

  Context& context_;
  Api& api_;
  std::string arn_;
  bool quiet_;
  ExecutionData data_;
  json::Value description_;
  bool news_ = false;
  std::unique_ptr<LiveRegion> region_;  // where standard error is a terminal
  // What was said of jobs that wait, and when.
  std::string told_;
  Instant told_at_;
};

// The last words about an execution that has ended: its output on standard output, or what failed on standard
// error. Returns the exit status. `description`: of DescribeExecution.
int report_end(Context& context, const json::Value& description, const ExecutionTree& tree, bool as_json);

// Follows an execution to its end and reports it; returns the exit status.
struct ExecutionRules {
  bool stops = false;  // an interrupt stops the execution
  bool quiet = false;
  bool json = false;
};
int follow_execution(Context& context, Api& api, const std::string& arn, rt::Signals& signals,
                     ExecutionRules rules);

}  // namespace stoker::cli
