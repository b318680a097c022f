// Who pays for machines while nobody uses them, and for what MIG devices are.
#include <gtest/gtest.h>

#include "core/provision/costs.h"
#include "core/testing/costs.h"
#include "core/testing/fake_cloud.h"

namespace stoker::core {
namespace {

using testing::Driver;
using testing::FakeCloud;
using Phase = FakeCloud::Phase;

// On g5.xlarge, at 1.006 USD an hour.
struct Attribution : ::testing::Test {
  Driver d{FakeCloud::settings()};
  FakeCloud cloud{d};

  Attribution() {
    d.now = Instant{1'767'571'200'000};  // midnight in UTC
    d.define("gpu", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
  }
  void TearDown() override {
    d.check();
    EXPECT_EQ(testing::fault_in_costs(d.state()), "");
  }

  void create(const std::string& window, const std::string& more = "") {
    cloud.create(more, {{"stoker:warm-window", window}}, "EC2", R"("g5.xlarge")");
    for (const char* name : {"team", "other"}) {
      CreateQuotaShare request{.name = name, .queue = "default"};
      request.limits = {{.max = 4, .given = "GPU", .unit = {}}};
      EXPECT_TRUE(d.ask(request));
    }
  }
  Uuid submit(const std::string& share) {
    const Uuid id = d.submit("j", "gpu", 0, {}, R"({"shareIdentifier":")" + share + "\"}");
    cloud.absorb();
    return id;
  }
  // It runs an hour, on a machine that is there or comes at once.
  void run(const std::string& share) {
    const Uuid id = submit(share);
    cloud.boot_all();
    d.start(id);
    wait(hours(1));
    d.finish(id, 0);
  }
  void wait(Duration time) {
    d.advance(time);
    cloud.absorb();
  }
  void crash() {
    d.crash();
    d.event(TimerFired{});
    cloud.absorb();
    for (const std::string& name : cloud.in(Phase::Ready)) cloud.hello(name);
  }
  // "environment 1.006000, default/team 2.012000", of one kind, by payer.
  std::string paid(cost::Kind kind) {
    std::map<std::string, Money> sums;
    for (const CostRow& row : cost_rows(d.state(), {}, d.now + days(1), d.now)) {
      const auto& [queue, share] = row.key.payer;
      sums[queue.empty() ? "environment" : queue + "/" + share] +=
          row.sums.billed[static_cast<std::size_t>(kind)];
    }
    std::string text;
    for (const auto& [payer, sum] : sums)
      if (sum != Money{}) text += (text.empty() ? "" : ", ") + payer + " " + to_text(sum);
    return text;
  }
  std::string idle() { return paid(cost::Kind::Idle); }
};

TEST_F(Attribution, a_machine_that_served_nobody_is_waste_of_whoever_asked_for_it) {
  create("1h");
  const Uuid id = submit("team");
  const std::string name = cloud.in(Phase::Asked)[0];
  cloud.running(name);
  wait(minutes(4));
  EXPECT_EQ(paid(cost::Kind::WarmUp), "default/team 0.067067") << "it may serve somebody yet";
  EXPECT_TRUE(d.ask(TerminateJob{id, -1, "not wanted any more"}));
  cloud.hello(name);
  wait(minutes(30));
  crash();
  wait(minutes(30));
  cloud.gone(name);
  EXPECT_EQ(paid(cost::Kind::Waste), "default/team 0.067067");
  EXPECT_EQ(idle(), "default/team 1.006000") << "it waited for more of the kind";
}

TEST_F(Attribution, a_machine_whose_record_does_not_say_who_asked_is_its_environments) {
  create("1h");
  submit("team");
  cloud.running(cloud.in(Phase::Asked)[0]);
  wait(minutes(4));
  Records older;
  for (DocumentRecord record : d.store().all().documents) {
    if (record.kind != DocumentKind::LaunchedNode) continue;
    json::Value body = json::parse(record.body).value();
    EXPECT_EQ(body.as_object().erase("asked_by"), 1U);
    record.body = json::write(body);
    older.documents.push_back(std::move(record));
  }
  d.store().commit(older);
  crash();
  EXPECT_EQ(paid(cost::Kind::WarmUp), "environment 0.067067");
}

TEST_F(Attribution, an_idle_machine_is_paid_by_whoever_used_it_last) {
  create("2d");
  run("team");
  wait(hours(1));
  EXPECT_EQ(idle(), "default/team 1.006000");
  wait(hours(30));
  crash();
  EXPECT_EQ(idle(), "default/team 31.186000") << "31 hours, beyond the accounts of a day and a crash";
  run("other");
  wait(hours(1));
  EXPECT_EQ(idle(), "default/other 1.006000, default/team 31.186000");
  wait(hours(47));
  cloud.end_retired();
  EXPECT_TRUE(d.state().launched.empty());
  EXPECT_EQ(idle(), "default/other 48.288000, default/team 31.186000") << "its window of 48 hours";
}

TEST_F(Attribution, what_the_minimum_keeps_the_environment_pays_and_nobody_else) {
  create("1h", R"(,"minvCpus":4)");
  wait(seconds(10));
  cloud.boot_all();
  wait(hours(1));
  run("team");
  wait(hours(30));
  crash();
  wait(hours(1));
  EXPECT_EQ(idle(), "environment 32.192000") << "32 hours";
  run("other");
  wait(hours(1));
  EXPECT_EQ(idle(), "environment 33.198000");
  // Without the minimum it goes at once, since its window is over. Its end is nobody else's.
  const auto document = json::parse(R"({"computeResources":{"minvCpus":0}})");
  EXPECT_TRUE(d.ask(UpdateComputeEnvironment{"gpu", {}, std::make_shared<const json::Value>(*document)}));
  wait(hours(1));
  cloud.end_retired();
  EXPECT_TRUE(d.state().launched.empty());
  EXPECT_EQ(idle(), "environment 34.204000");
}

TEST_F(Attribution, of_two_machines_a_minimum_for_one_keeps_one) {
  create("2h", R"(,"minvCpus":4)");
  wait(seconds(10));
  cloud.boot_all();
  const Uuid first = submit("team");
  const Uuid second = submit("team");
  wait(seconds(10));
  cloud.boot_all();
  for (const Uuid& id : {first, second}) d.start(id);
  wait(hours(1));
  d.finish(first, 0);
  wait(minutes(30));
  // Whoever is left running is enough for the minimum, so the other is in its window.
  EXPECT_EQ(idle().substr(0, 21), "default/team 0.503000");
  d.finish(second, 0);
  wait(hours(1));
  EXPECT_EQ(cloud.in(Phase::Ready).size(), 2U);
  const std::string both = idle();
  EXPECT_NE(both.find("default/team 1.50"), std::string::npos) << both << ": the first goes on in its window";
  EXPECT_NE(both.find("environment 1.00"), std::string::npos) << both << ": the second stays";
}

TEST_F(Attribution, those_who_run_on_a_machine_pay_for_what_is_idle_beside_them_where_it_says_so) {
  cloud.create("", {}, "EC2", R"("g5.12xlarge")");
  const Uuid id = d.submit("j", "gpu");
  cloud.absorb();
  cloud.boot_all();
  d.start(id);
  wait(hours(1));
  EXPECT_EQ(idle(), "environment 4.254000") << "three quarters of 5.672 USD";
  const auto pays = [&](const std::string& who) {
    EXPECT_TRUE(
        d.ask(TagResource{{ResourceKind::ComputeEnvironment, "gpu", 0}, {{"stoker:idle-cost", who}}}));
    return idle();
  };
  EXPECT_EQ(pays("proportional"), "default/ 4.254000");
  const cost::Totals of_job = cost_of_job(d.state(), d.job(id), d.now);
  EXPECT_EQ(to_text(of_job.of(cost::Kind::Idle)), "4.254000");
  EXPECT_EQ(to_text(of_job.of(cost::Kind::Work)), "1.418000") << "its work costs what it did";
  EXPECT_EQ(pays("environment"), "environment 4.254000");
  EXPECT_FALSE(
      d.ask(TagResource{{ResourceKind::ComputeEnvironment, "gpu", 0}, {{"stoker:idle-cost", "me"}}}));
  EXPECT_EQ(pays("proportional"), "default/ 4.254000");
  wait(hours(24));  // the account of a day
  EXPECT_EQ(idle(), "default/ 106.350000");
}

TEST_F(Attribution, a_replacement_is_asked_for_by_the_runs_that_lose_their_machine) {
  create("1h");
  const Uuid id = submit("team");
  cloud.boot_all();
  d.start(id);
  d.event(InterruptionNotice{cloud.in(Phase::Ready)[0], d.now + minutes(2)});
  wait(seconds(10));
  const std::string replacement = cloud.in(Phase::Asked).at(0);
  EXPECT_EQ(d.state().launched.at(replacement).asked_by, (CostPayer{"default", "team"}));
}

struct MigCase {
  const char* profile;
  const char* model;
  std::int64_t memory_mib;
  const char* work;  // in an hour, on a machine at 8 USD with one GPU
};

TEST(AttributionOfMig, a_device_counts_as_its_part_of_the_memory) {
  for (const MigCase& one : {MigCase{"2g.20gb", "NVIDIA A100-SXM4-80GB", 81'920, "2.000000"},
                             MigCase{"3g.40gb", "NVIDIA A100-SXM4-80GB", 81'920, "4.000000"},
                             MigCase{"1g.10gb", "NVIDIA A100-SXM4-80GB", 81'920, "1.000000"},
                             MigCase{"1g.10gb", "NVIDIA A100-SXM4-40GB", 40'960, "2.000000"},
                             MigCase{"2x1g.20gb", "NVIDIA H100 80GB HBM3", 81'559, "4.000000"},
                             MigCase{"1g.6gb", "NVIDIA A30", 24'576, "2.000000"}}) {
    Settings settings;
    settings.node_price = dollars(8);
    Driver d(settings);
    Node node =
        Driver::a_node("n", {.cpus_milli = 8000, .memory_mib = 8000, .gpus = 1}, one.model, one.memory_mib);
    node.gpus[0].mig = MigMode::Dynamic;
    d.connect(node);
    d.define("mig", {.cpus_milli = 1000, .memory_mib = 100}, "", one.profile);
    const Uuid id = d.submit("j", "mig");
    d.start(id);
    d.advance(hours(1));
    const auto work = [&] { return to_text(cost_of_job(d.state(), d.job(id), d.now).of(cost::Kind::Work)); };
    EXPECT_EQ(work(), one.work) << one.profile << " of " << one.model;
    d.crash();
    EXPECT_EQ(work(), one.work) << one.profile << " of " << one.model << ", from the records";
  }
}

TEST(AttributionOfMig, a_share_of_a_gpu_counts_as_its_share_of_the_memory) {
  Settings settings;
  settings.node_price = dollars(8);
  Driver d(settings);
  d.connect("n", {.cpus_milli = 8000, .memory_mib = 8000, .gpus = 2});
  d.define("share", {.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = 250});
  const Uuid id = d.submit("j", "share");
  d.start(id);
  d.advance(hours(1));
  EXPECT_EQ(to_text(cost_of_job(d.state(), d.job(id), d.now).of(cost::Kind::Work)), "1.000000");
}

}  // namespace
}  // namespace stoker::core
