// stoker submit: a command becomes a job.
#include "base/text.h"
#include "cli/command.h"
#include "cli/exit.h"
#include "cli/find_job.h"
#include "cli/follower.h"
#include "cli/submission.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{
    .name = "submit",
    .summary = "run a command as a job, and follow it to its end",
    .usage = "[OPTIONS] [--] COMMAND [ARGUMENT]...",
    .description =
        "Puts the command into a queue. It starts as soon as the CPUs, the memory and the GPUs it asks for "
        "are free, and "
        "holds them alone until it ends. Meanwhile its output is printed as it comes, changes of its state "
        "and the "
        "reasons why it waits go to standard error, and the exit status is the job's.\n"
        "\n"
        "The command runs without a shell; for pipes and wildcards write: sh -c '...'. With the image "
        "'host', which is "
        "the default, it is a process of the node: it starts in the current directory and takes over PATH, "
        "HOME, the "
        "language, and the variables that say where interpreters, libraries and caches are (VIRTUAL_ENV, "
        "CONDA_PREFIX, "
        "PYTHONPATH, LD_LIBRARY_PATH, CUDA_HOME, HF_HOME, XDG_CACHE_HOME and such). Nothing else goes along: "
        "name "
        "further variables with --env, and those with secrets only when everyone who may read the job may "
        "know them. "
        "Any other image is run in a container, with the variables of --env alone.\n"
        "\n"
        "Ctrl-C ends the job, waits for its end and exits with 130; a second Ctrl-C does not wait. Ctrl-\\ "
        "and a closed "
        "terminal detach: the job goes on, and 'stoker logs -f' follows it again. When the server restarts, "
        "running jobs "
        "go on, and so does following them.\n"
        "\n"
        "Behind it are calls of AWS Batch: a job definition for the image and the resources, named like "
        "host-2cpu-4096mib-1gpu, is registered when there is none yet; the rest comes with SubmitJob.",
    .examples =
        "stoker submit --gpus 1 --memory 16G python train.py --epochs 10\n"
        "stoker submit --name sweep --array 8 -- sh -c 'python train.py --seed $AWS_BATCH_JOB_ARRAY_INDEX'\n"
        "id=$(stoker submit --detach --gpus 2 --timeout 4h python train.py)\n"
        "stoker submit --depends-on \"$id\" python evaluate.py\n"
        "stoker submit --nodes 2 --gpus 8 -- sh -c 'torchrun --nnodes $NNODES --node-rank $NODE_RANK "
        "--nproc-per-node $STOKER_GPUS_PER_NODE --master-addr $MASTER_ADDR --master-port $MASTER_PORT "
        "train.py'\n"
        "stoker submit --image pytorch/pytorch:latest --gpus 1 --env HF_TOKEN -- python -c 'import torch'",
    .exit_codes =
        "0    the job succeeded, or with --detach: was submitted\n"
        "1    the job failed without an exit status of its own (or children of an array failed)\n"
        "2    the command line makes no sense\n"
        "3    no server answered\n"
        "4    a job named by --depends-on does not exist\n"
        "5    the server refused the job; its reason is on standard error\n"
        "130  interrupted\n"
        "any  else: the exit status of the job (137 when it was killed)"};

constexpr std::int64_t kCountMost = 1'000'000;

struct Options {
  std::string server;
  Submission job;
  std::optional<std::int64_t> cpus;
  std::vector<std::string> depends_on;
  std::vector<std::string> environment;
  std::vector<std::string> tags;
  std::string directory;
  bool bare_environment = false;
  bool detach = false;
  bool quiet = false;
  bool json = false;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.text("-q,--queue", "QUEUE", o.job.queue, "The queue. Default: default.", Offers::Queues)
      .text("-n,--name", "NAME", o.job.name,
            "The job's name: letters, digits, '-', '_'. Default: from the command.")
      .text("-g,--gpus", "GPUS", o.job.gpus,
            "Whole GPUs, like 2, which nobody else gets meanwhile; a share of one, like 0.5; or MIG devices, "
            "like "
            "2g.20gb or 3x1g.10gb. Default: none.")
      .number("-c,--cpus", "N", o.cpus, {1, kCountMost}, "vCPUs. Default: 1.")
      .memory("-m,--memory", "SIZE", o.job.memory_mib, "Memory, like 4G or 512M. Default: 2G for each vCPU.")
      .text("--image", "IMAGE", o.job.image, "A container image; 'host' is a plain process. Default: host.")
      .texts("-e,--env", "NAME[=VALUE]", o.environment,
             "Set a variable for the job; without a value: take it over from here. May be repeated.")
      .flag("--no-env", o.bare_environment, "With image host: take over no variables but those of --env.")
      .text("--workdir", "DIR", o.directory,
            "With image host: where to start. Default: the current directory.", Offers::Directories)
      .number("-a,--array", "N", o.job.array_size, {2, 10'000},
              "Run N times, with AWS_BATCH_JOB_ARRAY_INDEX from 0 to N-1.")
      .number(
          "-N,--nodes", "N", o.job.nodes, {1, 1000},
          "Run on N nodes at once, all or none, with AWS_BATCH_JOB_NODE_INDEX, MASTER_ADDR and such; CPUs, "
          "memory and GPUs are those of each node. The output shown is that of node 0.")
      .texts("-d,--depends-on", "JOB", o.depends_on,
             "Start only after that job has succeeded. May be repeated.", Offers::Jobs)
      .number("-r,--retries", "N", o.job.retries, {0, 9},
              "Try again up to N times when it fails. Default: 0.")
      .duration("-t,--timeout", "TIME", o.job.timeout,
                "End an attempt that runs longer, like 90s, 2h or 1h30m; at least 60s. Default: never.")
      .texts("--tag", "KEY=VALUE", o.tags, "Put a tag on the job. May be repeated.")
      .number("--priority", "N", o.job.priority, {0, 9999},
              "Larger goes first within a share; for queues with a scheduling policy.")
      .text("--share", "NAME", o.job.share, "The share it counts for; for queues with a scheduling policy.")
      .flag("--detach", o.detach, "Print the job's id and return at once.")
      .flag("--quiet", o.quiet, "Nothing on standard error but faults.")
      .flag("--json", o.json,
            "Print one JSON object instead of the output: the ended job, or with --detach the answer to "
            "SubmitJob.");
  add_server_option(arguments, o.server);
  arguments.command(o.job.command, "COMMAND");
  return arguments;
}

std::unexpected<Error> bad(std::string_view option, std::string_view text) {
  return fail(Code::InvalidArgument, "option " + std::string(option) + ": " + std::string(text));
}

// Everything that can be judged without the server.
Result<void> complete(const Context& context, Options& o) {
  Submission& job = o.job;
  if (o.cpus) job.cpus = *o.cpus;
  // What a GPU value may be is for the server to say; here only what can be no such value.
  if (job.gpus.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.+") != std::string::npos)
    return bad("--gpus", "must be like 2, 0.5, 2g.20gb or 3x1g.10gb, not '" + job.gpus + "'");
  if (job.gpus.find_first_not_of('0') == std::string::npos) job.gpus.clear();
  if (job.memory_mib && *job.memory_mib < 4) return bad("--memory", "a job has at least 4M");
  if (job.timeout && *job.timeout < kTimeoutLeast) return bad("--timeout", "at least 60s");
  if (job.nodes && job.array_size) return bad("--nodes", "does not go with --array");
  if (job.image.empty()) return bad("--image", "is empty");
  if (job.queue.empty()) return bad("--queue", "is empty");
  std::map<std::string, std::string> variables;
  if (job.image == kHostImage) {
    if (!o.bare_environment)
      for (auto& [name, value] : inherited_environment(context.environment)) variables[name] = value;
    std::string directory = o.directory.empty() ? context.directory : o.directory;
    if (!directory.starts_with('/')) directory = context.directory + "/" + directory;
    variables["STOKER_WORKDIR"] = directory;
  } else if (!o.directory.empty()) {
    return bad("--workdir", "only goes with image host; a container starts where its image says");
  }
  for (const std::string& text : o.environment) {
    auto variable = parse_variable(text, context.environment);
    if (!variable) return bad("--env", variable.error().message);
    variables[variable->first] = variable->second;
  }
  job.environment.assign(variables.begin(), variables.end());
  for (const std::string& text : o.tags) {
    auto tag = parse_tag(text);
    if (!tag) return bad("--tag", tag.error().message);
    job.tags.push_back(std::move(*tag));
  }
  return {};
}

// "name:revision" of a definition that says what the submission needs, registered when there is none.
Result<std::string> find_definition(Api& api, const Submission& job) {
  const std::string name = definition_name(job);
  json::Object input{{"jobDefinitionName", name}, {"status", "ACTIVE"}};
  for (;;) {
    const json::Value page = TRY(api.batch("DescribeJobDefinitions", input));
    for (const json::Value& definition : json::get_array(page, "jobDefinitions"))
      if (is_same_definition(definition, job))
        return name + ":" + std::to_string(json::get_int(definition, "revision"));
    const std::string_view token = json::get_string(page, "nextToken");
    if (token.empty()) break;
    input["nextToken"] = token;
  }
  const json::Value made = TRY(api.batch("RegisterJobDefinition", definition_input(job)));
  return name + ":" + std::to_string(json::get_int(made, "revision"));
}

// Everything before SubmitJob: the definition to use.
Result<std::string> prepare(Api& api, Options& o) {
  for (const std::string& typed : o.depends_on) o.job.depends_on.push_back(TRY(find_job(api, typed)));
  return find_definition(api, o.job);
}

// The children that failed, for the last words about an array.
constexpr std::size_t kFailedNamedMax = 10;
void name_failed_children(Context& context, Api& api, std::string_view id) {
  const auto page = api.batch(
      "ListJobs", json::Object{{"arrayJobId", id}, {"jobStatus", "FAILED"}, {"maxResults", kFailedNamedMax}});
  if (!page) return;
  for (const json::Value& child : json::get_array(*page, "jobSummaryList")) {
    JobView view = view_of(child);
    view.status = "FAILED";
    complain(context, "failed: " + view.id + (view.remark().empty() ? "" : ": " + view.remark()));
  }
  if (!json::get_string(*page, "nextToken").empty()) complain(context, "and others");
}

int follow_to_end(Context& context, Api& api, const Options& o, const std::string& id, rt::Signals& signals) {
  Follower follower(context, api, id, {.log = !o.json && !o.job.array_size, .states = !o.quiet});
  const auto end = follow(context, api, follower, signals, {.terminates = true});
  if (!end) return complain(context, end.error());
  if (*end == FollowEnd::Detached) {
    complain(context, "detached; the job goes on, 'stoker logs -f " + id + "' follows it");
    return kInterrupted;
  }
  const JobView& view = follower.view();
  if (o.json && view.ended()) context.out.write(json::write_pretty(follower.job()) + "\n");
  if (view.array_size && view.children[6] > 0 && !o.quiet) name_failed_children(context, api, id);
  return *end == FollowEnd::Interrupted ? kInterrupted : exit_status_of(view);
}

int run_submit(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  if (const auto done = complete(context, o); !done) return complain(context, done.error());
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  const auto definition = prepare(*api, o);
  if (!definition) return complain(context, definition.error());
  std::unique_ptr<rt::Signals> signals;
  if (!o.detach) {
    auto blocked = following_signals(context);
    if (!blocked) return complain(context, blocked.error());
    signals = std::move(*blocked);
  }
  const auto submitted = api->batch("SubmitJob", submit_input(o.job, *definition));
  if (!submitted) return complain(context, submitted.error());
  const std::string id(json::get_string(*submitted, "jobId"));
  if (o.detach) {
    context.out.write((o.json ? json::write_pretty(*submitted) : id) + "\n");
    return kOk;
  }
  if (!o.quiet)
    context.err.write(paint("stoker: job " + id + " (" +
                                std::string(json::get_string(*submitted, "jobName")) + ") is in queue " +
                                o.job.queue,
                            Colour::Dim, context.err.colours) +
                      "\n");
  return follow_to_end(context, *api, o, id, *signals);
}

}  // namespace

Command submit_command() {
  return {.about = kText, .run = run_submit, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
