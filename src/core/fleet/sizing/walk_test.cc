// Seeded walks: a fleet that is sized while jobs come and go, launches fail, machines never join, are lost or
// are to be left. What must hold after every step is checked; in the end everything is done and nothing is
// kept.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/fleet/sizing/size.h"
#include "core/fleet/sizing/testing.h"

namespace stoker::fleet {
namespace {

using namespace testing;

struct Running {
  std::size_t shape;
  std::string node;
  Instant until;
};

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : rng_(seed) {
    const std::vector<std::string> types = {"g5.xlarge", "g5.2xlarge",  "g5.12xlarge",
                                            "g6.xlarge", "g6.12xlarge", "p4d.24xlarge"};
    for (const std::string& type : types)
      if (rng_.chance(1, 2) || type == "g5.12xlarge") policy_.types.push_back(type);
    policy_.zones = {"a", "b", "c"};
    policy_.strategy = static_cast<Strategy>(rng_.below(6));
    policy_.market.use = static_cast<SpotUse>(rng_.below(3));
    policy_.market.wait_max = minutes(number(0, 30));
    policy_.limits = {.vcpus_min = rng_.chance(1, 3) ? number(1, 60) : 0,
                      .vcpus_max = number(60, 600),
                      .gpus_max = rng_.chance(1, 2) ? number(8, 60) : 0,
                      .nodes_max = number(10, 40),
                      .launches_max = number(1, 20)};
    policy_.window.kind = rng_.chance(1, 2) ? WindowKind::Learnt : WindowKind::Fixed;
    policy_.window.fixed = minutes(number(0, 20));
    policy_.patience_milli = rng_.chance(1, 2) ? number(0, 1500) : 0;
    policy_.consolidate = rng_.chance(1, 2);
    calm_after_ = 200;
    for (int i = 0; i < 4; ++i) {
      Demand shape = gpu_jobs(0, number(0, 3));
      if (rng_.chance(1, 4)) {
        shape.need.gpus = 0;
        shape.need.gpu_milli = number(100, 900);
      }
      shape.need.cpus_milli = number(100, 4000);
      shape.run = rng_.chance(1, 2) ? minutes(number(1, 90)) : Duration{};
      shapes_.push_back(shape);
      waiting_.emplace_back();
    }
  }

  void run() {
    for (step_ = 0; step_ < calm_after_ || !done(); ++step_) {
      ASSERT_LT(step_, 20'000) << "it never ends: " << plan_text_;
      step(step_ < calm_after_ ? 120 : 600);
      if (::testing::Test::HasFatalFailure()) return;
    }
    // Longer than the longest window.
    for (const Instant end = now_ + hours(6); now_ < end;) step(600);
    std::int64_t vcpus = 0;
    for (const FleetNode& node : state_.nodes) vcpus += catalogue().find(node.pool.type)->vcpus;
    const std::int64_t slack = policy_.limits.vcpus_min == 0 ? 0 : 96;
    std::string kept;
    for (const FleetNode& node : state_.nodes)
      kept += node.id + " " + node.pool.type + (node.phase == NodePhase::Draining ? " drains" : "") +
              (node.idle_since ? " idle since " + std::to_string((now_ - node.idle_since).ms / 60'000) : "") +
              " min; ";
    ASSERT_LE(vcpus, policy_.limits.vcpus_min + slack) << "kept without need: " << kept;
  }

 private:
  std::int64_t number(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(most - least + 1)));
  }

  [[nodiscard]] bool done() const {
    return running_.empty() && std::ranges::all_of(waiting_, [](const auto& queue) { return queue.empty(); });
  }

  void step(std::int64_t seconds_max) {
    now_ = now_ + seconds(number(1, seconds_max));
    if (step_ < calm_after_) trouble();
    progress();
    place();
    resize();
  }

  void trouble() {
    if (rng_.chance(1, 4))
      for (std::int64_t i = number(1, 6); i > 0; --i) waiting_[rng_.below(waiting_.size())].push_back(now_);
    if (rng_.chance(1, 60) && !state_.nodes.empty()) lose(rng_.below(state_.nodes.size()));
    if (rng_.chance(1, 40) && !state_.nodes.empty()) {
      FleetNode& node = state_.nodes[rng_.below(state_.nodes.size())];
      if (node.pool.market == Market::Spot && node.phase == NodePhase::Ready) node.rebalance = true;
    }
  }

  void lose(std::size_t index) {
    const std::string id = state_.nodes[index].id;
    for (const Running& one : running_)
      if (one.node == id) waiting_[one.shape].push_back(now_);
    std::erase_if(running_, [&](const Running& one) { return one.node == id; });
    state_.nodes.erase(state_.nodes.begin() + static_cast<std::ptrdiff_t>(index));
  }

  FleetNode* find(const std::string& id) {
    const auto found = std::ranges::find(state_.nodes, id, &FleetNode::id);
    return found == state_.nodes.end() ? nullptr : &*found;
  }

  // Machines boot, runs end.
  void progress() {
    for (FleetNode& node : state_.nodes) {
      if (node.phase == NodePhase::Launching && now_ - node.launched_at >= policy_.cold.boot &&
          (step_ >= calm_after_ || !node.id.ends_with("7"))) {
        node.phase = NodePhase::Ready;
        node.ready_at = node.idle_since = now_;
        node.free = room_of(*catalogue().find(node.pool.type));
        node.runs.clear();
        state_.gaps.became_idle(now_);
      }
      if (node.ready_at) node.heard_at = now_;
    }
    std::erase_if(running_, [&](const Running& one) {
      if (one.until > now_) return false;
      FleetNode& node = *find(one.node);
      const Need& need = shapes_[one.shape].need;
      node.free.cpus_milli += need.cpus_milli;
      node.free.memory_mib += need.memory_mib;
      give_back(node, one);
      return true;
    });
  }

  void give_back(FleetNode& node, const Running& ended) {
    for (NodeRuns& runs : node.runs)
      if (runs.need == shapes_[ended.shape].need) --runs.runs;
    std::erase_if(node.runs, [](const NodeRuns& runs) { return runs.runs == 0; });
    // What is left is put on a fresh machine anew: which GPU is whose does not matter here.
    node.free = room_of(*catalogue().find(node.pool.type));
    for (const NodeRuns& runs : node.runs) take(node.free, runs.need, runs.runs);
    note_use(node);
  }

  void note_use(FleetNode& node) {
    if (node.runs.empty() && !node.idle_since) {
      node.idle_since = now_;
      state_.gaps.became_idle(now_);
    }
    if (!node.runs.empty()) node.idle_since = {};
    const InstanceType& type = *catalogue().find(node.pool.type);
    const bool underused = !node.runs.empty() && node.free.cpus_milli * 2 >= type.vcpus * 1000;
    if (!underused)
      node.underused_since = {};
    else if (!node.underused_since)
      node.underused_since = now_;
  }

  // The placement pass of this model: the first machine that has room.
  void place() {
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape)
      while (!waiting_[shape].empty()) {
        const Need& need = shapes_[shape].need;
        const auto fits = [&](const FleetNode& node) {
          return node.phase == NodePhase::Ready && !node.rebalance && slots(node.free, need) > 0;
        };
        const auto node = std::ranges::find_if(state_.nodes, fits);
        if (node == state_.nodes.end()) break;
        waiting_[shape].erase(waiting_[shape].begin());
        if (node->idle_since) state_.gaps.wanted(now_);
        take(node->free, need, 1);
        add_run(*node, need);
        running_.push_back({shape, node->id, now_ + minutes(number(1, 90))});
        note_use(*node);
      }
  }

  void add_run(FleetNode& node, const Need& need) {
    for (NodeRuns& runs : node.runs)
      if (runs.need == need) {
        ++runs.runs;
        return;
      }
    node.runs.push_back({.need = need,
                         .runs = 1,
                         .movable = rng_.chance(1, 2),
                         .redone = minutes(static_cast<std::int64_t>(rng_.below(60))),
                         .left = minutes(static_cast<std::int64_t>(rng_.below(600)))});
  }

  std::vector<Demand> demands() {
    std::vector<Demand> demands;
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape) {
      if (waiting_[shape].empty()) continue;
      Demand demand = shapes_[shape];
      demand.jobs = static_cast<std::int64_t>(waiting_[shape].size());
      demand.waiting_since = waiting_[shape].front();
      demands.push_back(demand);
    }
    return demands;
  }

  void resize() {
    const std::vector<Demand> waiting = demands();
    const Plan plan = size_fleet(catalogue(), policy_, state_, waiting, now_);
    ASSERT_EQ(plan, size_fleet(catalogue(), policy_, state_, waiting, now_)) << "not reproducible";
    check(plan, waiting);
    plan_text_ = plan.fates.empty() ? "" : plan.fates[0].text;
    carry_out(plan);
    check_limits();
    if (::testing::Test::HasFatalFailure()) return;
    // What was just launched is not launched again, nor let go.
    const Plan again = size_fleet(catalogue(), policy_, state_, waiting, now_);
    const bool limited =
        std::ranges::any_of(plan.fates, [](const Fate& fate) { return fate.hold == HoldKind::Limit; });
    // What was let go made room below the limits.
    const bool more_allowed = !plan.retirements.empty() || (limited && launched_ > 0);
    ASSERT_TRUE(more_allowed || again.launches.empty()) << again.launches[0].text;
    for (const Retire& retire : again.retirements) {
      ASSERT_TRUE(find(retire.node)) << retire.node;
      ASSERT_NE(find(retire.node)->launched_at, now_) << name_of(retire.reason);
    }
    refuse_some();
  }

  void check(const Plan& plan, const std::vector<Demand>& waiting) {
    ASSERT_EQ(plan.fates.size(), waiting.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const Fate& fate = plan.fates[i];
      ASSERT_EQ(fate.on_ready + fate.on_launching + fate.on_launches + fate.held, waiting[i].runs());
      ASSERT_EQ(fate.held > 0, fate.hold != HoldKind::None);
      ASSERT_TRUE(fate.held == 0 || !fate.text.empty());
      ASSERT_TRUE(!fate.until || fate.until > now_);
      // Nothing that could serve it is let go for being idle.
      if (fate.on_launches == 0) continue;
      for (const Retire& retire : plan.retirements) {
        const bool idle = retire.reason == RetireReason::IdleLonger;
        ASSERT_TRUE(!idle || slots(find(retire.node)->free, waiting[i].need) == 0) << retire.text;
      }
    }
    ASSERT_TRUE(!plan.look_again || *plan.look_again > now_);
  }

  void carry_out(const Plan& plan) {
    launched_ = 0;
    for (const Launch& launch : plan.launches)
      for (std::int64_t i = 0; i < launch.count; ++i) {
        FleetNode node;
        node.id = "n" + std::to_string(next_id_++);
        node.pool = launch.pool;
        node.launched_at = now_;
        node.runs = launch.runs;
        state_.nodes.push_back(node);
        ++launched_;
      }
    for (const Retire& retire : plan.retirements) {
      FleetNode* node = find(retire.node);
      ASSERT_NE(node, nullptr);
      ASSERT_TRUE(retire.drain || node->runs.empty() || node->phase == NodePhase::Launching)
          << name_of(retire.reason);
      if (retire.drain)
        node->phase = NodePhase::Draining;
      else
        lose(static_cast<std::size_t>(node - state_.nodes.data()));
    }
  }

  void check_limits() {
    std::int64_t vcpus = 0;
    std::int64_t gpus = 0;
    for (const FleetNode& node : state_.nodes) {
      vcpus += catalogue().find(node.pool.type)->vcpus;
      gpus += catalogue().find(node.pool.type)->gpus;
    }
    ASSERT_LE(vcpus, policy_.limits.vcpus_max);
    ASSERT_LE(static_cast<std::int64_t>(state_.nodes.size()), policy_.limits.nodes_max);
    ASSERT_TRUE(policy_.limits.gpus_max == 0 || gpus <= policy_.limits.gpus_max) << gpus;
    ASSERT_LE(static_cast<std::int64_t>(launched_), policy_.limits.launches_max);
  }

  // The engine says no to some of what was just asked for.
  void refuse_some() {
    if (step_ >= calm_after_) return;
    std::erase_if(state_.nodes, [&](const FleetNode& node) {
      if (node.launched_at != now_) return false;
      if (rng_.chance(1, 3)) {
        state_.pools.failed(node.pool, static_cast<LaunchFailure>(rng_.below(4)), now_);
        return true;
      }
      state_.pools.succeeded(node.pool);
      return false;
    });
  }

  Rng rng_;
  FleetPolicy policy_;
  FleetState state_;
  std::vector<Demand> shapes_;
  std::vector<std::vector<Instant>> waiting_;
  std::vector<Running> running_;
  Instant now_ = kNow;
  int step_ = 0;
  int calm_after_ = 0;
  std::size_t launched_ = 0;
  std::uint64_t next_id_ = 1;
  std::string plan_text_;
};

TEST(FleetWalk, holds_its_promises) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Walk(seed).run();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace stoker::fleet
