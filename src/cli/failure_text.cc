#include "cli/failure_text.h"

#include "cli/job_view.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

// Causes tell of executions that tell of executions; nobody reads further than that.
constexpr int kCausesMax = 4;

// The cause of a failed Batch job: DescribeJobs' entry with capital letters.
std::string job_failure(const json::Value& job) {
  JobView view;
  view.id = printable(json::get_string(job, "JobId"));
  view.status = printable(json::get_string(job, "Status"));
  view.reason = printable(json::get_string(job, "StatusReason"));
  if (const json::Value* container = json::find(job, "Container")) {
    view.container_reason = printable(json::get_string(*container, "Reason"));
    if (json::find(*container, "ExitCode") != nullptr) view.exit_code = json::get_int(*container, "ExitCode");
  }
  const std::string remark = view.remark();
  return "job " + short_id(view.id) + (remark.empty() ? " " + view.status : ": " + remark);
}

}  // namespace

std::string failure_text(std::string_view error, std::string_view cause) {
  std::string out(printable(error));
  const auto append = [&out](std::string_view text) {
    if (!out.empty() && !text.empty()) out += ": ";
    out += text;
  };
  json::Value holder;
  for (int i = 0; i < kCausesMax; ++i) {
    auto parsed = json::parse(cause);
    if (!parsed || !parsed->is_object()) break;
    holder = std::move(*parsed);
    if (json::find(holder, "JobId") != nullptr) {
      append(job_failure(holder));
      return out;
    }
    if (json::find(holder, "ExecutionArn") != nullptr) {
      append("execution " + printable(json::get_string(holder, "Name")));
      append(printable(json::get_string(holder, "Error")));
      cause = json::get_string(holder, "Cause");
      continue;
    }
    if (json::find(holder, "errorMessage") != nullptr)
      cause = json::get_string(holder, "errorMessage");  // of a function, whose error is errorType already
    break;
  }
  append(printable(cause));
  return out;
}

}  // namespace stoker::cli
