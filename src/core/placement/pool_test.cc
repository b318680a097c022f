#include "core/placement/pool.h"

#include <map>

#include <gtest/gtest.h>

#include "base/image_reference.h"
#include "base/rng.h"
#include "core/placement/census.h"
#include "core/placement/devices.h"

namespace stoker::core {
namespace {

Node a_node(const std::string& name, std::int64_t cpus, std::int64_t gpus, const std::string& model = "T4") {
  Node node;
  node.name = name;
  node.connected = true;
  node.total = {.cpus_milli = cpus * 1000, .memory_mib = cpus * 4000, .gpus = gpus};
  for (std::int64_t i = 0; i < gpus; ++i)
    node.gpus.push_back({name + "-" + std::to_string(i), model, 16'384, {}});
  return node;
}

Shape a_shape(std::int64_t cpus, std::int64_t gpus, std::int64_t gpu_milli = 0) {
  return {.resources = {.cpus_milli = cpus * 1000, .memory_mib = 100, .gpus = gpus, .gpu_milli = gpu_milli}};
}

Shape in_container(Shape shape, const std::string& image) {
  shape.image = image;
  return shape;
}

HeldImages some_images(Rng& rng) {
  std::vector<std::string> images;
  for (const char* image : {"docker.io/library/a:latest", "docker.io/library/b:1", "r.example/c:1"})
    if (rng.chance(1, 2)) images.emplace_back(image);
  return held_images(std::move(images));
}

Workload a_workload(const std::vector<Shape>& shapes) {
  std::vector<std::pair<Shape, std::int64_t>> counted;
  for (const Shape& shape : shapes)
    if (shape.gpu.models.empty()) counted.emplace_back(shape, static_cast<std::int64_t>(counted.size()) + 1);
  return Workload::of(counted, 95);
}

// What choose() promises, by looking at every node.
struct SlowTwin {
  std::unique_ptr<Policy> policy;
  Workload workload;

  const Node* choose(const std::vector<Node*>& in_order, const Shape& shape) const {
    const Node* best = nullptr;
    std::int64_t best_score = 0;
    const Ask ask = ask_of(shape);
    for (const Node* node : in_order) {
      if (node == nullptr || !node->connected) continue;
      const NodeKind kind = kind_of(*node);
      const Match match = match_of(kind, shape, empty_room_of(*node, kind));
      const Room room = room_of(*node, kind);
      if (match.ever != 0 || lack_of(kind, room, ask, match) != 0) continue;
      const KindFit fit = fit_of(workload, {}, kind);
      const Unusable unusable = policy->measure(fit, kind, room);
      std::int64_t score = policy->score(
          {.kind = kind, .room = room, .ask = ask, .match = match, .unusable = unusable, .fit = &fit});
      if (shape.container() && holds(node->images, full_image_name(shape.image)))
        score += policy->warm_bonus();
      if (best != nullptr && score <= best_score) continue;
      best = node;
      best_score = score;
    }
    return best;
  }
};

void walk(PolicyName name, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Shape> shapes = {a_shape(1, 0),      a_shape(8, 0),      a_shape(1, 1), a_shape(4, 2),
                               a_shape(2, 0, 500), a_shape(1, 0, 300), a_shape(2, 4), a_shape(1, 8)};
  Shape picky = a_shape(1, 1);
  picky.gpu.models = {"a100", "v100"};
  shapes.push_back(picky);
  Shape large = a_shape(1, 0, 500);
  large.gpu.memory_mib_min = 10'000;
  shapes.push_back(large);
  // Memory decides whether a run fits: what others leave, and to the MiB what the machine has.
  Shape heavy = a_shape(1, 0);
  heavy.resources.memory_mib = 9'000;
  shapes.push_back(heavy);
  Shape whole = a_shape(1, 1);
  whole.resources.memory_mib = 32'001;
  shapes.push_back(whole);
  // Two names of one image, and one that no node holds.
  shapes.push_back(in_container(a_shape(1, 1), "a"));
  shapes.push_back(in_container(a_shape(2, 0), "docker.io/a:latest"));
  shapes.push_back(in_container(a_shape(1, 0, 300), "b:1"));
  shapes.push_back(in_container(a_shape(1, 0), "r.example/c:2"));
  SlowTwin twin{make_policy(name), a_workload(shapes)};
  Pool pool(name);
  pool.set_workload(twin.workload);

  std::map<std::string, Node> nodes;
  std::vector<Node*> in_order;
  struct Run {
    std::string node;
    Shape shape;
  };
  std::map<JobNo, Run> runs;
  JobNo next{1};
  int placed = 0;
  const auto add = [&] {
    const std::string key = "n" + std::to_string(in_order.size());
    static const char* kModels[] = {"T4", "A100", "V100-32GB"};
    Node& node = nodes[key] = a_node(key, 4 << rng.below(3), 1 << rng.below(4), kModels[rng.below(3)]);
    node.total.memory_mib += static_cast<std::int64_t>(rng.below(3));
    node.containers = rng.chance(3, 4);
    node.images = some_images(rng);
    in_order.push_back(&node);
    pool.put(node);
  };
  const auto end = [&](std::map<JobNo, Run>::iterator run) {
    Node& node = nodes.at(run->second.node);
    give_back(node, run->first, run->second.shape.resources);
    pool.update(node);
    runs.erase(run);
  };
  for (int i = 0; i < 12; ++i) add();

  for (int step = 0; step < 600; ++step) {
    const std::size_t which = rng.below(shapes.size());
    const Shape& shape = shapes[which];
    const ShapeNo no{which + 1};
    Node* chosen = pool.choose(no, shape);
    ASSERT_EQ(chosen, twin.choose(in_order, shape)) << name_of(name) << " seed " << seed << " step " << step;
    if (chosen == nullptr) {
      Lack lack = 0;
      bool could_hold = false;
      for (const Node* node : in_order) {
        if (node == nullptr || !node->connected) continue;
        const NodeKind kind = kind_of(*node);
        const Match match = match_of(kind, shape, empty_room_of(*node, kind));
        if (match.ever != 0) continue;
        could_hold = true;
        lack |= lack_of(kind, room_of(*node, kind), ask_of(shape), match);
      }
      const Pool::Shortage shortage = pool.shortage(no, shape);
      ASSERT_EQ(shortage.could_hold, could_hold);
      ASSERT_EQ(shortage.lack, lack);
      ASSERT_EQ(shortage.node != nullptr, could_hold);
      if (could_hold) {
        const NodeKind kind = kind_of(*shortage.node);
        ASSERT_EQ(match_of(kind, shape, empty_room_of(*shortage.node, kind)).ever, 0);
      }
    } else {
      take(*chosen, next, shape.resources, pool.devices(*chosen, no, shape));
      runs[next] = {chosen->name, shape};
      next.value += 1;
      pool.update(*chosen);
      ++placed;
    }
    if (!runs.empty() && rng.chance(1, 3))
      end(std::next(runs.begin(), static_cast<std::ptrdiff_t>(rng.below(runs.size()))));
    if (rng.chance(1, 10)) {
      Node* node = in_order[rng.below(in_order.size())];
      if (node == nullptr) continue;
      node->images = some_images(rng);
      pool.note_images(*node);
    }
    if (rng.chance(1, 20)) {  // gone for a while, or back
      Node* node = in_order[rng.below(in_order.size())];
      if (node == nullptr) continue;
      node->connected = !node->connected;
      pool.put(*node);
    }
    if (rng.chance(1, 40)) {
      const std::size_t at = rng.below(in_order.size());
      Node* node = in_order[at];
      if (node == nullptr) continue;
      for (auto run = runs.begin(); run != runs.end();) {
        const auto here = run++;
        if (here->second.node == node->name) end(here);
      }
      pool.remove(*node);
      nodes.erase(node->name);
      in_order[at] = nullptr;
      add();
    }
  }
  EXPECT_GT(placed, 50);
}

TEST(Pool, chooses_what_looking_at_every_node_chooses) {
  for (const PolicyName name : {PolicyName::DotProd, PolicyName::Clustering, PolicyName::Packing,
                                PolicyName::BestFit, PolicyName::Fgd, PolicyName::Stoker})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) walk(name, seed);
}

TEST(Pool, of_equals_the_one_that_was_there_first_and_a_node_that_returns_keeps_its_place) {
  Pool pool(PolicyName::Stoker);
  Node a = a_node("b", 4, 1);
  Node b = a_node("a", 4, 1);
  pool.put(a);
  pool.put(b);
  const Shape shape = a_shape(1, 1);
  EXPECT_EQ(pool.choose(ShapeNo{1}, shape), &a);
  a.connected = false;
  pool.put(a);
  EXPECT_EQ(pool.choose(ShapeNo{1}, shape), &b);
  a.connected = true;
  pool.put(a);
  EXPECT_EQ(pool.choose(ShapeNo{1}, shape), &a);
}

Node a_box(const std::string& name, std::int64_t cpus, std::vector<std::string> images = {}) {
  Node node = a_node(name, cpus, 0);
  node.containers = true;
  node.images = held_images(std::move(images));
  return node;
}

TEST(Pool, who_holds_the_image_comes_first_and_others_when_it_is_full) {
  const std::string image = "docker.io/library/train:latest";
  Node cold = a_box("cold", 2);
  Node warm = a_box("warm", 2, {"docker.io/library/other:1", image});
  Node late = a_box("late", 2);
  Pool pool(PolicyName::Stoker);
  for (Node* node : {&cold, &warm, &late}) pool.put(*node);
  const Shape one = in_container(a_shape(1, 0), "train");
  const Shape same = in_container(a_shape(1, 0), "docker.io/train:latest");
  const Shape newer = in_container(a_shape(1, 0), "train:2");
  EXPECT_EQ(pool.choose(ShapeNo{1}, one), &warm);
  EXPECT_EQ(pool.choose(ShapeNo{2}, same), &warm) << "another name of it";
  EXPECT_EQ(pool.choose(ShapeNo{3}, newer), &cold) << "another image";
  EXPECT_EQ(pool.choose(ShapeNo{4}, a_shape(1, 0)), &cold) << "a plain process needs none";
  late.images = held_images({image});
  pool.note_images(late);
  EXPECT_EQ(pool.choose(ShapeNo{1}, one), &warm);
  take(warm, JobNo{1}, {.cpus_milli = 2000}, {});
  pool.update(warm);
  EXPECT_EQ(pool.choose(ShapeNo{1}, one), &late);
  pool.set_aside(late);
  EXPECT_EQ(pool.choose(ShapeNo{1}, one), &cold) << "nobody who holds it has room";
  pool.take_back(late);
  EXPECT_EQ(pool.choose(ShapeNo{2}, same), &late);
  late.images = nullptr;
  pool.note_images(late);
  EXPECT_EQ(pool.choose(ShapeNo{2}, same), &cold) << "it was removed";
  give_back(warm, JobNo{1}, {.cpus_milli = 2000});
  pool.put(warm);
  EXPECT_EQ(pool.choose(ShapeNo{1}, one), &warm);
  pool.remove(warm);
  EXPECT_EQ(pool.choose(ShapeNo{1}, one), &cold);
  Pool unwarm(PolicyName::BestFit);
  for (Node* node : {&cold, &late}) node->pool_slot = Node::kNoPoolSlot;
  late.images = held_images({image});
  for (Node* node : {&cold, &late}) unwarm.put(*node);
  EXPECT_EQ(unwarm.choose(ShapeNo{1}, one), &cold) << "other policies are as published";
}

// Of those that hold the image and come after `first`, the one in the middle leaves room for nobody; then the
// last one moves between two states that often.
void expect_holders_are_not_forgotten(int moves) {
  const std::string image = "docker.io/library/a:1";
  // Two that hold nothing stand for the states between which the last one moves: nothing but its image makes
  // news of its moves.
  Node idle = a_box("idle", 8);
  Node used = a_box("used", 8);
  take(used, JobNo{1}, {.cpus_milli = 1000}, {});
  Node first = a_box("first", 4, {image});
  Node second = a_box("second", 16, {image});
  Node third = a_box("third", 16, {image});
  Node restless = a_box("restless", 8, {image});
  std::vector<Node> bystanders(300, idle);
  for (int i = 0; i < 100; ++i) bystanders[static_cast<std::size_t>(i)].images = restless.images;
  Pool pool(PolicyName::Stoker);
  for (Node* node : {&idle, &used, &first, &second, &third, &restless}) pool.put(*node);
  for (Node& node : bystanders) pool.put(node);
  const Shape shape = in_container(a_shape(1, 0), "a:1");
  EXPECT_EQ(pool.choose(ShapeNo{1}, shape), &first);
  take(second, JobNo{2}, {.cpus_milli = 16'000}, {});
  pool.update(second);
  for (int i = 0; i < moves; ++i) {
    take(restless, JobNo{3}, {.cpus_milli = 1000}, {});
    pool.update(restless);
    give_back(restless, JobNo{3}, {.cpus_milli = 1000});
    pool.update(restless);
    ASSERT_EQ(pool.choose(ShapeNo{1}, shape), &first);
  }
  take(first, JobNo{4}, {.cpus_milli = 4000}, {});
  pool.update(first);
  EXPECT_EQ(pool.choose(ShapeNo{1}, shape), &third) << "after " << moves;
}

TEST(Pool, holders_that_come_and_go_are_not_forgotten) {
  // Notes are tidied at different times.
  for (int moves = 0; moves <= 3000; moves += 100) expect_holders_are_not_forgotten(moves);
}

// A pool with two alike that hold an image, behind one that does not.
struct TwoHolders {
  const std::string image = "docker.io/library/a:1";
  const Shape shape = in_container(a_shape(1, 0), "a:1");
  Node cold = a_box("cold", 4);
  Node a = a_box("a", 4, {image});
  Node b = a_box("b", 4, {image});
  Node other = a_box("other", 8);
  Pool pool{PolicyName::Stoker};

  explicit TwoHolders(bool apart) {
    if (apart) cold.total.cpus_milli = 5000;
    for (Node* node : {&cold, &a, &b, &other}) pool.put(*node);
    EXPECT_EQ(choose(), &a);
  }
  Node* choose() { return pool.choose(ShapeNo{1}, shape); }
  void fill(Node& node) {
    take(node, JobNo{1}, {.cpus_milli = 4000}, {});
    pool.update(node);
  }
  void empty(Node& node) {
    give_back(node, JobNo{1}, {.cpus_milli = 4000});
    pool.update(node);
  }
};

TEST(Pool, holders_are_found_in_a_state_that_vanished_and_came_back) {
  TwoHolders all(true);
  all.fill(all.a);
  all.fill(all.b);
  all.empty(all.b);
  all.empty(all.a);
  EXPECT_EQ(all.choose(), &all.a);
}

TEST(Pool, a_holder_is_found_in_a_state_that_an_earlier_one_has_left) {
  TwoHolders all(false);
  all.fill(all.b);
  all.fill(all.a);
  EXPECT_EQ(all.choose(), &all.cold);
  all.empty(all.b);
  EXPECT_EQ(all.choose(), &all.b);
}

TEST(Pool, holders_are_found_after_more_moves_than_are_remembered) {
  TwoHolders all(false);
  all.fill(all.a);
  for (int i = 0; i < 2000; ++i) {
    all.fill(all.other);
    all.empty(all.other);
  }
  EXPECT_EQ(all.choose(), &all.b);
}

TEST(Census, nodes_that_hold_different_images_are_alike) {
  const auto policy = make_policy(PolicyName::Stoker);
  Census census(*policy);
  std::vector<Node> nodes;
  for (int i = 0; i < 20; ++i)
    nodes.push_back(a_box("n" + std::to_string(i), 4, {"docker.io/library/a:" + std::to_string(i)}));
  for (Node& node : nodes) census.put(node);
  EXPECT_EQ(census.kinds().size(), 1U);
  EXPECT_EQ(census.faces().size(), 1U);
  EXPECT_EQ(census.states().size(), 1U);
}

TEST(Pool, by_chance_every_node_where_it_fits_is_chosen_and_no_other) {
  Pool pool(PolicyName::Random, 3);
  Node full = a_node("full", 0, 1);
  Node a = a_node("a", 4, 1);
  Node b = a_node("b", 4, 1);
  for (Node* node : {&full, &a, &b}) pool.put(*node);
  std::map<Node*, int> count;
  for (int i = 0; i < 200; ++i) ++count[pool.choose(ShapeNo{1}, a_shape(1, 1))];
  EXPECT_EQ(count.size(), 2U);
  EXPECT_GT(count[&a], 60);
  EXPECT_GT(count[&b], 60);
}

TEST(Pool, many_changes_and_many_shapes_leave_it_right) {
  Pool pool(PolicyName::BestFit);
  Node a = a_node("a", 64, 8);
  Node b = a_node("b", 64, 8);
  pool.put(a);
  pool.put(b);
  const Shape rare = a_shape(1, 8);
  EXPECT_EQ(pool.choose(ShapeNo{1}, rare), &a);
  const Shape one = a_shape(1, 1);
  for (std::uint64_t i = 1; i < 20'000; ++i) {
    Node* node = pool.choose(ShapeNo{1 + i % 6000}, one);
    ASSERT_NE(node, nullptr);
    take(*node, JobNo{i}, one.resources, pool.devices(*node, ShapeNo{1 + i % 6000}, one));
    pool.update(*node);
    give_back(*node, JobNo{i}, one.resources);
    pool.update(*node);
  }
  EXPECT_EQ(pool.choose(ShapeNo{9000}, rare), &a);
}

TEST(Pool, a_node_set_aside_is_not_chosen_until_it_is_taken_back) {
  Node one = a_node("one", 4, 1);
  Node two = a_node("two", 4, 2);
  Node plain = a_node("plain", 4, 0);
  Pool pool(kDefaultPolicy);
  for (Node* node : {&one, &two, &plain}) pool.put(*node);
  const Shape gpu = a_shape(1, 1);
  const Shape gpus = a_shape(1, 2);
  EXPECT_EQ(pool.could_hold(ShapeNo{1}, gpu, 9), (std::vector<Node*>{&one, &two}));
  EXPECT_EQ(pool.could_hold(ShapeNo{1}, gpu, 1), (std::vector<Node*>{&one}));
  pool.set_aside(two);
  EXPECT_EQ(pool.choose(ShapeNo{2}, gpus), nullptr);
  EXPECT_EQ(pool.choose(ShapeNo{1}, gpu), &one);
  pool.update(two);  // its runs changed meanwhile
  pool.put(two);     // and so did what it says of itself
  EXPECT_EQ(pool.choose(ShapeNo{2}, gpus), nullptr);
  pool.set_aside(one);
  pool.set_aside(plain);
  EXPECT_FALSE(pool.empty()) << "they are still there";
  for (Node* node : {&one, &two, &plain}) pool.take_back(*node);
  EXPECT_EQ(pool.choose(ShapeNo{2}, gpus), &two);
}

}  // namespace
}  // namespace stoker::core
