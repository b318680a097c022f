// What is kept for a job that waits at the head, and what others may use meanwhile.
#include "core/schedule/kept.h"

#include <gtest/gtest.h>

#include "core/schedule/estimate.h"
#include "core/testing/driver.h"

namespace stoker::core {
namespace {

using testing::Driver;

constexpr Resources kNode{.cpus_milli = 4000, .memory_mib = 8000, .gpus = 4};

struct KeptTest : ::testing::Test {
  Driver d;
  void SetUp() override {
    d.connect("n1", kNode);
    d.connect("n2", kNode);
    d.define("gpu1", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    d.define("gpu3", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 3});
    d.define("gpu4", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4});
    d.define("half", {.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = 500});
    d.define("cpu1", {.cpus_milli = 1000, .memory_mib = 100});
    d.define("hour", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1},
             R"("timeout":{"attemptDurationSeconds":3600})");
    d.define("minutes", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1},
             R"("timeout":{"attemptDurationSeconds":600})");
  }
  void TearDown() override { d.check(); }
  std::string node_of(const Uuid& id) {
    const Job& job = d.job(id);
    return is_active(job.status) ? job.extra->attempts.back().node : "";
  }
  const WaitReason& reason(const Uuid& id) { return *find_wait_reason(d.state(), d.job(id)); }
};

TEST_F(KeptTest, one_node_is_kept_and_the_others_go_on) {
  const Uuid a = d.submit("a", "gpu3");
  const Uuid b = d.submit("b", "gpu3");
  EXPECT_NE(node_of(a), node_of(b));
  const Uuid large = d.submit("large", "gpu4");
  const Uuid first = d.submit("s1", "gpu1");
  const Uuid second = d.submit("s2", "gpu1");
  EXPECT_EQ(d.status(first), "STARTING") << "the other node is nobody's";
  EXPECT_EQ(d.status(second), "RUNNABLE") << "the GPU that is left is kept";
  EXPECT_EQ(reason(second).kind, WaitKind::Order);
  EXPECT_EQ(reason(second).behind, d.job(large).no);
  const std::string kept = node_of(first) == "n1" ? "n2" : "n1";
  EXPECT_EQ(reason(second).text, "Waits behind job " + large.str() + ", for which node " + kept +
                                     " of compute environment local is kept");
  d.finish(node_of(a) == kept ? a : b, 0);
  EXPECT_EQ(node_of(large), kept);
}

TEST_F(KeptTest, the_node_is_the_one_that_is_free_first_as_far_as_time_limits_tell) {
  const Uuid endless = d.submit("endless", "gpu3");
  const Uuid hour = d.submit("hour", "hour");
  const Uuid other = d.submit("other", "gpu3");
  d.finish(endless, 0);
  d.advance(seconds(1));
  // Now one node has a job of an hour, the other one without an end.
  ASSERT_NE(node_of(hour), node_of(other));
  const Uuid large = d.submit("large", "gpu4");
  EXPECT_EQ(d.status(large), "RUNNABLE");
  const Uuid first = d.submit("s", "gpu3");
  EXPECT_EQ(d.status(first), "RUNNABLE") << "would keep the large job waiting";
  const Uuid brief = d.submit("brief", "minutes");
  EXPECT_NE(node_of(brief), "");
  const Uuid brief_too = d.submit("brief", "minutes");
  EXPECT_EQ(node_of(brief_too), node_of(hour)) << "it is over before the hour is";
  const Uuid long_too = d.submit("long", "hour");
  EXPECT_EQ(d.status(long_too), "RUNNABLE") << "would end after the job that is there";
}

TEST_F(KeptTest, what_the_large_job_does_not_need_is_for_others_but_only_once) {
  d.event(NodeLost{"n2", "gone"});
  d.submit("a", "gpu1");
  const Uuid large = d.submit("large", "gpu4");
  std::vector<Uuid> small;
  for (int i = 0; i < 4; ++i) small.push_back(d.submit("c", "cpu1"));
  int running = 0;
  for (const Uuid& id : small) running += d.status(id) == "STARTING" ? 1 : 0;
  EXPECT_EQ(running, 3) << "four vCPUs, of which the large job needs one and a has one that it gives back";
  d.finish(d.state().jobs.find(JobNo{1})->id, 0);
  EXPECT_EQ(d.status(large), "STARTING");
}

TEST_F(KeptTest, a_share_of_a_gpu_counts_as_the_whole_beside_a_job_that_waits_for_gpus) {
  d.event(NodeLost{"n2", "gone"});
  const Uuid two = d.submit("two", "gpu3");
  const Uuid waits = d.submit("waits", "gpu3");
  const Uuid half = d.submit("half", "half");
  const Uuid other_half = d.submit("half", "half");
  EXPECT_EQ(d.status(half), "STARTING") << "one GPU is left beside three";
  EXPECT_EQ(d.status(other_half), "RUNNABLE") << "it could go to a second GPU";
  d.finish(two, 0);
  EXPECT_EQ(d.status(waits), "STARTING");
}

TEST_F(KeptTest, the_node_stays_the_same_until_the_job_starts_and_goes_with_it) {
  const Uuid a = d.submit("a", "gpu3");
  const Uuid b = d.submit("b", "gpu3");
  const Uuid large = d.submit("large", "gpu4");
  d.submit("waits", "gpu1");
  const Uuid behind = d.submit("behind", "gpu1");
  const std::string before = reason(behind).text;
  for (int i = 0; i < 3; ++i) d.submit("more", "gpu1");
  EXPECT_EQ(reason(behind).text, before);
  ASSERT_TRUE(d.ask(CancelJob{large, -1, "no"}));
  EXPECT_EQ(d.status(behind), "STARTING");
  d.finish(a, 0);
  d.finish(b, 0);
}

TEST_F(KeptTest, a_job_that_runs_in_its_second_environment_keeps_nothing_in_the_first) {
  CreateComputeEnvironment environment;
  environment.name = "other";
  environment.managed = false;
  environment.uuid = "o";
  environment.document = std::make_shared<const json::Value>(json::Object{});
  ASSERT_TRUE(d.ask(environment));
  UpdateJobQueue update;
  update.name = "default";
  update.environments = {{.order = 1, .environment = "local"}, {.order = 2, .environment = "other"}};
  ASSERT_TRUE(d.ask(update));
  Node node = Driver::a_node("n3", kNode);
  node.environment = "other";
  d.connect(std::move(node));
  d.event(NodeLost{"n2", "gone"});
  d.submit("a", "gpu1");
  const Uuid gate = d.submit("gate", "cpu1");
  const Uuid large = d.submit("large", "gpu4", 0, {testing::on(gate)});
  const Uuid small = d.submit("small", "gpu1", 0, {testing::on(gate)});
  d.finish(gate, 0);  // both in one pass
  EXPECT_EQ(node_of(large), "n3");
  EXPECT_EQ(node_of(small), "n1");
}

// The bound of decision 035: a job at the head starts no later than when all runs of one node have ended that
// ran when it came there. Of definition `large`; others are of `small`, and none has a time limit.
void expect_in_time(Driver& w, std::uint64_t seed, const std::vector<std::string>& small,
                    const std::string& large_definition) {
  Rng rng(seed);
  const auto submit_small = [&] { w.submit("s", small[rng.below(small.size())]); };
  for (int i = 0; i < 30; ++i) submit_small();
  const Uuid large = w.submit("large", large_definition);
  std::map<std::string, std::set<JobNo>> before;
  std::set<JobNo> ended;
  bool at_head = false;
  int turns = 0;
  while (w.status(large) == "RUNNABLE") {
    ASSERT_LT(++turns, 500) << "starved, seed " << seed;
    const Job& waits = w.job(large);
    if (!at_head) {
      at_head = true;
      for (const auto& [key, group] : w.state().waiting.begin()->second)
        at_head = at_head && *group.jobs.first() >= waits.no;
      if (at_head)
        for (const auto& [name, node] : w.state().nodes)
          before[name] = std::set<JobNo>(node.runs.begin(), node.runs.end());
    }
    std::vector<JobNo> runs;
    for (const auto& [name, node] : w.state().nodes)
      runs.insert(runs.end(), node.runs.begin(), node.runs.end());
    const JobNo one = runs[rng.below(runs.size())];
    ended.insert(one);
    w.now = w.now + milliseconds(1);
    w.finish(w.state().jobs.find(one)->id, 0);
    submit_small();
    submit_small();
    if (at_head && std::ranges::all_of(before, [&](const auto& entry) {
          return std::ranges::all_of(entry.second, [&](JobNo no) { return ended.contains(no); });
        })) {
      ASSERT_NE(w.status(large), "RUNNABLE") << "all that ran before it have ended, seed " << seed;
    }
    w.check();
  }
}

TEST(KeptBound, a_large_job_starts_after_at_most_the_runs_of_one_node_whatever_else_comes) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Driver w;
    for (int n = 0; n < 4; ++n) w.connect("n" + std::to_string(n), kNode);
    w.define("gpu1", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1});
    w.define("gpu2", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 2});
    w.define("gpu4", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 4});
    w.define("cpu1", {.cpus_milli = 1000, .memory_mib = 100});
    expect_in_time(w, seed, {"gpu1", "gpu2", "cpu1"}, "gpu4");
  }
}

Node mixed_node(const std::string& name) {
  Node node = Driver::a_node(name, {.cpus_milli = 16'000, .memory_mib = 16'000, .gpus = 4}, "A10G");
  for (const std::size_t i : {0U, 1U}) node.gpus[i].model = "NVIDIA A100-SXM4-80GB";
  return node;
}
void define_for(Driver& d, const std::string& name, const Resources& needs, const std::string& model,
                const std::string& more_json = "") {
  d.define(name, needs, more_json);
  ASSERT_TRUE(d.ask(RegisterJobDefinition{
      name, d.state().find_definition(name)->document, {{"stoker:gpu-models", model}}}));
}

TEST(KeptBound, holds_on_nodes_with_two_kinds_of_gpus) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Driver w;
    for (int n = 0; n < 3; ++n) w.connect(mixed_node("n" + std::to_string(n)));
    constexpr Resources kOne{.cpus_milli = 1000, .memory_mib = 100, .gpus = 1};
    constexpr Resources kHalf{.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = 500};
    for (const std::string model : {"a100", "a10g"}) {
      define_for(w, model, kOne, model);
      define_for(w, "half-" + model, kHalf, model);
    }
    w.define("any", kOne);
    w.define("half", kHalf);
    w.define("cpu1", {.cpus_milli = 1000, .memory_mib = 100});
    Resources both = kOne;
    both.gpus = 2;
    define_for(w, "both", both, "a10g");
    expect_in_time(w, seed, {"a100", "a10g", "half-a100", "half-a10g", "any", "half", "cpu1"}, "both");
  }
}

// Two kinds of GPUs in one machine.
struct MixedNode : KeptTest {
  void SetUp() override {
    d.connect(mixed_node("mixed"));
    constexpr Resources kOne{.cpus_milli = 1000, .memory_mib = 100, .gpus = 1};
    constexpr Resources kTwo{.cpus_milli = 1000, .memory_mib = 100, .gpus = 2};
    for (const std::string model : {"a100", "a10g"}) {
      define_for(d, model, kOne, model);
      for (const std::string limit : {"60", "3600"})
        define_for(d, model + "-" + limit, kOne, model,
                   R"("timeout":{"attemptDurationSeconds":)" + limit + "}");
    }
    define_for(d, "both", kTwo, "a10g");
    d.define("any", kOne);
  }
};

TEST_F(MixedNode, keeps_the_gpus_that_the_head_can_use_and_no_others) {
  d.submit("a", "a10g");
  d.submit("b", "a10g");
  const Uuid head = d.submit("head", "both");
  EXPECT_EQ(
      reason(head).text,
      "Waits for GPU in compute environment local: asks 1 vCPU, 100 MiB, 2 GPU of model a10g; free on node "
      "mixed: 14 vCPU, 15800 MiB, 0 GPU");
  const Uuid other = d.submit("other", "a100");
  EXPECT_EQ(d.status(other), "STARTING") << "the head cannot use what it gets";
  const Uuid unclear = d.submit("unclear", "any");
  EXPECT_EQ(d.status(unclear), "RUNNABLE") << "it could get what the head waits for";
  const Uuid last = d.submit("last", "a100");
  EXPECT_EQ(d.status(last), "STARTING");
}

TEST_F(MixedNode, the_head_starts_when_what_it_can_use_is_free) {
  d.submit("a", "a10g-3600");
  d.submit("b", "a10g-3600");
  d.submit("head", "a10g");
  const Uuid brief = d.submit("brief", "a10g-60");
  EXPECT_EQ(d.status(brief), "RUNNABLE");
  // Short enough for what the head waits for, whatever it gets.
  d.define("any-brief", {.cpus_milli = 1000, .memory_mib = 100, .gpus = 1},
           R"("timeout":{"attemptDurationSeconds":60})");
  const Uuid any = d.submit("any", "any-brief");
  EXPECT_EQ(d.status(any), "STARTING") << "it is over before the head can start";
}

TEST(Estimate, counts_parts_of_gpus_as_whole_ones) {
  EXPECT_EQ(in_whole_gpus({.gpus = 1, .gpu_milli = 1}), (Resources{.gpus = 2}));
  EXPECT_EQ(in_whole_gpus({.gpu_milli = 500}), (Resources{.gpus = 1}));
  EXPECT_EQ(in_whole_gpus({.cpus_milli = 5, .gpus = 3}), (Resources{.cpus_milli = 5, .gpus = 3}));
}

}  // namespace
}  // namespace stoker::core
