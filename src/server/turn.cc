#include "server/turn.h"

#include "base/assert.h"
#include "rt/clock.h"

namespace stoker::server {
namespace {

constexpr Duration kIdleMax = minutes(1);

wire::StartRun to_wire(const core::StartRun& action) {
  const core::ContainerSpec& container = action.spec->container;
  wire::StartRun run;
  run.token = action.token.str();
  run.job_id = action.job_id;
  run.job_name = action.job_name;
  run.attempt = action.token.attempt;
  run.image = container.image;
  run.command = container.command;
  run.environment = action.environment;
  run.cpus_milli = container.resources.cpus_milli;
  run.memory_mib = container.resources.memory_mib;
  run.gpus = action.gpus;
  if (container.gpu.mig.empty()) run.gpu_milli = container.resources.gpu_milli;
  run.container = container.properties;
  return run;
}

}  // namespace

TurnLoop::TurnLoop(core::Core& core, CommitThread& commits) : core_(core), commits_(commits) {}

void TurnLoop::request(core::Request request, Done done) {
  queue_.push(Asked{std::move(request), std::move(done)});
}
void TurnLoop::event(core::Event event) {
  queue_.push(std::move(event));
}
void TurnLoop::read(Read read, net::Reply reply) {
  queue_.push(Looked{std::move(read), std::move(reply)});
}

void TurnLoop::stop() {
  stopping_ = true;
  queue_.push(core::Event{core::TimerFired{}});  // wakes it up
}

void TurnLoop::run() {
  while (!stopping_) turn(kIdleMax);
  turn({});
}

void TurnLoop::take(Instant now, Item& item, Commit& commit) {
  if (auto* asked = std::get_if<Asked>(&item)) {
    const core::RequestId id{next_request_++};
    waiting_.emplace(id, std::move(asked->done));
    core_.apply(now, core::Requested{id, std::move(asked->request)}, actions_);
  } else if (auto* looked = std::get_if<Looked>(&item)) {
    // Read now, told after the commit of this turn: what it saw is durable by then.
    commit.answers.push_back([response = looked->read(core_.state(), now),
                              reply = std::move(looked->reply)]() mutable { reply(std::move(response)); });
  } else {
    core_.apply(now, std::get<core::Event>(item), actions_);
  }
}

void TurnLoop::turn(Duration most) {
  // 1. Wait for news, but not beyond what is due.
  if (const auto due = core_.next_wakeup()) most = std::clamp(*due - rt::now(), Duration{}, most);
  queue_.take_all(items_, most);
  const Instant now = rt::now();

  // 2. Everything that happened, in order; then what fell due; then one placement pass.
  Commit commit;
  for (Item& item : items_) take(now, item, commit);
  if (const auto due = core_.next_wakeup(); due && *due <= now)
    core_.apply(now, core::TimerFired{}, actions_);
  core_.schedule(now, actions_);

  // 3. Records first, the rest after them.
  commit.records = core_.take_changes();
  hand_over(std::move(commit));
}

void TurnLoop::hand_over(Commit commit) {
  for (core::Action& action : actions_) {
    if (auto* replied = std::get_if<core::Replied>(&action)) {
      const auto caller = waiting_.find(replied->request);
      ASSERT(caller != waiting_.end(), "an answer that nobody asked for");
      commit.answers.push_back([done = std::move(caller->second),
                                answer = std::move(replied->answer)]() mutable { done(std::move(answer)); });
      waiting_.erase(caller);
    } else if (const auto* start = std::get_if<core::StartRun>(&action)) {
      commit.messages.push_back({start->node, to_wire(*start)});
    } else if (const auto* stop = std::get_if<core::StopRun>(&action)) {
      commit.messages.push_back({stop->node, wire::StopRun{stop->token.str(), stop->grace}});
    } else if (const auto* forget = std::get_if<core::ForgetRun>(&action)) {
      commit.messages.push_back({forget->node, wire::ForgetRun{forget->token.str()}});
    }
  }
  actions_.clear();
  ASSERT(waiting_.empty(), "every request is answered in its turn");
  if (!commit.records.empty() || !commit.answers.empty() || !commit.messages.empty())
    commits_.push(std::move(commit));
}

}  // namespace stoker::server
