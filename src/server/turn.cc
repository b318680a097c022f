#include "server/turn.h"

#include "base/assert.h"

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

TurnLoop::TurnLoop(core::Core& core, CommitThread& commits, Clock clock)
    : core_(core), commits_(commits), clock_(std::move(clock)) {}

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
  // Who waits for a task or for the end of an execution is told to come again.
  Commit last;
  for (auto& [id, done] : waiting_)
    last.answers.push_back([done = std::move(done)]() mutable {
      done(fail(Code::Unavailable, "The server is stopping; ask again"));
    });
  waiting_.clear();
  commits_.push(std::move(last));
}

void TurnLoop::read_store(std::move_only_function<void(store::Store&)> read) {
  Commit commit;
  commit.reads.push_back(std::move(read));
  commits_.push(std::move(commit));
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
  // 1. Wait for room, then for news, but not beyond what is due.
  commits_.wait_for_room();
  if (const auto due = core_.next_wakeup()) most = std::clamp(*due - clock_(), Duration{}, most);
  queue_.take_all(items_, most);
  const Instant now = clock_();

  // 2. Everything that happened, in order; then what fell due; then one placement pass.
  Commit commit;
  for (Item& item : items_) take(now, item, commit);
  if (const auto due = core_.next_wakeup(); due && *due <= now)
    core_.apply(now, core::TimerFired{}, actions_);
  // Nothing is started any more from a stop on: who ends all jobs would never see the last of them otherwise.
  if (!stopping_) core_.schedule(now, actions_);

  // 3. Records first, the rest after them.
  commit.records = core_.take_changes();
  hand_over(std::move(commit));
}

void TurnLoop::hand_over(Commit commit) {
  for (core::Action& action : actions_) take_action(action, commit);
  actions_.clear();
  if (!commit.records.empty() || !commit.answers.empty() || !commit.messages.empty() || !commit.reads.empty())
    commits_.push(std::move(commit));
}

void TurnLoop::take_action(core::Action& action, Commit& commit) {
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
  } else if (auto* call = std::get_if<core::CallService>(&action)) {
    commit.answers.push_back(
        [this, wanted = std::move(*call)]() mutable { services_->call(std::move(wanted)); });
  } else if (const auto* cancel = std::get_if<core::CancelService>(&action)) {
    commit.answers.push_back([this, wanted = *cancel] { services_->cancel(wanted); });
  } else if (auto* describe = std::get_if<core::DescribeEndedJob>(&action)) {
    commit.answers.push_back(
        [this, wanted = *describe]() mutable { services_->describe(std::move(wanted)); });
  } else if (auto* read = std::get_if<core::ReadMapItems>(&action)) {
    commit.answers.push_back(
        [this, wanted = std::move(*read)]() mutable { services_->read_items(std::move(wanted)); });
  } else if (auto* write = std::get_if<core::WriteMapResults>(&action)) {
    commit.answers.push_back(
        [this, wanted = std::move(*write)]() mutable { services_->write_results(std::move(wanted)); });
  } else if (const auto* fetch = std::get_if<core::FetchExecution>(&action)) {
    commit.reads.push_back([this, no = fetch->execution](store::Store& store) {
      auto found = store.execution(no);
      core::ExecutionFetched event{.execution = no, .snapshot = nullptr};
      if (found && *found) event.snapshot = std::make_shared<const workflow::Snapshot>(std::move(**found));
      this->event(std::move(event));
    });
  }
}

}  // namespace stoker::server
