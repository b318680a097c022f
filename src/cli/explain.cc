// stoker explain: why a job is where it is.
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/explanation.h"
#include "cli/find_job.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "explain",
    .summary = "say why a job waits, or how it ended",
    .usage = "[OPTIONS] JOB",
    .description =
        "Says what the scheduler itself found when it last looked at the job: which resource is short and on "
        "which "
        "nodes, which jobs are ahead, which jobs it depends on are still open, and how its attempts went.\n"
        "\n"
        "JOB is an id, the unique beginning of an id, or the name of a job, of which the newest is taken; "
        "ID:INDEX is a "
        "child of an array.",
    .examples =
        "stoker explain 1b9d6bcd\n"
        "stoker explain --json train | jq -r '.reasons[0].kind'",
    .exit_codes = kCommonExitCodes};

struct Options {
  std::string server;
  bool json = false;
  std::vector<std::string> jobs;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.flag("--json", o.json, "Print the server's answer as it is.");
  add_server_option(arguments, o.server);
  arguments.operands(o.jobs, {.placeholder = "JOB", .least = 1, .most = 1, .offers = Offers::Jobs});
  return arguments;
}

int run_explain(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto id = find_job(*api, o.jobs.front());
  if (!id) return complain(context, id.error());
  // Unknown jobs get the same answer as everywhere else.
  if (const auto job = describe_job(*api, *id); !job) return complain(context, job.error());
  const auto answer = api->own("Explain", json::Object{{"jobId", *id}});
  if (!answer) return complain(context, answer.error());
  context.out.write(o.json ? json::write_pretty(*answer) + "\n"
                           : explanation_text(*answer, context.now(), look_of(context.out)));
  return kOk;
}

}  // namespace

Command explain_command() {
  return {.about = kText, .run = run_explain, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
