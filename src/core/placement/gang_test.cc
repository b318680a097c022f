#include "core/placement/gang.h"

#include <gtest/gtest.h>

namespace stoker::core {
namespace {

Node a_node(const std::string& name, std::int64_t gpus, const std::string& rack = "", std::int64_t used = 0) {
  Node node;
  node.name = name;
  node.connected = true;
  node.rack = rack;
  node.total = {.cpus_milli = 64'000, .memory_mib = 64'000, .gpus = gpus};
  for (std::int64_t i = 0; i < gpus; ++i) {
    node.gpus.push_back({name + std::to_string(i), "A100", 81'920, {}});
    if (i < used) node.gpus.back().holder = JobNo{1};
  }
  node.used.gpus = used;
  return node;
}

GangAsk runs_of(std::size_t count, std::int64_t gpus, Nearness nearness = Nearness::Any) {
  const Shape shape{.resources = {.cpus_milli = 4000, .memory_mib = 100, .gpus = gpus}};
  return {.runs = std::vector<Shape>(count, shape), .nearness = nearness};
}

struct GangTest : ::testing::Test {
  std::vector<Node> nodes;
  std::size_t placed = 0;
  // The nodes of the runs in one text; "-" when they do not all fit.
  std::string choose(const GangAsk& ask) {
    std::vector<const Node*> all;
    for (const Node& node : nodes) all.push_back(&node);
    const auto before = nodes;
    const auto chosen = choose_gang(all, ask, PolicyName::Stoker, Workload{});
    for (std::size_t i = 0; i < nodes.size(); ++i)
      EXPECT_EQ(nodes[i].used, before[i].used) << "nothing is taken";
    placed = chosen.placed;
    if (!chosen.whole()) return "-";
    std::string text;
    for (const GangPlace& place : chosen.places) text += (text.empty() ? "" : " ") + place.node;
    return text;
  }
};

TEST_F(GangTest, one_node_before_one_rack_before_anywhere) {
  nodes = {a_node("a", 8, "r1", 4), a_node("b", 8, "r1", 4), a_node("c", 8, "r2", 4), a_node("d", 8, "r2", 2),
           a_node("e", 8, "r2", 4)};
  EXPECT_EQ(choose(runs_of(2, 2)), "a a") << "the first of the nodes with least left";
  EXPECT_EQ(choose(runs_of(3, 2)), "d d d") << "the one node with room for all";
  EXPECT_EQ(choose(runs_of(2, 4)), "a b") << "the rack with least left";
  EXPECT_EQ(choose(runs_of(3, 4)), "c d e") << "the one rack with room for all";
  EXPECT_EQ(choose(runs_of(5, 4)), "a b c d e");
}

TEST_F(GangTest, all_or_nothing) {
  nodes = {a_node("a", 4), a_node("b", 4, "", 1)};
  EXPECT_EQ(choose(runs_of(2, 4)), "-");
  EXPECT_EQ(choose(runs_of(1, 4)), "a");
  EXPECT_EQ(choose(runs_of(7, 1)), "a a a a b b b");
  EXPECT_EQ(choose(runs_of(8, 1)), "-");
  EXPECT_EQ(placed, 7U) << "as many as fit, for the reason";
  EXPECT_EQ(choose(runs_of(0, 1)), "-");
}

TEST_F(GangTest, a_wish_for_nearness_is_kept) {
  nodes = {a_node("a", 4, "r1"), a_node("b", 4, "r2"), a_node("c", 4), a_node("d", 4)};
  EXPECT_EQ(choose(runs_of(2, 4, Nearness::Rack)), "-") << "nodes without a rack are near to none";
  EXPECT_EQ(choose(runs_of(2, 4, Nearness::Any)), "a b");
  EXPECT_EQ(choose(runs_of(2, 2, Nearness::Node)), "a a");
  EXPECT_EQ(choose(runs_of(3, 2, Nearness::Node)), "-");
}

TEST_F(GangTest, unlike_runs_keep_their_places_and_the_large_ones_choose_first) {
  nodes = {a_node("a", 2), a_node("b", 4)};
  GangAsk ask = runs_of(1, 1);
  ask.runs.push_back(runs_of(1, 4).runs[0]);
  EXPECT_EQ(choose(ask), "a b");
}

TEST_F(GangTest, suspect_gpus_and_absent_nodes_serve_no_gang) {
  nodes = {a_node("a", 2), a_node("b", 2)};
  nodes[0].gpus[1].health = GpuHealth::Suspect;
  EXPECT_EQ(choose(runs_of(2, 2)), "-");
  EXPECT_EQ(choose(runs_of(3, 1)), "a b b");
  nodes[1].connected = false;
  EXPECT_EQ(choose(runs_of(3, 1)), "-");
}

}  // namespace
}  // namespace stoker::core
