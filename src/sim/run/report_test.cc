#include "sim/run/report.h"

#include <gtest/gtest.h>

#include "sim/run/cell.h"
#include "sim/run/engine.h"

namespace stoker::sim {
namespace {

// Two machines with a GPU each. The second job takes both for twenty minutes, the third waits behind it.
Report reported(std::int64_t nodes_of_second, std::string* table = nullptr, json::Value* as_json = nullptr) {
  Scenario scenario = read_scenario(json::parse(R"({"name":"n","jobs":[{"trace":"itp","file":"none"}],
    "environments":[{"name":"e","machines":[{"type":"g5.xlarge","count":2}]}],
    "queues":[{"name":"default","environments":["e"]}]})")
                                        .value())
                          .value();
  const auto job = [](Duration submit, Duration run, std::int64_t nodes) {
    SimJob one;
    one.submit = submit;
    one.run = run;
    one.nodes = nodes;
    one.gpus = 1;
    one.tenant = "t";
    one.queue = "default";
    return one;
  };
  const Workload workload{
      {job({}, minutes(10), 1), job({}, minutes(20), nodes_of_second), job(minutes(5), minutes(5), 1)}, 0};
  const Outcome outcome = simulate(scenario, workload.jobs, 1, nullptr);
  Report report = make_report(scenario, workload, outcome);
  if (table != nullptr) *table = to_table(scenario, 1, report);
  if (as_json != nullptr) *as_json = to_json(scenario, 1, report);
  return report;
}

TEST(Report, single_node_and_multi_node_jobs_are_told_apart) {
  std::string table;
  json::Value as_json;
  const Report report = reported(2, &table, &as_json);
  const Figures& single = report.single_node;
  EXPECT_EQ(single.submitted, 2);
  EXPECT_EQ(single.wait.mean, seconds(750)) << "none, and from 5 to 30";
  EXPECT_EQ(single.wait.most, minutes(25));
  EXPECT_EQ(single.run.mean, seconds(450));
  EXPECT_EQ(single.slowdown_milli, 3500) << "10 of 10 minutes, 30 of 5";
  EXPECT_EQ(single.gpu_work, minutes(15));
  EXPECT_EQ(single.cost.of(cost::Kind::Work), cost_of(*parse_money("1.006"), minutes(15)));
  const Figures& multi = report.multi_node;
  EXPECT_EQ(multi.submitted, 1);
  EXPECT_EQ(multi.succeeded, 1);
  EXPECT_EQ(multi.wait.mean, minutes(10));
  EXPECT_EQ(multi.slowdown_milli, 1500);
  EXPECT_EQ(multi.gpu_work, minutes(40)) << "of both nodes";
  EXPECT_NEAR(static_cast<double>(multi.cost.of(cost::Kind::Work).micros),
              static_cast<double>(cost_of(*parse_money("1.006"), minutes(40)).micros), 1);
  EXPECT_NE(table.find("\n  single-node jobs          2        2   12.5 min"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  multi-node jobs           1        1   10.0 min"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  multi-node jobs           0.7     57.1        0.67"), std::string::npos) << table;
  EXPECT_EQ(json::find(*json::find(as_json, "multiNode"), "slowdown")->as_double(), 1.5);
  EXPECT_EQ(json::find(*json::find(as_json, "singleNode"), "submitted")->as_int64(), 2);
}

TEST(Report, nothing_is_told_apart_without_multi_node_jobs) {
  std::string table;
  json::Value as_json;
  const Report report = reported(1, &table, &as_json);
  EXPECT_FALSE(report.has_multi_node());
  EXPECT_EQ(report.single_node.submitted, 0);
  EXPECT_EQ(table.find("single-node"), std::string::npos);
  EXPECT_EQ(json::find(as_json, "singleNode"), nullptr);
  EXPECT_EQ(json::find(as_json, "multiNode"), nullptr);
}

TEST(Cell, names_of_others_fit_and_do_a_terminal_no_harm) {
  EXPECT_EQ(to_columns("ab", 4), "ab  ");
  EXPECT_EQ(to_columns("abcde", 4), "abcd");
  EXPECT_EQ(to_columns("ä€😀de", 4), "ä€😀d") << "characters are whole";
  EXPECT_EQ(to_columns("", 0), "");
  EXPECT_EQ(one_line("a\n\x1b[31mb\x7f\xC2\x9B"
                     "31mä"),
            "a  [31mb  31mä");
  EXPECT_EQ(one_line("a\xC2"), "a\xEF\xBF\xBD");
  EXPECT_EQ(columns_of("7.5 ± 3.5"), 9u);
}

}  // namespace
}  // namespace stoker::sim
