// Seeded walks: everything that can happen, in random order, some kinds switched off per seed; after every
// turn the invariants hold and the records give the state back. The nodes of the walk keep the rules of real
// ones: a run executes at most once.
#include <sstream>

#include <gtest/gtest.h>

#include "base/testing/walks.h"
#include "core/testing/costs.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;
using testing::on;

struct FakeRun {
  std::string node;
  bool started = false;
  std::optional<RunEnded> end;
  bool forgotten = false;
};

// With odd seeds the node has a price, and no job is forgotten before the end: then all that it was billed is
// with the jobs or idle.
bool has_price(std::uint64_t seed) {
  return seed % 2 == 1;
}
Settings walk_settings(std::uint64_t seed) {
  Settings settings;
  settings.history = has_price(seed) ? days(30) : minutes(30);
  if (has_price(seed)) settings.node_price = Money{1'234'567};
  return settings;
}

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : rng_(seed), d_(walk_settings(seed)) {
    for (bool& on : enabled_) on = rng_.chance(3, 4);
    enabled_[0] = true;  // submissions
    d_.ids = Rng(seed ^ 0xabcdef);
    d_.define("small", {.cpus_milli = 1000, .memory_mib = 100},
              R"("retryStrategy":{"attempts":2},"timeout":{"attemptDurationSeconds":120})");
    d_.define("gpu", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 2});
    d_.define("share", {.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = 400});
    d_.define("units", {.cpus_milli = 1000, .memory_mib = 100});
    d_.define_boxed("boxed", "a", {.cpus_milli = 1000, .memory_mib = 100});
    EXPECT_TRUE(d_.ask(RegisterJobDefinition{
        "units", d_.state().find_definition("units")->document, {{"stoker:max-running", "2"}}}));
    EXPECT_TRUE(d_.ask(RegisterJobDefinition{
        "fixed",
        std::make_shared<const json::Value>(*json::parse(
            R"({"type":"container","containerProperties":{"image":"host","command":["true"],"resourceRequirements":[)"
            R"({"type":"VCPU","value":"1"},{"type":"MEMORY","value":"100"},{"type":"GPU","value":"1"}]}})")),
        {{"stoker:preemptible", "false"}}}));
    EXPECT_TRUE(d_.ask(CreateConsumableResource{"license", 3, true, {}}));
    d_.define_gang("gang", 3, {.cpus_milli = 1000, .memory_mib = 100},
                   R"("retryStrategy":{"attempts":3},"timeout":{"attemptDurationSeconds":120})");
    d_.define_gang(
        "gpu-gang", 2, {.cpus_milli = 1000, .memory_mib = 100},
        R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"license","quantity":1}]})",
        Resources{.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    EXPECT_TRUE(d_.ask(CreateSchedulingPolicy{"policy", fair_share_policy(50), {}}));
    CreateJobQueue fair;
    fair.name = "fair";
    fair.priority = 1;
    fair.environments = {{.order = 1, .environment = "local"}};
    fair.scheduling_policy = "policy";
    EXPECT_TRUE(d_.ask(fair));
    CreateJobQueue quota = fair;
    quota.name = "quota";
    quota.scheduling_policy.clear();
    EXPECT_TRUE(d_.ask(quota));
    for (const char* name : kQuotaShares) {
      CreateQuotaShare share{.name = name, .queue = "quota"};
      share.limits = {{.max = 1, .given = "GPU", .unit = {}}, {.max = 2, .given = "VCPU", .unit = {}}};
      share.sharing.strategy = QuotaSharing::Strategy::LendAndBorrow;
      share.preempts_inside = std::string(name) != "q2";
      if (std::string(name) == "q1") share.tags = {{"stoker:max-running", "1"}};
      EXPECT_TRUE(d_.ask(share));
    }
    for (const char* name : kNodes) connect(name);
  }

  void run(int turns) {
    for (int i = 0; i < turns; ++i) {
      step();
      absorb();
      d_.check();
      ASSERT_EQ(testing::fault_in_costs(d_.state()), "");
      ASSERT_LE(running_in_capped_share(), 1) << "the tag of share q1 says so";
    }
    drain();
  }

  [[nodiscard]] std::string transcript() const { return transcript_.str(); }

 private:
  [[nodiscard]] std::int64_t running_in_capped_share() const {
    const auto uses = d_.state().shares.find(d_.state().find_queue("quota")->no);
    if (uses == d_.state().shares.end()) return 0;
    const auto use = uses->second.find("q1");
    return use == uses->second.end() ? 0 : use->second.active;
  }

  enum Kind {
    Submit,
    Start,
    Finish,
    Cancel,
    Terminate,
    Disconnect,
    Lose,
    Late,
    Crash,
    Time,
    Tag,
    Fail,
    Policy,
    Update,
    Limit,
    Quota,
    Images,
    kKinds
  };

  void step() {
    const auto kind = static_cast<Kind>(rng_.below(kKinds));
    if (!enabled_[kind]) return;
    transcript_ << kind << ' ';
    switch (kind) {
      case Submit:
        submit();
        break;
      case Start:
        with_run([&](const RunToken& token, FakeRun& run) { start(token, run); });
        break;
      case Finish:
      case Fail:
        with_run([&](const RunToken& token, FakeRun& run) { finish(token, run, kind == Finish ? 0 : 1); });
        break;
      case Cancel:
        with_job([&](const Uuid& id, int index) { EXPECT_TRUE(d_.ask(CancelJob{id, index, "cancelled"})); });
        break;
      case Terminate:
        with_job([&](const Uuid& id, int index) { EXPECT_TRUE(d_.ask(TerminateJob{id, index, "ended"})); });
        break;
      case Disconnect: {
        const std::string name = kNodes[rng_.below(2)];
        if (connected_.contains(name)) d_.event(NodeDisconnected{name});
        connected_.erase(name);
        if (rng_.chance(1, 2)) connect(name);
        break;
      }
      case Lose: {
        if (!rng_.chance(1, 4)) break;
        const std::string name = kNodes[rng_.below(2)];
        d_.event(NodeLost{name, "gone"});
        std::erase_if(runs_, [&](const auto& entry) { return entry.second.node == name; });
        connect(name);
        break;
      }
      case Late:
        with_run([&](const RunToken& token, FakeRun& run) {
          if (run.end)
            d_.event(*run.end);
          else
            d_.event(RunStarted{token, d_.now});
          if (!run.end) run.started = true;
        });
        break;
      case Crash:
        d_.crash();
        connected_.clear();
        for (const char* name : kNodes)
          if (rng_.chance(2, 3)) connect(name);
        break;
      case Time:
        d_.advance(seconds(static_cast<std::int64_t>(rng_.below(200))));
        break;
      case Tag:
        with_job([&](const Uuid& id, int index) {
          if (index >= 0) return;
          EXPECT_TRUE(d_.ask(TagResource{{ResourceKind::Job, id.str(), 0}, {{"k", "v"}}}));
        });
        break;
      case Policy:
        EXPECT_TRUE(d_.ask(UpdateSchedulingPolicy{"policy", fair_share_policy(rng_.below(100))}));
        break;
      case Update:
        with_job([&](const Uuid& id, int index) { update(id, index); });
        break;
      case Limit:
        limit();
        break;
      case Quota:
        change_share();
        break;
      case Images: {
        // From any node at any time, one that is not connected or not known any more too, perhaps twice.
        const NodeImagesChanged news{rng_.chance(1, 10) ? "unknown" : kNodes[rng_.below(2)], some_images()};
        d_.event(news);
        if (rng_.chance(1, 3)) d_.event(news);
        break;
      }
      case kKinds:
        break;
    }
  }

  HeldImages some_images() {
    std::vector<std::string> images;
    for (const char* image : {"docker.io/library/a:latest", "b"})
      if (rng_.chance(1, 2)) images.emplace_back(image);
    return held_images(std::move(images));
  }

  static constexpr const char* kNodes[] = {"local", "other"};
  static constexpr const char* kQuotaShares[] = {"q1", "q2", "q3"};
  void change_share() {
    UpdateQuotaShare change{.queue = "quota", .name = kQuotaShares[rng_.below(3)]};
    if (rng_.chance(2, 3))
      change.limits = {{.max = static_cast<std::int64_t>(rng_.below(4)), .given = "GPU", .unit = {}},
                       {.max = static_cast<std::int64_t>(rng_.below(5)), .given = "VCPU", .unit = {}}};
    const auto strategy = static_cast<QuotaSharing::Strategy>(rng_.below(3));
    const bool borrows = strategy == QuotaSharing::Strategy::LendAndBorrow;
    change.sharing = QuotaSharing{
        strategy, borrows && rng_.chance(1, 2) ? static_cast<std::int64_t>(rng_.below(3)) * 100 : -1};
    if (rng_.chance(1, 4)) change.preempts_inside = rng_.chance(1, 2);
    EXPECT_TRUE(d_.ask(change));
  }

  void submit() {
    std::vector<Dependency> deps;
    const bool gang = rng_.chance(1, 4);
    const int size = !gang && rng_.chance(1, 4) ? static_cast<int>(2 + rng_.below(5)) : 0;
    if (size > 0 && rng_.chance(1, 3)) deps.push_back({{}, -1, DependencyType::Sequential});
    for (std::uint64_t n = rng_.below(3); n > 0 && !jobs_.empty(); --n) {
      const Uuid other = jobs_[rng_.below(jobs_.size())];
      const Job* job = d_.state().jobs.find(other);
      if (job == nullptr) continue;
      const bool n_to_n =
          size > 0 && job->is_array() && static_cast<int>(job->extra->array->children.size()) == size;
      const bool child = job->is_array() && !n_to_n && rng_.chance(1, 3);
      deps.push_back(on(other, n_to_n ? DependencyType::NToN : DependencyType::Whole, child ? 0 : -1));
    }
    static const char* kNames[] = {"small", "gpu", "units", "share", "fixed", "boxed"};
    const char* name = kNames[rng_.below(std::size(kNames))];
    json::Object overrides;
    if (gang) {
      name = rng_.chance(1, 2) ? "gang" : "gpu-gang";
      overrides["nodeOverrides"] = json::Object{{"numNodes", 2 + rng_.below(3)}};
    }
    if (std::string(name) == "units")
      overrides["consumableResourcePropertiesOverride"] =
          *json::parse(R"({"consumableResourceList":[{"consumableResource":"license","quantity":2}]})");
    const std::uint64_t where = rng_.below(3);
    const bool fair = where == 1;
    if (fair) overrides["shareIdentifier"] = kShares[rng_.below(std::size(kShares))];
    if (where == 2) overrides["shareIdentifier"] = kQuotaShares[rng_.below(std::size(kQuotaShares))];
    if (where != 0 && rng_.chance(1, 2)) overrides["schedulingPriorityOverride"] = rng_.below(3);
    jobs_.push_back(d_.submit("j", name, size, std::move(deps),
                              overrides.empty() ? "" : json::write(json::Value(std::move(overrides))),
                              where == 0 ? "default" : (fair ? "fair" : "quota")));
  }

  // What is refused changes nothing: the check after the turn sees to it.
  void update(const Uuid& id, int index) {
    UpdateJob request{.id = id, .index = index, .priority = {}, .share = {}, .queue = {}};
    if (rng_.chance(1, 2)) request.priority = static_cast<int>(rng_.below(4));
    if (rng_.chance(1, 2)) request.share = kShares[rng_.below(std::size(kShares))];
    if (rng_.chance(1, 2)) request.queue = rng_.chance(1, 2) ? "fair" : "default";
    (void)d_.ask(request);
  }

  void limit() {
    const std::string key = "stoker:max-running";
    ResourceRef what{ResourceKind::JobQueue, rng_.chance(1, 2) ? "fair" : "default", 0};
    if (rng_.chance(1, 3)) what = {ResourceKind::SchedulingPolicy, "policy", 0};
    if (rng_.chance(1, 3) && !jobs_.empty())
      what = {ResourceKind::Job, jobs_[rng_.below(jobs_.size())].str(), 0};
    if (rng_.chance(1, 3))
      (void)d_.ask(UntagResource{what, {key}});
    else
      (void)d_.ask(TagResource{what, {{key, std::to_string(1 + rng_.below(3))}}});
  }

  static constexpr const char* kShares[] = {"a", "b", "teamC", "teamD"};
  static json::Shared fair_share_policy(std::uint64_t reservation) {
    return std::make_shared<const json::Value>(*json::parse(
        R"({"fairsharePolicy":{"shareDecaySeconds":700,"computeReservation":)" + std::to_string(reservation) +
        R"(,"shareDistribution":[{"shareIdentifier":"a","weightFactor":0.5},{"shareIdentifier":"team*","weightFactor":2}]}})"));
  }

  template <class F>
  void with_run(F use) {
    if (runs_.empty()) return;
    auto it = std::next(runs_.begin(), static_cast<std::ptrdiff_t>(rng_.below(runs_.size())));
    use(*RunToken::parse(it->first), it->second);
  }
  template <class F>
  void with_job(F use) {
    if (jobs_.empty()) return;
    const Uuid id = jobs_[rng_.below(jobs_.size())];
    const Job* job = d_.state().jobs.find(id);
    if (job == nullptr) return;
    use(id, job->is_array() && rng_.chance(1, 2)
                ? static_cast<int>(rng_.below(job->extra->array->children.size()))
                : -1);
  }

  void start(const RunToken& token, FakeRun& run) {
    if (run.end) return;
    run.started = true;
    if (connected_.contains(run.node)) d_.event(RunStarted{token, d_.now});
  }
  void finish(const RunToken& token, FakeRun& run, int code) {
    if (!run.end)
      run.end = RunEnded{.node = run.node,
                         .token = token,
                         .started_at = d_.now,
                         .at = d_.now,
                         .exit_code = code,
                         .reason = {}};
    if (connected_.contains(run.node)) d_.event(*run.end);
  }

  void connect(const std::string& name) {
    std::vector<KnownRun> known;
    for (const auto& [text, run] : runs_)
      if (run.node == name) known.push_back({*RunToken::parse(text), run.started, run.end.has_value()});
    connected_.insert(name);
    const std::int64_t size = name == "local" ? 4 : 2;
    Node node = Driver::a_node(name, {.cpus_milli = size * 1000, .memory_mib = 8000, .gpus = size});
    node.images = some_images();
    d_.connect(std::move(node), known);
    for (const auto& [text, run] : std::map(runs_))
      if (run.node == name && run.end) d_.event(*run.end);
  }

  // What the server sent arrives, or is lost when the connection is.
  void absorb() {
    for (const StartRun& start : std::exchange(d_.starts, {})) {
      transcript_ << "start " << start.token.str() << '\n';
      if (!connected_.contains(start.node)) continue;
      EXPECT_FALSE(executed_.contains(start.token.str()) && !runs_.contains(start.token.str()))
          << "run twice: " << start.token.str();
      executed_.insert(start.token.str());
      runs_.try_emplace(start.token.str(), FakeRun{.node = start.node, .end = {}});
    }
    for (const StopRun& stop : std::exchange(d_.stops, {})) {
      if (!connected_.contains(stop.node)) continue;
      const auto run = runs_.find(stop.token.str());
      if (run != runs_.end() && !run->second.end) finish(stop.token, run->second, 143);
    }
    for (const ForgetRun& forget : std::exchange(d_.forgets, {}))
      if (connected_.contains(forget.node)) runs_.erase(forget.token.str());
  }

  // Whatever happened, all jobs come to an end when the world is kind again.
  void drain() {
    for (const char* name : kNodes)
      if (!connected_.contains(name)) connect(name);
    for (const char* name : kQuotaShares) {
      UpdateQuotaShare ample{.queue = "quota", .name = name};
      ample.limits = {{.max = 100, .given = "GPU", .unit = {}}};
      EXPECT_TRUE(d_.ask(ample));
    }
    for (int round = 0; round < 10'000; ++round) {
      absorb();
      if (runs_.empty() && d_.state().jobs.live() == 0) break;
      for (const auto& [text, run] : std::map(runs_)) {
        const auto it = runs_.find(text);
        if (it != runs_.end()) finish(*RunToken::parse(text), it->second, 0);
      }
    }
    absorb();
    d_.check();
    EXPECT_EQ(d_.state().jobs.live(), 0U) << "jobs that never end";
    d_.event(NodeLost{"local", "gone"});
    EXPECT_EQ(testing::fault_in_costs(d_.state()), "");
    d_.advance(days(31));
    EXPECT_EQ(d_.state().jobs.size(), 0U);
    d_.check();
  }

  Rng rng_;
  Driver d_;
  bool enabled_[kKinds] = {};
  std::set<std::string> connected_;
  std::map<std::string, FakeRun> runs_;  // what the nodes know
  std::set<std::string> executed_;
  std::vector<Uuid> jobs_;
  std::ostringstream transcript_;
};

TEST(Walk, keeps_the_invariants_and_survives_crashes_at_every_step) {
  stoker::testing::walk_each("core", stoker::testing::walk_seeds(15),
                             [](std::uint64_t seed) { Walk(seed).run(150); });
}

TEST(Walk, the_same_seed_gives_the_same_transcript) {
  stoker::testing::expect_reproducible<Walk>();
}

}  // namespace
}  // namespace stoker::core
