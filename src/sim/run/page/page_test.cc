#include "sim/run/page/page.h"

#include <gtest/gtest.h>

#include "sim/run/engine.h"

namespace stoker::sim {
namespace {

struct Whole {
  Scenario scenario;
  Workload workload;
  Outcome outcome;
  Report report;
  Timeline timeline;
};

Whole simulated(const std::string& name) {
  Whole whole;
  const std::string text = R"({"name":")" + name +
                           R"(","story":"s","days":3,"jobs":[{"generate":{"jobsPerDay":60,
    "runSeconds":{"lognormal":{"mean":5400,"sigma":0.7}},"tenants":[")" +
                           name + R"(","b"],"checkpointSeconds":600}}],
    "environments":[{"name":"e","bootSeconds":240,"pullSeconds":300,"spotModel":{"meanSecondsToInterruption":9000},
    "fleet":{"types":["g5.xlarge"],"zones":["a"],"spot":{"use":"only"},"window":{"kind":"fixed","seconds":600}}}],
    "queues":[{"name":"default","environments":["e"]}]})";
  whole.scenario = read_scenario(json::parse(text).value()).value();
  Rng rng(3);
  whole.workload = load_workload(whole.scenario, ".", rng).value();
  whole.outcome = simulate(whole.scenario, whole.workload.jobs, 3, nullptr);
  whole.report = make_report(whole.scenario, whole.workload, whole.outcome);
  whole.timeline = make_timeline(whole.scenario, whole.workload, whole.outcome);
  return whole;
}

PageEntry entry_of(const Whole& whole) {
  return {&whole.scenario,
          {whole.scenario.name, {3}, {whole.report}},
          whole.timeline,
          make_spreads(whole.workload, whole.outcome)};
}

TEST(Timeline, adds_up_to_the_report) {
  const Whole whole = simulated("a");
  ASSERT_GT(whole.report.all.interruptions, 0);
  Money cost;
  std::int64_t done = 0;
  for (const Day& day : whole.timeline.days) {
    for (const Money part : day.cost) cost += part;
    done += day.jobs_done;
  }
  EXPECT_EQ(cost, whole.report.billed) << "to the millionth";
  EXPECT_EQ(done, whole.report.all.succeeded);
  EXPECT_EQ(whole.timeline.days.size(), 3u);
  // Averages times the step are GPU time; each of up to 400 steps is rounded to a thousandth of a GPU.
  const auto gpu_hours = [&](std::initializer_list<GpuUse> uses) {
    double sum = 0;
    for (const GpuUse use : uses)
      for (const std::int64_t milli : whole.timeline.gpus[static_cast<std::size_t>(use)])
        sum += static_cast<double>(milli) / 1000 * static_cast<double>(whole.timeline.step.ms) / 3.6e6;
    return sum;
  };
  EXPECT_NEAR(gpu_hours({GpuUse::Work}), static_cast<double>(whole.report.gpu_work.ms) / 3.6e6, 0.1);
  EXPECT_NEAR(gpu_hours({GpuUse::Work, GpuUse::Lost, GpuUse::Starting, GpuUse::Idle}),
              static_cast<double>(whole.report.gpu_time.ms) / 3.6e6, 0.2);
  EXPECT_NEAR(gpu_hours({GpuUse::Lost}), static_cast<double>(whole.report.all.lost.ms) / 3.6e6, 0.1);
}

TEST(Timeline, waiting_time_is_that_of_the_jobs) {
  const Whole whole = simulated("a");
  double hours_waited = 0;
  for (const std::int64_t milli : whole.timeline.jobs_waiting)
    hours_waited += static_cast<double>(milli) / 1000 * static_cast<double>(whole.timeline.step.ms) / 3.6e6;
  const auto& wait = whole.report.all.wait;
  const auto placed = static_cast<double>(whole.report.all.submitted - whole.report.all.waiting);
  EXPECT_GT(hours_waited, static_cast<double>(wait.mean.ms) / 3.6e6 * placed * 0.95);
  EXPECT_LT(hours_waited, static_cast<double>(wait.mean.ms) / 3.6e6 * placed * 3) << "and what waited again";
}

TEST(Spreads, count_every_job_once) {
  const Whole whole = simulated("a");
  const Spreads spreads = make_spreads(whole.workload, whole.outcome);
  std::int64_t done = 0;
  for (const std::int64_t count : spreads.overheads) done += count;
  EXPECT_EQ(done, whole.report.all.succeeded);
  EXPECT_EQ(spreads.waits.size(), spread_names().size());
}

TEST(Page, is_whole_and_asks_nothing_of_the_network) {
  const Whole whole = simulated("a");
  const std::string page = page_html({entry_of(whole), entry_of(whole)});
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(page.find("<script src"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
  EXPECT_EQ(page.find('@' + std::string("DATA@")), std::string::npos);
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  EXPECT_NE(page.find("Chart.js v4"), std::string::npos);
}

TEST(Page, names_never_become_markup) {
  const std::string name = "</script><img src=x onerror=alert(1)>&@SCRIPT@";
  const Whole whole = simulated(name);
  const std::string page = page_html({entry_of(whole)});
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&amp;@SCRIPT@</title>"),
            std::string::npos);
  EXPECT_NE(page.find(R"("name":"\u003c/script>)"), std::string::npos);
  std::size_t scripts = 0;
  for (std::size_t at = page.find("</script>"); at != std::string::npos; at = page.find("</script>", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, 3u);
}

TEST(Page, the_same_runs_give_the_same_bytes) {
  EXPECT_EQ(page_html({entry_of(simulated("a"))}), page_html({entry_of(simulated("a"))}));
}

}  // namespace
}  // namespace stoker::sim
