#include "sim/run/compare.h"

#include <gtest/gtest.h>

namespace stoker::sim {
namespace {

Report a_report(std::int64_t done, Money billed) {
  Report report;
  report.simulated = days(2);
  report.all.succeeded = done;
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
    return MeanDeviation{};
  };
  EXPECT_DOUBLE_EQ(measure("jobsPerDay").mean, 7.5);
  EXPECT_NEAR(measure("jobsPerDay").deviation, 3.5355, 1e-3);
  EXPECT_DOUBLE_EQ(measure("dollarsPerJob").mean, 12.5);
  EXPECT_DOUBLE_EQ(measure("idlePercent").mean, 20);
  EXPECT_DOUBLE_EQ(measure("idlePercent").deviation, 0);
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
  EXPECT_TRUE(text.starts_with("windows: \n                            none        long\n")) << text;
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
