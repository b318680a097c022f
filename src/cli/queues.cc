// stoker queues: the queues and how many jobs are where.
#include "cli/cluster_view.h"
#include "cli/command.h"
#include "cli/exit.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "queues",
    .summary = "list queues with their numbers of jobs by state",
    .usage = "[OPTIONS]",
    .description =
        "Counts the jobs of each queue by state. Children of arrays count where they are "
        "RUNNABLE, STARTING or RUNNING; in the other states an array is one job.",
    .examples = "stoker queues\nstoker queues --json | jq '.[].counts.RUNNABLE'",
    .exit_codes = kCommonExitCodes};

struct Options {
  std::string server;
  bool names = false;
  bool json = false;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.flag("--names", o.names, "Print names alone, one a line, for other commands.")
      .flag("--json", o.json, "Print a JSON list, one object a queue.");
  add_server_option(arguments, o.server);
  return arguments;
}

int run_queues(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto queues = list_queues(*api);
  if (!queues) return complain(context, queues.error());
  if (o.json) {
    context.out.write(json::write_pretty(json::Array(queues->begin(), queues->end())) + "\n");
    return kOk;
  }
  std::vector<QueueView> views;
  for (const json::Value& queue : *queues) views.push_back(view_of_queue(queue));
  if (o.names)
    for (const QueueView& queue : views) context.out.write(queue.name + "\n");
  else
    context.out.write(queue_table(views).render(look_of(context.out)));
  return kOk;
}

}  // namespace

Command queues_command() {
  return {.about = kText, .run = run_queues, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
