#include "sim/run/scenario.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "sim/run/workload.h"

namespace stoker::sim {
namespace {

Result<Scenario> read(std::string_view text) {
  return read_scenario(json::parse(text).value());
}

constexpr const char* kEnvironment = R"({"name":"e","machines":[{"type":"g5.xlarge","count":2}]})";
std::string with(const std::string& jobs, const std::string& environment = kEnvironment,
                 const std::string& more = "") {
  return R"({"name":"n","jobs":[)" + jobs + R"(],"environments":[)" + environment +
         R"(],"queues":[{"name":"default","environments":["e"]}])" + more + "}";
}
const std::string kTrace = R"({"trace":"itp","file":"x.csv"})";

TEST(ReadScenario, quota_shares_have_the_members_of_the_api) {
  const auto with_shares = [](const std::string& shares) {
    return read(
        R"({"name":"n","days":1,"jobs":[{"generate":{"jobsPerDay":1,"tenants":["a"]}}],"environments":[)" +
        std::string(kEnvironment) + R"(],"queues":[{"name":"default","environments":["e"],"quotaShares":)" +
        shares + "}]}");
  };
  const std::string limits =
      R"("capacityLimits":[{"maxCapacity":4,"capacityUnit":"GPU"},{"maxCapacity":1,"capacityUnit":"g5.xlarge"}])";
  const auto scenario =
      with_shares(R"([{"quotaShareName":"a",)" + limits +
                  R"(,"resourceSharingConfiguration":{"strategy":"LEND_AND_BORROW","borrowLimit":50},
      "preemptionConfiguration":{"inSharePreemption":"ENABLED"}}])");
  ASSERT_TRUE(scenario) << scenario.error().message;
  const core::QuotaShare& share = scenario->queues[0].quota_shares.at(0);
  EXPECT_EQ(share.limits[1].unit, (core::CapacityUnit{core::CapacityUnit::Kind::Instance, "g5.xlarge"}));
  EXPECT_EQ(share.sharing, (core::QuotaSharing{core::QuotaSharing::Strategy::LendAndBorrow, 50}));
  EXPECT_TRUE(share.preempts_inside);
  EXPECT_TRUE(with_shares("[]")->queues[0].quota_shares.empty()) << "no shares, no limits";
  for (const auto& [shares, fault] : std::vector<std::pair<std::string, std::string>>{
           {R"([{}])", "quotaShareName: must be given"},
           {R"([{"quotaShareName":"a"}])", "capacityLimits: must be a list"},
           {R"([{"quotaShareName":"a","capacityLimits":[{"maxCapacity":-1}]}])",
            "capacityLimits[0]: maxCapacity: must be"},
           {R"([{"quotaShareName":"a","capacityLimits":[{"maxCapacity":1,"capacityUnit":"MEMORY"}]}])",
            "capacityUnit: must be GPU, VCPU"},
           {R"([{"quotaShareName":"a","capacityLimits":[{"maxCapacity":1,"capacityUnit":"A1000"}]}])",
            "default: quota share a: no machine has A1000"},
           {R"([{"quotaShareName":"a",)" + limits +
                R"(,"resourceSharingConfiguration":{"strategy":"GIVE"}}])",
            "strategy: must be one of RESERVE, LEND, LEND_AND_BORROW"},
           {R"([{"quotaShareName":"a",)" + limits +
                R"(,"resourceSharingConfiguration":{"strategy":"LEND","borrowLimit":5}}])",
            "borrowLimit: is given only with"},
           {R"([{"quotaShareName":"a",)" + limits +
                R"(,"preemptionConfiguration":{"inSharePreemption":"YES"}}])",
            "inSharePreemption: must be one of DISABLED, ENABLED"},
           {R"([{"quotaShareName":"b",)" + limits + "}]", "tenant a has no quota share in queue default"}}) {
    const auto refused = with_shares(shares);
    ASSERT_FALSE(refused) << shares;
    EXPECT_NE(refused.error().message.find(fault), std::string::npos) << refused.error().message;
  }
}

// With this queue, and what its tenants are called.
Result<Scenario> with_queue(const std::string& queue, const std::string& tenants = R"(["a"])") {
  return read(R"({"name":"n","days":1,"jobs":[{"generate":{"jobsPerDay":1,"tenants":)" + tenants +
              R"(}}],"environments":[)" + std::string(kEnvironment) +
              R"(],"queues":[{"name":"default","environments":["e"],)" + queue + "}]}");
}

TEST(ReadScenario, scheduling_policies_have_the_members_of_the_api) {
  EXPECT_TRUE(
      with_queue(R"("schedulingPolicy":{"fairsharePolicy":{"shareDecaySeconds":60,"computeReservation":5,
    "shareDistribution":[{"shareIdentifier":"a","weightFactor":0.5},{"shareIdentifier":"b","weightFactor":2}]}})"));
  EXPECT_TRUE(with_queue(R"("schedulingPolicy":{})")) << "as the API takes it";
  for (const auto& [policy, fault] : std::vector<std::pair<std::string, std::string>>{
           {R"("fifo")", "must be an object"},
           {R"({"fairshare":{}})", "fairshare: is not known"},
           {R"({"fairsharePolicy":5})", "fairsharePolicy: must be an object"},
           {R"({"fairsharePolicy":{"shareDistribution":"x"}})",
            "fairsharePolicy: shareDistribution: must be a list"},
           {R"({"fairsharePolicy":{"shareDistribution":["x"]}})",
            "fairsharePolicy: shareDistribution[0]: must be an object"},
           {R"({"fairsharePolicy":{"shareDistribution":[{"shareIdentifier":"a","weight":2}]}})",
            "shareDistribution[0]: weight: is not known"},
           {R"({"fairsharePolicy":{"shareDistribution":[{"shareIdentifier":7}]}})",
            "shareDistribution[0]: shareIdentifier: must be text"},
           {R"({"fairsharePolicy":{"shareDistribution":[{"shareIdentifier":"a","weightFactor":"x"}]}})",
            "shareDistribution[0]: weightFactor: must be a number"},
           {R"({"fairsharePolicy":{"shareDecaySeconds":"x"}})", "shareDecaySeconds: must be a whole number"},
           {R"({"fairsharePolicy":{"shareDecay":1}})", "fairsharePolicy: shareDecay: is not known"},
           {R"({"quotaSharePolicy":{"idleResourceAssignmentStrategy":7}})",
            "quotaSharePolicy: idleResourceAssignmentStrategy: must be text"}}) {
    const auto refused = with_queue(R"("schedulingPolicy":)" + policy);
    ASSERT_FALSE(refused) << policy;
    EXPECT_TRUE(refused.error().message.starts_with("queues[0]: schedulingPolicy: "))
        << refused.error().message;
    EXPECT_NE(refused.error().message.find(fault), std::string::npos) << refused.error().message;
  }
  const auto without =
      with_queue(R"("schedulingPolicy":{"quotaSharePolicy":{"idleResourceAssignmentStrategy":"FIFO"}})");
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("queues[0]: quotaShares: must be given"), std::string::npos);
}

TEST(ReadScenario, each_tenant_is_a_share_of_its_own) {
  const std::string fair = R"("schedulingPolicy":{"fairsharePolicy":{}})";
  EXPECT_TRUE(with_queue(R"("priority":1)", R"(["a-b","ab"])")) << "no shares";
  EXPECT_TRUE(with_queue(fair, R"(["a-b","b-a"])"));
  const auto refused = with_queue(fair, R"(["a-b","ab"])");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("jobs: tenants a-b and ab would be one share in queue default, ab"),
            std::string::npos)
      << refused.error().message;
  EXPECT_FALSE(with_queue(fair, R"(["-","all"])"));
}

TEST(LoadWorkload, tenants_of_traces_have_shares_too) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/teams.csv")
      << "timestamp,duration,num_gpus,cluster\n2017-10-09 07:01:55,66,1,a-b\n"
         "2017-10-09 07:01:56,66,1,ab\n";
  const auto fault = [&](const std::string& queue) {
    const auto scenario = read(
        R"({"name":"n","jobs":[{"trace":"philly","file":"teams.csv"}],"environments":[)" +
        std::string(kEnvironment) + R"(],"queues":[{"name":"default","environments":["e"],)" + queue + "}]}");
    EXPECT_TRUE(scenario) << scenario.error().message;
    Rng rng(1);
    const auto workload = load_workload(*scenario, folder, rng);
    return workload ? "" : workload.error().message;
  };
  const auto quota = [](const std::string& name) {
    return R"({"quotaShareName":")" + name +
           R"(","capacityLimits":[{"maxCapacity":4,"capacityUnit":"GPU"}]})";
  };
  EXPECT_EQ(fault(R"("priority":1)"), "");
  EXPECT_EQ(fault(R"("quotaShares":[)" + quota("a-b") + "," + quota("ab") + "]"), "");
  EXPECT_EQ(fault(R"("quotaShares":[)" + quota("ab") + "]"),
            "jobs: tenant a-b has no quota share in queue default");
  EXPECT_NE(
      fault(R"("schedulingPolicy":{"fairsharePolicy":{}})").find("tenants a-b and ab would be one share"),
      std::string::npos);
}

TEST(LoadWorkload, what_is_missing_is_named_with_its_place) {
  const auto fault = [](const std::string& source) {
    const auto scenario = read(with(kTrace + "," + source));
    EXPECT_TRUE(scenario) << scenario.error().message;
    Rng rng(1);
    std::ofstream(::testing::TempDir() + "/x.csv") << "job_id,submission_time,duration,num_gpu\na,0,60,4\n";
    const auto workload = load_workload(*scenario, ::testing::TempDir(), rng);
    EXPECT_FALSE(workload);
    EXPECT_EQ(workload.error().code, Code::NotFound);
    return workload ? "" : workload.error().message;
  };
  EXPECT_TRUE(fault(R"({"trace":"itp","file":"none.csv"})").starts_with("jobs[1]: file: ")) << "the second";
  EXPECT_NE(fault(R"({"trace":"gavel","file":"x.csv","throughputs":"none.json"})")
                .find("jobs[1]: x.csv: throughputs: "),
            std::string::npos);
}

TEST(ReadScenario, gpus_are_numbers_or_what_the_api_takes) {
  const auto scenario =
      read(with(R"({"generate":{"gpus":[{"gpus":2},{"gpus":"4"},{"gpus":"0.25"},{"gpus":"3x1g.5gb"},{}]}})",
                kEnvironment, R"(,"days":1)"));
  ASSERT_TRUE(scenario) << scenario.error().message;
  const auto& sizes = scenario->jobs[0].generator->sizes;
  EXPECT_EQ(sizes[0].gpus, core::GpuAmount{.gpus = 2});
  EXPECT_EQ(sizes[1].gpus, core::GpuAmount{.gpus = 4});
  EXPECT_EQ(sizes[2].gpus, core::GpuAmount{.gpu_milli = 250});
  EXPECT_EQ(sizes[3].gpus.mig, "1g.5gb");
  EXPECT_EQ(sizes[3].gpus.mig_devices, 3);
  EXPECT_EQ(sizes[4].gpus, core::GpuAmount{.gpus = 1});
}

TEST(ReadScenario, reads_what_is_given_and_keeps_defaults) {
  const auto scenario =
      read(with(R"({"trace":"itp","file":"a.tar.gz:b.csv","limit":5,"gpusMax":8,"tenant":"t",
    "checkpointSeconds":600,"failuresPerMillionHours":700},
    {"generate":{"jobsPerDay":24.5,"fromHour":9,"toHour":19,"weekend":0.3,"burst":4,"burstGapSeconds":{"uniform":[0,10]},
     "nodes":2,"gpus":[{"gpus":8,"weight":7},{"gpus":4,"weight":2,"nodes":5}],"runSeconds":{"lognormal":{"mean":43200,"sigma":0.6}},
     "tenants":["a","b"],"cpusMilli":2000,"memoryMiB":99}})",
                R"({"name":"e","fleet":{"types":["p4d"],"zones":["z"]},"bootSeconds":{"uniform":[180,360]},
     "pullSeconds":{"lognormal":{"median":480,"sigma":0.5}},"keepsImages":false,"onDemandFailPermille":200,
     "spotModel":{"pricePercent":33,"failPermille":80,"meanSecondsToInterruption":720000},"billing":"hour"})",
                R"(,"days":30,"seed":7,"restartSeconds":780,"story":"s")"));
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->seed, 7U);
  EXPECT_EQ(scenario->length, days(30));
  EXPECT_EQ(scenario->jobs[0].trace->limit, 5);
  EXPECT_EQ(scenario->jobs[0].trace->form.checkpoint, minutes(10));
  const Generator& generator = *scenario->jobs[1].generator;
  EXPECT_EQ(generator.weekend_milli, 300);
  ASSERT_EQ(generator.sizes.size(), 2U);
  EXPECT_EQ(generator.sizes[0].nodes, 2);
  EXPECT_EQ(generator.sizes[1].nodes, 5);
  EXPECT_EQ(generator.run.a.ms, std::llround(43'200'000 / std::exp(0.18)));
  const SimEnvironment& environment = scenario->environments[0];
  EXPECT_EQ(environment.policy->types, (std::vector<std::string>{"p4d.24xlarge"}));
  EXPECT_EQ(environment.billing, cost::kPerHour);
  EXPECT_EQ(environment.spot.price_percent, 33);
  EXPECT_FALSE(environment.keeps_images);
  EXPECT_EQ(scenario->restart, always(minutes(13)));
}

TEST(ReadScenario, names_the_member_that_breaks_a_rule) {
  const std::string good_queue = R"("queues":[{"name":"default","environments":["e"]}])";
  const std::pair<std::string, const char*> rows[] = {
      {R"({})", "jobs: must be a list"},
      {R"([])", "a scenario must be an object"},
      {with("7"), "jobs[0]: must be an object"},
      {with(R"({"generate":7})"), "jobs[0]: generate: must be an object"},
      {with(R"({"generate":{"runSeconds":{"lognormal":{"mean":1,"median":1,"sigma":0}}}})"),
       "jobs[0]: generate: runSeconds: lognormal: median: is not known"},
      {with(R"({"generate":{"runSeconds":{"exponential":7}}})"),
       "runSeconds: exponential: must be an object"},
      {with(R"({"generate":{"runSeconds":{"uniform":[1,2],"exponential":{"mean":1}}}})"),
       "runSeconds: must be seconds, or one of"},
      {with(R"({"generate":{"tenants":["a",7]}})"), "generate: tenants[1]: must be text"},
      {with(R"({"generate":{"jobsPerDay":1000,"weekend":100}})", kEnvironment, R"(,"days":3650)"),
       "jobs: generate: jobsPerDay: in all these days more than 5000000"},
      {with(kTrace, R"({"name":"e","machines":[{"type":"g5.xlarge","count":0}]})"),
       "environments[0]: machines[0]: count: must be"},
      {with(
           kTrace,
           R"({"name":"e","machines":[{"type":"g5.xlarge","count":60000},{"type":"g5.xlarge","count":60000}]})"),
       "environments: have more than 100000 machines"},
      {with(kTrace, R"({"name":"e","machines":[{"type":"q","count":1}]})",
            R"(,"catalogue":{"types":[{"name":"q","vcpus":1,"memoryMiB":1}]})"),
       "environments[0]: machines[0]: type: q has no price in us-east-1"},
      {with(kTrace, R"({"name":"e","spotModel":{"percent":5}})"),
       "environments[0]: spotModel: percent: is not known"},
      {with(kTrace, R"({"name":"e","spotModel":{"prices":[{"afterSeconds":5},{"afterSeconds":5}]}})"),
       "spotModel: prices[1]: afterSeconds: must be later"},
      {with(
           kTrace,
           R"({"name":"e","spotModel":{"prices":[{"afterSeconds":0},{"afterSeconds":50}],"pricesRepeatSeconds":100}})"),
       "spotModel: pricesRepeatSeconds: must be a minute at least for each"},
      {with(kTrace, R"({"name":"e","leftRunning":[]})"), "environments[0]: leftRunning: must be an object"},
      {with(kTrace, std::string(kEnvironment) + "," + kEnvironment),
       "environments[0]: name: e is there twice"},
      {with(kTrace, kEnvironment, R"(,"catalogue":{"prises":[]})"), "catalogue: prises: is not known"},
      {with(kTrace, kEnvironment, R"(,"catalogue":{"prices":7})"), "catalogue: prices: must be a list"},
      {with(R"({})"), "jobs[0]: trace: must be given, or generate"},
      {with(R"({"trace":"csv","file":"x"})"), "jobs[0]: trace: must be itp"},
      {with(R"({"trace":"itp"})"), "jobs[0]: file: must name"},
      {with(R"({"trace":"itp","file":"../x"})"), "file: must lie below"},
      {with(R"({"trace":"itp","file":"/x"})"), "file: must lie below"},
      {with(R"({"trace":"itp","file":"x","colour":1})"), "jobs[0]: colour: is not known"},
      {with(R"({"trace":"itp","file":"x","queue":"q"})"), "there is no queue q"},
      {with(R"({"generate":{}})"), "days: must be given"},
      {with(R"({"generate":{"fromHour":9,"toHour":9}})"), "jobs[0]: generate: toHour: must be after"},
      {with(R"({"generate":{"runSeconds":-1}})"), "runSeconds: must be a number"},
      {with(R"({"generate":{"tags":{"stoker:spot":"maybe"}}})"),
       "jobs[0]: generate: tags: stoker:spot must be"},
      {with(R"({"trace":"itp","file":"x","image":"train"})"), "jobs[0]: image: must be an object"},
      {with(R"({"trace":"itp","file":"x","image":{"mib":8}})"), "jobs[0]: image: name: must be given"},
      {with(R"({"trace":"itp","file":"x","image":{"name":"a","mib":0}})"),
       "jobs[0]: image: mib: must be a whole"},
      {with(R"({"trace":"itp","file":"x","image":{"name":"a","mib":8}})"),
       "jobs: image: mib: no environment has pullMiBPerSecond"},
      {with(
           R"({"trace":"itp","file":"x","image":{"name":"a","mib":8}},{"trace":"itp","file":"x","image":{"name":"a"}})"),
       "jobs[1]: image: mib: a has another size"},
      {with(R"({"trace":"itp","file":"x","image":{"name":"a"}})", R"({"name":"e","pullMiBPerSecond":10})"),
       "environments[0]: pullMiBPerSecond: no image of the jobs has its mib"},
      {with(kTrace, R"({"name":"e","pullMiBPerSecond":0})"),
       "environments[0]: pullMiBPerSecond: must be a whole"},
      {with(R"({"generate":{"gpus":[{"gpus":0.5}]}})"), "generate: gpus[0]: gpus: must be a whole"},
      {with(R"({"generate":{"gpus":[{"gpus":"1.5"}]}})"), "generate: gpus[0]: gpus: must be a whole"},
      {with(R"({"generate":{"gpus":[{"gpus":"2g"}]}})"), "generate: gpus[0]: gpus: must be a whole"},
      {with(R"({"generate":{"gpus":[{"gpus":"100001"}]}})"), "generate: gpus[0]: gpus: must be a whole"},
      {with(R"({"trace":"gavel","file":"x"})"), "jobs[0]: throughputs: must name"},
      {with(R"({"trace":"gavel","file":"x","throughputs":"../y"})"), "throughputs: must lie below"},
      {with(R"({"trace":"itp","file":"x","throughputs":"y"})"), "jobs[0]: throughputs: is not known"},
      {with(kTrace, R"({"name":"e","machines":[{"type":"g5.xlarge","count":2,"racks":3}]})"),
       "machines[0]: racks: must not be more than count"},
      {with(kTrace, R"({"name":"e","machines":[{"type":"g5.xlarge","count":2,"racks":0}]})"),
       "machines[0]: racks: must be a whole"},
      {with(kTrace, R"({"name":"e","machines":[{"type":"g5.xlarge","count":2}],"mig":true})"),
       "environments[0]: mig: none of its machines"},
      {with(kTrace, R"({"name":"e","fleet":{"types":["p4d"],"zones":["a"]},"mig":true})"),
       "environments[0]: mig: is for machines that are there"},
      {with(kTrace, R"({"name":"e","fleet":{"types":["g5.xlarge"],"zones":["a"],"region":"mars-1"}})"),
       "environments[0]: fleet: types: g5.xlarge has no price in mars-1"},
      {with(kTrace, kEnvironment, R"(,"name":"a\u0000b")"), "name: must have no control characters"},
      {with(R"({"generate":{"runSeconds":{"normal":1}}})"), "runSeconds: must be seconds, or one of"},
      {with(R"({"generate":{"gpus":[]}})"), "generate: gpus: must not be empty"},
      {with(R"({"generate":{"nodes":0}})"), "jobs[0]: generate: nodes: must be a whole"},
      {with(R"({"generate":{"gpus":[{"gpus":8,"nodes":1001}]}})"),
       "generate: gpus[0]: nodes: must be a whole"},
      {with(R"({"trace":"itp","file":"x","gpusPerNode":-1})"), "jobs[0]: gpusPerNode: must be a whole"},
      {with(R"({"trace":"itp","file":"x","nodes":2})"), "jobs[0]: nodes: is not known"},
      {with(kTrace, R"({"name":"e","machines":[{"type":"x1","count":1}]})"),
       "machines[0]: type: x1 is not in"},
      {with(kTrace, R"({"name":"e","fleet":{"types":["g5"]}})"),
       "environments[0]: fleet: zones: must be a list"},
      {with(kTrace, R"({"name":"e","billing":"day"})"), "billing: must be second or hour"},
      {with(kTrace, R"({"name":"e","idleCost":"me"})"), "idleCost: must be environment or proportional"},
      {with(kTrace, R"({"name":"f"})"), "there is no environment 'e'"},
      {with(kTrace, kEnvironment, R"(,"catalogue":{"types":[{"name":"q"}]})"), "catalogue: types[0]: vcpus"},
      {with(kTrace, kEnvironment, R"(,"seed":-1)"), "seed: must be a whole"},
      {with(kTrace, kEnvironment, R"(,"placement":"tight")"), "placement: is no placement policy"},
      {with(kTrace, kEnvironment, R"(,"extra":1)"), "extra: is not known"},
  };
  for (const auto& [text, fault] : rows) {
    const auto scenario = read(text);
    ASSERT_FALSE(scenario) << text;
    EXPECT_NE(scenario.error().message.find(fault), std::string::npos)
        << text << " said " << scenario.error().message;
  }
}

TEST(ReadScenario, what_the_core_does_not_take_is_named_with_its_place) {
  const auto fault = [](const std::string& environment, const std::string& queue) {
    const auto scenario =
        read(R"({"jobs":[{"trace":"itp","file":"x","queue":"q"}],"environments":[{"name":")" + environment +
             R"("}],"queues":[{"name":"q","environments":[")" + environment + "\"]" + queue + "}]}");
    return scenario ? "" : scenario.error().message;
  };
  EXPECT_EQ(fault("e", R"(,"schedulingPolicy":{"fairsharePolicy":{"shareDecaySeconds":60}})"), "");
  EXPECT_EQ(fault("e", R"(,"schedulingPolicy":{"fairsharePolicy":{"shareDecaySeconds":-1}})"),
            "queues[0]: fairsharePolicy.shareDecaySeconds: must be between 0 and 604800");
  EXPECT_TRUE(fault("no name", "").starts_with("environments[0]: ")) << fault("no name", "");
  EXPECT_TRUE(
      fault(
          "e",
          R"(,"quotaShares":[{"quotaShareName":"no name","capacityLimits":[{"maxCapacity":1,"capacityUnit":"GPU"}]}])")
          .starts_with("queues[0]: "));
}

TEST(LoadWorkload, a_record_of_losses_that_begins_anew_at_once_is_none) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/at_once.csv") << "0,add,a\n0,remove,a\n";
  std::ofstream(folder + "/never.csv") << "0,add,a\n";
  const auto fault = [&](const std::string& file) {
    Scenario scenario =
        read(with(kTrace, R"({"name":"e","spotModel":{"events":")" + file + R"("}})")).value();
    const auto loaded = load_spot_history(scenario, folder);
    return loaded ? "" : loaded.error().message;
  };
  EXPECT_EQ(fault("at_once.csv"),
            "environments[0]: spotModel: events: at_once.csv: is shorter than a minute, and begins anew "
            "after its end");
  EXPECT_EQ(fault("never.csv"), "environments[0]: spotModel: events: never.csv: has no losses");
}

TEST(LoadWorkload, splits_jobs_that_need_more_than_a_machine_has) {
  std::ofstream(::testing::TempDir() + "/wide.csv")
      << "job_id,submission_time,duration,num_gpu\na,0,60,4\nb,1,60,8\nc,2,60,9\nd,3,60,0\n";
  const auto nodes = [](const std::string& more, const std::string& environment) {
    const auto scenario =
        read(with(R"({"trace":"itp","file":"wide.csv","cpusMilliPerGpu":500)" + more + "}", environment));
    EXPECT_TRUE(scenario) << scenario.error().message;
    Rng rng(1);
    std::vector<std::pair<std::int64_t, std::int64_t>> shapes;
    const Workload workload = load_workload(*scenario, ::testing::TempDir(), rng).value();
    for (const SimJob& job : workload.jobs) {
      shapes.emplace_back(job.nodes, job.gpus);
      EXPECT_EQ(job.cpus_milli, 500 * std::max<std::int64_t>(1, job.gpus)) << "of a node";
      EXPECT_EQ(job.run, minutes(1));
    }
    return shapes;
  };
  using Shapes = std::vector<std::pair<std::int64_t, std::int64_t>>;
  const std::string mixed = R"({"name":"e","machines":[{"type":"g5.xlarge","count":9}],
    "fleet":{"types":["g5.12xlarge"],"zones":["a"]}})";
  EXPECT_EQ(nodes("", mixed), (Shapes{{1, 4}, {2, 4}, {3, 3}, {1, 0}})) << "the largest that may be launched";
  EXPECT_EQ(nodes("", kEnvironment), (Shapes{{4, 1}, {8, 1}, {9, 1}, {1, 0}}));
  EXPECT_EQ(nodes(R"(,"gpusPerNode":8)", mixed), (Shapes{{1, 4}, {1, 8}, {2, 5}, {1, 0}})) << "rounded up";
  EXPECT_EQ(nodes(R"(,"gpusMax":8)", mixed), (Shapes{{1, 4}, {2, 4}, {1, 0}})) << "of the whole job";
  EXPECT_EQ(nodes("", R"({"name":"e"})"), (Shapes{{1, 4}, {1, 8}, {1, 9}, {1, 0}})) << "no GPU anywhere";
}

TEST(Draw, has_the_mean_and_spread_it_promises) {
  Rng rng(1);
  const auto mean = [&](const Draw& one) {
    double sum = 0;
    for (int i = 0; i < 20'000; ++i) sum += static_cast<double>(draw(one, rng).ms);
    return sum / 20'000;
  };
  EXPECT_NEAR(mean({DrawKind::Uniform, seconds(10), seconds(30), 0}), 20'000, 200);
  EXPECT_NEAR(mean({DrawKind::Exponential, seconds(100), {}, 0}), 100'000, 3000);
  EXPECT_NEAR(mean(read_draw(json::parse(R"({"lognormal":{"mean":100,"sigma":0.6}})").value()).value()),
              100'000, 3000);
  EXPECT_EQ(draw(always(seconds(5)), rng), seconds(5));
  EXPECT_EQ(draw({DrawKind::Exponential, kDrawMax, {}, 0}, rng) <= kDrawMax, true);
}

TEST(Generate, gives_as_many_as_asked_at_the_hours_asked) {
  Generator generator;
  generator.jobs_per_day = 40;
  generator.from_hour = 9;
  generator.to_hour = 17;
  generator.weekend_milli = 0;
  generator.burst = 4;
  generator.tenants = {"a", "b"};
  Rng rng(3);
  const auto jobs = generate(generator, days(350), rng);
  EXPECT_NEAR(static_cast<double>(jobs.size()) / 250, 40, 2);
  for (const SimJob& job : jobs) {
    const std::int64_t day = job.submit.ms / days(1).ms;
    const std::int64_t hour = job.submit.ms % days(1).ms / hours(1).ms;
    ASSERT_TRUE(day % 7 < 5 && hour >= 9 && hour < 17) << day << " " << hour;
  }
  Rng again(3);
  EXPECT_EQ(jobs, generate(generator, days(350), again));
}

}  // namespace
}  // namespace stoker::sim
