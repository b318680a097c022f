// stoker jobs: the table of jobs.
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/find_job.h"
#include "cli/job_table.h"
#include "cli/listing.h"
#include "cli/quantity.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "jobs",
    .summary = "list jobs",
    .usage = "[OPTIONS]",
    .description =
        "Shows the jobs that run, those that wait with the reason why, and the ones that ended last, newest "
        "first, up to "
        "the number of --number. An array job is one line that sums up its children, a multi-node job one "
        "line for all its nodes.\n"
        "\n"
        "WAIT is the time from submission to start, RUN the time since; of jobs that were tried several "
        "times, of the last attempt. Of a job that waits to be tried again, RUN is how long the last attempt "
        "ran and WAIT the time since.",
    .examples =
        "stoker jobs\n"
        "stoker jobs --status RUNNABLE --queue default\n"
        "stoker jobs --array sweep --status FAILED\n"
        "stoker jobs --all --cost\n"
        "stoker jobs --all --json | jq '.[].jobName'",
    .exit_codes = kCommonExitCodes};

constexpr std::int64_t kNumberDefault = 40;
constexpr std::size_t kAllMax = 1'000'000;  // lines in memory at once
constexpr std::array<std::string_view, 5> kByUrgency = {"RUNNING", "STARTING", "RUNNABLE", "PENDING",
                                                        "SUBMITTED"};

struct Options {
  std::string server;
  std::string queue;
  std::string status;
  std::string array;
  std::string nodes;
  bool all = false;
  bool ids = false;
  bool cost = false;
  bool json = false;
  std::optional<std::int64_t> number;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.text("-q,--queue", "QUEUE", o.queue, "Only jobs of that queue.", Offers::Queues)
      .word("-s,--status", "STATUS", o.status, {kStatuses.begin(), kStatuses.end()},
            "Only jobs in that state.")
      .text("--array", "JOB", o.array, "The children of that array job, in their order.", Offers::Jobs)
      .text("--nodes", "JOB", o.nodes, "The nodes of that multi-node job.", Offers::Jobs)
      .number("-n,--number", "N", o.number, {1, 1'000'000}, "At most so many. Default: 40.")
      .flag("-a,--all", o.all, "All that the server still knows.")
      .flag("--cost", o.cost, "What each job cost, in dollars; with a ~ while a machine it ran on goes on.")
      .flag("--ids", o.ids, "Print ids alone, one a line, for other commands.")
      .flag("--json", o.json, "Print a JSON list; one object a job.");
  add_server_option(arguments, o.server);
  return arguments;
}

struct Chosen {
  std::vector<json::Value> lines;
  bool more = false;  // there were more than asked for
};

Result<void> add(Api& api, const JobQuery& query, std::size_t most, Chosen& out) {
  return list_jobs(api, query, [&](const json::Value& line) {
    if (out.lines.size() >= most) {
      out.more = true;
      return false;
    }
    out.lines.push_back(line);
    return true;
  });
}

// What runs first, what has ended last, the newest first within each.
int rank_of(const json::Value& line) {
  const std::string_view status = json::get_string(line, "status");
  if (has_ended(status)) return 5;
  return static_cast<int>(std::ranges::find(kByUrgency, status) - kByUrgency.begin());
}

// Those that are under way come first, so that a thousand ended jobs do not push a running one off the list.
Result<Chosen> choose(Api& api, const Options& o) {
  Chosen out;
  const std::size_t most = o.all ? kAllMax : static_cast<std::size_t>(o.number.value_or(kNumberDefault));
  if (!o.array.empty() || !o.nodes.empty()) {
    JobQuery query{.costs = o.cost};
    if (!o.array.empty())
      query.array = TRY(find_job(api, o.array));
    else
      query.nodes = TRY(find_job(api, o.nodes));
    if (!o.status.empty()) query.statuses = {o.status};
    TRY(add(api, query, most, out));
    return out;
  }
  if (!o.status.empty()) {
    TRY(add(api, {.statuses = {o.status}, .queue = o.queue, .costs = o.cost}, most, out));
    return out;
  }
  for (const std::string_view status : kByUrgency)
    TRY(add(api, {.statuses = {std::string(status)}, .queue = o.queue, .costs = o.cost}, most, out));
  TRY(add(api, {.statuses = {"SUCCEEDED", "FAILED"}, .queue = o.queue, .costs = o.cost}, most, out));
  // A job may have moved on between two of the lists.
  std::ranges::stable_sort(out.lines, {},
                           [](const json::Value& line) { return json::get_string(line, "jobId"); });
  const auto again = std::ranges::unique(
      out.lines, {}, [](const json::Value& line) { return json::get_string(line, "jobId"); });
  out.lines.erase(again.begin(), again.end());
  std::ranges::stable_sort(out.lines, [](const json::Value& a, const json::Value& b) {
    if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
    return json::get_int(a, "createdAt") > json::get_int(b, "createdAt");
  });
  return out;
}

int print(Context& context, const Options& o, const Chosen& chosen) {
  if (o.ids) {
    for (const json::Value& line : chosen.lines)
      context.out.write(std::string(json::get_string(line, "jobId")) + "\n");
    return kOk;
  }
  if (o.json) {
    context.out.write(json::write_pretty(json::Array(chosen.lines.begin(), chosen.lines.end())) + "\n");
    return kOk;
  }
  if (chosen.lines.empty()) {
    complain(context, o.queue.empty() && o.status.empty() && o.array.empty() && o.nodes.empty()
                          ? "no jobs yet; 'stoker submit' makes one"
                          : "no such jobs");
    return kOk;
  }
  std::vector<JobView> views;
  for (const json::Value& line : chosen.lines) views.push_back(view_of_line(line));
  context.out.write(job_table(views, context.now(), {.costs = o.cost}).render(look_of(context.out)));
  if (chosen.more) complain(context, "there are more; --all shows them, -n N the first N");
  return kOk;
}

int run_jobs(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto chosen = choose(*api, o);
  if (!chosen) return complain(context, chosen.error());
  return print(context, o, *chosen);
}

}  // namespace

Command jobs_command() {
  return {.about = kText, .run = run_jobs, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
