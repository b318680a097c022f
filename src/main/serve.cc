// stoker serve: the options of the server.
#include "main/serve.h"

#include <unistd.h>

#include "aws/sigv4.h"
#include "base/money.h"
#include "base/text.h"
#include "main/gpus_option.h"
#include "server/server.h"

namespace stoker {
namespace {

constexpr cli::CommandText kText{
    .name = "serve",
    .summary = "run the server",
    .usage = "[OPTIONS]",
    .description =
        "Serves the API of AWS Batch, the part of CloudWatch Logs that reads logs, and stoker's own calls, "
        "all on one "
        "port. A new server has a compute environment 'local', which is this machine, and a queue 'default' "
        "on it; nothing "
        "else needs to be set up.\n"
        "\n"
        "Bound to loopback, as by default, there is no login: who can log in to this machine can submit "
        "jobs. Bound to "
        "anything else the server only starts with --tls-certificate, --tls-key and --access-keys, and "
        "checks the "
        "signature (SigV4) of every request.\n"
        "\n"
        "SIGTERM and SIGINT end the server; running jobs go on, and the next server finds them, with their "
        "output and "
        "their exit status. The same holds when it crashes. --stop-jobs ends them too.",
    .examples =
        "stoker serve\n"
        "stoker serve --gpus 4xA10G                  # pretends four GPUs, to try things\n"
        "stoker serve --listen 127.0.0.1:0 --address-file address --data state\n"
        "stoker serve --listen 0.0.0.0:7790 --tls-certificate cert.pem --tls-key key.pem --access-keys keys",
    .exit_codes =
        "0    ended by a signal\n"
        "1    could not start; the reason is on standard error\n"
        "2    the command line makes no sense"};

struct Given {
  server::Options options;
  std::optional<std::int64_t> memory_mib;
  std::string cpus;
  std::string tls_certificate;
  std::string tls_key;
  std::optional<Duration> history;
  std::string node_price;
  std::optional<Duration> log_age;
  std::optional<std::int64_t> log_mib;
  std::optional<std::int64_t> log_stream_mib;
  std::optional<std::int64_t> http_threads;
  std::vector<std::string> buckets;
  std::string http_connections;
};

cli::Arguments describe(Given& g) {
  server::Options& o = g.options;
  cli::Arguments arguments(kText);
  arguments
      .text("--listen", "HOST:PORT", o.listen,
            "Where to listen; port 0 takes a free one. Default: 127.0.0.1:7790.")
      .text("--data", "DIR", o.data,
            "Where the state is kept. Default: /var/lib/stoker for root, else $XDG_STATE_HOME/stoker or "
            "~/.local/state/stoker.",
            cli::Offers::Directories)
      .text("--address-file", "FILE", o.address_file,
            "Gets the address, like http://127.0.0.1:7790, once requests are answered.", cli::Offers::Files)
      .text(
          "--gpus", "auto|auto/mig|none|NxMODEL", o.gpus,
          "GPUs for jobs: those found, the same with MIG switched on, none, or a pretended inventory such as "
          "4xA10G. Default: auto.")
      .text("--cpus", "N", g.cpus, "vCPUs for jobs. Default: what the machine has.")
      .memory("--memory,--memory-mib", "SIZE", g.memory_mib,
              "Memory for jobs, like 48G; a bare number is MiB. Default: what the machine has.")
      .text(
          "--containers", "auto|none|SOCKET", o.containers,
          "The container engine: found by itself, none, or the path of its Docker API socket. Default: auto.",
          cli::Offers::Files)
      .word("--pull", "WHEN", o.pull, {"if-missing", "always", "never"},
            "When images are pulled: if the node lacks them, before each job, or never. Default: if-missing.")
      .text("--rack", "NAME", o.rack,
            "The rack or placement group that this machine stands in. Default: not told.")
      .word("--engine", "local|fake", o.engine, {"local", "fake"},
            "Run jobs on this machine, or only pretend to, for measuring. Default: local.")
      .flag("--stop-jobs", o.stop_jobs, "SIGTERM and SIGINT end running jobs too.")
      .text("--access-keys", "FILE", o.access_keys,
            "Keys that may call: lines 'KEY_ID SECRET', or the format of ~/.aws/credentials. Only its owner "
            "may read it.",
            cli::Offers::Files)
      .text("--tls-certificate", "FILE", g.tls_certificate, "Serve https with this PEM chain.",
            cli::Offers::Files)
      .text("--tls-key", "FILE", g.tls_key, "The certificate's private key, PEM.", cli::Offers::Files)
      .text("--region", "NAME", o.region, "In ARNs; ARNs of other regions are refused. Default: us-east-1.")
      .text("--account", "ID", o.account,
            "In ARNs, twelve digits; ARNs of others are refused. Default: 000000000000.")
      .duration("--history", "TIME", g.history, "How long ended jobs are remembered. Default: 7d.")
      .text("--node-price", "USD", g.node_price,
            "What this machine costs an hour, like 1.25, for the costs of jobs. Default: 0, no costs.")
      .duration("--log-age", "TIME", g.log_age,
                "Job output that has not grown for so long goes. Default: 30d.")
      .memory("--log-size", "SIZE", g.log_mib,
              "All job output together; the longest quiet goes first. Default: 20G.")
      .memory("--log-stream-size", "SIZE", g.log_stream_mib,
              "The output of one attempt; its middle goes. Default: 256M.")
      .word("--log-level", "LEVEL", o.log_level, {"debug", "info", "warning", "error"},
            "Of the server's own log. Default: info.")
      .text("--log-file", "FILE", o.log_file, "Where that log goes. Default: standard error.",
            cli::Offers::Files)
      .text("--lambda-endpoint", "URL", o.tasks.lambda.url,
            "Where workflows call functions: anything that speaks the Lambda Invoke API. Default: none.")
      .text("--s3-endpoint", "URL", o.tasks.s3.url,
            "Where workflows find buckets: an S3-compatible store. Default: none.")
      .texts("--bucket", "NAME=DIR", g.buckets,
             "A directory of this machine that workflows see as a bucket. May be repeated.",
             cli::Offers::Directories)
      .texts("--http-host", "HOST", o.tasks.http.hosts,
             "A host that http:invoke of workflows may call, like api.example.com or *.example.com. May be "
             "repeated. Default: none.")
      .text(
          "--http-connections", "FILE", g.http_connections,
          "Connections of http:invoke, a JSON list in the shape of EventBridge's CreateConnection. Only its "
          "owner may read it.",
          cli::Offers::Files)
      .number("--http-threads", "N", g.http_threads, {1, 64}, "Threads for connections. Default: 1.");
  return arguments;
}

std::unexpected<Error> bad(std::string text) {
  return fail(Code::InvalidArgument, std::move(text));
}

Result<std::string> default_data(const cli::Context& context) {
  if (::geteuid() == 0) return std::string("/var/lib/stoker");
  if (const auto state = context.variable("XDG_STATE_HOME"); state.starts_with('/'))
    return std::string(state) + "/stoker";
  const auto home = context.variable("HOME");
  if (!home.starts_with('/')) return bad("HOME is not set; name a directory for the state with --data");
  return std::string(home) + "/.local/state/stoker";
}

// "NAME=DIR", the directory from here when it is relative.
Result<void> add_bucket(const cli::Context& context, const std::string& text, tasks::Options& into) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return bad("option --bucket: must be NAME=DIR, not '" + text + "'");
  std::string directory = text.substr(equals + 1);
  if (!directory.starts_with('/')) directory = context.directory + "/" + directory;
  if (!into.directories.emplace(text.substr(0, equals), std::move(directory)).second)
    return bad("option --bucket: '" + text.substr(0, equals) + "' is given twice");
  return {};
}

// An endpoint for workflows, with the credentials that every tool of AWS reads from the environment.
Result<void> complete_endpoint(const cli::Context& context, std::string_view option,
                               const std::string& region, tasks::Endpoint& endpoint) {
  if (endpoint.url.empty()) return {};
  if (!endpoint.url.starts_with("http://") && !endpoint.url.starts_with("https://"))
    return bad("option " + std::string(option) + ": must begin with http:// or https://, not '" +
               endpoint.url + "'");
  while (endpoint.url.ends_with('/')) endpoint.url.pop_back();
  endpoint.region = region;
  const auto key = context.variable("AWS_ACCESS_KEY_ID");
  const auto secret = context.variable("AWS_SECRET_ACCESS_KEY");
  if (!key.empty() && !secret.empty())
    endpoint.credentials = aws::Credentials{std::string(key), std::string(secret),
                                            std::string(context.variable("AWS_SESSION_TOKEN"))};
  return {};
}

Result<void> complete(const cli::Context& context, Given& g) {
  server::Options& o = g.options;
  TRY(check_gpus_option(o.gpus));
  for (const std::string& text : g.buckets) TRY(add_bucket(context, text, o.tasks));
  TRY(complete_endpoint(context, "--lambda-endpoint", o.region, o.tasks.lambda));
  TRY(complete_endpoint(context, "--s3-endpoint", o.region, o.tasks.s3));
  if (!g.http_connections.empty()) {
    auto connections = tasks::load_connections(g.http_connections);
    if (!connections)
      return std::unexpected(std::move(connections).error().within("option --http-connections"));
    o.tasks.http.connections = *std::move(connections);
  }
  if (o.data.empty()) o.data = TRY(default_data(context));
  if (!o.data.starts_with('/')) o.data = context.directory + "/" + o.data;
  if (!g.cpus.empty()) {
    const auto cpus = parse_double(g.cpus);
    if (!cpus || !(*cpus > 0) || *cpus > 1e6)
      return bad("option --cpus: must be a number above 0, not '" + g.cpus + "'");
    o.cpus = *cpus;
  }
  if (g.memory_mib) o.memory_mib = *g.memory_mib;
  if (g.tls_certificate.empty() != g.tls_key.empty())
    return bad("--tls-certificate and --tls-key go together");
  if (!g.tls_certificate.empty())
    o.tls = net::TlsFiles{.certificate_file = g.tls_certificate, .key_file = g.tls_key};
  if (o.account.size() != 12 || o.account.find_first_not_of("0123456789") != std::string::npos)
    return bad("option --account: must be twelve digits, not '" + o.account + "'");
  if (g.history) o.history = *g.history;
  if (!g.node_price.empty()) {
    const auto price = parse_money(g.node_price);
    if (!price || *price < Money{} || *price > dollars(1'000'000))
      return bad("option --node-price: must be dollars an hour, like 1.25, not '" + g.node_price + "'");
    o.node_price = *price;
  }
  if (g.log_age) o.logs.age_max = *g.log_age;
  if (g.log_mib) o.logs.bytes_max = static_cast<std::uint64_t>(*g.log_mib) << 20;
  if (g.log_stream_mib) o.logs.stream_bytes_max = static_cast<std::uint64_t>(*g.log_stream_mib) << 20;
  if (g.http_threads) o.http_threads = static_cast<int>(*g.http_threads);
  return {};
}

int run_serve(cli::Context& context, std::span<const std::string> arguments) {
  Given given;
  cli::Arguments described = describe(given);
  if (const auto done = described.parse(context, arguments)) return *done;
  if (const auto done = complete(context, given); !done) return complain(context, done.error());
  return server::serve(given.options);
}

}  // namespace

cli::Command serve_command() {
  return {.about = kText, .run = run_serve, .describe = [] {
            static Given scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker
