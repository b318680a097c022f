#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "base/text.h"
#include "json/json.h"
#include "sim/packing/experiment.h"
#include "sim/table.h"

namespace stoker::sim {
namespace {

constexpr std::string_view kNodes =
    "sn,cpu_milli,memory_mib,gpu,model\n"
    "a,8000,32000,2,T4\n"
    "b,8000,32000,2,A100\n"
    "c,4000,16000,0,\n";
constexpr std::string_view kTasks =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos\n"
    "1,1000,100,1,500,,LS\n"
    "2,1000,100,1,1000,T4,LS\n"
    "3,1000,100,0,0,,LS\n"
    "4,2000,100,2,1000,A100|H100,LS\n";

TEST(PackingTrace, becomes_the_core_s_own_nodes_and_shapes) {
  const auto trace = parse_packing_trace(kNodes, kTasks);
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->nodes.size(), 3U);
  EXPECT_EQ(trace->gpus(), 4);
  EXPECT_EQ(trace->nodes[1].gpus[1].model, "A100");
  ASSERT_EQ(trace->shapes.size(), 4U);
  EXPECT_EQ(trace->shapes[0].resources.gpu_milli, 500);
  EXPECT_EQ(trace->shapes[1].resources.gpus, 1);
  EXPECT_EQ(trace->shapes[1].gpu.models, (std::vector<std::string>{"t4"}));
  EXPECT_EQ(trace->shapes[2].resources.all_gpu_milli(), 0);
  EXPECT_EQ(trace->shapes[3].gpu.models, (std::vector<std::string>{"a100", "h100"}));
}

TEST(PackingTrace, what_is_wrong_with_a_file_is_told_with_its_place) {
  struct Row {
    std::string_view nodes;
    std::string_view tasks;
    std::string_view complaint;
  };
  for (const Row& row : {
           Row{"sn,cpu_milli\n", kTasks, "nodes: there is no column memory_mib"},
           {"", kTasks, "nodes: the table has no header line"},
           {"sn,cpu_milli,memory_mib,gpu,model\na,-1,1,1,T4\n", kTasks,
            "nodes: row 1, column cpu_milli: expected a whole number from 0 to"},
           {"sn,cpu_milli,memory_mib,gpu,model\na,1,1,1025,T4\n", kTasks, "column gpu"},
           {"sn,cpu_milli,memory_mib,gpu,model\na,1,1,0,\n", kTasks, "the nodes have no GPUs"},
           {kNodes, "cpu_milli,memory_mib,num_gpu,gpu_milli\n", "there are no tasks"},
           {kNodes, "cpu_milli,memory_mib,num_gpu,gpu_milli\n1,1,x,1\n", "tasks: row 1, column num_gpu"},
           {kNodes, "cpu_milli,memory_mib,num_gpu,gpu_milli\n1,\"1,1,1\n",
            "line 2: a quoted cell does not end"},
       }) {
    const auto trace = parse_packing_trace(row.nodes, row.tasks);
    ASSERT_FALSE(trace) << row.complaint;
    EXPECT_NE(trace.error().message.find(row.complaint), std::string::npos) << trace.error().message;
  }
}

// Four GPUs; tasks of one GPU each that fit: everything that came is given away until the cluster is full.
TEST(PackingReplay, gives_away_what_came_until_the_cluster_is_full) {
  const auto trace = parse_packing_trace("sn,cpu_milli,memory_mib,gpu,model\na,8000,32000,4,T4\n",
                                         "cpu_milli,memory_mib,num_gpu,gpu_milli\n1000,1,1,1000\n");
  ASSERT_TRUE(trace);
  for (std::size_t name = 0; name < core::kPolicyNames.size(); ++name) {
    const PackingRun run = replay_packing(*trace, static_cast<core::PolicyName>(name), 1);
    EXPECT_EQ(run.tasks, 5U) << "130 % of four GPUs";
    EXPECT_EQ(run.placed, 4U);
    EXPECT_EQ(run.at[50].allocated_percent, 50);
    EXPECT_EQ(run.at[100].allocated_percent, 100);
    EXPECT_EQ(run.at[130].allocated_percent, 100) << "figures go on where no task fell";
    EXPECT_EQ(run.at[50].fragment_amount_percent, 0);
  }
}

TEST(PackingReplay, a_task_that_fits_nowhere_counts_as_come) {
  const auto trace = parse_packing_trace("sn,cpu_milli,memory_mib,gpu,model\na,1000,32000,4,T4\n",
                                         "cpu_milli,memory_mib,num_gpu,gpu_milli\n1000,1,1,1000\n");
  ASSERT_TRUE(trace);
  const PackingRun run = replay_packing(*trace, core::PolicyName::Fgd, 1);
  EXPECT_EQ(run.placed, 1U);
  EXPECT_EQ(run.at[100].allocated_percent, 25);
  EXPECT_EQ(run.at[100].fragment_ratio_percent, 100) << "no CPU is left for the GPUs";
}

TEST(PackingReplay, lists_that_ask_for_too_much_or_for_no_gpu_end) {
  const auto large = parse_packing_trace("sn,cpu_milli,memory_mib,gpu,model\na,9000,9,1,T4\n",
                                         "cpu_milli,memory_mib,num_gpu,gpu_milli\n1,1,8,1000\n1,1,1,1000\n");
  EXPECT_LE(replay_packing(*large, core::PolicyName::Fgd, 1).tasks, 1U);
  const auto none = parse_packing_trace("sn,cpu_milli,memory_mib,gpu,model\na,9000,9,1,T4\n",
                                        "cpu_milli,memory_mib,num_gpu,gpu_milli\n1,1,0,0\n1,1,0,0\n");
  EXPECT_EQ(replay_packing(*none, core::PolicyName::Stoker, 1).placed, 2U);
}

TEST(PackingExperiment, the_number_of_threads_changes_nothing) {
  std::string tasks(kTasks);
  for (int i = 0; i < 60; ++i)
    tasks += std::to_string(i) + ",500,10,1," + std::to_string(50 + i * 7) + ",,LS\n";
  const auto trace = parse_packing_trace(kNodes, tasks);
  ASSERT_TRUE(trace);
  PackingOrder order{.policies = {core::PolicyName::Random, core::PolicyName::Stoker}, .seeds = {1, 2, 3, 4}};
  const std::string one = packing_json(*trace, order, run_packing(*trace, order, {}));
  order.threads = 4;
  std::size_t heard = 0;
  const std::string four =
      packing_json(*trace, order, run_packing(*trace, order, [&](std::size_t, std::size_t) { ++heard; }));
  EXPECT_EQ(one, four);
  EXPECT_EQ(heard, 8U);
  const auto json = json::parse(one);
  ASSERT_TRUE(json);
  const json::Value& stoker = *json::find(*json::find(*json, "policies"), "stoker");
  EXPECT_TRUE(json::get_object(stoker, "allocated_percent").contains("130"));
  EXPECT_TRUE(json::get_object(stoker, "fragment_ratio_percent_deviation").contains("90"));
}

TEST(PackingExperiment, seeds_are_ranges_and_lists) {
  using Seeds = std::vector<std::uint64_t>;
  EXPECT_EQ(parse_seeds("1..3").value(), (Seeds{1, 2, 3}));
  EXPECT_EQ(parse_seeds("7").value(), (Seeds{7}));
  EXPECT_EQ(parse_seeds("1,3,2..4").value(), (Seeds{1, 3, 2, 4}));
  for (const std::string_view bad :
       {"", "a", "3..1", "1..", "..2", "-1", "1..20000", "1,,2", "1..9223372036854775807"})
    EXPECT_FALSE(parse_seeds(bad)) << bad;
}

TEST(Table, a_byte_order_mark_is_no_part_of_the_first_name) {
  EXPECT_TRUE(Table::parse("\xEF\xBB\xBFsn,gpu\n1,2\n")->column("sn"));
}

TEST(Table, reads_quoted_cells_and_short_rows) {
  const auto table = Table::parse("a,b,c\r\n\"1,\"\"x\"\"\",2\r\n\n");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows(), 1U);
  EXPECT_EQ(table->cell(0, 0), "1,\"x\"");
  EXPECT_EQ(table->cell(0, 2), "");
}

TEST(Table, has_rows_of_all_lengths) {
  const auto table = Table::parse("a,b\n\n1\n,\n1,2,3\n\"\"\"\",\"x\"y\n\"a,b\",c");
  ASSERT_TRUE(table);
  std::string cells;
  for (std::size_t row = 0; row < table->rows(); ++row)
    for (std::size_t column = 0; column < 4; ++column)
      cells.append(column == 0 ? "[" : "|").append(table->cell(row, column)).append(column == 3 ? "]" : "");
  EXPECT_EQ(cells, "[1|||][|||][1|2|3|][\"|xy||][a,b|c||]");
  EXPECT_EQ(Table::parse("a\nb\n\"c\n").error().message, "line 3: a quoted cell does not end");
  EXPECT_EQ(Table::parse("a\n" + std::string(kColumnsMax, ',')).error().message, "line 2: too many columns");
  EXPECT_TRUE(Table::parse("a\n" + std::string(kColumnsMax - 1, ',')));
}

// The published table, where the traces are at hand: set STOKER_TRACES to the folder that has openb-2023.
TEST(PackingReplay, meets_the_published_figures) {
  const char* traces = std::getenv("STOKER_TRACES");
  if (traces == nullptr) GTEST_SKIP() << "STOKER_TRACES does not name a folder with the traces";
  const std::string folder = std::string(traces) + "/openb-2023/";
  const auto expected = read_text(folder + "expected/analysis_allo_discrete.csv.gz");
  if (!expected) GTEST_SKIP() << expected.error().message;
  const auto table = Table::parse(*expected);
  ASSERT_TRUE(table);
  const std::vector<std::string> names = {"01-Random",     "02-DotProd", "03-GpuClustering",
                                          "04-GpuPacking", "05-BestFit", "06-FGD"};
  std::map<std::string, double> published;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    if (table->cell(row, *table->column("workload")) != "openb_pod_list_default") continue;
    published[std::string(table->cell(row, *table->column("sc_policy")))] +=
        parse_double(table->cell(row, *table->column("100"))).value() / 10;
  }
  const auto trace =
      read_packing_trace(folder + "openb_node_list_gpu_node.csv", folder + "openb_pod_list_default.csv.gz");
  ASSERT_TRUE(trace) << trace.error().message;
  PackingOrder order{.seeds = {1, 2, 3}, .threads = 2};
  for (std::size_t i = 0; i < names.size(); ++i) order.policies.push_back(static_cast<core::PolicyName>(i));
  const auto summaries = run_packing(*trace, order, {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool loose = i == 2 || i == 3;
    EXPECT_NEAR(summaries[i].allocated[2].mean, published.at(names[i]), loose ? 0.8 : 0.5) << names[i];
  }
}

}  // namespace
}  // namespace stoker::sim
