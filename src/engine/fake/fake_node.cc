#include "engine/fake/fake_node.h"

#include <algorithm>

#include "base/text.h"
#include "rt/clock.h"

namespace stoker::engine {
namespace {
constexpr Duration kReconnectAfter = milliseconds(20);

// {"exit", "3"} ends with 3, everything else with 0.
int exit_code_of(const wire::StartRun& run) {
  if (run.command.size() != 2 || run.command[0] != "exit") return 0;
  return static_cast<int>(std::clamp<std::int64_t>(parse_int(run.command[1]).value_or(0), 0, 255));
}
}  // namespace

FakeNode::FakeNode(FakeNodeOptions options, std::function<void(wire::FromAgent)> say)
    : options_(std::move(options)),
      say_(std::move(say)),
      rng_(options_.seed),
      thread_("fake-node", [this] { loop(); }) {}

FakeNode::~FakeNode() {
  stopping_ = true;
  queue_.push(wire::ForgetRun{});  // wakes it up
  thread_.join();
}

void FakeNode::loop() {
  hello();
  std::vector<wire::ToAgent> batch;
  while (!stopping_) {
    Duration most = hours(1);
    const Instant now = rt::now();
    if (!ends_.empty()) most = std::max(Duration{}, ends_.begin()->first - now);
    if (lost_some_) most = std::min(most, kReconnectAfter);
    queue_.take_all(batch, most);
    const bool quiet = batch.empty();
    for (wire::ToAgent& message : batch) take(message);
    end_due_runs(rt::now());
    if (lost_some_ && quiet) hello();
  }
}

void FakeNode::take(wire::ToAgent& message) {
  if (auto* start = std::get_if<wire::StartRun>(&message)) {
    const Instant now = rt::now();
    const auto [run, fresh] = runs_.try_emplace(start->token);
    if (!fresh) return;
    run->second.started_at = now;
    run->second.end =
        wire::RunEnd{.at = now + options_.run_time, .exit_code = exit_code_of(*start), .reason = {}};
    run->second.ends_at = now + options_.run_time;
    if (options_.run_time.ms > 0) tell(wire::RunStarted{start->token, now});
    ends_.emplace(run->second.ends_at, start->token);
  } else if (const auto* stop = std::get_if<wire::StopRun>(&message)) {
    const auto run = runs_.find(stop->token);
    const Instant now = rt::now();
    if (run == runs_.end() || run->second.ends_at <= now) return;
    run->second.end = wire::RunEnd{.at = now, .exit_code = 143, .reason = {}};
    run->second.ends_at = now;
    ends_.emplace(now, stop->token);
  } else if (const auto* forget = std::get_if<wire::ForgetRun>(&message)) {
    runs_.erase(forget->token);
  }
}

void FakeNode::end_due_runs(Instant now) {
  while (!ends_.empty() && ends_.begin()->first <= now) {
    const wire::Token token = ends_.begin()->second;
    ends_.erase(ends_.begin());
    const auto run = runs_.find(token);
    if (run == runs_.end() || run->second.ends_at > now) continue;
    tell(wire::RunExited{token, run->second.started_at, *run->second.end});
  }
}

void FakeNode::tell(wire::FromAgent message) {
  if (options_.lose > 0 && rng_.chance(options_.lose, 1000)) {
    lost_some_ = true;
    return;
  }
  if (options_.repeat > 0 && rng_.chance(options_.repeat, 1000)) say_(message);
  say_(std::move(message));
}

void FakeNode::hello() {
  lost_some_ = false;
  wire::Hello hello;
  hello.node = options_.node;
  hello.instance = "fake";
  hello.inventory = options_.inventory;
  const Instant now = rt::now();
  std::vector<wire::RunExited> ended;
  for (const auto& [token, run] : runs_) {
    const bool over = run.ends_at <= now;
    hello.runs.push_back({token, over ? wire::RunPhase::Exited : wire::RunPhase::Running, run.started_at,
                          over ? run.end : std::nullopt});
    if (over) ended.push_back({token, run.started_at, *run.end});
  }
  say_(std::move(hello));
  for (wire::RunExited& exited : ended) tell(std::move(exited));
}

}  // namespace stoker::engine
