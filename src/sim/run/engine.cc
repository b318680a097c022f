#include "sim/run/engine.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "core/core.h"
#include "core/fleet/sizing/size.h"
#include "sim/run/heap.h"
#include "sim/run/machine.h"

namespace stoker::sim {
namespace {

constexpr Instant kStart{1'767'571'200'000};  // Monday, 2026-01-05
constexpr int kAttempts = 10;                 // AWS Batch's most
constexpr std::uint64_t kTurnsBetweenChecks = 1000;
constexpr std::uint64_t kTurnsBetweenNews = 4096;
constexpr Duration kLaunchRefusedAfter = seconds(20);
// Fleet sizing looks at most this often; what happens in between is seen together.
constexpr Duration kLooksApart = seconds(5);

core::Settings core_settings(const Scenario& scenario) {
  core::Settings settings;
  settings.placement = scenario.placement;
  settings.history = hours(1);  // nobody asks for old jobs
  return settings;
}

struct JobState {
  Duration done;  // work that is kept
  core::RunToken token;
  std::size_t machine = 0;
  Instant from;  // of the present start
  Instant works_from;
  bool fails = false;  // its present start will fail by itself
};

struct EnvironmentState {
  fleet::PoolBook pools;
  fleet::GapBook gaps;
  std::map<std::pair<std::string, std::string>, fleet::SpotQuote> quotes;
  std::vector<std::size_t> machines;  // not gone
  std::optional<Instant> look_at;     // foreseen
};

class Engine {
 public:
  Engine(const Scenario& scenario, const std::vector<SimJob>& jobs, std::uint64_t seed, Progress* progress)
      : scenario_(scenario),
        jobs_(jobs),
        rng_(seed),
        progress_(progress),
        core_(core_settings(scenario)),
        states_(jobs.size()),
        environments_(scenario.environments.size()) {
    outcome_.jobs.resize(jobs.size());
    outcome_.started = kStart;
  }

  Outcome run() {
    set_up();
    for (std::size_t i = 0; i < jobs_.size(); ++i) heap_.push(kStart + jobs_[i].submit, DueKind::Submit, i);
    while (const auto next = next_instant()) {
      now_ = *next;
      turn();
      if (over()) break;
    }
    if (scenario_.length > Duration{}) now_ = std::max(now_, kStart + scenario_.length);
    close();
    return std::move(outcome_);
  }

 private:
  // ---- the frame ----

  [[nodiscard]] std::optional<Instant> next_instant() const {
    std::optional<Instant> next;
    if (!heap_.empty()) next = heap_.top().at;
    const auto timer = core_.next_wakeup();
    if (timer && (!next || *timer < *next)) next = std::max(*timer, now_);
    if (next && scenario_.length > Duration{} && *next >= kStart + scenario_.length) return std::nullopt;
    return next;
  }

  [[nodiscard]] bool over() const {
    return scenario_.length == Duration{} && ended_ == jobs_.size() && launched_alive_ == 0;
  }

  // As the server's: all that is due, one pass, then the actions.
  void turn() {
    const auto timer = core_.next_wakeup();
    if (timer && *timer <= now_) apply(core::TimerFired{});
    while (!heap_.empty() && heap_.top().at <= now_) happen(heap_.pop());
    core_.schedule(now_, actions_);
    static_cast<void>(core_.take_changes());
    core::Actions actions;
    actions.swap(actions_);
    for (const core::Action& action : actions) carry_out(action);
    count_idle();
    look();
    if (++outcome_.turns % kTurnsBetweenChecks == 0 && jobs_.size() < 5000) core_.check_invariants();
    if (progress_ != nullptr && outcome_.turns % kTurnsBetweenNews == 0)
      progress_->at(ended_, jobs_.size(), now_ - kStart);
  }

  void apply(core::Event event) { core_.apply(now_, event, actions_); }

  void ask(core::Request request) {
    apply(core::Requested{core::RequestId{++requests_}, std::move(request)});
  }

  void happen(const Due& due) {
    switch (due.kind) {
      case DueKind::Submit:
        return submit(due.subject);
      case DueKind::Works:
        return on_works(due);
      case DueKind::Ends:
        return on_ends(due);
      case DueKind::Ready:
        return on_ready(due.subject);
      case DueKind::LaunchFails:
        return on_launch_fails(due.subject);
      case DueKind::Reclaimed:
        return on_reclaimed(due.subject);
      case DueKind::Remembered:
        return on_remembered(due.subject);
      case DueKind::Look:
        environments_[due.subject].look_at.reset();
        return foresee_look(due.subject, now_);
    }
  }

  // ---- set-up ----

  void set_up() {
    now_ = kStart;
    for (std::size_t i = 0; i < scenario_.environments.size(); ++i) set_up_environment(i);
    for (const SimQueue& queue : scenario_.queues) {
      core::CreateJobQueue request;
      request.name = queue.name;
      request.priority = queue.priority;
      int order = 1;
      for (const std::string& name : queue.environments) request.environments.push_back({order++, name});
      ask(std::move(request));
    }
    turn();
    last_look_ = {};  // the first jobs come at this very instant
  }

  void set_up_environment(std::size_t index) {
    const SimEnvironment& environment = scenario_.environments[index];
    core::CreateComputeEnvironment request;
    request.name = environment.name;
    request.managed = false;
    request.uuid = environment.name;
    request.document = std::make_shared<const json::Value>(json::Object{});
    ask(std::move(request));
    for (const StaticMachines& machines : environment.machines)
      for (std::int64_t i = 0; i < machines.count; ++i) {
        const std::size_t added = add_machine(index, {machines.type, "static", fleet::Market::OnDemand});
        on_ready(added);
      }
    if (!environment.policy) return;
    for (const std::string& type : environment.policy->types)
      for (const std::string& zone : environment.policy->zones) {
        const auto price = scenario_.catalogue.on_demand(type, environment.policy->region);
        if (price && environment.spot.price_percent < 100)
          environments_[index].quotes[{type, zone}] = {
              Money{price->micros * environment.spot.price_percent / 100}, 0};
      }
  }

  // ---- jobs ----

  // One definition for all jobs that ask for the same thing.
  const std::string& definition_of(const SimJob& job) {
    std::string needs = R"([{"type":"VCPU","value":")" + std::to_string(whole_vcpus(job)) +
                        R"("},{"type":"MEMORY","value":")" +
                        std::to_string(std::max<std::int64_t>(4, job.memory_mib)) + "\"}";
    if (job.gpus > 0) needs += R"(,{"type":"GPU","value":")" + std::to_string(job.gpus) + "\"}";
    if (job.gpu_milli > 0)
      needs += R"(,{"type":"GPU","value":"0.)" + std::to_string(1000 + job.gpu_milli).substr(1) + "\"}";
    needs += "]";
    core::Tags wishes;
    if (!job.gpu_models.empty()) wishes["stoker:gpu-models"] = join(job.gpu_models, "/");
    const auto [found, is_new] = definitions_.try_emplace(needs + join(job.gpu_models, "/"),
                                                          "shape-" + std::to_string(definitions_.size()));
    if (!is_new) return found->second;
    const std::string text =
        R"({"type":"container","retryStrategy":{"attempts":)" + std::to_string(kAttempts) +
        R"(},"containerProperties":{"image":"host","command":["work"],"resourceRequirements":)" + needs +
        "}}";
    ask(core::RegisterJobDefinition{
        found->second, std::make_shared<const json::Value>(json::parse(text).value()), std::move(wishes)});
    return found->second;
  }

  void submit(std::size_t index) {
    core::SubmitJob request;
    request.id = Uuid::from_random(rng_.next(), rng_.next());
    request.job_name = std::to_string(index);
    request.queue = jobs_[index].queue;
    request.definition = definition_of(jobs_[index]);
    submissions_[requests_ + 1] = index;
    ask(std::move(request));
  }

  void carry_out(const core::Action& action) {
    if (const auto* start = std::get_if<core::StartRun>(&action)) return on_start(*start);
    if (const auto* stop = std::get_if<core::StopRun>(&action)) return on_stop(*stop);
    if (const auto* replied = std::get_if<core::Replied>(&action)) return on_replied(*replied);
  }

  void on_replied(const core::Replied& replied) {
    const auto submission = submissions_.find(replied.request.value);
    if (!replied.answer) {
      if (outcome_.refused++ == 0) outcome_.refusal = replied.answer.error().message;
      if (submission != submissions_.end()) end_job(submission->second, JobEnd::Failed);
    }
    if (submission != submissions_.end()) submissions_.erase(submission);
  }

  void on_start(const core::StartRun& start) {
    const auto index = static_cast<std::size_t>(std::stoull(start.job_name));
    const SimJob& job = jobs_[index];
    JobState& state = states_[index];
    JobOutcome& outcome = outcome_.jobs[index];
    state.machine = machine_names_.at(start.node);
    Machine& machine = machines_[state.machine];
    const SimEnvironment& environment = scenario_.environments[machine.environment];
    Duration before = outcome.starts > 0 ? draw(scenario_.restart, rng_) : Duration{};
    if (!environment.keeps_images || machine.images.insert(job.tenant).second)
      before = before + draw(environment.pull, rng_);
    state.token = start.token;
    state.from = now_;
    state.works_from = now_ + before;
    ++outcome.starts;
    outcome.end = JobEnd::Running;
    if (!outcome.placed) {
      outcome.placed = true;
      outcome.placed_at = now_;
      outcome.computes_at = state.works_from;
    }
    take_room(machine, index);
    foresee_end(index);
  }

  void foresee_end(std::size_t index) {
    const SimJob& job = jobs_[index];
    JobState& state = states_[index];
    Duration left = job.run - state.done;
    state.fails = false;
    if (job.failures_per_million_hours > 0) {
      const Draw life{
          DrawKind::Exponential, Duration{hours(1'000'000).ms / job.failures_per_million_hours}, {}, 0};
      const Duration until = draw(life, rng_);
      state.fails = until < left;
      left = std::min(left, until);
    }
    const int start = outcome_.jobs[index].starts;
    heap_.push(state.works_from, DueKind::Works, index, start);
    heap_.push(state.works_from + left, DueKind::Ends, index, start);
  }

  [[nodiscard]] bool stale(const Due& due) const {
    const JobOutcome& outcome = outcome_.jobs[due.subject];
    return outcome.end != JobEnd::Running || outcome.starts != due.start;
  }

  void on_works(const Due& due) {
    if (!stale(due)) apply(core::RunStarted{states_[due.subject].token, now_});
  }

  void on_ends(const Due& due) {
    if (stale(due)) return;
    finish(due.subject, states_[due.subject].fails ? 1 : 0);
  }

  void on_stop(const core::StopRun& stop) {
    for (std::size_t index = 0; index < states_.size(); ++index)
      if (states_[index].token == stop.token && outcome_.jobs[index].end == JobEnd::Running)
        return finish(index, 137);
  }

  // The run ends by itself; what the core makes of it is seen in its state.
  void finish(std::size_t index, int exit_code) {
    JobState& state = states_[index];
    note_run(index, exit_code == 0);
    if (exit_code != 0) ++outcome_.jobs[index].failures;
    Machine& machine = machines_[state.machine];
    give_room(machine, index);
    core::RunEnded ended;
    ended.node = machine.node.id;
    ended.token = state.token;
    ended.started_at = state.works_from;
    ended.at = now_;
    ended.exit_code = exit_code;
    apply(ended);
    settle(index, exit_code == 0);
    if (machine.outcome.launched && scenario_.environments[machine.environment].one_run_a_machine)
      let_go(machine_names_.at(machine.node.id));
  }

  // Succeeded, waits again or failed for good.
  void settle(std::size_t index, bool succeeded) {
    if (succeeded) return end_job(index, JobEnd::Succeeded);
    const core::Job* job = core_.state().jobs.find(states_[index].token.job);
    if (job == nullptr || core::is_terminal(job->status)) return end_job(index, JobEnd::Failed);
    outcome_.jobs[index].end = JobEnd::Waiting;
  }

  void end_job(std::size_t index, JobEnd end) {
    outcome_.jobs[index].end = end;
    outcome_.jobs[index].ended_at = now_;
    ++ended_;
  }

  // Into the books: how long it ran here and how much of that is kept.
  void note_run(std::size_t index, bool succeeded) {
    const SimJob& job = jobs_[index];
    JobState& state = states_[index];
    const Duration worked = std::max(Duration{}, now_ - state.works_from);
    Duration kept = worked;
    if (!succeeded) {
      const std::int64_t step = job.checkpoint.ms;
      const Duration saved{step > 0 ? (state.done + worked).ms / step * step : 0};
      kept = std::max(Duration{}, saved - state.done);
      outcome_.jobs[index].lost = outcome_.jobs[index].lost + (worked - kept);
      state.done = state.done + kept;
    }
    add_use(index, now_, state.works_from + kept, kept);
  }

  void add_use(std::size_t index, Instant to, Instant kept_until, Duration kept) {
    const SimJob& job = jobs_[index];
    const JobState& state = states_[index];
    Machine& machine = machines_[state.machine];
    machine.outcome.use.runs.push_back({{std::to_string(index), job.tenant, job.queue, ""},
                                        share_of(job, *machine.type),
                                        state.from,
                                        std::min(state.works_from, to),
                                        to,
                                        std::min(kept_until, to)});
    const std::int64_t milli = job.gpus * 1000 + job.gpu_milli;
    machine.outcome.gpu_work = machine.outcome.gpu_work + Duration{kept.ms * milli / 1000};
  }

  // ---- machines ----

  std::size_t add_machine(std::size_t environment, const fleet::Pool& pool) {
    const std::size_t index = machines_.size();
    Machine machine;
    machine.environment = environment;
    machine.type = scenario_.catalogue.find(pool.type);
    machine.node.id = "m" + std::to_string(index);
    machine.node.pool = pool;
    machine.node.launched_at = now_;
    machine.outcome.type = pool.type;
    machine.outcome.gpus = machine.type->gpus;
    machine.outcome.spot = pool.market == fleet::Market::Spot;
    cost::NodeUse& use = machine.outcome.use;
    use.node = machine.node.id;
    use.environment = scenario_.environments[environment].name;
    use.started = now_;
    use.prices = {{now_, price_of(environment, pool)}};
    machine_names_[machine.node.id] = index;
    environments_[environment].machines.push_back(index);
    machines_.push_back(std::move(machine));
    return index;
  }

  [[nodiscard]] Money price_of(std::size_t environment, const fleet::Pool& pool) const {
    const auto& policy = scenario_.environments[environment].policy;
    const std::string region = policy ? policy->region : "us-east-1";
    if (pool.market == fleet::Market::Spot) {
      const auto& quotes = environments_[environment].quotes;
      const auto quote = quotes.find({pool.type, pool.zone});
      if (quote != quotes.end()) return quote->second.price;
      return scenario_.catalogue.typical_spot(pool.type, region).value_or(Money{});
    }
    return scenario_.catalogue.on_demand(pool.type, region).value_or(Money{});
  }

  void on_ready(std::size_t index) {
    Machine& machine = machines_[index];
    machine.node.phase = fleet::NodePhase::Ready;
    machine.node.ready_at = now_;
    machine.node.runs.clear();
    machine.node.free = fleet::room_of(*machine.type);
    machine.outcome.use.ready = now_;
    EnvironmentState& environment = environments_[machine.environment];
    if (machine.outcome.launched) environment.pools.succeeded(machine.node.pool);
    if (machine.outcome.spot &&
        scenario_.environments[machine.environment].spot.mean_to_interruption > Duration{}) {
      const Draw life{DrawKind::Exponential,
                      scenario_.environments[machine.environment].spot.mean_to_interruption,
                      {},
                      0};
      heap_.push(now_ + draw(life, rng_), DueKind::Reclaimed, index);
    }
    fresh_.push_back(index);
    apply(hello(machine, scenario_.environments[machine.environment].name));
  }

  void on_launch_fails(std::size_t index) {
    Machine& machine = machines_[index];
    ++outcome_.launches_failed;
    environments_[machine.environment].pools.failed(machine.node.pool, fleet::LaunchFailure::Capacity, now_);
    machine.outcome.use.prices = {{now_, Money{}}};  // it never was
    machine.outcome.launched = false;
    remove(index);
  }

  void on_reclaimed(std::size_t index) {
    if (machines_[index].gone || machines_[index].node.phase != fleet::NodePhase::Ready) return;
    machines_[index].outcome.use.reclaimed = true;
    lose(index);
  }

  // The machine goes, with what runs on it.
  void lose(std::size_t index) {
    Machine& machine = machines_[index];
    const std::vector<std::size_t> runs = machine.runs;
    for (const std::size_t job : runs) {
      note_run(job, false);
      ++outcome_.jobs[job].interruptions;
      give_room(machine, job);
    }
    if (machine.node.ready_at)
      apply(core::NodeLost{machine.node.id, "Host EC2 (instance " + machine.node.id + ") terminated."});
    for (const std::size_t job : runs) settle(job, false);
    remove(index);
  }

  // On purpose. Some are forgotten: the core knows nothing of them any more, they are paid for and are in the
  // way.
  void let_go(std::size_t index) {
    Machine& machine = machines_[index];
    const LeftRunning& left = scenario_.environments[machine.environment].left_running;
    const bool forgotten = rng_.chance(static_cast<std::uint64_t>(left.permille), 1000);
    if (!forgotten || !machine.node.ready_at) return lose(index);
    apply(core::NodeLost{machine.node.id, "ended"});
    machine.node.phase = fleet::NodePhase::Draining;
    machine.node.idle_since = {};
    heap_.push(now_ + draw({DrawKind::Exponential, left.mean, {}, 0}, rng_), DueKind::Remembered, index);
  }

  void on_remembered(std::size_t index) {
    if (!machines_[index].gone) remove(index);
  }

  void remove(std::size_t index) {
    Machine& machine = machines_[index];
    machine.gone = true;
    machine.outcome.use.ended = now_;
    std::erase(environments_[machine.environment].machines, index);
    --launched_alive_;
  }

  void take_room(Machine& machine, std::size_t job) {
    EnvironmentState& environment = environments_[machine.environment];
    if (machine.runs.empty() && machine.node.idle_since && !machine.claimed) environment.gaps.wanted(now_);
    machine.claimed = false;
    machine.node.idle_since = {};
    machine.runs.push_back(job);
    note_room(machine);
  }

  void give_room(Machine& machine, std::size_t job) {
    std::erase(machine.runs, job);
    note_room(machine);
    if (machine.runs.empty()) fresh_.push_back(machine_names_.at(machine.node.id));
  }

  void note_room(Machine& machine) {
    machine.node.free = fleet::room_of(*machine.type);
    machine.node.runs.clear();
    for (const std::size_t job : machine.runs) {
      const fleet::Need need = need_of(jobs_[job]);
      fleet::take(machine.node.free, need, 1);
      machine.node.runs.push_back({need, 1, jobs_[job].checkpoint > Duration{}});
    }
  }

  // Machines that came or became free in this turn and got nothing in its pass are idle.
  void count_idle() {
    for (const std::size_t index : fresh_) {
      Machine& machine = machines_[index];
      const bool in_service = !machine.gone && machine.node.phase == fleet::NodePhase::Ready;
      if (!in_service || !machine.runs.empty() || machine.node.idle_since) continue;
      machine.node.idle_since = now_;
      machine.claimed = false;
      environments_[machine.environment].gaps.became_idle(now_);
    }
    fresh_.clear();
  }

  // ---- fleet sizing ----

  void foresee_look(std::size_t environment, Instant at) {
    EnvironmentState& state = environments_[environment];
    if (state.look_at && *state.look_at <= at) return;
    if (at <= now_) {
      look_now_ = true;
      return;
    }
    state.look_at = at;
    heap_.push(at, DueKind::Look, environment);
  }

  void look() {
    if (last_look_ && now_ - last_look_ < kLooksApart && !look_now_) {
      for (std::size_t i = 0; i < environments_.size(); ++i)
        if (scenario_.environments[i].policy) foresee_look(i, last_look_ + kLooksApart);
      return;
    }
    look_now_ = false;
    last_look_ = now_;
    for (std::size_t i = 0; i < environments_.size(); ++i)
      if (scenario_.environments[i].policy) resize(i);
  }

  void resize(std::size_t index) {
    EnvironmentState& environment = environments_[index];
    fleet::FleetState state;
    for (const std::size_t machine : environment.machines) state.nodes.push_back(machines_[machine].node);
    state.pools = environment.pools;
    state.gaps = environment.gaps;
    state.quotes = environment.quotes;
    const fleet::Plan plan = fleet::size_fleet(scenario_.catalogue, *scenario_.environments[index].policy,
                                               state, demands(scenario_.environments[index].name), now_);
    for (const fleet::Launch& launch : plan.launches)
      for (std::int64_t i = 0; i < launch.count; ++i) launch_machine(index, launch);
    for (const fleet::Retire& retire : plan.retirements) {
      const std::size_t machine = machine_names_.at(retire.node);
      if (machines_[machine].outcome.launched && !retire.drain) let_go(machine);
    }
    if (plan.look_again) foresee_look(index, std::max(*plan.look_again, now_ + milliseconds(1)));
  }

  // What waits in queues whose first environment this is.
  [[nodiscard]] std::vector<fleet::Demand> demands(const std::string& environment) const {
    std::vector<fleet::Demand> demands;
    const core::State& state = core_.state();
    for (const SimQueue& queue : scenario_.queues) {
      if (queue.environments.front() != environment) continue;
      const auto waiting = state.waiting.find(state.queue_names.at(queue.name));
      if (waiting == state.waiting.end()) continue;
      for (const auto& [shape, jobs] : waiting->second) {
        const core::Job& first = *state.jobs.find(*jobs.jobs.first());
        fleet::Demand demand;
        demand.need = need_of(jobs_[static_cast<std::size_t>(std::stoull(first.extra->name))]);
        demand.jobs = static_cast<std::int64_t>(jobs.jobs.size());
        demand.waiting_since = first.runnable_at;
        demands.push_back(std::move(demand));
      }
    }
    return demands;
  }

  void launch_machine(std::size_t environment, const fleet::Launch& launch) {
    const SimEnvironment& rules = scenario_.environments[environment];
    const std::size_t index = add_machine(environment, launch.pool);
    Machine& machine = machines_[index];
    machine.node.runs = launch.runs;
    machine.outcome.launched = true;
    ++launched_alive_;
    if (launch.reason == fleet::LaunchReason::Demand) {
      machine.claimed = true;
      environments_[environment].gaps.wanted(now_);
    }
    const std::int64_t fails =
        machine.outcome.spot ? rules.spot.fail_permille : rules.on_demand_fail_permille;
    if (rng_.chance(static_cast<std::uint64_t>(fails), 1000))
      heap_.push(now_ + kLaunchRefusedAfter, DueKind::LaunchFails, index);
    else
      heap_.push(now_ + draw(rules.boot, rng_), DueKind::Ready, index);
  }

  // ---- the end ----

  void close() {
    outcome_.ended = now_;
    for (std::size_t index = 0; index < jobs_.size(); ++index)
      if (outcome_.jobs[index].end == JobEnd::Running) {
        const JobState& state = states_[index];
        const Duration worked = std::max(Duration{}, now_ - state.works_from);
        add_use(index, now_, now_, worked);
      }
    for (const auto& [queue, waiting] : core_.state().waiting)
      for (const auto& [shape, jobs] : waiting) {
        const core::Job& first = *core_.state().jobs.find(*jobs.jobs.first());
        outcome_.jobs[static_cast<std::size_t>(std::stoull(first.extra->name))].waits = jobs.reason.text;
      }
    for (Machine& machine : machines_) {
      if (!machine.outcome.launched && machine.gone) continue;  // a launch that brought nothing
      outcome_.machines.push_back(std::move(machine.outcome));
    }
  }

  const Scenario& scenario_;
  const std::vector<SimJob>& jobs_;
  Rng rng_;
  Progress* progress_;
  core::Core core_;
  core::Actions actions_;
  Heap heap_;
  Instant now_ = kStart;
  std::vector<JobState> states_;
  std::vector<Machine> machines_;
  std::map<std::string, std::size_t> machine_names_;
  std::vector<EnvironmentState> environments_;
  std::map<std::string, std::string> definitions_;    // by what they need
  std::map<std::uint64_t, std::size_t> submissions_;  // not yet answered, by request
  std::vector<std::size_t> fresh_;                    // machines that may be idle after this turn's pass
  std::uint64_t requests_ = 0;
  std::size_t ended_ = 0;
  std::int64_t launched_alive_ = 0;
  Instant last_look_;
  bool look_now_ = false;
  Outcome outcome_;
};

}  // namespace

Outcome simulate(const Scenario& scenario, const std::vector<SimJob>& jobs, std::uint64_t seed,
                 Progress* progress) {
  return Engine(scenario, jobs, seed, progress).run();
}

}  // namespace stoker::sim
