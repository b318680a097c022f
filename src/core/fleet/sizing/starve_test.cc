// No job starves: a large job waits first at the limit while small ones without end fill every machine that
// becomes free. It starts within a time that its own environment's longest run bounds.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/fleet/sizing/size.h"
#include "core/fleet/sizing/testing.h"

namespace stoker::fleet {
namespace {

using namespace testing;

constexpr Duration kRunMax = minutes(60);
constexpr Duration kTick = minutes(2);

struct Run {
  std::string node;
  Need need;
  Instant until;
};

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : rng_(seed) {
    policy_ = a_policy();
    policy_.zones = {"a", "b"};
    policy_.limits.vcpus_max = 48 + static_cast<std::int64_t>(rng_.below(100));
    policy_.limits.vcpus_min = rng_.chance(1, 2) ? static_cast<std::int64_t>(rng_.below(48)) : 0;
    if (rng_.chance(1, 2)) policy_.limits.nodes_max = 4 + static_cast<std::int64_t>(rng_.below(8));
    policy_.window.fixed = minutes(static_cast<std::int64_t>(rng_.below(240)));
  }

  void run() {
    for (int jobs = 0; jobs < 12; now_ = now_ + kTick) {
      if (large_.jobs == 0) draw_large();
      end_runs();
      if (place_large()) ++jobs;
      place_small();
      resize();
      // The runs that are there end, what was told to go is gone, what was launched boots; then a run that
      // was placed in between, at the most.
      ASSERT_LE(now_ - large_since_, kRunMax * 2 + policy_.cold.boot + kTick * 6)
          << large_.gang << " x " << describe(large_.need) << ": " << text_;
    }
  }

 private:
  void draw_large() {
    large_ = gpu_jobs(1, rng_.chance(1, 2) ? 4 : 1);
    if (large_.need.gpus == 1) large_.gang = 2 + static_cast<std::int64_t>(rng_.below(3));
    large_since_ = large_.waiting_since = now_;
  }

  void end_runs() {
    std::erase_if(runs_, [&](const Run& run) { return run.until <= now_; });
    for (FleetNode& node : state_.nodes) {
      if (node.phase == NodePhase::Launching && now_ - node.launched_at >= policy_.cold.boot) {
        node.phase = NodePhase::Ready;
        node.ready_at = now_;
        node.runs.clear();
      }
      if (!node.ready_at) continue;
      node.heard_at = now_;
      settle(node);
    }
  }

  void settle(FleetNode& node) {
    node.free = room_of(*catalogue().find(node.pool.type), node.pool.market);
    node.runs.clear();
    for (const Run& run : runs_) {
      if (run.node != node.id) continue;
      take(node.free, run.need, 1);
      node.runs.push_back({.need = run.need, .runs = 1, .left = run.until - now_});
    }
    if (!node.runs.empty())
      node.idle_since = {};
    else if (!node.idle_since)
      node.idle_since = now_;
  }

  void start(FleetNode& node, const Need& need) {
    runs_.push_back({node.id, need, now_ + minutes(1 + static_cast<std::int64_t>(rng_.below(60)))});
    settle(node);
  }

  bool place_large() {
    std::int64_t room = 0;
    for (const FleetNode& node : state_.nodes)
      if (node.phase == NodePhase::Ready) room += slots(node.free, large_.need);
    if (room < large_.gang) return false;
    std::int64_t left = large_.gang;
    for (FleetNode& node : state_.nodes)
      while (left > 0 && node.phase == NodePhase::Ready && slots(node.free, large_.need) > 0) {
        start(node, large_.need);
        --left;
      }
    large_.jobs = 0;
    return true;
  }

  // On all but what the placement pass would keep for the large one: machines that hold it when empty, and
  // those there are while others are under way.
  void place_small() {
    std::int64_t kept = large_.jobs * large_.gang;
    std::int64_t there = 0;
    bool under_way = false;
    const auto when_empty = [&](const FleetNode& node) {
      return slots(room_of(*catalogue().find(node.pool.type), node.pool.market), large_.need);
    };
    for (const FleetNode& node : state_.nodes) {
      if (node.phase == NodePhase::Ready) there += when_empty(node);
      under_way = under_way || node.phase == NodePhase::Launching;
    }
    if (there < kept && !under_way) kept = 0;
    for (FleetNode& node : state_.nodes) {
      if (node.phase != NodePhase::Ready) continue;
      if (kept > 0 && when_empty(node) > 0) {
        kept -= when_empty(node);
        continue;
      }
      while (slots(node.free, small_.need) > 0) start(node, small_.need);
    }
  }

  void resize() {
    std::vector<Demand> demands;
    if (large_.jobs > 0) demands.push_back(large_);
    demands.push_back(small_);
    const Plan plan = size_fleet(catalogue(), policy_, state_, demands, now_);
    text_ = plan.fates[0].text;
    for (const Launch& launch : plan.launches)
      for (std::int64_t i = 0; i < launch.count; ++i) {
        FleetNode node;
        node.id = "n" + std::to_string(next_id_++);
        node.pool = launch.pool;
        node.launched_at = now_;
        node.runs = launch.runs;
        state_.nodes.push_back(node);
      }
    for (const Retire& retire : plan.retirements) {
      const auto node = std::ranges::find(state_.nodes, retire.node, &FleetNode::id);
      ASSERT_NE(node, state_.nodes.end());
      if (retire.drain)
        node->phase = NodePhase::Draining;
      else
        state_.nodes.erase(node);
    }
    std::int64_t vcpus = 0;
    for (const FleetNode& node : state_.nodes) vcpus += catalogue().find(node.pool.type)->vcpus;
    ASSERT_LE(vcpus, policy_.limits.vcpus_max);
    ASSERT_LE(static_cast<std::int64_t>(state_.nodes.size()), policy_.limits.nodes_max);
  }

  Rng rng_;
  FleetPolicy policy_;
  FleetState state_;
  Demand small_ = gpu_jobs(1000);
  Demand large_ = gpu_jobs(0);
  Instant large_since_ = kNow;
  std::vector<Run> runs_;
  Instant now_ = kNow;
  std::uint64_t next_id_ = 1;
  std::string text_;
};

TEST(Starving, nobody_does_who_waits_first_at_a_limit) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Walk(seed).run();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace stoker::fleet
