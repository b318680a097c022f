// What limits do: gangs complete what is there, what waits keeps what it is short of, machines make room.
#include <gtest/gtest.h>

#include "core/fleet/sizing/beyond_limits.h"
#include "core/fleet/sizing/size.h"
#include "core/fleet/sizing/testing.h"

namespace stoker::fleet {
namespace {

using namespace testing;

std::string launches(const Plan& plan) {
  std::string text;
  for (const Launch& launch : plan.launches)
    text += (text.empty() ? "" : "; ") + std::to_string(launch.count) + " " + describe(launch.pool);
  return text;
}
// "1 makes-room, 2 idle drain"
std::string leaving(const Plan& plan) {
  std::string text;
  for (const Retire& retire : plan.retirements)
    text += (text.empty() ? "" : ", ") + retire.node + " " + std::string(name_of(retire.reason)) +
            (retire.drain ? " drain" : "");
  return text;
}
std::string hold(const Plan& plan, std::size_t demand = 0) {
  const Fate& fate = plan.fates.at(demand);
  return fate.hold == HoldKind::None ? "" : std::to_string(fate.held) + " " + std::string(name_of(fate.hold));
}
Demand gang_of(std::int64_t machines, std::int64_t jobs = 1) {
  Demand demand = gpu_jobs(jobs);
  demand.gang = machines;
  return demand;
}
FleetNode in_zone(FleetNode node, const std::string& zone) {
  node.pool.zone = zone;
  return node;
}
// A machine with a run that ends in `left`.
NodeBuilder busy(const std::string& id, Duration left = hours(1), const std::string& type = "g5.xlarge") {
  return a_node(id, type).runs(gpu_jobs(1), false, left);
}

struct Limits : ::testing::Test {
  FleetPolicy policy = a_policy();
  FleetState state;
  Limits() {
    policy.zones = {"a"};
    policy.window.fixed = hours(4);
  }
  Plan size(std::vector<Demand> demands) { return size_fleet(catalogue(), policy, state, demands, kNow); }
};

TEST_F(Limits, a_gang_counts_the_machines_that_are_there_and_launches_the_rest) {
  policy.types = {"g5.xlarge"};
  policy.limits.vcpus_max = 16;
  policy.limits.vcpus_min = 12;
  state.nodes = {a_node("1").idle(hours(9)), a_node("2").idle(hours(9)), a_node("3").idle(hours(9))};
  Plan plan = size({gang_of(4)});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.fates[0].on_ready, 3);
  EXPECT_EQ(plan.fates[0].on_launches, 1);
  EXPECT_EQ(leaving(plan), "") << "they are wanted";
  policy.limits.vcpus_max = 1000;
  policy.limits.vcpus_min = 0;
  plan = size({gang_of(4, 2)});
  EXPECT_EQ(launches(plan), "5 g5.xlarge in a, on-demand");
  FleetNode fourth = a_node("4").launching();
  fourth.runs = {{.need = gpu_jobs(1).need, .runs = 1}};
  state.nodes.push_back(fourth);
  EXPECT_EQ(launches(size({gang_of(4)})), "") << "the rest is under way";
  EXPECT_EQ(launches(size({gang_of(5)})), "1 g5.xlarge in a, on-demand");
}

TEST_F(Limits, a_gang_is_completed_in_its_zone_and_across_zones_where_there_is_no_other_way) {
  policy.types = {"g5.xlarge"};
  policy.zones = {"a", "b"};
  state.nodes = {in_zone(a_node("1").idle(seconds(1)), "a"), in_zone(a_node("2").idle(seconds(1)), "b"),
                 in_zone(a_node("3").idle(seconds(1)), "b")};
  EXPECT_EQ(launches(size({gang_of(4)})), "2 g5.xlarge in b, on-demand") << "where most of it is";
  policy.limits.vcpus_max = 16;
  EXPECT_EQ(launches(size({gang_of(4)})), "1 g5.xlarge in b, on-demand") << "the limit allows no more";
  policy.limits.vcpus_max = 1000;
  Demand near = gang_of(4);
  near.near = true;
  EXPECT_EQ(launches(size({near})), "4 g5.xlarge in a, on-demand") << "nobody knows what they would be near";
}

TEST_F(Limits, no_part_of_a_gang_is_launched_that_makes_no_whole_one) {
  policy.types = {"g5.xlarge"};
  policy.limits.vcpus_max = 16;
  state.nodes = {a_node("1").idle(seconds(1)), busy("2"), busy("3", hours(1), "g5.2xlarge")};
  policy.limits.vcpus_max = 20;
  const Plan plan = size({gang_of(5)});
  EXPECT_EQ(launches(plan), "") << "one would be missing";
  EXPECT_EQ(hold(plan), "5 limit");
  EXPECT_EQ(hold(size({gang_of(6)})), "6 beyond-limits");
}

TEST_F(Limits, what_is_missing_for_a_gang_beside_machines_in_use_is_launched) {
  policy.types = {"g5.xlarge"};
  policy.limits.vcpus_max = 16;
  state.nodes = {busy("1"), busy("2"), busy("3")};
  const Plan plan = size({gang_of(4), gpu_jobs(9)});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand") << "the placement pass keeps all four for it then";
  ASSERT_EQ(plan.launches.size(), 1U);
  EXPECT_EQ(hold(plan), "4 limit");
  EXPECT_EQ(plan.fates[1].on_launches + plan.fates[1].on_launching, 0);
  FleetNode fourth = a_node("4").launching();
  fourth.runs = plan.launches[0].runs;
  state.nodes.push_back(fourth);
  EXPECT_EQ(launches(size({gang_of(4), gpu_jobs(9)})), "");
  state.nodes.back() = a_node("4").idle(hours(9));
  EXPECT_EQ(leaving(size({gang_of(4)})), "") << "it waits for the others";
}

TEST_F(Limits, of_a_gang_the_machines_that_take_up_least_are_launched_where_the_cheapest_do_not_fit) {
  policy.cold.launch_fee = dollars(10);
  policy.limits.vcpus_max = 20;
  EXPECT_EQ(launches(size({gang_of(4)})), "4 g5.xlarge in a, on-demand");
  policy.limits.vcpus_max = 200;
  EXPECT_EQ(launches(size({gang_of(4)})), "1 g5.12xlarge in a, on-demand");
}

TEST_F(Limits, a_gang_of_more_machines_than_a_pass_launches_is_launched_alone) {
  policy.types = {"g5.xlarge"};
  policy.limits.launches_max = 3;
  EXPECT_EQ(launches(size({gang_of(5)})), "5 g5.xlarge in a, on-demand");
  const Plan plan = size({gpu_jobs(1), gang_of(5)});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand");
  EXPECT_EQ(plan.fates[1].text, "as many launches as one pass makes (3)");
  EXPECT_EQ(leaving(plan), "");
}

TEST_F(Limits, idle_machines_that_cannot_hold_it_make_room) {
  policy.limits.vcpus_max = 48;
  state.nodes = {a_node("1").idle(seconds(1))};
  Plan plan = size({gpu_jobs(1, 4)});
  EXPECT_EQ(launches(plan), "") << "only when it is gone";
  EXPECT_EQ(leaving(plan), "1 makes-room") << "four hours of a warm window do not keep it";
  EXPECT_EQ(plan.fates[0].text,
            "the environment is at its limit: 4 of 48 vCPU, 1 of 10000 machines; machines that cannot hold "
            "them make room");
  policy.limits.vcpus_min = 4;
  EXPECT_EQ(leaving(size({gpu_jobs(1, 4)})), "1 makes-room") << "nor does a minimum";
  state.nodes = {a_node("1").draining().idle(seconds(1)), a_node("2").draining().runs(gpu_jobs(1))};
  plan = size({gpu_jobs(1, 4)});
  EXPECT_EQ(launches(plan), "") << "nothing for the minimum either";
  state.nodes.clear();
  EXPECT_EQ(launches(size({gpu_jobs(1, 4)})), "1 g5.12xlarge in a, on-demand");
}

TEST_F(Limits, as_few_as_will_do_and_those_idle_longest_go) {
  policy.limits.vcpus_max = 60;
  state.nodes = {a_node("1").idle(minutes(1)), a_node("2").idle(minutes(3)), a_node("3").idle(minutes(2)),
                 a_node("4").idle(minutes(4))};
  EXPECT_EQ(leaving(size({gpu_jobs(1, 4)})), "4 makes-room") << "12 + 48 are allowed";
  policy.limits.vcpus_max = 52;
  EXPECT_EQ(leaving(size({gpu_jobs(1, 4)})), "2 makes-room, 3 makes-room, 4 makes-room");
  state.nodes[3] = a_node("4").draining().idle(seconds(1));
  EXPECT_EQ(leaving(size({gpu_jobs(1, 4)})), "2 makes-room, 3 makes-room, 4 drained") << "one goes already";
}

TEST_F(Limits, idle_machines_stay_for_those_who_wait_before) {
  policy.types = {"g5.xlarge", "g5.12xlarge", "g6.xlarge"};
  policy.limits.vcpus_max = 48;
  Demand other = gpu_jobs(1);
  other.need.gpu_models = {"L4"};
  state.nodes = {a_node("1").idle(minutes(1)), a_node("2", "g6.xlarge").idle(minutes(1))};
  const Plan plan = size({other, gpu_jobs(1, 4)});
  EXPECT_EQ(plan.fates[0].on_ready, 1);
  EXPECT_EQ(leaving(plan), "") << "the other alone would not be enough";
}

TEST_F(Limits, what_a_limit_keeps_waiting_is_not_passed_by_those_after_it) {
  policy.limits.vcpus_max = 60;
  state.nodes = {busy("1", hours(1)), busy("2", hours(3)), busy("3", hours(2)), busy("4", hours(4))};
  Plan plan = size({gpu_jobs(1, 4), gpu_jobs(8)});
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(leaving(plan), "1 makes-room drain") << "the one that ends first takes no more runs";
  EXPECT_EQ(hold(plan, 1), "8 limit");
  EXPECT_EQ(plan.fates[1].text,
            "the environment is at its limit: 16 of 60 vCPU, 4 of 10000 machines; 48 vCPU are kept for those "
            "that wait before them");
  state.nodes[0] = busy("1", hours(1)).draining();
  plan = size({gpu_jobs(1, 4), gpu_jobs(8)});
  EXPECT_EQ(leaving(plan), "") << "it is on its way";
  plan = size({gpu_jobs(8), gpu_jobs(1, 4)});
  EXPECT_EQ(launches(plan), "8 g5.xlarge in a, on-demand") << "by order, not by size";
}

TEST_F(Limits, no_machine_in_use_is_emptied_where_one_that_is_there_could_hold_it) {
  policy.limits.vcpus_max = 64;
  state.nodes = {busy("1"), busy("2"), busy("3", hours(9), "g5.12xlarge")};
  Plan plan = size({gpu_jobs(1, 4), gpu_jobs(8)});
  EXPECT_EQ(leaving(plan), "") << "the placement pass keeps that one for it";
  EXPECT_EQ(launches(plan), "");
}

TEST_F(Limits, a_large_machine_makes_room_for_small_ones_when_many_small_jobs_wait) {
  policy.limits.vcpus_max = 50;
  FleetNode large = busy("1", hours(1), "g5.12xlarge");
  large.ready_at = kNow - hours(1);
  state.nodes = {large};
  Plan plan = size({gpu_jobs(27)});
  EXPECT_EQ(leaving(plan), "1 makes-room drain") << "four here, twelve in its place";
  EXPECT_EQ(launches(plan), "");
  EXPECT_EQ(leaving(size({gpu_jobs(26)})), "") << "three go on it, and 24 must wait";
  EXPECT_EQ(leaving(size({gpu_jobs(9, 4)})), "") << "nothing smaller holds them";
  state.nodes[0].ready_at = kNow - minutes(59);
  EXPECT_EQ(leaving(size({gpu_jobs(27)})), "") << "it just came";
}

TEST_F(Limits, only_the_first_that_waits_has_machines_emptied) {
  policy.types = {"g5.xlarge", "g5.12xlarge", "g6.12xlarge"};
  policy.limits.vcpus_max = 100;
  for (int i = 0; i < 25; ++i) state.nodes.push_back(busy(std::to_string(i)));
  Demand other = gpu_jobs(1, 4);
  other.need.gpu_models = {"L4"};
  Demand first = gpu_jobs(1, 4);
  first.need.gpu_models = {"A10G"};
  EXPECT_EQ(size({first, other}).retirements.size(), 12U);
}

TEST_F(Limits, what_is_not_short_is_left_to_others) {
  policy.types = {"g5.xlarge", "g5.12xlarge", "cpu.large"};
  Catalogue with_cpus = Catalogue::builtin();
  ASSERT_TRUE(with_cpus.apply(*json::parse(
      R"({"types":[{"name":"cpu.large","vcpus":2,"memoryMiB":8192}],
          "prices":[{"type":"cpu.large","region":"us-east-1","onDemand":"0.1"}]})")));
  policy.limits = {.vcpus_max = 200, .gpus_max = 4};
  state.nodes = {busy("1")};
  Demand without_gpus = gpu_jobs(1, 0);
  const std::vector<Demand> demands = {gpu_jobs(1, 4), gpu_jobs(1), without_gpus};
  const Plan plan = size_fleet(with_cpus, policy, state, demands, kNow);
  EXPECT_EQ(launches(plan), "1 cpu.large in a, on-demand");
  EXPECT_EQ(hold(plan, 1), "1 limit");
}

TEST_F(Limits, nothing_is_kept_for_those_whom_another_environment_may_serve) {
  policy.limits.vcpus_max = 48;
  state.nodes = {a_node("1").idle(seconds(1)), busy("2")};
  Demand elsewhere = gpu_jobs(1, 4);
  elsewhere.reserves = false;
  const Plan plan = size({elsewhere, gpu_jobs(3)});
  EXPECT_EQ(leaving(plan), "");
  EXPECT_EQ(launches(plan), "2 g5.xlarge in a, on-demand");
}

TEST_F(Limits, that_a_job_is_beyond_them_is_proved_limit_by_limit) {
  struct Row {
    const char* says;
    FleetLimits limits;
    std::vector<std::string> types;
    Demand demand;
    std::string text;  // "": it may be inside
  };
  const std::vector<std::string> both = {"g5.xlarge", "g5.12xlarge"};
  const Row rows[] = {
      {"it fits", {}, both, gpu_jobs(9), ""},
      {"many jobs are no gang", {.vcpus_max = 4}, both, gpu_jobs(9), ""},
      {"GPUs",
       {.gpus_max = 2},
       {"g5.12xlarge"},
       gpu_jobs(1),
       "cannot meet the GPU requirement of the job. Machines for it have 4 GPU at least, and the limit of "
       "GPUs "
       "is 2"},
      {"vCPUs",
       {.vcpus_max = 47},
       both,
       gpu_jobs(1, 4),
       "cannot meet the CPU requirement of the job. Machines for it have 48 vCPU at least, and the limit of "
       "vCPUs (maxvCpus) is 47"},
      {"machines",
       {.nodes_max = 0},
       both,
       gpu_jobs(1),
       "cannot meet the machine requirement of the job. Machines for it have 1 machines at least, and the "
       "limit of machines is 0"},
      {"a gang by its sum",
       {.vcpus_max = 16},
       both,
       gang_of(8),
       "cannot meet the CPU requirement of the job. Machines for it have 32 vCPU at least, and the limit of "
       "vCPUs (maxvCpus) is 16"},
      {"a gang that just fits", {.vcpus_max = 32}, both, gang_of(8), ""},
      {"a gang of few machines", {.nodes_max = 2}, both, gang_of(8), ""},
      {"and of fewer",
       {.nodes_max = 1},
       both,
       gang_of(8),
       "cannot meet the machine requirement of the job. Machines for it have 2 machines at least, and the "
       "limit of machines is 1"},
      {"a large gang",
       {.vcpus_max = 3000},
       both,
       gang_of(800),
       "cannot meet the CPU requirement of the job. Machines for it have 3200 vCPU at least, and the limit "
       "of "
       "vCPUs (maxvCpus) is 3000"},
      {"no type is inside two limits",
       {.vcpus_max = 16, .gpus_max = 1},
       {"g5.8xlarge", "g5g.16xlarge"},
       gpu_jobs(1),
       "cannot meet the CPU requirement of the job. Machines for it have 32 vCPU at least, and the limit of "
       "vCPUs (maxvCpus) is 16"},
      {"nor inside both at once",
       {.vcpus_max = 48, .gpus_max = 3},
       {"g5.12xlarge", "g5.16xlarge"},
       gpu_jobs(1),
       "cannot meet the CPU and GPU requirement of the job. No machine that could hold it is inside all "
       "limits "
       "at once"},
  };
  for (const Row& row : rows) {
    policy.types = row.types;
    policy.limits = row.limits;
    EXPECT_EQ(beyond_limits(catalogue(), policy, row.demand).value_or(""), row.text) << row.says;
    EXPECT_EQ(size({row.demand}).fates[0].hold == HoldKind::BeyondLimits, !row.text.empty()) << row.says;
  }
}

TEST_F(Limits, what_is_beyond_them_keeps_nothing) {
  policy.limits.vcpus_max = 16;
  state.nodes = {a_node("1").idle(seconds(1))};
  const Plan plan = size({gang_of(8), gpu_jobs(1, 4), gpu_jobs(3)});
  EXPECT_EQ(leaving(plan), "");
  EXPECT_EQ(launches(plan), "2 g5.xlarge in a, on-demand");
}

TEST_F(Limits, machines_are_launched_for_mig_jobs_by_what_their_gpus_can_be_cut_into) {
  policy.types = {"g5.xlarge", "p4de.24xlarge"};
  Demand cut = gpu_jobs(24, 0);
  cut.need.mig = "2g.20gb";
  cut.need.mig_devices = 1;
  Plan plan = size({cut});
  EXPECT_EQ(launches(plan), "1 p4de.24xlarge in a, on-demand") << "three on each of its eight GPUs";
  EXPECT_TRUE(plan.launches[0].mig);
  cut.jobs = 1;
  plan = size({gpu_jobs(1), cut});
  EXPECT_EQ(launches(plan), "1 g5.xlarge in a, on-demand; 1 p4de.24xlarge in a, on-demand");
  policy.types = {"p4de.24xlarge"};
  policy.limits.vcpus_max = 1000;
  EXPECT_EQ(launches(size({gpu_jobs(1), cut})),
            "1 p4de.24xlarge in a, on-demand; 1 p4de.24xlarge in a, on-demand")
      << "whole GPUs and parts are not on one machine";
  FleetNode whole = a_node("1", "p4de.24xlarge").idle(seconds(1));
  whole.free.mig = false;
  FleetNode switched = a_node("2", "p4de.24xlarge").idle(seconds(1));
  switched.free.mig = switched.mig = true;
  state.nodes = {whole};
  EXPECT_EQ(size({cut}).fates[0].on_launches, 1);
  state.nodes = {whole, switched};
  EXPECT_EQ(size({cut}).fates[0].on_ready, 1);
  policy.types = {"g5.xlarge"};
  state.nodes.clear();
  EXPECT_EQ(size({cut}).fates[0].text,
            "asks 1 vCPU, 1000 MiB, 1 x 2g.20gb; of 1 allowed instance types g5.xlarge comes nearest and has "
            "only GPUs without MIG");
}

}  // namespace
}  // namespace stoker::fleet
