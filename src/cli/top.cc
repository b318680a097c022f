// stoker top: the system at a glance, live.
#include <csignal>

#include <poll.h>

#include "cli/command.h"
#include "cli/exit.h"
#include "cli/listing.h"
#include "cli/top_frame.h"

namespace stoker::cli {
namespace {

constexpr CommandText kText{.name = "top",
                            .summary = "watch nodes, queues and jobs",
                            .usage = "[OPTIONS]",
                            .description =
                                "Shows what each node has and how much of it is given out, who holds which "
                                "GPU, how many jobs of each queue are in "
                                "which state, and the jobs that run, wait and ended last. Anew every second "
                                "until you press q; what does not fit "
                                "the screen is counted. Where the output is no terminal, it is printed once.",
                            .examples =
                                "stoker top\n"
                                "stoker top --once | mail -s 'GPUs' me@example.org",
                            .exit_codes = kCommonExitCodes};

constexpr std::size_t kJobsMax = 200;  // of each kind; more than any screen shows
constexpr std::size_t kEndedMax = 10;
constexpr Duration kPause = seconds(1);

struct Options {
  std::string server;
  bool once = false;
  bool json = false;
  std::optional<Duration> pause;
};

Arguments describe(Options& o) {
  Arguments arguments(kText);
  arguments.flag("--once", o.once, "Print one picture and return.")
      .duration("-d,--delay", "TIME", o.pause, "Between two pictures. Default: 1s.")
      .flag("--json", o.json, "Print one JSON object with nodes, queues and jobs, and return.");
  add_server_option(arguments, o.server);
  return arguments;
}

Result<std::vector<json::Value>> take(Api& api, std::vector<std::string> statuses, std::size_t most) {
  std::vector<json::Value> out;
  TRY(list_jobs(api, {.statuses = std::move(statuses)}, [&](const json::Value& line) {
    out.push_back(line);
    return out.size() < most;
  }));
  return out;
}

// Everything as the server gives it.
struct Raw {
  std::vector<json::Value> nodes, queues, running, waiting, ended;
};

Result<Raw> fetch(Api& api) {
  Raw raw;
  raw.nodes = TRY(list_nodes(api));
  raw.queues = TRY(list_queues(api));
  raw.running = TRY(take(api, {"RUNNING", "STARTING"}, kJobsMax));
  raw.waiting = TRY(take(api, {"RUNNABLE", "PENDING", "SUBMITTED"}, kJobsMax));
  raw.ended = TRY(take(api, {"SUCCEEDED", "FAILED"}, kEndedMax));
  return raw;
}

TopData data_of(const Raw& raw, const std::string& address) {
  TopData data{.address = address};
  for (const json::Value& node : raw.nodes) data.nodes.push_back(view_of_node(node));
  for (const json::Value& queue : raw.queues) data.queues.push_back(view_of_queue(queue));
  for (const json::Value& line : raw.running) data.running.push_back(view_of_line(line));
  for (const json::Value& line : raw.waiting) data.waiting.push_back(view_of_line(line));
  for (const json::Value& line : raw.ended) data.ended.push_back(view_of_line(line));
  return data;
}

json::Array array_of(const std::vector<json::Value>& values) {
  return json::Array(values.begin(), values.end());
}

int print_once(Context& context, Api& api, bool as_json) {
  const auto raw = fetch(api);
  if (!raw) return complain(context, raw.error());
  if (as_json) {
    const json::Value all = json::Object{{"nodes", array_of(raw->nodes)},
                                         {"queues", array_of(raw->queues)},
                                         {"running", array_of(raw->running)},
                                         {"waiting", array_of(raw->waiting)},
                                         {"ended", array_of(raw->ended)}};
    context.out.write(json::write_pretty(all) + "\n");
    return kOk;
  }
  const bool bounded = context.out.terminal && context.out.columns > 0;
  const FrameLook look{.columns = bounded ? static_cast<std::size_t>(context.out.columns) : 132,
                       .colours = context.out.colours};
  std::string text;
  for (const std::string& line : top_frame(data_of(*raw, api.address()), context.now(), look, ""))
    text += line + "\n";
  context.out.write(text);
  return kOk;
}

// The screen is given back as it was, however the loop ends.
class Screen {
 public:
  explicit Screen(Stream& out) : out_(out) { out_.write("\x1b[?1049h\x1b[?25l"); }
  ~Screen() { out_.write("\x1b[?25h\x1b[?1049l"); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void show(const std::vector<std::string>& lines) {
    std::string text = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\r\n") + lines[i] + "\x1b[K";
    out_.write(text + "\x1b[J");
  }

 private:
  Stream& out_;
};

// Waits for a key, a signal or the time of the next picture. Nothing: go on; else the exit status.
std::optional<int> wait_for_something(rt::Signals& signals, Keyboard* keyboard, Duration most) {
  pollfd ends[2] = {{.fd = signals.fd(), .events = POLLIN, .revents = 0},
                    {.fd = keyboard != nullptr ? keyboard->fd() : -1, .events = POLLIN, .revents = 0}};
  ::poll(ends, 2, static_cast<int>(most.ms));
  if (ends[1].revents != 0) {
    const std::string keys = keyboard->read();
    if (keys.empty() || keys.find_first_of("qQ\x03") != std::string::npos)
      return kOk;  // "": the terminal is gone
  }
  if (ends[0].revents != 0) {
    const auto signal = signals.wait(Duration{});
    if (signal && *signal != SIGWINCH) return *signal == SIGINT ? kOk : kInterrupted;
  }
  return std::nullopt;
}

int watch(Context& context, Api& api, Duration pause) {
  const auto signals = context.signals({SIGINT, SIGTERM, SIGHUP, SIGWINCH});
  if (!signals) return complain(context, signals.error());
  auto first = fetch(api);
  if (!first) return complain(context, first.error());
  TopData data = data_of(*first, api.address());
  const auto keyboard = context.keyboard();
  Screen screen(context.out);
  std::string fault;
  Instant fetched = context.now();
  for (;;) {
    const Size size = context.size();
    screen.show(top_frame(data, context.now(),
                          {.columns = static_cast<std::size_t>(std::max(size.columns, 20)),
                           .rows = static_cast<std::size_t>(std::max(size.rows, 4)),
                           .colours = context.out.colours},
                          fault));
    const Duration rest = pause - (context.now() - fetched);
    if (rest.ms > 0)
      if (const auto status = wait_for_something(**signals, keyboard.get(), rest)) return *status;
    if (context.now() - fetched < pause) continue;  // a new size alone
    const auto raw = fetch(api);
    fetched = context.now();
    if (raw) data = data_of(*raw, api.address());
    fault = raw ? "" : raw.error().code == Code::Unavailable ? "does not answer" : raw.error().message;
  }
}

int run_top(Context& context, std::span<const std::string> arguments) {
  Options o;
  Arguments described = describe(o);
  if (const auto done = described.parse(context, arguments)) return *done;
  auto api = Api::connect(context, o.server);
  if (!api) return complain(context, api.error());
  if (o.once || o.json || !context.out.terminal) return print_once(context, *api, o.json);
  return watch(context, *api, std::max(o.pause.value_or(kPause), milliseconds(100)));
}

}  // namespace

Command top_command() {
  return {.about = kText, .run = run_top, .describe = [] {
            static Options scratch;
            return describe(scratch);
          }};
}

}  // namespace stoker::cli
