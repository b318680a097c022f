#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/fleet/demand/never.h"
#include "core/fleet/demand/room.h"

namespace stoker::fleet {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = Catalogue::builtin();
  return kCatalogue;
}
Need need(std::int64_t cpus_milli, std::int64_t memory_mib, std::int64_t gpus = 0,
          std::int64_t gpu_milli = 0) {
  Need n;
  n.cpus_milli = cpus_milli;
  n.memory_mib = memory_mib;
  n.gpus = gpus;
  n.gpu_milli = gpu_milli;
  return n;
}
Room fresh(const char* type) {
  return room_of(*catalogue().find(type));
}

TEST(Slots, the_scarcest_resource_decides) {
  EXPECT_EQ(slots(fresh("g5.12xlarge"), need(1000, 100, 1)), 4);
  EXPECT_EQ(slots(fresh("g5.12xlarge"), need(24'000, 100, 1)), 2) << "two times 24 vCPU";
  EXPECT_EQ(slots(fresh("g5.12xlarge"), need(1000, 150'000, 1)), 1);
  EXPECT_EQ(slots(fresh("g5.12xlarge"), need(1000, 100, 3)), 1);
  EXPECT_EQ(slots(fresh("g5.12xlarge"), need(1000, 100, 0, 300)), 12) << "three on each of four GPUs";
  EXPECT_EQ(slots(fresh("g5.12xlarge"), need(1000, 100)), 48) << "without a GPU";
}

TEST(Slots, part_of_a_gpu_is_no_whole_one) {
  EXPECT_EQ(slots(fresh("g6f.xlarge"), need(1000, 100, 1)), 0);
  EXPECT_EQ(slots(fresh("g6f.xlarge"), need(1000, 100, 0, 125)), 1);
  EXPECT_EQ(slots(fresh("g6f.xlarge"), need(1000, 100, 0, 126)), 0);
}

TEST(Slots, model_and_memory_of_the_gpu_must_do) {
  Need n = need(1000, 100, 1);
  n.gpu_models = {"nvidia a10g"};
  EXPECT_EQ(slots(fresh("g5.xlarge"), n), 1);
  EXPECT_EQ(slots(fresh("g6.xlarge"), n), 0);
  n.gpu_models = {"L4", "A10G"};
  n.gpu_memory_min_mib = 22'889;
  EXPECT_EQ(slots(fresh("g6.xlarge"), n), 0);
}

TEST(Slots, a_wish_for_a_model_is_met_as_on_a_machine_that_is_there) {
  struct Row {
    const char* type;
    const char* wish;
    bool met;
  };
  for (const Row& row : {Row{"p4de.24xlarge", "A100-80GB", true},
                         {"p4d.24xlarge", "A100-80GB", false},
                         {"p4d.24xlarge", "a100", true},
                         {"p4d.24xlarge", "NVIDIA A100-SXM4-40GB", true},
                         {"p5.48xlarge", "H100-80GB", true},
                         {"p3.16xlarge", "Tesla V100", true},
                         {"g5.xlarge", "A10", false},
                         {"g6e.xlarge", "L40S", true}}) {
    Need n = need(1000, 100, 1);
    n.gpu_models = {row.wish};
    EXPECT_EQ(slots(fresh(row.type), n) > 0, row.met) << row.wish << " on " << row.type;
  }
}

Need mig(const char* profile, std::int64_t devices = 1) {
  Need n = need(1000, 100);
  n.mig = profile;
  n.mig_devices = devices;
  return n;
}

TEST(Slots, mig_devices_are_as_many_as_the_layouts_of_the_gpus_allow) {
  EXPECT_EQ(slots(fresh("g5.48xlarge"), mig("2g.20gb")), 0) << "no MIG";
  EXPECT_EQ(slots(fresh("p4d.24xlarge"), mig("2g.20gb")), 0) << "of 40 GB";
  EXPECT_EQ(slots(fresh("p4d.24xlarge"), mig("2g.10gb")), 24) << "three on each of eight";
  EXPECT_EQ(slots(fresh("p4de.24xlarge"), mig("2g.20gb")), 24);
  EXPECT_EQ(slots(fresh("p4de.24xlarge"), mig("2g.20gb", 5)), 4);
  EXPECT_EQ(slots(fresh("p5.4xlarge"), mig("1g.10gb")), 7);
  Need n = mig("2g.20gb");
  n.gpu_memory_min_mib = 20'481;
  EXPECT_EQ(slots(fresh("p4de.24xlarge"), n), 0) << "of a device";
  n.gpu_memory_min_mib = 20'480;
  EXPECT_EQ(slots(fresh("p4de.24xlarge"), n), 24);
  n.gpu_models = {"H100"};
  EXPECT_EQ(slots(fresh("p4de.24xlarge"), n), 0);
}

TEST(Take, mig_devices_share_gpus_as_their_places_allow) {
  Room room = fresh("p5.4xlarge");
  EXPECT_EQ(take(room, mig("3g.40gb"), 1), 1);
  EXPECT_EQ(slots(room, mig("4g.40gb")), 1);
  EXPECT_EQ(slots(room, mig("7g.80gb")), 0);
  EXPECT_EQ(slots(room, need(1000, 100, 1)), 0) << "it is cut";
  EXPECT_EQ(take(room, mig("2g.20gb"), 9), 2);
  EXPECT_EQ(slots(room, mig("1g.10gb")), 0);
}

TEST(Slots, a_machine_serves_mig_devices_or_whole_gpus) {
  const InstanceType& type = *catalogue().find("p4de.24xlarge");
  const Room switched = room_of(type, Market::OnDemand, true);
  EXPECT_EQ(slots(switched, need(1000, 100, 1)), 0);
  EXPECT_EQ(slots(switched, need(1000, 100, 0, 300)), 0);
  EXPECT_EQ(slots(switched, mig("1g.10gb")), 56);
  EXPECT_GT(slots(switched, need(1000, 100)), 0);
  EXPECT_EQ(slots(room_of(type, Market::OnDemand), mig("1g.10gb")), 0);
  EXPECT_EQ(slots(room_of(type, Market::OnDemand), need(1000, 100, 1)), 8);
}

TEST(Take, shares_fill_a_gpu_before_they_open_another) {
  Room room = fresh("g5.12xlarge");
  EXPECT_EQ(take(room, need(1000, 100, 0, 400), 3), 3);
  EXPECT_EQ(room.gpus_free, (std::vector<std::int64_t>{200, 600, 1000, 1000}));
  EXPECT_EQ(take(room, need(1000, 100, 1), 9), 2) << "whole ones take idle GPUs";
  EXPECT_EQ(room.gpus_free, (std::vector<std::int64_t>{200, 600, 0, 0}));
  EXPECT_EQ(room.cpus_milli, 43'000);
}

TEST(Take, what_was_taken_is_what_slots_promised) {
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    const auto& types = catalogue().types();
    Room room = room_of(types[rng.below(types.size())]);
    std::int64_t before = room.cpus_milli;
    for (int step = 0; step < 4; ++step) {
      const std::int64_t shared = rng.chance(1, 2) ? 0 : static_cast<std::int64_t>(1 + rng.below(999));
      const Need n =
          need(static_cast<std::int64_t>(rng.below(8000)), static_cast<std::int64_t>(1 + rng.below(60'000)),
               shared == 0 ? static_cast<std::int64_t>(rng.below(4)) : 0, shared);
      const std::int64_t could = slots(room, n);
      const std::int64_t wanted = static_cast<std::int64_t>(rng.below(6));
      ASSERT_EQ(take(room, n, wanted), std::min(could, wanted));
      ASSERT_GE(room.memory_mib, 0);
      ASSERT_LE(room.cpus_milli, before);
      for (const std::int64_t free : room.gpus_free) ASSERT_GE(free, 0);
      before = room.cpus_milli;
    }
  }
}

TEST(Never, agrees_with_the_slots_of_an_empty_machine) {
  Rng rng(5);
  for (int i = 0; i < 3000; ++i) {
    const auto& types = catalogue().types();
    const InstanceType& type = types[rng.below(types.size())];
    Need n =
        need(static_cast<std::int64_t>(rng.below(220'000)), static_cast<std::int64_t>(rng.below(2'200'000)));
    if (rng.chance(1, 4)) {
      constexpr const char* kProfiles[] = {"1g.5gb",  "1g.10gb", "2g.20gb",
                                           "3g.71gb", "7g.80gb", "1g.10gb+me"};
      n.mig = kProfiles[rng.below(6)];
      n.mig_devices = static_cast<std::int64_t>(1 + rng.below(60));
    } else if (rng.chance(1, 2))
      n.gpus = static_cast<std::int64_t>(rng.below(10));
    else
      n.gpu_milli = static_cast<std::int64_t>(1 + rng.below(999));
    if (rng.chance(1, 3)) n.gpu_models = {types[rng.below(types.size())].gpu_model};
    if (rng.chance(1, 3)) n.gpu_memory_min_mib = static_cast<std::int64_t>(rng.below(90'000));
    if (rng.chance(1, 4)) n.architecture = "arm64";
    ASSERT_EQ(lacks(type, n) == 0, slots(room_of(type), n) > 0) << type.name << ": " << describe(n);
  }
}

TEST(Never, names_the_type_that_comes_nearest_and_what_it_lacks) {
  const std::vector<std::string> types = {"g5.xlarge", "g5.12xlarge", "g6f.xlarge"};
  EXPECT_FALSE(never_runs(catalogue(), types, need(4000, 8000, 4)));
  EXPECT_EQ(never_runs(catalogue(), types, need(4000, 8000, 5)),
            "asks 4 vCPU, 8000 MiB, 5 GPU; of 3 allowed instance types g5.12xlarge comes nearest and has "
            "only 4 GPU");
  Need n = need(1500, 8000, 1);
  n.gpu_models = {"H100", "A100"};
  n.gpu_memory_min_mib = 40'000;
  EXPECT_EQ(
      never_runs(catalogue(), {"g5.xlarge"}, n),
      "asks 1.5 vCPU, 8000 MiB, 1 GPU of H100 or A100, 40000 MiB each; of 1 allowed instance types g5.xlarge "
      "comes nearest and has only GPUs of model A10G, 22888 MiB on a GPU");
  EXPECT_EQ(never_runs(catalogue(), {"nope"}, need(1, 1)),
            "asks 0.001 vCPU, 1 MiB; no instance type is allowed");
}

}  // namespace
}  // namespace stoker::fleet
