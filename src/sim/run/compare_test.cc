#include "sim/run/compare.h"

#include <gtest/gtest.h>

namespace stoker::sim {
namespace {

Report a_report(std::int64_t done, Money billed) {
  Report report;
  report.simulated = days(2);
  report.all.succeeded = done;
  report.all.wait.count = report.all.run.count = done;
  report.billed = billed;
  report.gpu_time = hours(100);
  report.gpu_work = hours(80);
  return report;
}

TEST(Compare, means_and_deviations_over_the_seeds) {
  const Runs runs{"pool", {1, 2}, {a_report(10, dollars(100)), a_report(20, dollars(300))}};
  const auto measure = [&](std::string_view key) {
    for (const Measure& one : measures())
      if (one.key == key) return over_seeds(runs, one);
    ADD_FAILURE() << key;
    return std::optional<MeanDeviation>{};
  };
  EXPECT_DOUBLE_EQ(measure("jobsPerDay")->mean, 7.5);
  EXPECT_NEAR(measure("jobsPerDay")->deviation, 3.5355, 1e-3);
  EXPECT_DOUBLE_EQ(measure("dollarsPerJob")->mean, 12.5);
  EXPECT_DOUBLE_EQ(measure("idlePercent")->mean, 20);
  EXPECT_DOUBLE_EQ(measure("idlePercent")->deviation, 0);
}

// Two single-node jobs that waited six minutes, and so many multi-node jobs that waited twelve.
Report with_parts(std::int64_t multi_node) {
  Report report = a_report(2 + multi_node, {});
  report.all.submitted = 2 + multi_node;
  report.all.wait.mean = minutes(6 + 3 * multi_node);  // right for none and for two
  if (multi_node == 0) return report;
  report.single_node.submitted = 2;
  report.single_node.wait = {.count = 2, .mean = minutes(6)};
  report.multi_node.submitted = multi_node;
  report.multi_node.wait = {.count = multi_node, .mean = minutes(12)};
  return report;
}

TEST(Compare, single_node_and_multi_node_jobs_stand_apart_where_one_scenario_has_both) {
  const std::vector<Runs> runs = {{"narrow", {1, 2}, {with_parts(0), with_parts(0)}},
                                  {"both", {1, 2}, {with_parts(0), with_parts(2)}}};
  const std::string text = compare_text(runs);
  for (const std::string_view row : {"\nsingle-node jobs            2.000 ± 0.000  2.000 ± 0.000\n  mean "
                                     "wait, min            6.000 ± 0.000  6.000 ± "
                                     "0.000\n",
                                     "\nmulti-node jobs             0.000 ± 0.000  1.000 ± 1.414\n  mean "
                                     "wait, min            -              12.0 ± "
                                     "0.000\n"})
    EXPECT_NE(text.find(row), std::string::npos) << row << text;
  const json::Value value = compare_json(runs);
  const json::Object& measures = json::find(value, "measures")->get_object();
  EXPECT_EQ(json::write(measures.at("multiNodeWaitMinutes")), R"([null,{"mean":12,"deviation":0}])");
  EXPECT_EQ(json::write(measures.at("singleNodeJobs")),
            R"([{"mean":2,"deviation":0},{"mean":2,"deviation":0}])");
  const json::Value one = compare_json({runs[0], runs[0]});
  EXPECT_EQ(json::find(*json::find(one, "measures"), "singleNodeJobs"), nullptr);
  EXPECT_EQ(compare_text({runs[0]}).find("node jobs"), std::string::npos);
}

Report with_deadlines(std::int64_t met, std::int64_t of) {
  Report report = a_report(10, {});
  report.all.deadlines = of;
  report.all.deadlines_met = met;
  return report;
}

TEST(Compare, deadlines_met_of_how_many_where_one_scenario_has_some) {
  const std::vector<Runs> runs = {{"tight", {1, 2}, {with_deadlines(0, 4), with_deadlines(3, 6)}},
                                  {"none", {1, 2}, {with_deadlines(0, 0), with_deadlines(0, 0)}}};
  const std::string text = compare_text(runs);
  EXPECT_NE(text.find("\ndeadlines met               1.500 ± 2.121  -\n"
                      "  of jobs with a deadline   5.000 ± 1.414  -\n"),
            std::string::npos)
      << text;
  const json::Value value = compare_json(runs);
  const json::Object& measures = json::find(value, "measures")->get_object();
  EXPECT_EQ(json::write(measures.at("deadlinesMet").get_array()[1]), "null");
  EXPECT_EQ(measures.at("deadlines").get_array()[0].get_object().at("mean").get_double(), 5);
  EXPECT_EQ(compare_text({runs[1]}).find("deadline"), std::string::npos);
  EXPECT_NE(
      compare_text({{"late", {1}, {with_deadlines(0, 4)}}}).find("\ndeadlines met               0.000\n"),
      std::string::npos)
      << "none is news, too";
}

TEST(Compare, what_nobody_did_has_no_mean) {
  Report nothing = a_report(0, {});
  nothing.all.waiting = 3;
  nothing.budgets = {{"pool", {}, fleet::BudgetLevel::Warn, "spent"}};
  const std::vector<Runs> runs = {{"none runs", {1}, {nothing}},
                                  {"all run", {1}, {a_report(10, dollars(100))}}};
  const std::string text = compare_text(runs);
  for (const std::string_view row : {"\njobs that wait at the end   3.000       0.000\n",
                                     "\nmean wait, min              -           0.000\n",
                                     "\nmean slowdown               -           0.000\n",
                                     "\nbill a job done, USD        -           10.0\n",
                                     "\ntimes a budget spoke up     1.000       0.000\n"})
    EXPECT_NE(text.find(row), std::string::npos) << row << text;
  EXPECT_EQ(compare_text({runs[1]}).find("at the end"), std::string::npos);
  EXPECT_EQ(compare_text({runs[1]}).find("budget"), std::string::npos);
}

TEST(Compare, has_a_column_for_each_scenario) {
  const std::string text =
      compare_text({{"silos", {1}, {a_report(10, dollars(1234))}},
                    {"pool", {1, 2}, {a_report(10, dollars(100)), a_report(20, dollars(300))}}});
  EXPECT_EQ(text.substr(0, text.find('\n')), "                            silos       pool");
  EXPECT_NE(text.find("\njobs done a day             5.000       7.500 ± 3.536\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\nbill, USD                   1234        200.0 ± 141.4\n"), std::string::npos)
      << text;
}

TEST(Compare, variants_of_one_file_say_its_name_once) {
  const std::string text =
      compare_text({{"windows: none", {1}, {a_report(10, {})}}, {"windows: long", {1}, {a_report(10, {})}}});
  EXPECT_TRUE(text.starts_with("windows\n                            none        long\n")) << text;
}

TEST(Compare, json_has_the_scenarios_in_order) {
  const json::Value value =
      compare_json({{"silos", {1}, {a_report(10, {})}}, {"pool", {2, 3}, {a_report(4, {})}}});
  EXPECT_EQ(json::get_string(json::get_array(value, "scenarios")[1], "name"), "pool");
  const json::Value& jobs = *json::find(*json::find(value, "measures"), "jobsPerDay");
  EXPECT_EQ(jobs.get_array()[1].get_object().at("mean").get_double(), 2);
}

}  // namespace
}  // namespace stoker::sim
