// stoker cancel: end jobs, waiting or running.
#include "cli/command.h"
#include "cli/end_each.h"
#include "cli/exit.h"
#include "cli/find_job.h"
#include "cli/job_view.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{.name = "cancel",
                            .summary = "end jobs, whether they wait or run",
                            .usage = "[OPTIONS] JOB...",
                            .description =
                                "A job that waits never starts. A running one gets SIGTERM, and SIGKILL when "
                                "it is still there 30 seconds later. "
                                "Either way it becomes FAILED with the reason given here and is not tried "
                                "again. For an array job this ends all "
                                "children; ID:INDEX ends one.\n"
                                "\n"
                                "JOB is an id, the unique beginning of an id, or the name of a job, of which "
                                "the newest is taken. Jobs that have "
                                "ended already stay as they are.",
                            .examples =
                                "stoker cancel 1b9d6bcd\n"
                                "stoker cancel sweep:3 --reason 'diverged'\n"
                                "stoker cancel $(stoker jobs --ids --status RUNNABLE --queue default)",
                            .exit_codes = kCommonExitCodes};

constexpr std::size_t kReasonMax = 1024;  // of AWS Batch

struct Options {
  std::string server;
  std::string reason;
  bool json = false;
  std::vector<std::string> jobs;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.text("--reason", "TEXT", o.reason, "Why; stays with the job. Default: Cancelled by USER.")
      .flag("--json", o.json, "Print what was done as JSON.");
  add_server_option(arguments, o.server);
  arguments.operands(o.jobs, {.placeholder = "JOB", .least = 1, .offers = Offers::Jobs});
  return arguments;
}

// What was done, in a word, or why not.
Result<std::string> cancel(Api& api, std::string_view id, const std::string& reason) {
  const JobView job = view_of(TRY(describe_job(api, id)));
  if (job.ended()) return "had already ended (" + job.status + ")";
  TRY(api.batch("TerminateJob", json::Object{{"jobId", id}, {"reason", reason}}));
  return std::string(job.status == "RUNNING" || job.status == "STARTING" || job.array_size ? "is being ended"
                                                                                           : "is cancelled");
}

int run_cancel(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  if (o.reason.size() > kReasonMax) {
    complain(context, "option --reason: at most 1024 bytes");
    return kUsage;
  }
  if (o.reason.empty()) o.reason = done_by_user(context, "Cancelled");
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  return end_each(context, o.jobs, o.json, "jobId", [&](const std::string& typed) -> Result<EndedOne> {
    const std::string id = TRY(find_job(*api, typed));
    std::string result = TRY(cancel(*api, id, o.reason));
    return EndedOne{id, id, std::move(result)};
  });
}

}  // namespace

Command cancel_command() {
  return {.about = kText, .run = run_cancel, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
