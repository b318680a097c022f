// Who is stopped for whom. Team a has a right to the GPUs of the queue and lends them, team b borrows.
#include <map>

#include <gtest/gtest.h>

#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

// A job, as a row of the table has it.
struct Work {
  std::string name;
  int gpus = 1;
  int priority = 0;
  std::string share = "b";
  Tags tags = {};
  std::int64_t age = 0;  // seconds that it has run when the job comes that wants room
};

struct Row {
  std::string_view rule;
  std::vector<Work> runs;  // the oldest first
  Work job;
  std::vector<std::string> stopped;
  std::int64_t b_limit = 0;
  int nodes = 1;  // of four GPUs each
};

struct Preempt : ::testing::Test {
  Driver d;
  std::map<std::string, Uuid> jobs;

  void set_up(const Row& row) {
    for (int i = 1; i <= row.nodes; ++i)
      d.connect("n" + std::to_string(i), {.cpus_milli = 16'000, .memory_mib = 8000, .gpus = 4});
    for (int gpus : {1, 2, 3, 4})
      d.define("g" + std::to_string(gpus), {.cpus_milli = 1000, .memory_mib = 100, .gpus = gpus});
    CreateQuotaShare a;
    a.name = "a";
    a.queue = "default";
    a.limits = {{.max = 4 * row.nodes, .given = "GPU", .unit = {}}};
    a.sharing.strategy = QuotaSharing::Strategy::Lend;
    a.preempts_inside = true;
    ASSERT_TRUE(d.ask(a));
    CreateQuotaShare b;
    b.name = "b";
    b.queue = "default";
    b.limits = {{.max = row.b_limit, .given = "GPU", .unit = {}}};
    b.sharing.strategy = QuotaSharing::Strategy::LendAndBorrow;
    ASSERT_TRUE(d.ask(b));
    CreateJobQueue other;
    other.name = "other";
    other.environments = {{.order = 1, .environment = "local"}};
    ASSERT_TRUE(d.ask(other));
  }

  Uuid submit(const Work& run) {
    SubmitJob request;
    request.id = Uuid::from_random(d.ids.next(), d.ids.next());
    request.job_name = run.name;
    request.queue = run.share.empty() ? "other" : "default";
    request.definition = "g" + std::to_string(run.gpus);
    if (!run.tags.empty()) request.tags = run.tags;
    if (!run.share.empty())
      request.overrides = std::make_shared<const json::Value>(
          json::Object{{"shareIdentifier", run.share}, {"schedulingPriorityOverride", run.priority}});
    EXPECT_TRUE(d.ask(request));
    jobs[run.name] = request.id;
    return request.id;
  }

  void run_all(const std::vector<Work>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Uuid id = submit(runs[i]);
      ASSERT_EQ(d.status(id), "STARTING") << runs[i].name;
      d.start(id);
      d.advance(seconds(runs[i].age - (i + 1 < runs.size() ? runs[i + 1].age : 0)));
    }
  }

  std::vector<std::string> stopped() {
    std::vector<std::string> names;
    for (const StopRun& stop : d.stops)
      for (const auto& [name, id] : jobs)
        if (d.token(id) == stop.token) names.push_back(name);
    return names;
  }
};

const Tags kSignal{{"stoker:checkpoint", "signal"}};
Tags every(const std::string& interval) {
  return {{"stoker:checkpoint", interval}};
}
const Tags kFixed{{"stoker:preemptible", "false"}};

TEST_F(Preempt, victims_by_the_rules) {
  const Work one{.name = "job", .share = "a"};
  const Work two{.name = "job", .gpus = 2, .share = "a"};
  const Work urgent{.name = "job", .priority = 5, .share = "a"};
  const std::vector<Row> rows = {
      {"the lowest priority goes first, whatever it loses",
       {{.name = "w", .priority = 5, .tags = kSignal, .age = 10},
        {.name = "x", .priority = 1, .age = 10},
        {.name = "y", .priority = 3, .age = 10},
        {.name = "z", .priority = 9, .age = 10}},
       one,
       {"x"}},
      {"of one priority, who loses least work since the last checkpoint",
       {{.name = "w", .age = 130},
        {.name = "x", .tags = every("2m"), .age = 130},
        {.name = "y", .tags = every("1m"), .age = 65},
        {.name = "z", .age = 20}},
       one,
       {"y"}},
      {"who saves when it is told to end loses nothing",
       {{.name = "w", .tags = kSignal, .age = 900},
        {.name = "x", .tags = every("1m"), .age = 121},
        {.name = "y", .age = 60},
        {.name = "z", .age = 60}},
       one,
       {"w"}},
      {"who saves from time to time and does not say how often, saves every hour",
       {{.name = "w", .tags = every("periodic"), .age = 3700},
        {.name = "x", .tags = every("periodic"), .age = 200},
        {.name = "y", .age = 150},
        {.name = "z", .age = 150}},
       one,
       {"w"}},
      {"of equal loss, the youngest",
       {{.name = "w", .tags = kSignal, .age = 40},
        {.name = "x", .tags = kSignal, .age = 30},
        {.name = "y", .tags = kSignal, .age = 20},
        {.name = "z", .age = 10}},
       one,
       {"y"}},
      {"as many as are needed",
       {{.name = "w", .age = 40},
        {.name = "x", .age = 30},
        {.name = "y", .age = 20},
        {.name = "z", .age = 10}},
       two,
       {"z", "y"}},
      {"who is not needed after all is left alone",
       {{.name = "w", .priority = 0, .age = 10},
        {.name = "x", .gpus = 2, .priority = 1, .age = 10},
        {.name = "y", .priority = 2, .age = 10}},
       two,
       {"x"}},
      {"nobody when the job fits elsewhere", {{.name = "w", .gpus = 4, .age = 10}}, one, {}, 0, 2},
      {"nobody when there is room beside them", {{.name = "w", .gpus = 2, .age = 10}}, two, {}},
      {"on the node where it costs least",
       {{.name = "w", .gpus = 4, .age = 90}, {.name = "x", .gpus = 4, .age = 30}},
       one,
       {"x"},
       0,
       2},
      {"nobody when it would not let the job start: another queue's job has a GPU that it needs",
       {{.name = "w", .share = "", .age = 10}, {.name = "x", .gpus = 3, .age = 10}},
       {.name = "job", .gpus = 4, .share = "a"},
       {}},
      {"nobody when the job would be beyond the limits of its share",
       {{.name = "w", .share = "a", .age = 10}, {.name = "x", .gpus = 3, .age = 10}},
       {.name = "job", .gpus = 4, .share = "a"},
       {}},
      {"nobody of a share that is within its limits", {{.name = "w", .gpus = 4, .age = 10}}, one, {}, 4},
      {"no more than a share has beyond its limits",
       {{.name = "w", .age = 40},
        {.name = "x", .age = 30},
        {.name = "y", .age = 20},
        {.name = "z", .age = 10}},
       {.name = "job", .gpus = 4, .share = "a"},
       {},
       1},
      {"all that a share has beyond its limits",
       {{.name = "w", .age = 40},
        {.name = "x", .age = 30},
        {.name = "y", .age = 20},
        {.name = "z", .age = 10}},
       {.name = "job", .gpus = 3, .share = "a"},
       {"z", "y", "x"},
       1},
      {"inside a share, lower priority",
       {{.name = "w", .priority = 4, .share = "a", .age = 10},
        {.name = "x", .gpus = 3, .priority = 6, .share = "a", .age = 10}},
       urgent,
       {"w"}},
      {"inside a share, equal priority is no ground",
       {{.name = "w", .gpus = 4, .priority = 5, .share = "a", .age = 10}},
       urgent,
       {}},
      {"inside a share that does not allow it, nobody",
       {{.name = "w", .gpus = 4, .share = "b", .age = 10}},
       {.name = "job", .priority = 5, .share = "b"},
       {}},
      {"never who is not preemptible",
       {{.name = "w", .priority = 0, .share = "a", .tags = kFixed, .age = 10},
        {.name = "x", .gpus = 3, .priority = 1, .share = "a", .age = 10}},
       urgent,
       {"x"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rule);
    d = Driver();
    jobs.clear();
    set_up(row);
    run_all(row.runs);
    const Uuid job = submit(row.job);
    EXPECT_EQ(stopped(), row.stopped);
    d.check();
    // Who is stopped gets the grace, and the job starts when the last of them has ended, not before.
    for (const StopRun& stop : d.stops) EXPECT_EQ(stop.grace, Settings{}.stop_grace);
    for (const std::string& name : row.stopped) {
      EXPECT_EQ(d.status(job), "RUNNABLE");
      d.finish(jobs.at(name), 143);
      EXPECT_EQ(d.status(jobs.at(name)), "RUNNABLE") << name;
    }
    if (!row.stopped.empty()) {
      EXPECT_EQ(d.status(job), "STARTING");
    }
    d.check();
  }
}

TEST_F(Preempt, a_claim_that_an_update_ended_does_not_come_back_with_a_restart) {
  set_up({.rule = "", .runs = {}, .job = {}, .stopped = {}});
  run_all({{.name = "b1", .gpus = 4}});
  const Uuid job = submit({.name = "a1", .share = "a"});
  ASSERT_EQ(d.state().claims.size(), 1U);
  ASSERT_TRUE(d.ask(UpdateJob{job, -1, std::nullopt, "b", std::nullopt}));
  EXPECT_TRUE(d.state().claims.empty());
  const std::vector<KnownRun> known = {{.token = d.token(jobs.at("b1")), .started = true}};
  d.crash();
  EXPECT_TRUE(d.state().claims.empty());
  d.connect("n1", {.cpus_milli = 16'000, .memory_mib = 8000, .gpus = 4}, known);
  EXPECT_TRUE(d.state().claims.empty());
}

}  // namespace
}  // namespace stoker::core
