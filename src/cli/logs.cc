// stoker logs: what a job has printed.
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/find_job.h"
#include "cli/follower.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{.name = "logs",
                            .summary = "print the output of a job",
                            .usage = "[OPTIONS] JOB",
                            .description =
                                "Prints what the job has written to its standard output and standard error. "
                                "Of a job that was tried several "
                                "times, this is the output of all attempts, one after the other.\n"
                                "\n"
                                "JOB is an id, the unique beginning of an id, or the name of a job, of which "
                                "the newest is taken. An array job has "
                                "no output of its own: name a child, as ID:INDEX or NAME:INDEX. Of a "
                                "multi-node job it is the output of its main node; others are named as "
                                "ID#NODE or NAME#NODE.",
                            .examples =
                                "stoker logs 1b9d6bcd\n"
                                "stoker logs -f train\n"
                                "stoker logs sweep:3 --last 20",
                            .exit_codes = kCommonExitCodes};

struct Options {
  std::string server;
  bool follow = false;
  bool timestamps = false;
  bool json = false;
  std::optional<std::int64_t> last;
  std::vector<std::string> jobs;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.flag("-f,--follow", o.follow, "Go on until the job has ended; wait when it has not started.")
      .number("-n,--last", "N", o.last, {1, kTailMax}, "Only the last N lines of each attempt.")
      .flag("-t,--timestamps", o.timestamps, "Put the time (UTC) before each line.")
      .flag("--json", o.json, "One JSON object a line: timestamp (ms), message, ingestionTime.");
  add_server_option(arguments, o.server);
  arguments.operands(o.jobs, {.placeholder = "JOB", .least = 1, .most = 1, .offers = Offers::Jobs});
  return arguments;
}

int run_logs(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto id = find_job(*api, o.jobs.front());
  if (!id) return complain(context, id.error());
  Follower follower(context, *api, *id,
                    {.states = false, .timestamps = o.timestamps, .json = o.json, .last = o.last});
  const auto first = follower.step();
  if (!first) return complain(context, first.error());
  const JobView& view = follower.view();
  if (view.array_size) {
    complain(context,
             "an array job has no output of its own; name a child, like " + short_id(view.id) + ":0");
    return kUsage;
  }
  if (!o.follow || *first) {
    if (!*first && !view.started)
      complain(context,
               "no output yet: the job is " + view.status + (view.reason.empty() ? "" : ": " + view.reason));
    return kOk;
  }
  const auto signals = following_signals(context);
  if (!signals) return complain(context, signals.error());
  const auto end = follow(context, *api, follower, **signals, {});
  if (!end) return complain(context, end.error());
  return *end == FollowEnd::Ended ? kOk : kInterrupted;
}

}  // namespace

Command logs_command() {
  return {.about = kText, .run = run_logs, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
