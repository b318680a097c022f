#pragma once
// Everything that can happen to the core. Events about runs may come twice, late and in any order.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/fleet/sizing/state.h"
#include "core/requests.h"
#include "core/workflow/run/news.h"

namespace stoker::core {

// Names one attempt of one job for ever. As text: 16 hex digits of the job's number, 4 of the attempt (from
// 1), 12 of the job's id, so that a number that is used again after its job was forgotten makes another
// token.
struct RunToken {
  JobNo job;
  int attempt = 0;
  std::uint64_t salt = 0;  // 48 bits
  bool operator==(const RunToken&) const = default;
  [[nodiscard]] std::string str() const;
  static std::optional<RunToken> parse(std::string_view text);
};

struct Requested {
  RequestId id;
  Request request;
};

struct KnownRun {
  RunToken token;
  bool started = false;
  bool ended = false;  // a RunEnded about it follows
};
// An agent said hello: this is what its node has, and every run it knows of.
struct NodeConnected {
  Node node;  // name, environment, instance, total, gpus, containers, warnings, images
  std::vector<KnownRun> runs;
};
// Other images than it told last: all that it holds now. The last word counts.
struct NodeImagesChanged {
  std::string node;
  HeldImages images;
};
struct NodeDisconnected {
  std::string node;
};
// The node is gone for good, and with it what ran there.
struct NodeLost {
  std::string node;
  std::string why;
  bool reclaimed = false;  // EC2 took it back
};

// ---- news of machines that the core launches: from the engine, but for NodeConnected ----

// Where subnets lie; the answer to FindSubnets. Those that are missing do not exist.
struct SubnetsFound {
  std::string environment;
  std::map<std::string, std::string> zones;  // by subnet
};
// The engine has the machine under this name of its own. It is not paid for yet.
struct NodeLaunching {
  std::string node;
  std::string instance;
};
// The machine runs, and costs from then on. Its agent says hello by itself.
struct NodeLaunched {
  std::string node;
  std::string instance;
  Instant at;
};
// There is no such machine and will be none.
struct LaunchFailed {
  std::string node;
  std::optional<fleet::LaunchFailure> failure;  // nothing: the request itself is at fault
  std::string text;
};
// EC2 advises to leave the machine: it may be taken back sooner than others.
struct RebalanceAdvised {
  std::string node;
};
// EC2 takes the machine back then.
struct InterruptionNotice {
  std::string node;
  Instant deadline;
};
// What spot costs and risks now, by type and zone; entries that are not named stay.
struct SpotQuoted {
  std::map<std::pair<std::string, std::string>, fleet::SpotQuote> quotes;
};

struct RunStarted {
  RunToken token;
  Instant at;
};
struct RunProgressed {
  RunToken token;
  std::string text;
};
struct RunEnded {
  std::string node;  // who says so
  RunToken token;
  Instant started_at;  // 0: never started
  Instant at;
  std::optional<int> exit_code;
  std::string reason;
  bool started = true;        // false: could not start
  bool node_failure = false;  // the node lost it
};
// Nothing happened, but next_wakeup() has come.
struct TimerFired {};

// The server's answer to a CallService, ReadMapItems, WriteMapResults or DescribeEndedJob.
struct WorkflowNews {
  std::uint64_t execution = 0;
  workflow::News news;
};
// The answer to a FetchExecution; null: the store has no such execution.
struct ExecutionFetched {
  std::uint64_t execution = 0;
  std::shared_ptr<const workflow::Snapshot> snapshot;
};

using Event =
    std::variant<Requested, NodeConnected, NodeImagesChanged, NodeDisconnected, NodeLost, SubnetsFound,
                 NodeLaunching, NodeLaunched, LaunchFailed, RebalanceAdvised, InterruptionNotice, SpotQuoted,
                 RunStarted, RunProgressed, RunEnded, TimerFired, WorkflowNews, ExecutionFetched>;

}  // namespace stoker::core
