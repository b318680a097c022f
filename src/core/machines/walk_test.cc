// Seeded walks of workflows through the whole core: random machines that start each other, jobs, workers,
// calls of services that are answered late, twice or never, stops, redrives, crashes. After every turn the
// invariants hold and the records give the state back; in the end everything has ended, and no history has a
// gap.
#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "base/testing/walks.h"
#include "core/machines/workflows.h"
#include "core/testing/driver.h"
#include "core/workflow/run/execution.h"
#include "core/workflow/run/testing/author.h"

namespace stoker::core {
namespace {

using testing::Driver;
using workflow::TaskToken;

const std::string kPrefix = "arn:aws:states:us-east-1:000000000000:";
constexpr int kMachines = 4;

Settings settings_of(Rng& rng) {
  Settings settings{.history = days(100)};
  if (rng.chance(1, 3)) settings.workflow.steps_per_turn = 1 + rng.below(5);
  if (rng.chance(1, 8)) settings.workflow.events_max = 20 + rng.below(60);
  if (rng.chance(1, 8)) settings.workflow.payload_bytes_max = 60 + rng.below(100);
  return settings;
}

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : rng_(seed), d_(settings_of(rng_)) {
    for (bool& on : enabled_) on = rng_.chance(4, 5);
    enabled_[Start] = true;
    d_.ids = Rng(seed ^ 0x5eed);
    d_.define("work", {.cpus_milli = 1000, .memory_mib = 100}, R"("retryStrategy":{"attempts":2})");
    EXPECT_TRUE(d_.ask(CreateActivity{.name = "w", .encryption = {}, .tags = {}}));
    for (int i = 0; i < kMachines; ++i) make(i);
    connect();
  }

  void run(int turns) {
    for (int i = 0; i < turns && !::testing::Test::HasFailure(); ++i) {
      step();
      absorb();
      check();
    }
    drain();
    check_histories();
  }

 private:
  enum Kind {
    Start,
    StartAgain,
    Stop,
    Redrive,
    Call,
    Describe,
    Job,
    Poll,
    Work,
    Late,
    Time,
    Crash,
    Change,
    kKinds
  };

  // A machine may start those before it, so that nothing goes round in circles.
  void make(int number) {
    CreateStateMachine asked;
    asked.name = "m" + std::to_string(number);
    asked.definition = definition(number);
    asked.role_arn = "role";
    const auto made = d_.ask(asked);
    EXPECT_TRUE(made) << made.error().message << asked.definition;
  }
  std::string definition(int number) {
    const std::string callee =
        number == 0
            ? ""
            : kPrefix + "stateMachine:m" + std::to_string(rng_.below(static_cast<std::uint64_t>(number)));
    return workflow::testing::Author(rng_, callee).definition();
  }

  void step() {
    const auto kind = static_cast<Kind>(rng_.below(kKinds));
    if (!enabled_[kind]) return;
    switch (kind) {
      case Start:
        return start();
      case StartAgain:
        return start_again();
      case Stop:
        return with_execution(
            [&](const std::string& arn) { EXPECT_TRUE(d_.ask(StopExecution{arn, "S", {}})); });
      case Redrive:
        return with_execution([&](const std::string& arn) { (void)d_.ask_later(RedriveExecution{arn}); });
      case Call:
        return answer_call(rng_.chance(1, 4));
      case Describe:
        return describe();
      case Job:
        return run_job();
      case Poll:
        polls_.push_back(d_.ask_later(GetActivityTask{kPrefix + "activity:w", {}}));
        return;
      case Work:
        return work(rng_.below(4));
      case Late:
        if (!news_.empty()) d_.event(news_[rng_.below(news_.size())]);
        return;
      case Time:
        return d_.advance(milliseconds(static_cast<std::int64_t>(rng_.below(6000))));
      case Crash:
        return crash();
      case Change:
        return change();
      case kKinds:
        break;
    }
  }

  // ---- executions ----
  void start() {
    StartExecution asked{.arn = kPrefix + "stateMachine:m" + std::to_string(rng_.below(kMachines)),
                         .name = "e" + std::to_string(started_.size()),
                         .input = R"({"x":[1]})",
                         .trace_header = {},
                         .id = Uuid::from_random(d_.ids.next(), d_.ids.next()),
                         .seed = d_.ids.next(),
                         .seed2 = d_.ids.next()};
    const auto answer = d_.ask(asked);
    if (!answer) return;  // the machine is being deleted
    started_.push_back({asked, std::get<ExecutionStarted>(*answer).arn});
  }
  // The same name is the same execution, or refused.
  void start_again() {
    if (started_.empty()) return;
    const auto& [asked, arn] = started_[rng_.below(started_.size())];
    const auto answer = d_.ask(asked);
    if (answer)
      EXPECT_EQ(std::get<ExecutionStarted>(*answer).arn, arn);
    else
      EXPECT_TRUE(answer.error().name == "ExecutionAlreadyExists" ||
                  answer.error().name == "StateMachineDeleting" ||
                  answer.error().name == "StateMachineDoesNotExist")
          << answer.error().message;
  }
  template <class F>
  void with_execution(F use) {
    if (!started_.empty()) use(started_[rng_.below(started_.size())].second);
  }
  void change() {
    const int number = static_cast<int>(rng_.below(kMachines));
    const std::string arn = kPrefix + "stateMachine:m" + std::to_string(number);
    if (rng_.chance(1, 4)) {
      EXPECT_TRUE(d_.ask(DeleteStateMachine{arn}));
      if (d_.state().machines.find_machine("m" + std::to_string(number)) == nullptr) make(number);
    } else if (d_.state().machines.find_machine("m" + std::to_string(number)) != nullptr) {
      UpdateStateMachine asked;
      asked.arn = arn;
      asked.definition = definition(number);
      asked.revision_id = Uuid::from_random(d_.ids.next(), d_.ids.next()).str();
      (void)d_.ask(asked);
    } else {
      make(number);
    }
  }

  // ---- what the server does for tasks ----
  void tell(const TaskToken& token, workflow::News news) {
    news_.push_back({.execution = token.execution, .news = std::move(news)});
    d_.event(news_.back());
  }
  void answer_call(bool fails) {
    if (d_.calls.empty()) return;
    const std::size_t at = rng_.below(d_.calls.size());
    const workflow::StartTask task = d_.calls[at].task;
    if (!rng_.chance(1, 8)) d_.calls.erase(d_.calls.begin() + static_cast<std::ptrdiff_t>(at));  // or twice
    if (task.service == "batch") return submit(task, fails);
    if (fails) return tell(task.token, workflow::TaskFailed{.token = task.token, .error = "A", .cause = {}});
    if (task.pattern == workflow::Pattern::WaitForTaskToken) {
      tokens_.push_back(task.token);
      return tell(task.token, workflow::TaskSubmitted{task.token, workflow::Document()});
    }
    tell(task.token, workflow::TaskSucceeded{task.token, workflow::Document()});
  }
  void submit(const workflow::StartTask& task, bool fails) {
    const Uuid id = id_of_task(task.token, "job");
    SubmitJob job;
    job.id = id;
    job.job_name = "j";
    job.queue = fails ? "nowhere" : "default";
    job.definition = "work";
    const auto answer = d_.ask(SubmitTaskJob{task.token, job});
    if (answer) jobs_.insert_or_assign(id, task.token);
    if (answer && rng_.chance(1, 6)) return crash();  // after the submission, before the news of it
    if (answer)
      tell(task.token, workflow::TaskSubmitted{task.token, workflow::Document()});
    else
      tell(task.token, workflow::TaskFailed{.token = task.token,
                                            .error = "Batch.ClientException",
                                            .cause = {},
                                            .stage = workflow::TaskFailed::Stage::Submit});
  }
  void describe() {
    if (d_.descriptions.empty()) return;
    const DescribeEndedJob asked = d_.descriptions.front();
    d_.descriptions.erase(d_.descriptions.begin());
    const core::Job* job = d_.state().jobs.find(asked.job);
    ASSERT_NE(job, nullptr) << "a job that is waited for is forgotten";
    if (job->status == JobStatus::Succeeded)
      tell(asked.token, workflow::TaskSucceeded{asked.token, workflow::Document()});
    else
      tell(asked.token,
           workflow::TaskFailed{.token = asked.token, .error = "States.TaskFailed", .cause = "job"});
  }

  // ---- jobs and workers ----
  void absorb() {
    for (const StartRun& run : std::exchange(d_.starts, {})) {
      EXPECT_TRUE(executed_.insert(run.token.str()).second || runs_.contains(run.token.str())) << "run twice";
      runs_.try_emplace(run.token.str());
    }
    for (const StopRun& stop : std::exchange(d_.stops, {}))
      if (runs_.contains(stop.token.str())) finish(stop.token, 143);
    for (const ForgetRun& forget : std::exchange(d_.forgets, {})) runs_.erase(forget.token.str());
    std::erase_if(polls_, [&](RequestId id) {
      const Result<Answer>* answer = d_.answer_of(id);
      if (answer == nullptr) return false;
      if (const auto token = TaskToken::parse(std::get<ActivityTaskGiven>(**answer).token))
        tokens_.push_back(*token);
      return true;
    });
  }
  void run_job() {
    if (runs_.empty()) return;
    auto it = std::next(runs_.begin(), static_cast<std::ptrdiff_t>(rng_.below(runs_.size())));
    const RunToken token = *RunToken::parse(it->first);
    if (rng_.chance(1, 3)) return d_.event(RunStarted{token, d_.now});
    finish(token, rng_.chance(1, 3) ? 1 : 0);
  }
  void finish(const RunToken& token, int code) {
    RunEnded end{
        .node = "local", .token = token, .started_at = d_.now, .at = d_.now, .exit_code = code, .reason = {}};
    runs_.at(token.str()) = end;
    d_.event(end);
  }
  void work(std::uint64_t what) {
    if (tokens_.empty()) return;
    const std::string token = tokens_[rng_.below(tokens_.size())].str();
    if (what == 0) (void)d_.ask(SendTaskHeartbeat{token});
    if (what == 1) (void)d_.ask(SendTaskFailure{token, "B", {}});
    if (what >= 2) (void)d_.ask(SendTaskSuccess{token, "[1]"});
  }
  void connect() {
    std::vector<KnownRun> known;
    for (const auto& [text, end] : runs_) known.push_back({*RunToken::parse(text), true, end.has_value()});
    d_.connect("local", {.cpus_milli = 3000, .memory_mib = 8000}, known);
    for (const auto& [text, end] : std::map(runs_))
      if (end) d_.event(*end);
  }
  // What was under way between the server and the world is lost, or has happened without anybody hearing of
  // it.
  void crash() {
    absorb();  // workers have what they were told; else a task without a time-out would wait for ever
    d_.crash();
    d_.calls.clear();
    d_.descriptions.clear();
    polls_.clear();
    connect();
    d_.advance({});
  }

  // ---- what must hold ----
  void check() {
    d_.check();
    const ExecutionTable& table = d_.state().executions;
    for (const auto& [id, token] : jobs_) {
      const core::Job* job = d_.state().jobs.find(id);
      if (job == nullptr || is_terminal(job->status) || job->terminated) continue;
      const ExecutionInfo* info = table.find(ExecutionNo{token.execution});
      ASSERT_TRUE(info != nullptr && info->live && info->live->task(token))
          << "a job that nobody waits for runs on";
    }
    for (const auto& [no, info] : table.all) {
      if (info.status != workflow::Status::Running) continue;
      if (info.invoker && info.invoker->waits) {
        const ExecutionInfo* by = table.find(ExecutionNo{info.invoker->token.execution});
        ASSERT_TRUE(by != nullptr && by->live && by->live->task(info.invoker->token))
            << "an execution that nobody waits for runs on";
      }
      if (!info.child) continue;
      ASSERT_EQ(table.find(ExecutionNo{info.child->execution})->status, workflow::Status::Running)
          << "a child of a map run that is over runs on";
    }
  }

  // Whatever happened, everything comes to an end when the world is kind again.
  void drain() {
    for (int round = 0; round < 3000 && !::testing::Test::HasFailure(); ++round) {
      absorb();
      while (!d_.calls.empty()) answer_call(false);
      while (!d_.descriptions.empty()) describe();
      for (const auto& [text, end] : std::map(runs_))
        if (runs_.contains(text)) finish(*RunToken::parse(text), 0);
      const auto given = d_.ask_later(GetActivityTask{kPrefix + "activity:w", {}});
      if (d_.answer_of(given) == nullptr) polls_.push_back(given);
      for (const TaskToken& token : std::exchange(tokens_, {}))
        (void)d_.ask(SendTaskSuccess{token.str(), "1"});
      if (const Result<Answer>* answer = d_.answer_of(given))
        if (const auto token = TaskToken::parse(std::get<ActivityTaskGiven>(**answer).token))
          (void)d_.ask(SendTaskSuccess{token->str(), "1"});
      d_.advance(seconds(5));
      if (running() == 0 && d_.state().jobs.live() == 0) break;
    }
    check();
    EXPECT_EQ(running(), 0U) << "executions that never end";
    EXPECT_EQ(d_.state().jobs.live(), 0U) << "jobs that never end";
  }
  std::size_t running() const {
    return static_cast<std::size_t>(std::ranges::count_if(d_.state().executions.all, [](const auto& entry) {
      return entry.second.status == workflow::Status::Running;
    }));
  }

  void check_histories() {
    for (const auto& [asked, arn] : started_) EXPECT_TRUE(d_.state().executions.at(arn)) << "lost: " << arn;
    for (const auto& [no, info] : d_.state().executions.all) {
      const auto history = d_.store().history(no.value);
      SCOPED_TRACE(info.machine + ':' + info.name);
      ASSERT_FALSE(history.empty());
      for (std::size_t i = 0; i < history.size(); ++i) {
        ASSERT_EQ(history[i].id, i + 1) << "ids have a gap";
        ASSERT_LT(history[i].previous, history[i].id) << "previousEventId is no tree";
      }
      const std::string_view last = workflow::name(history.back().type);
      EXPECT_TRUE(last.starts_with("Execution") && last != "ExecutionStarted" && last != "ExecutionRedriven")
          << last;
      check_tries(history);
    }
  }
  // Scheduled, Started, Submitted and one end, each at most once.
  static void check_tries(const std::vector<workflow::HistoryEvent>& history) {
    std::set<std::pair<std::uint64_t, std::string_view>> seen;
    for (const workflow::HistoryEvent& event : history) {
      const std::string_view type = workflow::name(event.type);
      for (const std::string_view part : {"Started", "Submitted", "Succeeded", "Failed", "TimedOut"}) {
        if (type != "Task" + std::string(part) && type != "Activity" + std::string(part)) continue;
        EXPECT_TRUE(seen.insert({event.previous, part}).second) << type << " twice after " << event.previous;
      }
    }
  }

  Rng rng_;
  Driver d_;
  bool enabled_[kKinds] = {};
  std::vector<std::pair<StartExecution, std::string>> started_;  // with their ARNs
  std::vector<WorkflowNews> news_;                               // all that was told
  std::vector<TaskToken> tokens_;
  std::vector<RequestId> polls_;
  std::map<Uuid, TaskToken> jobs_;
  std::map<std::string, std::optional<RunEnded>> runs_;  // what the node knows
  std::set<std::string> executed_;
};

TEST(WorkflowsWalk, nothing_is_lost_or_done_twice_whatever_happens) {
  stoker::testing::walk_each("workflows", stoker::testing::walk_seeds(25),
                             [](std::uint64_t seed) { Walk(seed).run(150); });
}

}  // namespace
}  // namespace stoker::core
