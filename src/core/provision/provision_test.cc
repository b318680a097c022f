// What becomes of waiting jobs in a MANAGED environment, told by a cloud that does as it is told.
#include <gtest/gtest.h>

#include "base/text.h"
#include "core/provision/costs.h"
#include "core/provision/focus_days.h"
#include "core/provision/progress.h"
#include "core/schedule/preempt/preempt.h"
#include "core/testing/fake_cloud.h"

namespace stoker::core {
namespace {

using testing::Driver;
using testing::FakeCloud;
using Phase = FakeCloud::Phase;

struct Provision : ::testing::Test {
  Driver d{FakeCloud::settings()};
  FakeCloud cloud{d};

  Provision() { begin(); }
  void begin() {
    d.now = Instant{1'767'571'200'000};  // a Monday, the 5th of January, midnight in UTC
    d.define("gpu", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
    d.define("four", {.cpus_milli = 4000, .memory_mib = 1000, .gpus = 4});
    d.define("nine", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 9});
  }
  std::vector<Uuid> submit(int count, const std::string& definition = "gpu") {
    std::vector<Uuid> ids;
    for (int i = 0; i < count; ++i) ids.push_back(d.submit("j", definition));
    cloud.absorb();
    return ids;
  }
  Uuid submit_with(Tags tags, const std::string& definition = "gpu") {
    SubmitJob request;
    request.id = Uuid::from_random(d.ids.next(), d.ids.next());
    request.job_name = "j";
    request.queue = "default";
    request.definition = definition;
    request.tags = std::move(tags);
    EXPECT_TRUE(d.ask(request));
    cloud.absorb();
    return request.id;
  }
  void share(const std::string& name, std::vector<CapacityLimit> limits,
             QuotaSharing::Strategy strategy = QuotaSharing::Strategy::Reserve) {
    CreateQuotaShare request{.name = name, .queue = "default"};
    request.limits = std::move(limits);
    request.sharing.strategy = strategy;
    EXPECT_TRUE(d.ask(request));
  }
  std::vector<Uuid> submit_to(const std::string& share, int count) {
    std::vector<Uuid> ids;
    for (int i = 0; i < count; ++i)
      ids.push_back(d.submit("j", "gpu", 0, {}, R"({"shareIdentifier":")" + share + "\"}"));
    cloud.absorb();
    return ids;
  }
  std::string node_of(const Uuid& id) { return d.job(id).extra->attempts.back().node; }
  void wait(Duration time) {
    d.advance(time);
    cloud.absorb();
  }
  void crash() {
    d.crash();
    for (auto& [name, machine] : cloud.machines) machine.connected = false;
    d.event(TimerFired{});
    cloud.absorb();
  }
  std::string why(const Uuid& id) {
    const Job& job = d.job(id);
    if (job.status != JobStatus::Runnable) return std::string(name_of(job.status));
    return find_wait_reason(d.state(), job)->text;
  }
  const Fleet& fleet() { return d.state().fleets.at("gpu"); }
  void TearDown() override { d.check(); }
};

TEST_F(Provision, launches_what_waiting_jobs_need_and_says_so) {
  cloud.create();
  const auto jobs = submit(2);
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand");
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand");
  EXPECT_EQ(why(jobs[0]),
            "Capacity is being launched in compute environment gpu: 1 x g5.xlarge in a, on-demand, since "
            "2026-01-05T00:00:00Z; 1 x g5.xlarge in b, on-demand, since 2026-01-05T00:00:05Z");
  wait(minutes(4));
  EXPECT_EQ(cloud.machines.size(), 2U) << "nothing is launched twice";
  cloud.boot_all();
  EXPECT_EQ(d.starts.size(), 2U);
  EXPECT_EQ(d.status(jobs[0]), "STARTING");
}

TEST_F(Provision, what_one_pass_may_not_launch_the_next_one_does_without_any_news) {
  cloud.create(R"(,"maxvCpus":2000)", {}, "EC2", R"("g5.xlarge")");
  submit(250);
  for (const int machines : {101, 201, 250}) {  // the first came with the first job
    wait(seconds(5));
    EXPECT_EQ(cloud.vcpus(), machines * 4);
  }
}

TEST_F(Provision, a_machine_goes_when_its_warm_window_is_over) {
  cloud.create("", {{"stoker:warm-window", "10m"}});
  const auto jobs = submit(1);
  cloud.boot_all();
  d.start(jobs[0]);
  d.finish(jobs[0], 0);
  wait(minutes(9));
  EXPECT_EQ(cloud.in(Phase::Ready).size(), 1U);
  const auto more = submit(1);
  EXPECT_EQ(d.status(more[0]), "STARTING") << "the warm one takes it";
  d.start(more[0]);
  d.finish(more[0], 0);
  wait(minutes(11));
  cloud.end_retired();
  EXPECT_EQ(cloud.summary(), "");
  EXPECT_TRUE(d.state().launched.empty());
}

TEST_F(Provision, a_retired_machine_gets_no_runs_even_when_it_still_talks) {
  cloud.create();
  const auto jobs = submit(1);
  cloud.boot_all();
  d.finish(jobs[0], 0);
  wait(seconds(10));  // window 0
  EXPECT_TRUE(cloud.machines.begin()->second.retired);
  const auto more = submit(1);
  EXPECT_EQ(d.status(more[0]), "RUNNABLE");
  wait(seconds(10));
  EXPECT_EQ(cloud.machines.size(), 2U) << "another one is launched for it";
}

TEST_F(Provision, pools_without_capacity_are_parked_and_tried_again) {
  cloud.create();
  const auto jobs = submit(1);
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in b, on-demand");
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.12xlarge in a, on-demand");
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
  wait(seconds(10));
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "");
  EXPECT_EQ(
      why(jobs[0]),
      "CAPACITY:INSUFFICIENT_INSTANCE_CAPACITY - Service cannot fulfill the capacity requested in compute "
      "environment gpu: no pool can be used now; g5.xlarge in a, on-demand is tried again first (no "
      "capacity), at 2026-01-05T00:03:00Z");
  crash();
  EXPECT_EQ(cloud.summary(), "") << "still parked after a restart";
  wait(minutes(3));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand");
}

TEST_F(Provision, a_request_that_is_at_fault_is_not_repeated_until_its_owner_acts) {
  cloud.create();
  const auto jobs = submit(1);
  cloud.fail(cloud.in(Phase::Asked)[0], std::nullopt);
  wait(hours(1));
  EXPECT_EQ(cloud.summary(), "");
  EXPECT_EQ(fleet().complaint, "CLIENT_ERROR - no such image");
  EXPECT_EQ(why(jobs[0]),
            "ACTION_REQUIRED - CE(s) associated with the job queue are invalid. compute environment gpu: "
            "CLIENT_ERROR - no such image");
  EXPECT_TRUE(d.ask(UpdateComputeEnvironment{"gpu", {}, nullptr}));
  wait(seconds(10));
  EXPECT_EQ(cloud.in(Phase::Asked).size(), 1U);
}

TEST_F(Provision, limits_hold_and_say_so) {
  cloud.create();
  const auto jobs = submit(30);
  EXPECT_LE(cloud.vcpus(), 64);
  EXPECT_EQ(why(jobs[0]).substr(0, 29), "Capacity is being launched in");
  wait(minutes(1));
  cloud.boot_all();
  wait(seconds(10));
  EXPECT_LE(cloud.vcpus(), 64);
  EXPECT_EQ(why(jobs.back()).substr(0, 92),
            "maxvCpus or another limit of compute environment gpu reached: the environment is at its limi");
}

TEST_F(Provision, what_no_type_can_hold_never_runs_and_launches_nothing) {
  cloud.create();
  const auto jobs = submit(1, "nine");
  EXPECT_EQ(cloud.summary(), "");
  EXPECT_EQ(why(jobs[0]).substr(0, 45), "MISCONFIGURATION:JOB_RESOURCE_REQUIREMENT - T");
  EXPECT_NE(why(jobs[0]).find("In compute environment gpu: "), std::string::npos);
}

TEST_F(Provision, a_job_beyond_maxvcpus_says_so) {
  cloud.create(R"(,"minvCpus":0)", {}, "EC2", R"("g5.48xlarge")");
  const auto jobs = submit(1);
  EXPECT_EQ(cloud.summary(), "");
  EXPECT_EQ(why(jobs[0]).substr(0, 52), "MISCONFIGURATION:COMPUTE_ENVIRONMENT_MAX_RESOURCE - ");
}

TEST_F(Provision, spot_comes_first_and_on_demand_after_failures) {
  cloud.create("", {{"stoker:spot", "first"}, {"stoker:spot-failures-max", "2"}});
  submit(1);
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, spot");
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in b, spot");
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand");
}

TEST_F(Provision, wishes_about_spot_choose_the_market_and_the_node) {
  cloud.create("", {{"stoker:spot", "first"}});
  SubmitJob request;
  request.id = Uuid::from_random(1, 2);
  request.job_name = "j";
  request.queue = "default";
  request.definition = "gpu";
  request.tags = Tags{{"stoker:spot", "never"}};
  ASSERT_TRUE(d.ask(request));
  cloud.absorb();
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand");
  const auto plain = submit(1);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in a, spot");
  cloud.boot(cloud.in(Phase::Asked)[1]);
  EXPECT_EQ(d.status(plain[0]), "STARTING") << "the spot machine is for whoever may use it";
  EXPECT_EQ(d.status(request.id), "RUNNABLE");
  cloud.boot_all();
  EXPECT_EQ(d.status(request.id), "STARTING");
}

TEST_F(Provision, a_deadline_chooses_spot_while_there_is_time_to_lose_and_on_demand_when_there_is_not) {
  cloud.create("", {{"stoker:spot", "first"}}, "EC2", R"("g5.xlarge")");
  const Uuid patient =
      submit_with({{"stoker:deadline", "3h"}, {"stoker:run-time", "2h"}, {"stoker:checkpoint", "signal"}});
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, spot");
  EXPECT_EQ(deadline_text(d.state(), d.job(patient)),
            "spot: 1 h of slack are left for 2 h of work (use-spot)");
  wait(seconds(5));
  const Uuid hurried =
      submit_with({{"stoker:deadline", "140m"}, {"stoker:run-time", "2h"}, {"stoker:checkpoint", "signal"}});
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in a, spot");
  EXPECT_EQ(deadline_text(d.state(), d.job(hurried)),
            "on-demand: 20 min of slack are left for 2 h of work (safety-net)");
  const Uuid rigid = submit_with({{"stoker:deadline", "4h"}, {"stoker:run-time", "2h"}});
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(),
            "1 g5.xlarge in a, on-demand; 1 g5.xlarge in a, spot; 1 g5.xlarge in b, on-demand")
      << "it keeps nothing, and there is no time to do it twice";
  EXPECT_EQ(d.status(rigid), "RUNNABLE");
}

TEST_F(Provision, a_run_on_spot_whose_slack_is_gone_goes_to_on_demand_when_it_can_go_on_there) {
  cloud.create("", {{"stoker:spot", "first"}, {"stoker:warm-window", "1h"}}, "EC2", R"("g5.xlarge")");
  const auto first = submit(1);
  cloud.boot_all();
  d.finish(first[0], 0);
  // The warm spot machine takes it at once, though ten minutes are too few for another start.
  const Uuid late =
      submit_with({{"stoker:deadline", "130m"}, {"stoker:run-time", "2h"}, {"stoker:checkpoint", "signal"}});
  const std::string spot = node_of(late);
  d.start(late);
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in a, spot");
  EXPECT_TRUE(d.stops.empty()) << "it goes on until the other machine is there";
  wait(minutes(4));
  cloud.boot_all();
  wait(seconds(5));
  ASSERT_EQ(d.stops.size(), 1U);
  EXPECT_EQ(d.status(late), "RUNNING") << "it has its grace";
  const auto others = submit(1);
  EXPECT_EQ(d.status(others[0]), "RUNNABLE") << "the room is kept for it";
  d.check();
  d.finish(late, 0);
  EXPECT_EQ(d.status(late), "STARTING");
  EXPECT_NE(node_of(late), spot);
  const auto& attempts = d.job(late).extra->attempts;
  EXPECT_EQ(attempts[0].status_reason,
            "Moved to node " + node_of(late) +
                ": on-demand: 10 min of slack are left for 1 h 55 min of work (leave-spot)");
  EXPECT_EQ(d.job(late).attempts_counted(), 1) << "it used no attempt";
  EXPECT_EQ(kept_work(d.job(late)), minutes(4) + seconds(10));
}

TEST_F(Provision, a_run_on_on_demand_goes_back_to_spot_when_that_is_cheap_and_safe) {
  cloud.create("", {{"stoker:spot", "first"}}, "EC2", R"("g5.xlarge")");
  const Uuid job =
      submit_with({{"stoker:deadline", "50h"}, {"stoker:run-time", "40h"}, {"stoker:checkpoint", "10m"}});
  for (const char* pool : {"1 g5.xlarge in a, spot", "1 g5.xlarge in b, spot"}) {
    EXPECT_EQ(cloud.summary(), pool);
    cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
    wait(seconds(10));
  }
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand") << "it is behind even progress";
  cloud.boot_all();
  d.start(job);
  const std::string dear = node_of(job);
  wait(minutes(59));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand") << "it has just come there";
  wait(minutes(1));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand; 1 g5.xlarge in a, spot");
  EXPECT_EQ(deadline_text(d.state(), d.job(job)),
            "back to spot: 9 h 59 min of slack are left for 39 h of work (use-spot)");
  EXPECT_TRUE(d.stops.empty()) << "it goes on until the spot machine is there";
  wait(minutes(4));
  cloud.boot_all();
  wait(seconds(5));
  ASSERT_EQ(d.stops.size(), 1U);
  d.finish(job, 0);
  EXPECT_EQ(d.status(job), "STARTING");
  EXPECT_NE(node_of(job), dear);
  EXPECT_EQ(d.job(job).attempts_counted(), 1) << "it used no attempt";
  d.start(job);
  wait(minutes(1));
  cloud.end_retired();
  wait(hours(2));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, spot") << "and stays there";
  EXPECT_EQ(d.stops.size(), 1U);
}

TEST_F(Provision, a_run_stays_on_on_demand_where_going_back_to_spot_does_not_pay) {
  cloud.create("", {{"stoker:spot", "first"}}, "EC2", R"("g5.xlarge","g5.12xlarge")");
  const auto on_demand = [&](Tags tags, const std::string& definition) {
    tags.emplace("stoker:deadline", "50h");
    const Uuid job = submit_with(tags, definition);
    while (d.status(job) == "RUNNABLE") {
      for (const std::string& name : cloud.in(Phase::Asked))
        if (cloud.machines.at(name).pool.market == fleet::Market::Spot)
          cloud.fail(name, fleet::LaunchFailure::Capacity);
        else
          cloud.boot(name);
      wait(seconds(10));
    }
    d.start(job);
    return job;
  };
  on_demand({{"stoker:run-time", "40h"}}, "gpu");
  on_demand({{"stoker:run-time", "49h"}, {"stoker:checkpoint", "10m"}}, "four");
  const std::string before = cloud.summary();
  EXPECT_EQ(before, "1 g5.12xlarge in a, on-demand; 1 g5.xlarge in a, on-demand");
  wait(hours(2));
  EXPECT_EQ(cloud.summary(), before) << "one keeps nothing, the other has no time for an interruption";
  EXPECT_TRUE(d.stops.empty());
}

TEST_F(Provision, a_run_that_keeps_nothing_stays_on_spot) {
  cloud.create("", {{"stoker:spot", "first"}, {"stoker:warm-window", "1h"}}, "EC2", R"("g5.xlarge")");
  const auto first = submit(1);
  cloud.boot_all();
  d.finish(first[0], 0);
  const Uuid rigid = submit_with({{"stoker:deadline", "130m"}, {"stoker:run-time", "2h"}});
  d.start(rigid);
  wait(minutes(5));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, spot");
  EXPECT_TRUE(d.stops.empty());
  EXPECT_EQ(deadline_text(d.state(), d.job(rigid)),
            "spot: 10 min of slack are left for 1 h 55 min of work (keep-spot)");
}

TEST_F(Provision, a_run_that_can_go_on_leaves_a_machine_when_EC2_advises_so_and_another_is_there) {
  cloud.create("", {{"stoker:warm-window", "1h"}}, "SPOT", R"("g5.xlarge")");
  const Uuid saves = submit_with({{"stoker:checkpoint", "10m"}});
  wait(seconds(5));
  const Uuid keeps_nothing = submit_with({{"stoker:preemptible", "true"}});
  wait(seconds(5));
  cloud.boot_all();
  d.start(saves);
  d.start(keeps_nothing);
  wait(minutes(25));
  const std::string old = node_of(saves);
  d.event(RebalanceAdvised{old});
  d.event(RebalanceAdvised{node_of(keeps_nothing)});
  wait(seconds(5));
  ASSERT_EQ(cloud.in(Phase::Asked).size(), 1U) << "a replacement for the one that can go on";
  EXPECT_TRUE(d.stops.empty());
  cloud.boot_all();
  wait(seconds(10));
  ASSERT_EQ(d.stops.size(), 1U);
  d.finish(saves, 143);
  EXPECT_EQ(d.status(saves), "STARTING");
  EXPECT_NE(node_of(saves), old);
  EXPECT_EQ(d.job(saves).extra->attempts[0].status_reason,
            "Moved to node " + node_of(saves) + ": EC2 advises to leave node " + old);
  EXPECT_EQ(kept_work(d.job(saves)), minutes(20));
  EXPECT_EQ(d.status(keeps_nothing), "RUNNING");
  wait(seconds(10));
  EXPECT_TRUE(cloud.machines.at(old).retired) << "its last run has left";
}

TEST_F(Provision, a_move_survives_a_crash_between_any_two_steps) {
  constexpr int kSteps = 5;
  for (int killed_after = 0; killed_after < kSteps; ++killed_after)
    for (const bool target_first : {true, false}) {
      SCOPED_TRACE("killed after step " + std::to_string(killed_after) +
                   (target_first ? ", the target says hello first" : ", the target says hello last"));
      d = Driver(FakeCloud::settings());
      cloud.machines.clear();
      begin();
      cloud.create("", {{"stoker:warm-window", "1h"}}, "SPOT", R"("g5.xlarge")");
      CreateJobQueue urgent;
      urgent.name = "urgent";
      urgent.priority = 9;
      urgent.environments = {{.order = 1, .environment = "gpu"}};
      ASSERT_TRUE(d.ask(urgent));
      const Uuid job = submit_with({{"stoker:checkpoint", "10m"}});
      cloud.boot_all();
      d.start(job);
      const std::string from = node_of(job);
      cloud.machines.at(from).runs = {{.token = d.token(job), .started = true}};
      wait(minutes(25));
      std::string target;
      std::optional<Uuid> rival;
      const auto step = [&](int number) {
        switch (number) {
          case 0:  // a replacement is launched
            d.event(RebalanceAdvised{from});
            wait(seconds(5));
            target = cloud.in(Phase::Asked).at(0);
            return;
          case 1:
            cloud.boot(target);
            return;
          case 2:  // the run is told to end
            wait(seconds(10));
            return;
          case 3:  // somebody comes who goes before it
            rival = d.submit("r", "gpu", 0, {}, "", "urgent");
            return;
          default:
            cloud.machines.at(from).runs.clear();
            d.finish(job, 143);
        }
      };
      const auto hello = [&](const std::string& name) {
        if (cloud.machines.at(name).phase == Phase::Ready) cloud.hello(name);
      };
      for (int number = 0; number < kSteps; ++number) {
        if (number == killed_after + 1 && !target_first) {
          hello(from);
          step(number);
          hello(target);
        } else {
          step(number);
        }
        if (number == killed_after) {
          d.check();
          crash();
        }
        if (number == killed_after && (target_first || number + 1 == kSteps)) {
          hello(target);
          hello(from);
        }
        d.check();
        if (number >= killed_after && number < 3) wait(seconds(10));
      }
      EXPECT_EQ(d.status(job), "STARTING");
      EXPECT_EQ(node_of(job), target);
      EXPECT_EQ(moves(d.job(job)), 1);
      EXPECT_EQ(d.job(job).attempts_counted(), 1);
      EXPECT_EQ(d.status(*rival), "RUNNABLE");
    }
}

TEST_F(Provision, room_for_a_moved_job_is_kept_for_a_while_and_no_longer) {
  cloud.create("", {{"stoker:warm-window", "1h"}}, "SPOT", R"("g5.xlarge")");
  const Uuid job = submit_with({{"stoker:checkpoint", "10m"}});
  cloud.boot_all();
  d.start(job);
  d.event(RebalanceAdvised{node_of(job)});
  wait(seconds(5));
  cloud.boot_all();
  wait(seconds(10));
  ASSERT_EQ(d.stops.size(), 1U);
  const std::string target = d.job(job).extra->attempts[0].preempted.node;
  d.event(NodeDisconnected{target});
  d.finish(job, 143);
  EXPECT_EQ(d.status(job), "RUNNABLE");
  EXPECT_EQ(claim_text(d.state(), d.state().claims.at(d.job(job).no)),
            "Room is kept for it on node " + target + ", which is not connected now");
  wait(minutes(9));
  EXPECT_TRUE(d.state().claims.contains(d.job(job).no));
  wait(minutes(2));
  d.define("other", {.cpus_milli = 1000, .memory_mib = 1000});  // any turn
  d.submit("j", "other");
  EXPECT_FALSE(d.state().claims.contains(d.job(job).no));
}

TEST_F(Provision, a_job_that_saves_when_it_is_told_keeps_its_work_when_it_was_told) {
  cloud.create("", {}, "SPOT", R"("g5.xlarge")");
  const Uuid job = submit_with({{"stoker:checkpoint", "signal"}});
  cloud.boot_all();
  d.start(job);
  wait(minutes(20));
  d.event(InterruptionNotice{node_of(job), d.now + minutes(2)});
  wait(minutes(2));
  cloud.gone(node_of(job), true);
  EXPECT_EQ(d.status(job), "RUNNABLE");
  EXPECT_EQ(kept_work(d.job(job)), minutes(20)) << "what it did until the notice";
  wait(seconds(10));
  cloud.boot_all();
  d.start(job);
  wait(minutes(30));
  cloud.gone(node_of(job), true);
  EXPECT_EQ(kept_work(d.job(job)), minutes(20)) << "nobody told it the second time";
  crash();
  EXPECT_EQ(kept_work(d.job(job)), minutes(20)) << "after a restart, too";
}

TEST_F(Provision, what_a_lost_machine_takes_of_a_multi_node_job_is_waste_on_all_of_its_machines) {
  cloud.create("", {{"stoker:warm-window", "3h"}}, "EC2", R"("g5.xlarge")");
  d.define_gang("pair", 2, {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
  const Uuid job = submit(1, "pair")[0];
  wait(seconds(5));
  cloud.boot_all();
  d.start(job, 0);
  d.start(job, 1);
  wait(minutes(30));
  const Job& gang = d.job(job);
  const std::string other = d.job(job, 0).extra->attempts[0].node;
  cloud.gone(d.job(job, 1).extra->attempts[0].node);
  d.finish(job, 143, 0);
  EXPECT_EQ(d.status(job), "RUNNABLE");
  EXPECT_TRUE(gang.extra->attempts[0].lost);
  EXPECT_TRUE(d.job(job, 1).extra->attempts[0].lost);
  EXPECT_FALSE(d.job(job, 0).extra->attempts[0].lost) << "its own machine is there";
  const cost::Totals of_job = cost_of_job(d.state(), gang, d.now);
  EXPECT_EQ(to_text(of_job.of(cost::Kind::Work)), "0.000000");
  EXPECT_EQ(to_text(of_job.of(cost::Kind::Waste)), "1.006000") << "half an hour of two machines";
  crash();
  EXPECT_EQ(to_text(cost_of_job(d.state(), d.job(job), d.now).of(cost::Kind::Waste)), "1.006000");
}

TEST_F(Provision, a_half_free_machine_is_emptied_when_that_saves_more_than_it_costs) {
  cloud.create("", {{"stoker:consolidate-after", "5m"}}, "EC2", R"("p3.8xlarge")");
  std::vector<Uuid> jobs;
  for (int i = 0; i < 6; ++i)
    jobs.push_back(submit_with({{"stoker:checkpoint", "signal"}, {"stoker:run-time", "10h"}}));
  wait(seconds(10));
  cloud.boot_all();
  wait(seconds(5));
  for (const Uuid& id : jobs) d.start(id);
  const std::string first = node_of(jobs[0]);
  const std::string second = node_of(jobs[5]);
  ASSERT_NE(first, second);
  for (const Uuid& id : {jobs[0], jobs[1]}) d.finish(id, 0);
  wait(minutes(6));
  ASSERT_EQ(d.stops.size(), 1U) << "its runs go one after the other";
  EXPECT_EQ(d.stops[0].node, second) << "it has been half free for longer";
  d.finish(jobs[4], 0);
  wait(seconds(5));
  ASSERT_EQ(d.stops.size(), 2U);
  d.finish(jobs[5], 0);
  EXPECT_EQ(node_of(jobs[4]), first);
  EXPECT_EQ(node_of(jobs[5]), first);
  wait(seconds(10));
  EXPECT_TRUE(cloud.machines.at(second).retired);
  EXPECT_EQ(d.job(jobs[5]).extra->attempts[0].status_reason,
            "Moved to node " + first + ": node " + second + " is to go, its runs fit elsewhere");
  EXPECT_EQ(moves(d.job(jobs[5])), 1);
}

TEST_F(Provision, what_a_quota_share_keeps_waiting_launches_nothing) {
  cloud.create("", {}, "EC2", R"("g5.xlarge")");
  share("team", {{.max = 2, .given = "GPU", .unit = {}}}, QuotaSharing::Strategy::LendAndBorrow);
  share("others", {{.max = 1, .given = "GPU", .unit = {}}}, QuotaSharing::Strategy::Lend);
  share("fixed", {{.max = 1, .given = "GPU", .unit = {}}});
  const auto jobs = submit_to("team", 6);
  submit_to("fixed", 3);
  wait(seconds(10));
  EXPECT_EQ(cloud.vcpus(), 4 * 4)
      << "its own two, the one that others lend, and the one of the share that has one";
  cloud.boot_all();
  wait(minutes(1));
  EXPECT_EQ(d.starts.size(), 4U);
  EXPECT_EQ(cloud.machines.size(), 4U);
  EXPECT_EQ(why(jobs[5]).substr(0, 27), "Waits for quota share team:");
}

TEST_F(Provision, a_quota_share_of_machines_chooses_their_type) {
  cloud.create("", {}, "EC2", R"("g5.xlarge","g5.2xlarge","g5.4xlarge")");
  share("team", {{.max = 1, .given = "p5.48xlarge", .unit = {}},
                 {.max = 1, .given = "g5.4xlarge", .unit = {}},
                 {.max = 2, .given = "g5.2xlarge", .unit = {}}});
  submit_to("team", 5);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(),
            "1 g5.2xlarge in a, on-demand; 1 g5.2xlarge in b, on-demand; 1 g5.4xlarge in a, on-demand");
  cloud.boot_all();
  EXPECT_EQ(d.starts.size(), 3U);
  wait(minutes(1));
  EXPECT_EQ(cloud.machines.size(), 3U);
}

TEST_F(Provision, of_several_types_and_models_a_quota_share_gets_the_cheapest_first) {
  cloud.create("", {}, "EC2", R"("g5.12xlarge","g5.xlarge","g6.xlarge")");
  // On g5.12xlarge a GPU costs 1.418 USD an hour, on g5.xlarge 1.006, on g6.xlarge 0.805.
  share("types",
        {{.max = 2, .given = "g5.12xlarge", .unit = {}}, {.max = 1, .given = "g5.xlarge", .unit = {}}});
  submit_to("types", 1);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand") << "though the share names the other one first";
  share("models", {{.max = 4, .given = "A10G", .unit = {}}, {.max = 1, .given = "L4", .unit = {}}});
  submit_to("models", 2);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(),
            "1 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand; 1 g6.xlarge in a, on-demand");
  submit_to("types", 1);
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(),
            "1 g5.12xlarge in a, on-demand; 1 g5.xlarge in a, on-demand; 1 g5.xlarge in b, on-demand; "
            "1 g6.xlarge in a, on-demand");
}

TEST_F(Provision, a_type_that_is_not_to_be_had_now_leaves_a_quota_share_the_dearer_one) {
  cloud.create("", {}, "EC2", R"("g5.xlarge","g6.xlarge")");
  share("types",
        {{.max = 1, .given = "g5.xlarge", .unit = {}}, {.max = 1, .given = "g6.xlarge", .unit = {}}});
  submit_to("types", 1);
  for (int zone = 0; zone < 2; ++zone) {
    EXPECT_EQ(cloud.machines.at(cloud.in(Phase::Asked).at(0)).pool.type, "g6.xlarge");
    cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Capacity);
    wait(seconds(10));
  }
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand");
}

// ---- at a limit of the environment ----

TEST_F(Provision, idle_machines_make_room_at_a_limit_whatever_keeps_them_warm) {
  cloud.create("", {{"stoker:warm-window", "4h"}});
  const auto jobs = submit(5);
  wait(seconds(5));
  cloud.boot_all();
  for (const Uuid& job : jobs) d.finish(job, 0);
  wait(minutes(30));
  ASSERT_EQ(cloud.vcpus(), 20);
  const auto large = submit(1, "four");
  wait(seconds(10));
  EXPECT_EQ(cloud.vcpus(), 20) << "64 are allowed";
  EXPECT_EQ(
      why(large[0]),
      "maxvCpus or another limit of compute environment gpu reached: the environment is at its limit: 20 "
      "of 64 vCPU, 5 of 10000 machines; machines that cannot hold them make room");
  cloud.end_retired();
  wait(seconds(10));
  EXPECT_EQ(cloud.vcpus(), 64) << "four of them stay";
  cloud.boot_all();
  EXPECT_EQ(d.status(large[0]), "STARTING");
}

TEST_F(Provision, who_waits_at_a_limit_is_not_passed_by_lower_queues) {
  cloud.create();
  CreateJobQueue high;
  high.name = "high";
  high.priority = 9;
  high.environments = {{.order = 1, .environment = "gpu"}};
  ASSERT_TRUE(d.ask(high));
  const auto jobs = submit(16);
  wait(seconds(5));
  cloud.boot_all();
  ASSERT_EQ(cloud.vcpus(), 64);
  const auto more = submit(20);
  const Uuid large = d.submit("large", "four", 0, {}, "", "high");
  wait(seconds(10));
  std::size_t draining = 0;
  for (const auto& [name, launched] : d.state().launched) draining += launched.draining ? 1 : 0;
  EXPECT_EQ(draining, 12U) << "as many as leave 48 vCPU";
  for (const Uuid& job : jobs) d.finish(job, 0);
  wait(seconds(10));
  cloud.end_retired();
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.12xlarge in a, on-demand; 4 g5.xlarge in a, on-demand");
  EXPECT_EQ(d.status(more[3]), "STARTING") << "on those that stay";
  EXPECT_EQ(d.status(more[4]), "RUNNABLE");
  cloud.boot_all();
  EXPECT_EQ(d.status(large), "STARTING");
}

TEST_F(Provision, who_waits_at_a_limit_keeps_its_turn_beside_other_limits) {
  cloud.create();
  ASSERT_TRUE(d.ask(TagResource{{ResourceKind::JobQueue, "default", 0}, {{"stoker:max-running", "17"}}}));
  const auto jobs = submit(16);
  wait(seconds(5));
  cloud.boot_all();
  ASSERT_EQ(cloud.vcpus(), 64);
  const auto large = submit(1, "four");
  d.define("other", {.cpus_milli = 1000, .memory_mib = 1001, .gpus = 1});
  submit(4, "other");
  wait(seconds(5));
  d.finish(jobs[0], 0);
  wait(seconds(10));
  cloud.end_retired();
  wait(seconds(10));
  EXPECT_LE(cloud.vcpus(), 60) << "what became free is kept for it";
  EXPECT_EQ(why(large[0]).substr(0, 78),
            "maxvCpus or another limit of compute environment gpu reached: the environment ");
}

TEST_F(Provision, no_room_is_made_where_another_environment_serves) {
  cloud.create("", {{"stoker:warm-window", "4h"}});
  CreateComputeEnvironment more;
  more.name = "more";
  more.uuid = "87654321-1234";
  more.document = std::make_shared<const json::Value>(
      json::parse(R"({"computeResources":{"type":"EC2","maxvCpus":48,"subnets":["sa"],"instanceRole":"r",)"
                  R"("securityGroupIds":["g"],"instanceTypes":["g5.12xlarge"]}})")
          .value());
  ASSERT_TRUE(d.ask(more));
  UpdateJobQueue queue;
  queue.name = "default";
  queue.environments = {{.order = 1, .environment = "gpu"}, {.order = 2, .environment = "more"}};
  ASSERT_TRUE(d.ask(queue));
  cloud.absorb();
  const auto jobs = submit(5);
  wait(seconds(5));
  cloud.boot_all();
  for (const Uuid& job : jobs) d.finish(job, 0);
  wait(seconds(10));
  submit(1, "four");
  wait(seconds(10));
  EXPECT_EQ(cloud.vcpus(), 68) << "the second one launches it";
  for (const auto& [name, machine] : cloud.machines) EXPECT_FALSE(machine.retired) << name;
  const auto second = submit(1, "four");
  wait(seconds(10));
  std::size_t retired = 0;
  for (const auto& [name, machine] : cloud.machines) retired += machine.retired ? 1 : 0;
  EXPECT_EQ(retired, 1U) << "no other is left: the first makes room";
  cloud.end_retired();
  wait(seconds(10));
  EXPECT_EQ(cloud.vcpus(), 16 + 48 + 48);
}

TEST_F(Provision, what_the_limits_can_never_hold_says_so_and_names_the_one_that_binds) {
  cloud.create("", {{"stoker:gpus-max", "2"}}, "EC2", R"("g5.12xlarge")");
  const auto jobs = submit(1);
  EXPECT_EQ(
      why(jobs[0]),
      "MISCONFIGURATION:COMPUTE_ENVIRONMENT_MAX_RESOURCE - CE(s) associated with the job queue cannot meet "
      "the GPU requirement of the job. Machines for it have 4 GPU at least, and the limit of GPUs is 2, in "
      "compute environment gpu");
  EXPECT_EQ(find_wait_reason(d.state(), d.job(jobs[0]))->kind, WaitKind::NeverFits);
}

TEST_F(Provision, a_gang_that_the_limits_can_never_hold_says_so_and_keeps_nobody_waiting) {
  cloud.create();
  d.define_gang("wide", 17, {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
  const auto wide = submit(1, "wide");
  const auto jobs = submit(16);
  EXPECT_EQ(
      why(wide[0]),
      "MISCONFIGURATION:COMPUTE_ENVIRONMENT_MAX_RESOURCE - CE(s) associated with the job queue cannot meet "
      "the CPU requirement of the job. Machines for it have 68 vCPU at least, and the limit of vCPUs "
      "(maxvCpus) is 64, in compute environment gpu");
  wait(seconds(5));
  EXPECT_EQ(cloud.vcpus(), 64);
}

TEST_F(Provision, a_gang_that_lost_a_machine_gets_one_and_keeps_the_others) {
  cloud.create("", {{"stoker:warm-window", "1h"}}, "SPOT", R"("g5.xlarge")");
  d.define_gang("gang", 4, {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
  const Uuid gang = submit(1, "gang")[0];
  wait(seconds(5));
  cloud.boot_all();
  ASSERT_EQ(d.starts.size(), 4U);
  for (int node = 0; node < 4; ++node) d.start(gang, node);
  cloud.gone(d.job(gang, 3).extra->attempts[0].node, true);
  for (int node = 0; node < 3; ++node) d.finish(gang, 143, node);
  ASSERT_EQ(d.status(gang), "RUNNABLE");
  wait(seconds(10));
  EXPECT_EQ(cloud.machines.size(), 5U) << "one more, where there were four";
  cloud.boot_all();
  EXPECT_EQ(d.status(gang), "STARTING");
}

TEST_F(Provision, nodes_that_must_share_a_machine_get_one_that_holds_them_all) {
  cloud.create();
  d.define_gang("three", 3, {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
  submit_with({{"stoker:topology", "node"}}, "three");
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "1 g5.12xlarge in a, on-demand");
  cloud.boot_all();
  EXPECT_EQ(d.starts.size(), 3U);
}

TEST_F(Provision, mig_jobs_get_machines_whose_gpus_are_cut_when_they_start) {
  cloud.create(R"(,"maxvCpus":400)", {}, "EC2", R"("g5.xlarge","p4de.24xlarge")");
  d.define("part", {.cpus_milli = 1000, .memory_mib = 1000}, "", "2g.20gb");
  const auto jobs = submit(24, "part");
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "1 p4de.24xlarge in a, on-demand") << "three on each of eight GPUs";
  crash();
  EXPECT_TRUE(cloud.machines.begin()->second.mig);
  EXPECT_EQ(cloud.machines.size(), 1U);
  cloud.boot_all();
  EXPECT_EQ(d.starts.size(), 24U);
  d.define("whole", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 8});
  submit(1, "whole");
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "1 p4de.24xlarge in a, on-demand; 1 p4de.24xlarge in b, on-demand")
      << "not on GPUs that are cut";
}

TEST_F(Provision, mig_jobs_that_no_type_can_serve_never_run) {
  cloud.create();
  d.define("part", {.cpus_milli = 1000, .memory_mib = 1000}, "", "2g.20gb");
  const auto jobs = submit(1, "part");
  wait(seconds(5));
  EXPECT_EQ(cloud.summary(), "");
  EXPECT_EQ(find_wait_reason(d.state(), d.job(jobs[0]))->kind, WaitKind::NeverFits);
  EXPECT_NE(why(jobs[0]).find("has only GPUs without MIG"), std::string::npos) << why(jobs[0]);
}

TEST_F(Provision, a_wish_for_a_model_of_much_memory_is_served_by_the_type_that_has_it) {
  cloud.create(R"(,"maxvCpus":400)", {}, "EC2", R"("p4d.24xlarge","p4de.24xlarge")");
  const Uuid job = submit_with({{"stoker:gpu-models", "A100-80GB"}});
  EXPECT_EQ(cloud.summary(), "1 p4de.24xlarge in a, on-demand");
  cloud.boot_all();
  EXPECT_EQ(d.status(job), "STARTING");
}

// ---- limits of how many may run at a time: machines come for those who may start, and for no others ----

struct Limited : Provision {
  Limited() {
    d.define("one", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
    cloud.create("", {}, "EC2", R"("g5.xlarge")");
  }
  void tag(ResourceKind kind, const std::string& name, Tags tags) {
    ASSERT_TRUE(d.ask(TagResource{{kind, name, 0}, std::move(tags)}));
  }
  std::size_t launched() {
    for (int i = 0; i < 4; ++i) wait(seconds(5));
    return cloud.machines.size();
  }
  // As many as were launched for can start.
  void expect_all_start() {
    const std::size_t machines = cloud.machines.size();
    cloud.boot_all();
    EXPECT_EQ(d.starts.size(), machines);
    EXPECT_EQ(launched(), machines);
  }
  std::shared_ptr<const json::Value> document(const std::string& definition) {
    return d.state().find_definition(definition)->document;
  }
};

TEST_F(Limited, a_definition_launches_for_as_many_as_may_run) {
  ASSERT_TRUE(d.ask(RegisterJobDefinition{"few", document("one"), {{"stoker:max-running", "2"}}}));
  const auto jobs = submit(6, "few");
  EXPECT_EQ(launched(), 2U);
  expect_all_start();
  EXPECT_EQ(why(jobs[2]).substr(0, 42), "Waits for one of the 2 running jobs of job") << why(jobs[2]);
  d.finish(jobs[0], 0);
  d.finish(jobs[1], 0);
  cloud.absorb();
  EXPECT_EQ(d.status(jobs[3]), "STARTING") << "on the machines there are";
  EXPECT_EQ(launched(), 2U);
}

TEST_F(Limited, a_queue_launches_for_as_many_as_may_run_of_all_its_kinds_of_jobs) {
  d.define("large", {.cpus_milli = 2000, .memory_mib = 1000, .gpus = 1});
  tag(ResourceKind::JobQueue, "default", {{"stoker:max-running", "3"}});
  submit(2);
  const auto large = submit(4, "large");
  EXPECT_EQ(launched(), 3U);
  expect_all_start();
  EXPECT_EQ(d.status(large[0]), "STARTING");
  EXPECT_EQ(d.status(large[1]), "RUNNABLE");
}

TEST_F(Limited, an_array_launches_for_as_many_of_its_children_as_may_run) {
  SubmitJob array;
  array.id = Uuid::from_random(1, 2);
  array.job_name = "array";
  array.queue = "default";
  array.definition = "one";
  array.array_size = 9;
  array.tags = Tags{{"stoker:max-running", "2"}};
  ASSERT_TRUE(d.ask(array));
  submit(1);
  EXPECT_EQ(launched(), 3U);
  expect_all_start();
}

TEST_F(Limited, shares_launch_for_as_many_as_may_run_of_each) {
  ASSERT_TRUE(d.ask(CreateSchedulingPolicy{"policy", nullptr, {{"stoker:max-running:a", "1"}}}));
  CreateJobQueue fair;
  fair.name = "fair";
  fair.environments = {{.order = 1, .environment = "gpu"}};
  fair.scheduling_policy = "policy";
  ASSERT_TRUE(d.ask(fair));
  for (const char* share : {"a", "a", "a", "b", "b"})
    d.submit(share, "one", 0, {}, R"({"shareIdentifier":")" + std::string(share) + "\"}", "fair");
  EXPECT_EQ(launched(), 3U);
  expect_all_start();
}

TEST_F(Limited, a_queue_that_keeps_room_for_other_shares_launches_for_the_rest) {
  // 64 vCPU: 16 machines of one GPU each. Half of them stays free for shares that are not active yet.
  const auto half = json::parse(R"({"fairsharePolicy":{"computeReservation":50}})");
  ASSERT_TRUE(d.ask(CreateSchedulingPolicy{"half", std::make_shared<const json::Value>(*half), {}}));
  CreateJobQueue fair;
  fair.name = "fair";
  fair.environments = {{.order = 1, .environment = "gpu"}};
  fair.scheduling_policy = "half";
  ASSERT_TRUE(d.ask(fair));
  for (int i = 0; i < 12; ++i) d.submit("j", "one", 0, {}, R"({"shareIdentifier":"a"})", "fair");
  EXPECT_EQ(launched(), 8U);
  expect_all_start();
}

TEST_F(Limited, machines_are_launched_for_as_many_as_there_are_licences) {
  ASSERT_TRUE(d.ask(CreateConsumableResource{"licence", 5, true, {}}));
  d.define(
      "two", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1},
      R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"licence","quantity":2}]})");
  d.define(
      "single", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1},
      R"("consumableResourceProperties":{"consumableResourceList":[{"consumableResource":"licence","quantity":1}]})");
  submit(6, "two");
  const auto single = submit(3, "single");
  EXPECT_EQ(launched(), 2U) << "the fifth one waits for a second one, which later jobs do not take from it";
  expect_all_start();
  EXPECT_EQ(d.status(single[0]), "RUNNABLE");
}

TEST_F(Limited, who_can_have_no_machine_keeps_nobody_else_from_one) {
  tag(ResourceKind::JobQueue, "default", {{"stoker:max-running", "2"}});
  const auto never = submit(3, "nine");
  const Uuid spot = submit_with({{"stoker:spot", "only"}}, "one");
  const auto jobs = submit(4);
  EXPECT_EQ(launched(), 2U);
  expect_all_start();
  EXPECT_EQ(d.status(jobs[1]), "STARTING");
  EXPECT_EQ(why(never[0]).substr(0, 16), "MISCONFIGURATION");
  EXPECT_EQ(
      why(spot),
      "No machine is launched for it now: other jobs take all that a limit they share with it allows at a "
      "time");
}

TEST_F(Limited, who_waits_behind_others_for_a_limit_is_told_so) {
  tag(ResourceKind::JobQueue, "default", {{"stoker:max-running", "2"}});
  d.define("large", {.cpus_milli = 2000, .memory_mib = 1000, .gpus = 1});
  submit(3);
  const auto large = submit(1, "large");
  EXPECT_EQ(launched(), 2U);
  EXPECT_EQ(
      why(large[0]),
      "No machine is launched for it now: other jobs take all that a limit they share with it allows at a "
      "time");
}

TEST_F(Limited, a_quota_share_gets_machines_for_those_who_can_have_some) {
  share("team", {{.max = 2, .given = "GPU", .unit = {}}});
  SubmitJob spot;
  spot.id = Uuid::from_random(3, 4);
  spot.job_name = "spot";
  spot.queue = "default";
  spot.definition = "one";
  spot.tags = Tags{{"stoker:spot", "only"}};
  const auto overrides = json::parse(R"({"shareIdentifier":"team"})");
  spot.overrides = std::make_shared<const json::Value>(*overrides);
  spot.array_size = 4;
  ASSERT_TRUE(d.ask(spot));
  const auto jobs = submit_to("team", 4);
  EXPECT_EQ(launched(), 2U);
  expect_all_start();
  EXPECT_EQ(d.status(jobs[1]), "STARTING");
}

TEST_F(Provision, a_crash_between_decision_and_launch_asks_for_the_same_machines_again) {
  cloud.create();
  for (int i = 0; i < 3; ++i) d.submit("j", "gpu");
  d.advance(seconds(10));
  const auto asked = std::exchange(d.launches, {});  // they never arrive
  crash();
  std::size_t names = 0;
  for (const LaunchNodes& launch : asked) names += launch.nodes.size();
  EXPECT_EQ(cloud.machines.size(), names);
  for (const LaunchNodes& launch : asked)
    for (const std::string& name : launch.nodes) EXPECT_TRUE(cloud.machines.contains(name));
  cloud.boot_all();
  EXPECT_EQ(d.starts.size(), 3U);
}

TEST_F(Provision, a_machine_that_nobody_remembers_is_ended) {
  cloud.create();
  Node node = Driver::a_node("gpu-12345678-99", {.cpus_milli = 4000, .memory_mib = 8000, .gpus = 1});
  node.environment = "gpu";
  d.connect(std::move(node));
  EXPECT_EQ(d.retirements.size(), 1U);
  const auto jobs = submit(1);
  EXPECT_EQ(d.status(jobs[0]), "RUNNABLE");
}

TEST_F(Provision, an_interrupted_machine_drains_and_its_replacement_comes_at_once) {
  cloud.create("", {}, "SPOT");
  const auto jobs = submit(1);
  cloud.boot_all();
  d.start(jobs[0]);
  const std::string name = cloud.in(Phase::Ready)[0];
  wait(minutes(1));
  d.event(InterruptionNotice{name, d.now + minutes(2)});
  d.event(InterruptionNotice{name, d.now + minutes(2)});
  wait(seconds(10));
  EXPECT_EQ(cloud.in(Phase::Asked).size(), 1U);
  EXPECT_EQ(cloud.machines.at(cloud.in(Phase::Asked)[0]).pool.zone, "b")
      << "the other pool has lost no machine";
  EXPECT_EQ(fleet().pools.spot_failures(d.now), 0) << "no launch failed";
  EXPECT_TRUE(d.state().nodes.at(name).draining);
  EXPECT_EQ(d.status(jobs[0]), "RUNNING");
  cloud.gone(name, true);
  EXPECT_EQ(d.status(jobs[0]), "RUNNABLE") << "no attempt of its own was used";
}

TEST_F(Provision, where_one_pool_is_all_there_is_the_replacement_comes_from_it_at_once) {
  cloud.create("", {}, "SPOT", R"("g5.xlarge")");
  const auto jobs = submit(1);
  cloud.fail(cloud.in(Phase::Asked)[0], fleet::LaunchFailure::Zone);
  wait(seconds(10));
  cloud.boot_all();
  d.start(jobs[0]);
  const std::string name = cloud.in(Phase::Ready).at(0);
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in b, spot");
  d.event(InterruptionNotice{name, d.now + minutes(2)});
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "2 g5.xlarge in b, spot");
}

TEST_F(Provision, machines_that_never_say_hello_are_given_up_and_tried_again_ever_more_rarely) {
  cloud.create();
  const auto jobs = submit(1);
  const auto run_in_vain = [&](const char* pool) {
    EXPECT_EQ(cloud.summary(), pool);
    const std::string name = cloud.in(Phase::Asked).at(0);
    cloud.launching(name);
    cloud.running(name);
    wait(minutes(20));
    EXPECT_TRUE(cloud.machines.at(name).retired);
    cloud.end_retired();
  };
  run_in_vain("1 g5.xlarge in a, on-demand");
  run_in_vain("1 g5.xlarge in b, on-demand");
  run_in_vain("1 g5.xlarge in a, on-demand");
  int launches = 3;
  for (Instant end = d.now + days(1); d.now < end; wait(minutes(1))) {
    for (const std::string& name : cloud.in(Phase::Asked)) {
      cloud.launching(name);
      cloud.running(name);
      ++launches;
    }
    cloud.end_retired();
  }
  EXPECT_LT(launches, 45) << "without a break there would be 75";
  while (cloud.summary() != "") {
    wait(minutes(1));
    cloud.end_retired();
  }
  EXPECT_NE(why(jobs[0]).find("no agent said hello from its machines"), std::string::npos) << why(jobs[0]);
  ASSERT_TRUE(
      d.ask(UpdateComputeEnvironment{"gpu", true, std::make_shared<const json::Value>(json::Object{})}));
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.xlarge in a, on-demand") << "it may have been put right";
}

TEST_F(Provision, a_silent_machine_is_given_up) {
  cloud.create("", {{"stoker:silent-max", "5m"}, {"stoker:warm-window", "1d"}});
  submit(1);
  cloud.boot_all();
  const std::string name = cloud.in(Phase::Ready)[0];
  d.event(NodeDisconnected{name});
  wait(minutes(6));
  EXPECT_TRUE(cloud.machines.at(name).retired);
}

TEST_F(Provision, a_budget_stops_launches_and_then_the_fleet) {
  cloud.create("",
               {{"stoker:budget", "2"}, {"stoker:budget-stop-fleet", "150"}, {"stoker:warm-window", "1d"}});
  const auto jobs = submit(1);
  cloud.boot_all();
  d.start(jobs[0]);
  wait(hours(2));  // at 1.006 USD an hour
  const auto more = submit(1, "four");
  wait(seconds(10));
  EXPECT_EQ(why(more[0]).substr(0, 52), "Budget of compute environment gpu reached: 2.01 of 2");
  EXPECT_EQ(cloud.machines.size(), 1U);
  wait(hours(1));
  EXPECT_TRUE(d.state().launched.begin()->second.draining) << "what runs gets its grace";
  wait(minutes(11));
  EXPECT_TRUE(cloud.machines.begin()->second.retired);
  cloud.end_retired();
  EXPECT_EQ(fleet().spent.micros / 10'000, 320) << "3 hours and 11 minutes";
  wait(days(27));
  EXPECT_FALSE(cloud.in(Phase::Asked).empty()) << "a new month";
}

TEST_F(Provision, the_minimum_is_kept_and_what_is_desired_is_reached_once) {
  cloud.create(R"(,"minvCpus":4,"desiredvCpus":8)");
  EXPECT_EQ(cloud.vcpus(), 8);
  cloud.boot_all();
  wait(minutes(10));
  cloud.end_retired();
  EXPECT_EQ(cloud.vcpus(), 4);
}

TEST_F(Provision, a_deleted_environment_ends_its_machines) {
  cloud.create(R"(,"minvCpus":4)");
  cloud.boot_all();
  UpdateJobQueue queue;
  queue.name = "default";
  queue.environments = {{.order = 1, .environment = "local"}};
  ASSERT_TRUE(d.ask(queue));
  ASSERT_TRUE(d.ask(UpdateComputeEnvironment{"gpu", false, nullptr}));
  ASSERT_TRUE(d.ask(DeleteComputeEnvironment{"gpu"}));
  cloud.absorb();
  EXPECT_TRUE(cloud.machines.begin()->second.retired);
  d.check();
  cloud.end_retired();
  EXPECT_TRUE(d.state().launched.empty());
  EXPECT_TRUE(d.state().fleets.empty());
}

TEST_F(Provision, what_the_first_environment_cannot_serve_goes_to_the_next) {
  cloud.create("", {}, "EC2", R"("g5.xlarge")");
  CreateComputeEnvironment request;
  request.name = "large";
  request.uuid = "87654321-1234";
  request.document = d.state().environments.at("gpu").document;
  json::Value document = *request.document;
  document.at("computeResources").as_object()["instanceTypes"] = json::Array{"g5.12xlarge"};
  request.document = std::make_shared<const json::Value>(std::move(document));
  ASSERT_TRUE(d.ask(request));
  UpdateJobQueue queue;
  queue.name = "default";
  queue.environments = {{.order = 1, .environment = "gpu"}, {.order = 2, .environment = "large"}};
  ASSERT_TRUE(d.ask(queue));
  const auto small = submit(1);
  const auto large = submit(1, "four");
  wait(seconds(10));
  EXPECT_EQ(cloud.summary(), "1 g5.12xlarge in a, on-demand; 1 g5.xlarge in a, on-demand");
  EXPECT_EQ(why(large[0]).substr(0, 52), "Capacity is being launched in compute environment la");
}

TEST_F(Provision, a_machine_can_serve_once) {
  cloud.create("", {{"stoker:one-run", "true"}, {"stoker:warm-window", "1h"}});
  const auto jobs = submit(1);
  cloud.boot_all();
  d.finish(jobs[0], 0);
  wait(seconds(10));
  EXPECT_TRUE(cloud.machines.begin()->second.retired);
}

TEST_F(Provision, every_second_of_a_machine_is_somebodys_and_the_lines_are_the_bill) {
  cloud.create("", {{"stoker:warm-window", "10m"}}, "EC2", R"("g5.12xlarge")");
  const auto jobs = submit(2);
  const std::string name = cloud.in(Phase::Asked)[0];
  cloud.running(name);
  wait(minutes(4));
  cloud.hello(name);
  for (const Uuid& id : jobs) d.start(id);
  wait(minutes(30));
  const cost::Totals meanwhile = cost_of_job(d.state(), d.job(jobs[0]), d.now);
  EXPECT_EQ(to_text(meanwhile.of(cost::Kind::Work)), "0.709000") << "a quarter of 5.672 USD an hour";
  EXPECT_TRUE(meanwhile.provisional);
  d.finish(jobs[0], 0);
  crash();
  EXPECT_EQ(to_text(cost_of_job(d.state(), d.job(jobs[0]), d.now).of(cost::Kind::Work)), "0.709000");
  cloud.hello(name);
  d.now = d.now + minutes(30);
  d.finish(jobs[1], 0);
  wait(minutes(11));
  cloud.end_retired();
  const Fleet& it = fleet();
  EXPECT_GE(it.billed, cost_of(Money{5'672'000}, minutes(74))) << "4 to boot, 60 of work, 10 warm";
  Money lines;
  for (const Money cost : it.costs) lines += cost;
  EXPECT_EQ(lines, it.billed);
  const auto& first = d.job(jobs[0]).extra->costs;
  EXPECT_EQ(first[static_cast<std::size_t>(cost::Kind::Work)], Money{709'000});
  EXPECT_GT(first[static_cast<std::size_t>(cost::Kind::WarmUp)], Money{}) << "boot is shared by both";
  EXPECT_FALSE(cost_of_job(d.state(), d.job(jobs[0]), d.now).provisional);
}

TEST_F(Provision, a_spot_machine_taken_back_in_its_first_hour_is_free) {
  cloud.create("", {}, "SPOT");
  const auto jobs = submit(1);
  cloud.boot_all();
  d.start(jobs[0]);
  wait(minutes(30));
  cloud.gone(cloud.in(Phase::Ready)[0], true);
  EXPECT_EQ(fleet().billed, Money{});
  const auto& costs = d.job(jobs[0]).extra->costs;
  EXPECT_GT(costs[static_cast<std::size_t>(cost::Kind::Waste)], Money{}) << "it had no checkpoint";
  EXPECT_LT(costs[static_cast<std::size_t>(cost::Kind::Credit)], Money{});
}

TEST_F(Provision, machines_that_stay_are_accounted_for_every_day) {
  cloud.create(R"(,"minvCpus":4)");
  cloud.boot_all();
  const auto jobs = submit(1);
  d.start(jobs[0]);
  wait(hours(25));
  submit(1);
  wait(hours(24));
  EXPECT_GT(fleet().billed, Money{});
  EXPECT_EQ(to_text(cost_of_job(d.state(), d.job(jobs[0]), d.now).sum()), "49.294000")
      << "49 hours at 1.006 USD";
}

std::vector<std::map<std::string, std::string>> read_csv(const std::string& text) {
  std::vector<std::string> titles;
  std::vector<std::map<std::string, std::string>> rows;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto cells = split(line, ',');  // the cells with commas come last, but for x_…
    if (titles.empty()) {
      titles.assign(cells.begin(), cells.end());
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::min(titles.size(), cells.size()); ++i) row[titles[i]] = cells[i];
  }
  return rows;
}

TEST_F(Provision, the_accounts_by_day_are_rows_of_focus) {
  cloud.create("", {{"stoker:warm-window", "1h"}}, "SPOT", R"("g5.xlarge")");
  const auto jobs = submit(1);
  cloud.boot_all();
  d.start(jobs[0]);
  wait(hours(30));  // to six in the morning of the next day
  d.finish(jobs[0], 0);
  const auto billed = [&] {
    std::map<std::string, Money> by_day;
    for (const auto& row : read_csv(focus_csv(cost_rows(d.state(), {}, d.now + days(1), d.now), "us-east-1")))
      by_day[row.at("ChargePeriodStart")] += parse_money(row.at("BilledCost")).value();
    return by_day;
  };
  const auto rows = read_csv(focus_csv(cost_rows(d.state(), {}, d.now + days(1), d.now), "us-east-1"));
  ASSERT_EQ(rows.size(), 2U) << "work of both days; it booted at once";
  EXPECT_EQ(rows[0].at("ChargePeriodStart"), "2026-01-05T00:00:00Z");
  EXPECT_EQ(rows[0].at("ChargePeriodEnd"), "2026-01-06T00:00:00Z");
  EXPECT_EQ(rows[0].at("BillingPeriodStart"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(rows[0].at("ConsumedQuantity"), "24.000000");
  EXPECT_EQ(rows[0].at("ConsumedUnit"), "GPU-Hours");
  EXPECT_EQ(rows[0].at("BilledCost"), "9.900000") << "24 hours at 0.4125 USD";
  EXPECT_EQ(rows[0].at("ListCost"), "24.144000") << "24 hours at 1.006 USD";
  EXPECT_EQ(rows[0].at("PricingCategory"), "Dynamic");
  EXPECT_EQ(rows[0].at("SkuId"), "g5.xlarge");
  EXPECT_EQ(rows[0].at("RegionId"), "us-east-1");
  EXPECT_EQ(rows[1].at("ConsumedQuantity"), "6.000000");
  EXPECT_EQ(rows[1].at("ChargePeriodStart"), "2026-01-06T00:00:00Z");
  const Money all = cost_of_environment(d.state(), "gpu", d.now).sum();
  const auto before = billed();
  EXPECT_EQ(before.at("2026-01-05T00:00:00Z") + before.at("2026-01-06T00:00:00Z"), all);

  // A day that an older program wrote says less, and costs as much.
  Records older;
  for (DocumentRecord record : d.store().all().documents) {
    if (record.kind != DocumentKind::CostDay) continue;
    json::Value body = json::parse(record.body).value();
    for (json::Value& line : body.at("lines").as_array())
      for (const char* member : {"type", "spot", "gpus", "time_ms", "list_micros"})
        line.as_object().erase(member);
    record.body = json::write(body);
    older.documents.push_back(std::move(record));
  }
  ASSERT_EQ(older.documents.size(), 1U);
  d.store().commit(older);
  crash();
  EXPECT_EQ(billed(), before);
}

TEST(ProvisionWithout, a_server_that_launches_nothing_says_so) {
  Driver d;
  FakeCloud cloud(d);
  cloud.create(R"(,"minvCpus":4)");
  d.define("gpu", {.cpus_milli = 1000, .memory_mib = 1000, .gpus = 1});
  const Uuid id = d.submit("j", "gpu");
  EXPECT_TRUE(d.state().fleets.empty());
  EXPECT_EQ(
      d.state().waiting.at(d.job(id).queue).begin()->second.shown().text,
      "Compute environment gpu has no nodes: this server does not launch machines for MANAGED environments "
      "yet");
}

}  // namespace
}  // namespace stoker::core
