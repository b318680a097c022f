// Seeded walks of a core that launches machines, and of a cloud that fails, forgets, repeats itself and takes
// machines back. No more machines are launched than those need who may start at that moment, and whoever may
// start gets one in the end. Nobody but the environment pays for a machine that idles for the minimum. After
// every turn the invariants hold and the records give the state back; limits hold in the cloud itself; no
// token is used for two machines; in the end everything has ended.
#include <set>

#include <gtest/gtest.h>

#include "base/testing/walks.h"
#include "core/fleet/keep/move.h"
#include "core/provision/costs.h"
#include "core/provision/look.h"
#include "core/provision/progress.h"
#include "core/testing/costs.h"
#include "core/testing/fake_cloud.h"

namespace stoker::core {
namespace {

using testing::Driver;
using testing::FakeCloud;
using Phase = FakeCloud::Phase;

constexpr Instant kStart{1'767'571'200'000};

// With odd seeds no job is forgotten, so that all that machines cost can be found again.
Settings walk_settings(std::uint64_t seed) {
  Settings settings = FakeCloud::settings();
  settings.history = seed % 2 == 1 ? days(365) : minutes(30);
  return settings;
}

class Walk {
 public:
  explicit Walk(std::uint64_t seed)
      : rng_(seed), remembers_(seed % 2 == 1), d_(walk_settings(seed)), cloud_(d_) {
    for (bool& on : enabled_) on = rng_.chance(3, 4);
    enabled_[Submit] = enabled_[Boot] = true;
    d_.now = kStart;
    d_.ids = Rng(seed ^ 0xabcdef);
    d_.define("one", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1}, R"("retryStrategy":{"attempts":3})");
    d_.define("four", {.cpus_milli = 4000, .memory_mib = 100, .gpus = 4});
    d_.define("share", {.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = 400});
    d_.define("never", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 16});
    d_.define("licensed", {.cpus_milli = kLicensedCpus, .memory_mib = 100, .gpus = 1}, kLicenceJson);
    d_.define("few-of-them", {.cpus_milli = kFewCpus, .memory_mib = 100, .gpus = 1});
    EXPECT_TRUE(d_.ask(CreateConsumableResource{"licence", kLicences, true, {}}));
    EXPECT_TRUE(d_.ask(RegisterJobDefinition{"few",
                                             d_.state().find_definition("few-of-them")->document,
                                             {{"stoker:max-running", std::to_string(kFewMax)}}}));
    if (rng_.chance(1, 3)) queue_max_ = 1 + static_cast<std::int64_t>(rng_.below(5));
    static const char* kWindows[] = {"0", "2m", "1h", "learnt", "mon-fri 08:00-20:00 20m / 0"};
    static const char* kSpots[] = {"first", "only", "never"};
    Tags tags{{"stoker:warm-window", kWindows[rng_.below(5)]}, {"stoker:spot", kSpots[rng_.below(3)]}};
    if (rng_.chance(1, 3)) tags["stoker:budget"] = "20";
    if (rng_.chance(1, 3)) tags["stoker:budget-stop-fleet"] = "110";
    if (rng_.chance(1, 4)) tags["stoker:one-run"] = "true";
    if (rng_.chance(1, 3)) tags["stoker:consolidate-after"] = "5m";
    if (rng_.chance(1, 4)) tags["stoker:patience"] = "0.5";
    minimum_ = rng_.chance(1, 3);
    cloud_.create(minimum_ ? R"(,"minvCpus":4)" : "", tags);
    if (queue_max_ > 0) {
      EXPECT_TRUE(d_.ask(TagResource{{ResourceKind::JobQueue, "default", 0},
                                     {{"stoker:max-running", std::to_string(queue_max_)}}}));
    }
  }

  void run(int turns) {
    for (int i = 0; i < turns; ++i) {
      const Lonely before = lonely();
      step();
      check_launches();
      absorb();
      if (remembers_) check_minimum(before);
      check_launches();
      d_.check();
      check_moves();
      if (remembers_) {
        ASSERT_EQ(testing::fault_in_costs(d_.state()), "");
      }
      ASSERT_EQ(testing::fault_in_focus(d_.state(), d_.now), "");
      ASSERT_LE(cloud_.vcpus(), 64) << "the limit holds in the cloud itself";
    }
    drain();
  }
  [[nodiscard]] std::string transcript() const { return transcript_; }
  [[nodiscard]] int most_moves() const { return most_moves_; }
  [[nodiscard]] std::size_t machines() const { return cloud_.machines.size(); }
  [[nodiscard]] int held_back() const { return held_back_; }
  [[nodiscard]] int lonely_times() const { return lonely_times_; }

 private:
  static constexpr std::int64_t kFewCpus = 2000;
  static constexpr std::int64_t kFewMax = 2;
  static constexpr std::int64_t kLicensedCpus = 3000;
  static constexpr std::int64_t kLicences = 3;
  static constexpr const char* kLicenceJson =
      R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"licence","quantity":1}]})";

  enum Kind {
    Submit,
    Boot,
    Start,
    Finish,
    Fail,
    LaunchFails,
    Interrupt,
    Rebalance,
    Lose,
    Disconnect,
    Repeat,
    Late,
    Crash,
    Time,
    ClockBack,
    Update,
    Cancel,
    Quote,
    kKinds
  };

  template <class Pick>
  std::string any(Pick pick) {
    std::vector<std::string> names;
    for (const auto& [name, machine] : cloud_.machines)
      if (pick(machine)) names.push_back(name);
    return names.empty() ? "" : names[rng_.below(names.size())];
  }
  static bool alive(const FakeCloud::Machine& machine) { return machine.phase != Phase::Gone; }
  static bool under_way(const FakeCloud::Machine& machine) { return machine.phase < Phase::Ready; }
  static bool ready(const FakeCloud::Machine& machine) { return machine.phase == Phase::Ready; }
  static bool connected(const FakeCloud::Machine& machine) { return machine.connected; }

  void step() {
    if (lively_ && rng_.chance(1, 3)) all_goes_well();
    const auto kind = static_cast<Kind>(rng_.below(kKinds));
    if (!enabled_[kind]) return;
    transcript_ += std::to_string(kind) + ' ';
    switch (kind) {
      case Submit:
        return submit();
      case Boot:
        return boot(any(under_way));
      case Start:
        return with_run([&](FakeCloud::Machine&, KnownRun& run) {
          run.started = true;
          d_.event(RunStarted{run.token, d_.now});
        });
      case Finish:
        return finish(0);
      case Fail:
        return finish(1);
      case LaunchFails:
        return fail(any(under_way));
      case Interrupt:
        if (const auto name = any(ready); !name.empty())
          d_.event(InterruptionNotice{name, d_.now + minutes(2)});
        return;
      case Rebalance:
        if (const auto name = any(ready); !name.empty()) d_.event(RebalanceAdvised{name});
        return;
      case Lose:
        if (const auto name = any(alive); !name.empty()) cloud_.gone(name, rng_.chance(1, 2));
        return;
      case Disconnect:
        if (const auto name = any(connected); !name.empty()) {
          cloud_.machines.at(name).connected = false;
          d_.event(NodeDisconnected{name});
        }
        return;
      case Repeat:
        return repeat(any(alive));
      case Late:
        return late(any([](const FakeCloud::Machine& machine) { return !alive(machine); }));
      case Crash:
        d_.crash();
        for (auto& [name, machine] : cloud_.machines) machine.connected = false;
        d_.event(TimerFired{});
        return;
      case Time:
        return d_.advance(seconds(static_cast<std::int64_t>(rng_.below(400))));
      case ClockBack:
        d_.now = std::max(kStart, d_.now - seconds(static_cast<std::int64_t>(rng_.below(90))));
        return;
      case Update:
        EXPECT_TRUE(d_.ask(UpdateComputeEnvironment{"gpu", rng_.chance(3, 4), nullptr}));
        return;
      case Cancel:
        if (jobs_.empty()) return;
        EXPECT_TRUE(d_.ask(TerminateJob{jobs_[rng_.below(jobs_.size())], -1, "ended"}));
        return;
      case Quote:
        d_.event(SpotQuoted{
            {{{"g5.xlarge", "a"}, {Money{static_cast<std::int64_t>(rng_.below(1'200'000))}, 10}}}});
        return;
      case kKinds:
        return;
    }
  }

  void submit() {
    if (lively_ && d_.state().jobs.live() > 4) return;  // room for moves
    static const char* kNames[] = {"one", "one", "four", "share", "never", "few", "licensed"};
    SubmitJob request;
    request.id = Uuid::from_random(d_.ids.next(), d_.ids.next());
    request.job_name = "j";
    request.queue = "default";
    request.definition = kNames[rng_.below(7)];
    if (rng_.chance(1, 5)) request.array_size = 3;
    static const char* kSpots[] = {"only", "never", "first"};
    if (rng_.chance(1, 3)) request.tags = Tags{{"stoker:spot", kSpots[rng_.below(3)]}};
    const auto tag = [&](const char* key, const char* value) {
      if (!request.tags) request.tags.emplace();
      (*request.tags)[key] = value;
    };
    if (request.array_size > 0 && rng_.chance(1, 3)) tag("stoker:max-running", "1");
    static const char* kCheckpoints[] = {"periodic", "signal", "5m", "1h"};
    if (rng_.chance(1, 2)) tag("stoker:checkpoint", kCheckpoints[rng_.below(4)]);
    static const char* kDeadlines[] = {"20m", "50m", "90m", "5h"};
    if (rng_.chance(1, 3)) tag("stoker:deadline", kDeadlines[rng_.below(4)]);
    static const char* kRunTimes[] = {"10m", "30m", "2h"};
    if (rng_.chance(1, 2)) tag("stoker:run-time", kRunTimes[rng_.below(3)]);
    if (rng_.chance(1, 5)) tag("stoker:preemptible", rng_.chance(1, 2) ? "true" : "false");
    EXPECT_TRUE(d_.ask(request));
    jobs_.push_back(request.id);
  }

  // Machines come up and their runs begin, so that there is something to move.
  void all_goes_well() {
    absorb();
    for (const auto& [name, machine] : std::map(cloud_.machines))
      if (under_way(machine) && !machine.retired) cloud_.boot(name);
    absorb();
    for (auto& [name, machine] : cloud_.machines)
      for (KnownRun& run : machine.runs) {
        if (!machine.connected || run.started) continue;
        run.started = true;
        d_.event(RunStarted{run.token, d_.now});
      }
    d_.advance(seconds(6));  // to the next look
  }

  // One step of its way, or several: news come together.
  void boot(const std::string& name) {
    if (name.empty()) return;
    if (rng_.chance(1, 2)) cloud_.launching(name);
    if (rng_.chance(1, 2)) cloud_.running(name);
    if (rng_.chance(1, 2)) cloud_.hello(name);
  }

  void fail(const std::string& name) {
    static const std::optional<fleet::LaunchFailure> kWhy[] = {
        fleet::LaunchFailure::Capacity,      fleet::LaunchFailure::Price, fleet::LaunchFailure::Quota,
        fleet::LaunchFailure::SpotForbidden, fleet::LaunchFailure::Zone,  std::nullopt};
    if (!name.empty()) cloud_.fail(name, kWhy[rng_.below(6)]);
  }

  // What was said before is said again.
  void repeat(const std::string& name) {
    if (name.empty()) return;
    const Phase phase = cloud_.machines.at(name).phase;
    if (phase >= Phase::Launching) d_.event(NodeLaunching{name, "i-" + name});
    if (phase >= Phase::Running) d_.event(NodeLaunched{name, "i-" + name, d_.now});
    if (phase == Phase::Ready) cloud_.hello(name);
  }

  // Of a machine that is long gone.
  void late(const std::string& name) {
    if (name.empty()) return;
    d_.event(NodeLaunched{name, "i-" + name, d_.now});
    d_.event(NodeLost{name, "gone"});
    d_.event(LaunchFailed{name, fleet::LaunchFailure::Capacity, "late"});
    d_.event(RebalanceAdvised{name});
    d_.event(InterruptionNotice{name, d_.now});
  }

  template <class F>
  void with_run(F use) {
    const std::string name =
        any([](const FakeCloud::Machine& machine) { return machine.connected && !machine.runs.empty(); });
    if (name.empty()) return;
    FakeCloud::Machine& machine = cloud_.machines.at(name);
    use(machine, machine.runs[rng_.below(machine.runs.size())]);
  }
  void finish(int code) {
    with_run([&](FakeCloud::Machine& machine, KnownRun& run) { end(machine, run.token, code); });
  }
  void end(FakeCloud::Machine& machine, RunToken token, int code) {
    std::erase_if(machine.runs, [&](const KnownRun& run) { return run.token == token; });
    const std::string name = [&] {
      for (const auto& [one, other] : cloud_.machines)
        if (&other == &machine) return one;
      return std::string();
    }();
    d_.event(RunEnded{
        .node = name, .token = token, .started_at = d_.now, .at = d_.now, .exit_code = code, .reason = {}});
  }

  // What the core sent arrives at the machines that are connected.
  void absorb() {
    for (int round = 0; round < 100; ++round) {
      cloud_.absorb();
      for (const StartRun& start : std::exchange(d_.starts, {})) {
        transcript_ += "start " + start.token.str() + " on " + start.node + '\n';
        const auto machine = cloud_.machines.find(start.node);
        if (machine == cloud_.machines.end() || !machine->second.connected) continue;
        ASSERT_FALSE(d_.state().launched.contains(start.node) && d_.state().launched.at(start.node).retired)
            << "a run on a machine that is to be ended";
        const auto known = std::ranges::find(machine->second.runs, start.token, &KnownRun::token);
        if (known == machine->second.runs.end()) machine->second.runs.push_back({start.token, false, false});
      }
      const auto stops = std::exchange(d_.stops, {});
      d_.forgets.clear();
      for (const StopRun& stop : stops) {
        const auto machine = cloud_.machines.find(stop.node);
        if (machine == cloud_.machines.end() || !machine->second.connected) continue;
        const auto known = std::ranges::find(machine->second.runs, stop.token, &KnownRun::token);
        if (known != machine->second.runs.end()) end(machine->second, stop.token, 143);
      }
      if (rng_.chance(1, 3)) end_some();
      if (d_.starts.empty() && d_.stops.empty() && d_.launches.empty()) return;
    }
  }
  void end_some() {
    for (const auto& [name, machine] : std::map(cloud_.machines))
      if (machine.retired && alive(machine) && rng_.chance(1, 2)) cloud_.gone(name);
  }

  // Machines are launched for no more runs than may start beside those that run by then; those that are about
  // to leave their machine get another one before they do.
  void check_launches() {
    const State& state = d_.state();
    std::map<Instant, Runs> launched_at;
    for (const auto& [name, launched] : state.launched)
      if (seen_.insert(name).second)
        for (const fleet::NodeRuns& runs : launched.runs)
          launched_at[launched.asked_at].add(runs.need.cpus_milli, runs.runs);
    for (const auto& [at, launched] : launched_at) {
      if (launched.all == 0) continue;
      Runs running;
      std::int64_t leaving = 0;
      for (const auto& [name, node] : state.nodes)
        for (const JobNo no : node.runs) {
          const Job& job = *state.jobs.find(no);
          const auto machine = state.launched.find(name);
          const bool known = machine != state.launched.end();
          const bool spot = known && machine->second.pool.market == fleet::Market::Spot;
          if (known && (machine->second.rebalance || (spot && job.spec->wishes.has_deadline()))) ++leaving;
          if (job.extra->attempts.back().placed_at < at)
            running.add(job.spec->container.resources.cpus_milli, 1);
        }
      ASSERT_LE(launched.few, std::max<std::int64_t>(0, kFewMax - running.few) + leaving);
      ASSERT_LE(launched.licensed, std::max<std::int64_t>(0, kLicences - running.licensed) + leaving);
      if (queue_max_ == 0) continue;
      ASSERT_LE(launched.all, std::max<std::int64_t>(0, queue_max_ - running.all) + leaving);
      ++held_back_;
    }
  }
  struct Runs {
    std::int64_t few = 0;
    std::int64_t licensed = 0;
    std::int64_t all = 0;
    void add(std::int64_t cpus_milli, std::int64_t runs) {
      all += runs;
      if (cpus_milli == kFewCpus) few += runs;
      if (cpus_milli == kLicensedCpus) licensed += runs;
    }
  };

  // The only machine, in an environment whose minimum it is, as soon as a look has seen it alone.
  struct Lonely {
    std::string name;  // "": there is none
    Instant at;
    Money idle;  // that queues pay, in all
  };
  Lonely lonely() {
    const State& state = d_.state();
    latest_ = std::max(latest_, d_.now);
    if (state.launched.size() != 1) company_ = {};
    if (!minimum_ || d_.now < latest_ || state.launched.size() != 1) return {};
    const LaunchedNode& only = state.launched.begin()->second;
    const Fleet& fleet = state.fleets.at("gpu");
    if (!fleet.complaint.empty() || !fleet.fault.empty()) return {};  // INVALID: it keeps no minimum
    const bool leaves = only.draining || only.retired || only.rebalance;
    if (leaves || !only.ready_at) return {};
    const auto company = std::pair(only.name, fleet.launches);
    if (std::exchange(company_, company) != company) lonely_since_ = d_.now;
    if (d_.now - lonely_since_ <= kLooksApart) return {};
    Lonely lonely{.name = only.name, .at = d_.now, .idle = {}};
    for (const CostRow& row : cost_rows(state, {}, d_.now + days(1), d_.now))
      if (!row.key.payer.queue.empty())
        lonely.idle += row.sums.billed[static_cast<std::size_t>(cost::Kind::Idle)];
    return lonely;
  }
  void check_minimum(const Lonely& before) {
    const Lonely after = lonely();
    if (before.name.empty() || after.name != before.name || after.at == before.at) return;
    ++lonely_times_;
    // Rounding may give a payer of the machine a millionth more or less.
    ASSERT_LE(after.idle.micros, before.idle.micros + 3) << "who pays for a machine that the minimum keeps";
  }

  // Nobody is moved who must not be, too often, or to and fro.
  void check_moves() {
    for (const Uuid& id : jobs_) {
      const Job* job = d_.state().jobs.find(id);
      if (job == nullptr || !job->extra || moves(*job) == 0) continue;
      most_moves_ = std::max(most_moves_, moves(*job));
      ASSERT_LE(moves(*job), fleet::kMovesMax);
      ASSERT_NE(job->spec->wishes.preemptible, std::optional(false));
      Instant last;
      for (const Attempt& attempt : job->extra->attempts) {
        if (!attempt.preempted.at || attempt.preempted.by != job->no) continue;
        const bool saves = attempt.status_reason.find("is to go, its runs") != std::string::npos;
        ASSERT_TRUE(!saves || !last || attempt.preempted.at - last >= fleet::kMoveRest);
        last = attempt.preempted.at;
      }
    }
  }

  // Whatever happened, everything comes to an end when the world is kind again.
  void drain() {
    EXPECT_TRUE(d_.ask(UntagResource{{ResourceKind::ComputeEnvironment, "gpu", 0},
                                     {"stoker:budget", "stoker:patience", "stoker:one-run", "stoker:spot"}}));
    set_minimum(0);
    // What can never run, and what wants spot only, keeps nobody else from machines.
    const auto only_hopeless = [&] {
      return std::ranges::all_of(jobs_, [&](const Uuid& id) {
        const Job* job = d_.state().jobs.find(id);
        return job == nullptr || is_terminal(job->status) || is_hopeless(*job);
      });
    };
    serve(only_hopeless);
    EXPECT_TRUE(only_hopeless()) << "jobs that could start and get no machine";
    for (const Uuid& id : jobs_) {
      const Job* job = d_.state().jobs.find(id);
      if (job != nullptr && !is_terminal(job->status) && is_hopeless(*job)) {
        EXPECT_TRUE(d_.ask(TerminateJob{id, -1, "ended"}));
      }
    }
    watch_the_last();
    set_minimum(0);
    serve([&] { return d_.state().jobs.live() == 0 && d_.state().launched.empty(); });
    d_.check();
    EXPECT_EQ(d_.state().jobs.live(), 0U) << "jobs that never end";
    EXPECT_TRUE(d_.state().launched.empty()) << "machines that are kept for nobody";
    EXPECT_EQ(cloud_.summary(), "") << "machines that the core has lost sight of";
    if (remembers_) {
      EXPECT_EQ(testing::fault_in_costs(d_.state()), "");
    }
  }

  void set_minimum(int vcpus) {
    minimum_ = vcpus > 0;
    const auto parsed = json::parse(R"({"computeResources":{"minvCpus":)" + std::to_string(vcpus) + "}}");
    EXPECT_TRUE(d_.ask(UpdateComputeEnvironment{"gpu", true, std::make_shared<const json::Value>(*parsed)}));
  }

  // One machine stays after the last job, when all jobs are forgotten that ever will be.
  void watch_the_last() {
    set_minimum(4);
    d_.submit("last", "one");
    serve([&] { return d_.state().jobs.live() == 0 && !lonely().name.empty(); });
    // In that time a dear one is exchanged for a cheap one.
    d_.advance(hours(1));
    serve([&] { return !lonely().name.empty(); });
    const Lonely before = lonely();
    ASSERT_NE(before.name, "") << "the minimum keeps one";
    d_.advance(hours(30));
    absorb();
    check_minimum(before);
  }

  static bool is_hopeless(const Job& job) {
    return job.spec->definition->name == "never" || job.spec->wishes.spot == SpotUse::Only;
  }

  template <class Done>
  void serve(Done done) {
    for (int round = 0; round < 400; ++round) {
      absorb();
      for (const auto& [name, machine] : std::map(cloud_.machines)) {
        if (!alive(machine)) continue;
        if (machine.retired)
          cloud_.gone(name);
        else if (!machine.connected)
          cloud_.boot(name);
      }
      absorb();
      for (auto& [name, machine] : cloud_.machines)
        while (machine.connected && !machine.runs.empty()) end(machine, machine.runs.front().token, 0);
      if (done()) return;
      d_.advance(minutes(5));
    }
  }

  Rng rng_;
  bool remembers_;
  bool lively_ = rng_.chance(1, 2);
  Driver d_;
  FakeCloud cloud_;
  bool enabled_[kKinds] = {};
  std::vector<Uuid> jobs_;
  int most_moves_ = 0;
  std::int64_t queue_max_ = 0;  // that run at a time; 0: any number
  std::set<std::string> seen_;  // machines
  int held_back_ = 0;           // launches under such a limit
  bool minimum_ = false;
  Instant latest_;  // of all that the clock said
  // The machine that was alone when it was last looked for one, and how many there had been; since when.
  std::pair<std::string, std::uint64_t> company_;
  Instant lonely_since_;
  int lonely_times_ = 0;  // a machine was watched that the minimum kept
  std::string transcript_;
};

TEST(ProvisionWalk, keeps_limits_and_loses_no_machine_whatever_happens) {
  std::size_t machines = 0;
  int moved = 0;
  int held_back = 0;
  int lonely_times = 0;
  const stoker::testing::WalkSeeds seeds = stoker::testing::walk_seeds(30);
  stoker::testing::walk_each("provision", seeds, [&](std::uint64_t seed) {
    Walk one(seed);
    one.run(150);
    machines += one.machines();
    moved = std::max(moved, one.most_moves());
    held_back += one.held_back();
    lonely_times += one.lonely_times();
  });
  EXPECT_GE(machines, seeds.count() * 3) << "a walk that walks nowhere";
  EXPECT_GE(held_back, 10) << "walks in which no limit holds machines back";
  EXPECT_GE(lonely_times, 5) << "walks in which no machine is kept by the minimum";
  EXPECT_GE(moved, 1) << "walks in which nothing is moved";
}

TEST(ProvisionWalk, the_same_seed_gives_the_same_transcript) {
  stoker::testing::expect_reproducible<Walk>();
}

}  // namespace
}  // namespace stoker::core
