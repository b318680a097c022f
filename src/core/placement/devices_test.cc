#include "core/placement/devices.h"

#include <gtest/gtest.h>

#include "core/placement/mig.h"
#include "core/placement/pool.h"

namespace stoker::core {
namespace {

Node a_node(int gpus, const std::string& model, std::int64_t memory_mib) {
  Node node;
  node.name = "n";
  node.connected = true;
  node.total = {.cpus_milli = 64'000, .memory_mib = 100'000, .gpus = gpus};
  for (int i = 0; i < gpus; ++i) node.gpus.push_back({"GPU-" + std::to_string(i), model, memory_mib, {}});
  return node;
}

Shape whole(std::int64_t gpus) {
  return {.resources = {.cpus_milli = 1000, .memory_mib = 100, .gpus = gpus}};
}
Shape share(std::int64_t milli) {
  return {.resources = {.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = milli}};
}
Shape mig(const std::string& profile, std::int64_t devices) {
  return {.resources = {.cpus_milli = 1000, .memory_mib = 100, .gpu_milli = devices * mig_milli(profile)},
          .gpu = {.mig = profile, .mig_devices = devices}};
}

struct DevicesTest : ::testing::Test {
  Pool pool{PolicyName::Stoker};
  std::map<Shape, ShapeNo> numbers;
  JobNo last;

  // The devices of a new run, in one text; "-" when it does not fit.
  std::string start(Node& node, const Shape& shape) {
    pool.put(node);
    const ShapeNo no = numbers.try_emplace(shape, ShapeNo{numbers.size() + 1}).first->second;
    if (pool.choose(no, shape) == nullptr) return "-";
    const auto devices = pool.devices(node, no, shape);
    last.value += 1;
    take(node, last, shape.resources, devices);
    pool.put(node);
    std::string text;
    for (const std::string& name : devices) text += (text.empty() ? "" : " ") + name;
    return text;
  }
  void end(Node& node, JobNo job, const Shape& shape) {
    give_back(node, job, shape.resources);
    pool.put(node);
  }
};

TEST_F(DevicesTest, shares_fill_one_gpu_before_they_open_another) {
  Node node = a_node(2, "T4", 16'384);
  EXPECT_EQ(start(node, share(500)), "GPU-0");
  EXPECT_EQ(start(node, share(300)), "GPU-0");
  EXPECT_EQ(start(node, share(300)), "GPU-1") << "200 are left of the first";
  EXPECT_EQ(start(node, whole(1)), "-") << "no GPU is idle";
  EXPECT_EQ(start(node, share(200)), "GPU-0");
  EXPECT_EQ(node.used.all_gpu_milli(), 1300);
  EXPECT_EQ(node.gpus[0].free_milli(), 0);
  end(node, JobNo{3}, share(300));
  EXPECT_EQ(start(node, whole(1)), "GPU-1");
}

TEST_F(DevicesTest, a_share_brings_its_share_of_the_memory) {
  Node node = a_node(1, "T4", 16'000);
  Shape shape = share(500);
  shape.gpu.memory_mib_min = 8'000;
  EXPECT_EQ(start(node, shape), "GPU-0");
  shape.gpu.memory_mib_min = 8'001;
  EXPECT_EQ(start(node, shape), "-");
}

TEST_F(DevicesTest, a_gpu_that_is_not_well_takes_nothing) {
  Node node = a_node(2, "T4", 16'384);
  node.gpus[0].health = GpuHealth::Draining;
  EXPECT_EQ(start(node, whole(1)), "GPU-1");
  EXPECT_EQ(start(node, share(100)), "-");
}

TEST_F(DevicesTest, free_mig_devices_of_fixed_layouts_are_given_and_never_changed) {
  Node node = a_node(1, "A100", 81'920);
  node.gpus[0].mig = MigMode::Fixed;
  node.gpus[0].devices = {
      {"MIG-a", "3g.40gb", 0, {}}, {"MIG-b", "2g.20gb", 4, {}}, {"MIG-c", "2g.20gb", 6, {}}};
  EXPECT_EQ(start(node, whole(1)), "-");
  EXPECT_EQ(start(node, share(100)), "-");
  EXPECT_EQ(start(node, mig("1g.10gb", 1)), "-");
  EXPECT_EQ(start(node, mig("2g.20gb", 2)), "MIG-b MIG-c");
  EXPECT_EQ(start(node, mig("2g.20gb", 1)), "-");
  end(node, JobNo{1}, mig("2g.20gb", 2));
  EXPECT_EQ(start(node, mig("2g.20gb", 1)), "MIG-b");
  EXPECT_EQ(start(node, mig("3g.40gb", 1)), "MIG-a");
}

TEST_F(DevicesTest, only_idle_gpus_are_partitioned_anew) {
  Node node = a_node(1, "A100", 81'920);
  node.gpus[0].mig = MigMode::Dynamic;
  EXPECT_EQ(start(node, mig("3g.40gb", 1)), "GPU-0/3g.40gb@0");
  EXPECT_EQ(start(node, mig("1g.10gb", 1)), "-") << "the layout is two times 3g";
  EXPECT_EQ(start(node, mig("3g.40gb", 1)), "GPU-0/3g.40gb@4");
  end(node, JobNo{1}, mig("3g.40gb", 1));
  EXPECT_EQ(start(node, mig("1g.10gb", 1)), "-") << "a run is still there";
  end(node, JobNo{2}, mig("3g.40gb", 1));
  const std::string seven = start(node, mig("1g.10gb", 7));
  EXPECT_EQ(std::ranges::count(seven, '@'), 7) << seven;
}

// After a restart the node is known again only by what its runs hold.
TEST_F(DevicesTest, planned_devices_come_back_by_their_names) {
  Node node = a_node(1, "A100", 81'920);
  node.gpus[0].mig = MigMode::Dynamic;
  const Shape two = mig("2g.20gb", 1);
  take(node, JobNo{1}, two.resources, {"GPU-0/2g.20gb@2"});
  take(node, JobNo{2}, mig("1g.10gb", 1).resources, {"GPU-0/1g.10gb@6"});
  std::map<int, JobNo> holders;
  for (const MigDevice& device : node.gpus[0].devices)
    if (device.holder) holders[device.start] = device.holder;
  EXPECT_EQ(holders, (std::map<int, JobNo>{{2, JobNo{1}}, {6, JobNo{2}}}));
  EXPECT_EQ(start(node, mig("7g.80gb", 1)), "-");
  give_back(node, JobNo{1}, two.resources);
  give_back(node, JobNo{2}, mig("1g.10gb", 1).resources);
  EXPECT_EQ(start(node, mig("7g.80gb", 1)), "GPU-0/7g.80gb@0");
}

// A node tells the devices that exist, not those that were planned beside them.
TEST_F(DevicesTest, what_no_run_holds_is_planned_again_beside_them) {
  Node node = a_node(2, "A100", 81'920);
  for (NodeGpu& gpu : node.gpus) gpu.mig = MigMode::Dynamic;
  node.gpus[0].devices = {{"GPU-0/1g.10gb@6", "1g.10gb", 6, {}}};
  take(node, JobNo{1}, mig("1g.10gb", 1).resources, {"GPU-0/1g.10gb@6"});
  EXPECT_EQ(node.gpus[0].devices.size(), 1u);
  fill_layouts(node);
  const MigTable& table = *mig_table("A100", 81'920);
  MigLayout layout;
  for (const MigDevice& device : node.gpus[0].devices) {
    layout.push_back({table.find(device.profile), device.start});
    EXPECT_EQ(device.holder, device.start == 6 ? JobNo{1} : JobNo{});
  }
  EXPECT_EQ(layout.size(), 7u) << "more of what the run has";
  EXPECT_TRUE(is_legal(table, layout));
  EXPECT_TRUE(node.gpus[1].devices.empty()) << "an idle GPU takes any plan";
}

// Random runs come and go on GPUs that may be partitioned: the layout is legal at every step, and the devices
// of running jobs stay.
TEST_F(DevicesTest, layouts_stay_legal_and_held_devices_stay_whatever_comes) {
  Node node = a_node(3, "H100", 81'920);
  for (NodeGpu& gpu : node.gpus) gpu.mig = MigMode::Dynamic;
  const MigTable& table = *mig_table("H100", 81'920);
  Rng rng(11);
  std::map<JobNo, Shape> runs;
  int started = 0;
  for (int step = 0; step < 1500; ++step) {
    if (!runs.empty() && rng.chance(1, 2)) {
      const auto run = std::next(runs.begin(), static_cast<std::ptrdiff_t>(rng.below(runs.size())));
      end(node, run->first, run->second);
      runs.erase(run);
    } else {
      const auto& profile = table.profiles[rng.below(table.profiles.size())];
      const Shape shape = mig(std::string(profile.name), 1 + static_cast<std::int64_t>(rng.below(3)));
      if (start(node, shape) != "-") {
        runs[last] = shape;
        ++started;
      }
    }
    std::map<JobNo, std::int64_t> held;
    for (const NodeGpu& gpu : node.gpus) {
      MigLayout layout;
      for (const MigDevice& device : gpu.devices) {
        layout.push_back({table.find(device.profile), device.start});
        if (device.holder) ++held[device.holder];
      }
      ASSERT_TRUE(is_legal(table, layout)) << "step " << step;
    }
    ASSERT_EQ(held.size(), runs.size());
    for (const auto& [job, shape] : runs) ASSERT_EQ(held[job], shape.gpu.mig_devices);
  }
  EXPECT_GT(started, 200);
}

std::vector<GpuSeat> seats(std::vector<std::pair<int, int>> numa_and_nvlink) {
  std::vector<GpuSeat> seats;
  for (const auto& [numa, nvlink] : numa_and_nvlink)
    seats.push_back(
        {.numa_node = static_cast<std::int16_t>(numa), .nvlink_group = static_cast<std::int16_t>(nvlink)});
  return seats;
}

TEST(BestSet, is_near_together_and_leaves_the_others_near_together) {
  using Set = std::vector<std::size_t>;
  struct Row {
    std::string_view sentence;
    std::vector<GpuSeat> seats;
    Set usable;
    std::size_t count;
    Set best;
  };
  const auto unknown = seats({{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}});
  const auto two_sockets = seats({{0, -1}, {1, -1}, {0, -1}, {1, -1}});
  const auto islands = seats({{0, 0}, {0, 0}, {0, 1}, {0, 1}, {1, 2}, {1, 2}, {1, 2}, {1, 2}});
  for (const Row& row :
       std::vector<Row>{{"the lowest, when nothing is known", unknown, {1, 2, 3}, 2, {1, 2}},
                        {"one socket", two_sockets, {0, 1, 2, 3}, 2, {0, 2}},
                        {"NVLink before a socket", islands, {0, 2, 3, 4}, 2, {2, 3}},
                        {"one GPU comes from the most broken island", islands, {0, 4, 5, 6, 7}, 1, {0}},
                        {"four from the island of four", islands, {0, 1, 2, 3, 4, 5, 6, 7}, 4, {4, 5, 6, 7}},
                        {"two leave the island of four whole", islands, {0, 1, 4, 5, 6, 7}, 2, {0, 1}}})
    EXPECT_EQ(best_set(row.seats, row.usable, row.count), row.best) << row.sentence;
}

}  // namespace
}  // namespace stoker::core
