// stoker update: change where a waiting job stands.
#include "cli/command.h"
#include "cli/end_each.h"
#include "cli/exit.h"
#include "cli/find_job.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "update",
    .summary = "change the priority, share or queue of jobs that wait",
    .usage = "[OPTIONS] JOB...",
    .description =
        "The order of the queue changes at once. Only jobs that wait can be changed: one that runs or has "
        "ended stays as it is, with an error. For an array job this changes all children that wait; "
        "ID:INDEX changes the priority or share of one. A job that moves to a queue without a scheduling "
        "policy loses its share and priority; into one with a policy it needs --share.\n"
        "\n"
        "JOB is an id, the unique beginning of an id, or the name of a job, of which the newest is taken.",
    .examples =
        "stoker update 1b9d6bcd --priority 100\n"
        "stoker update sweep --queue night\n"
        "stoker update train --queue shared --share vision",
    .exit_codes = kCommonExitCodes};

struct Options {
  std::string server;
  std::optional<std::int64_t> priority;
  std::string share;
  std::string queue;
  bool json = false;
  std::vector<std::string> jobs;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments
      .number("--priority", "N", o.priority, {0, 9999},
              "Larger goes first within a share; for queues with a scheduling policy.")
      .text("--share", "NAME", o.share, "The share it counts for; for queues with a scheduling policy.")
      .text("--queue", "NAME", o.queue, "The queue it moves to.", Offers::Queues)
      .flag("--json", o.json, "Print what was done as JSON.");
  add_server_option(arguments, o.server);
  arguments.operands(o.jobs, {.placeholder = "JOB", .least = 1, .offers = Offers::Jobs});
  return arguments;
}

// What it is now, in words.
Result<std::string> update(Api& api, const std::string& id, const Options& o) {
  json::Object input{{"jobId", id}};
  if (o.priority) input["schedulingPriority"] = *o.priority;
  if (!o.share.empty()) input["shareIdentifier"] = o.share;
  if (!o.queue.empty()) input["jobQueue"] = o.queue;
  const json::Value now = TRY(api.own("UpdateJob", std::move(input)));
  std::string text = "waits in queue " + printable(json::get_string(now, "jobQueue"));
  if (const auto share = json::get_string(now, "shareIdentifier"); !share.empty())
    text += ", share " + printable(share) + ", priority " +
            std::to_string(json::get_int(now, "schedulingPriority"));
  return text;
}

int run_update(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  if (!o.priority && o.share.empty() && o.queue.empty()) {
    complain(context, "one of --priority, --share and --queue is needed");
    return kUsage;
  }
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  return end_each(context, o.jobs, o.json, "jobId", [&](const std::string& typed) -> Result<EndedOne> {
    const std::string id = TRY(find_job(*api, typed));
    TRY(describe_job(*api, id));  // unknown jobs get the same answer as everywhere else
    std::string result = TRY(update(*api, id, o));
    return EndedOne{id, id, std::move(result)};
  });
}

}  // namespace

Command update_command() {
  return {.about = kText, .run = run_update, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
