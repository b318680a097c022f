#include "core/placement/policies/policies.h"

#include <gtest/gtest.h>

namespace stoker::core {
namespace {

// A node with what is free of it: `gpus` by GPU, `classes` as in Room.
struct Free {
  std::int64_t cpus = 0;
  std::vector<std::int16_t> gpus;
  std::uint16_t classes = 0;
};
struct Wish {
  std::int64_t cpus = 0;
  std::int64_t gpus = 0;
  std::int64_t gpu_milli = 1000;
};

struct Scene {
  NodeKind kind;
  Room room;
  Ask ask;
  Match match;
  KindFit fit;
  Scene(const Free& free, const Wish& wish, const Workload& workload = {}) {
    kind.types = {{"T4", 16'384}};
    kind.gpus.resize(free.gpus.size());
    room.cpus_milli = free.cpus * 1000;
    room.gpus = free.gpus;
    room.classes = free.classes;
    for (const std::int16_t gpu : free.gpus) room.gpu_milli += gpu;
    ask = {
        .cpus_milli = wish.cpus * 1000, .gpus = wish.gpus, .gpu_milli = wish.gpus > 0 ? wish.gpu_milli : 0};
    match.any_type = true;
    fit = fit_of(workload, {}, kind);
  }
  [[nodiscard]] Candidate candidate(const Policy& policy) const {
    return {.kind = kind,
            .room = room,
            .ask = ask,
            .match = match,
            .unusable = policy.measure(fit, kind, room),
            .fit = &fit};
  }
  [[nodiscard]] std::int64_t score(PolicyName name) const {
    const auto policy = make_policy(name);
    return policy->score(candidate(*policy));
  }
};

const std::vector<std::int16_t> kIdle8(8, 1000);
constexpr std::int16_t kPart = 500;

TEST(Policies, score_as_their_formulas_say) {
  struct Row {
    std::string_view sentence;
    PolicyName policy;
    Free free;
    Wish wish;
    std::int64_t score;
  };
  using enum PolicyName;
  for (const Row& row :
       std::vector<Row>{{"100 (1 - (0.0703 + 0.125) / 2)", DotProd, {96, kIdle8}, {12, 1}, 90},
                        {"100 (1 - (84/128 + 7/8) / 2)", BestFit, {96, kIdle8}, {12, 1}, 23},
                        {"nothing is left", BestFit, {12, {1000}}, {12, 1}, 100},
                        {"eight idle GPUs", Packing, {96, kIdle8}, {1, 1}, 25},
                        {"two idle GPUs", Packing, {96, {1000, 1000}}, {1, 1}, 31},
                        {"one idle GPU of a node in use", Packing, {96, {0, 1000}}, {1, 1}, 49},
                        {"two idle GPUs of a node in use", Packing, {96, {0, 1000, 1000}}, {1, 2}, 48},
                        {"a GPU in use", Packing, {96, {kPart, 1000}}, {1, 1, 300}, 95},
                        {"the GPU in use has too little left", Packing, {96, {kPart, 1000}}, {1, 1, 600}, 49},
                        {"no GPU", Packing, {96, kIdle8}, {1, 0}, 0},
                        {"runs of two GPUs only, one GPU in eight used",
                         Clustering,
                         {96, {0, 1000, 1000, 1000, 1000, 1000, 1000, 1000}, class_bit(2)},
                         {1, 2},
                         78},
                        {"other runs too",
                         Clustering,
                         {96,
                          {0, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
                          static_cast<std::uint16_t>(class_bit(2) | class_bit(0))},
                         {1, 2},
                         53},
                        {"nothing runs", Clustering, {96, kIdle8}, {1, 1, 200}, 25},
                        {"only others run",
                         Clustering,
                         {96, {0, 1000, 1000, 1000, 1000, 1000, 1000, 1000}, class_bit(1)},
                         {1, 2},
                         3},
                        {"no GPU", Clustering, {96, kIdle8, class_bit(1)}, {1, 0}, 0}})
    EXPECT_EQ(Scene(row.free, row.wish).score(row.policy), row.score)
        << name_of(row.policy) << ": " << row.sentence;
}

TEST(Policies, the_gradient_is_the_logistic_function_in_whole_points) {
  for (const auto& [gpus, score] :
       {std::pair{0.0, 50}, {1.0, 73}, {-1.0, 26}, {20.0, 99}, {-20.0, 0}, {0.03, 50}, {0.05, 51}})
    EXPECT_EQ(gradient_score(static_cast<std::int64_t>(gpus * 1000 * 7), 7), score) << gpus;
  EXPECT_EQ(gradient_score(5000, 0), 50) << "nothing is known to be asked for";
}

Shape a_shape(std::int64_t cpus, std::int64_t gpus, std::int64_t milli = 0) {
  return {.resources = {.cpus_milli = cpus * 1000, .gpus = gpus, .gpu_milli = milli}};
}

TEST(Workload, fragments_are_what_the_next_run_cannot_use_in_the_mean) {
  // Half of the runs ask for a half of a GPU, a quarter for two GPUs, a quarter for none.
  const Workload workload =
      Workload::of({{a_shape(1, 0, 500), 2}, {a_shape(4, 2), 1}, {a_shape(1, 0), 1}}, 100);
  struct Row {
    std::string_view sentence;
    Free free;
    std::int64_t fragments;  // times 4
    std::int64_t rests;
  };
  for (const Row& row : std::vector<Row>{
           {"two idle GPUs: only runs without GPUs cannot use them", {96, {1000, 1000}}, 2000, 2000},
           {"a GPU and 400: too few whole ones for two, 400 too little for a half",
            {96, {1000, 400}},
            2 * 400 + 1400 + 1400,
            2 * 400 + 1400 + 1400},
           {"700: a second half does not fit behind the first", {96, {700}}, 700 + 700, 2 * 200 + 700 + 700},
           {"one CPU is enough for one half", {1, {1000, 1000}}, 2000 + 2000, 2 * 1500 + 2000 + 2000},
           {"no CPU: nothing can be used", {0, {1000}}, 4000, 4000}}) {
    const Scene scene(row.free, {1, 1}, workload);
    EXPECT_EQ(fragments_of(scene.fit, scene.kind, scene.room).weighted, row.fragments) << row.sentence;
    EXPECT_EQ(rests_of(scene.fit, scene.kind, scene.room).weighted, row.rests) << row.sentence;
  }
}

TEST(Workload, the_most_frequent_shapes_are_typical_and_memory_makes_no_other) {
  Shape more_memory = a_shape(1, 1);
  more_memory.resources.memory_mib = 5;
  const Workload workload =
      Workload::of({{a_shape(1, 0), 30}, {a_shape(1, 1), 30}, {more_memory, 31}, {a_shape(1, 8), 9}}, 90);
  ASSERT_EQ(workload.shapes().size(), 2U);
  EXPECT_EQ(workload.shapes()[0].count, 61);
  EXPECT_EQ(workload.total(), 91);
}

TEST(Workload, distance_is_by_shares_not_by_counts) {
  const Workload one = Workload::of({{a_shape(1, 1), 1}, {a_shape(1, 8), 1}}, 100);
  const Workload twice = Workload::of({{a_shape(1, 1), 2}, {a_shape(1, 8), 2}}, 100);
  const Workload half = Workload::of({{a_shape(1, 1), 5}, {a_shape(2, 1), 5}}, 100);
  EXPECT_EQ(one.distance(twice), 0);
  EXPECT_EQ(one.distance(half), 1);
  EXPECT_EQ(one.distance(Workload::of({{a_shape(3, 1), 7}}, 100)), 2);
  EXPECT_EQ(Workload{}.distance(one), 1) << "nothing known is halfway";
}

TEST(Workload, gpus_that_many_name_are_scarce) {
  Shape picky = a_shape(1, 1);
  picky.gpu.models = {"a100"};
  const Supply supply = {{{"A100", 1}, 10}, {{"T4", 1}, 30}};
  const NodeKind kind{.types = {{"A100", 1}, {"T4", 1}}};
  const auto scarcity = [&](std::int64_t picky_count) {
    return fit_of(Workload::of({{a_shape(1, 1), 20}, {picky, picky_count}}, 100), supply, kind).scarcity;
  };
  // 20 runs spread over 40 GPUs and 20 over ten: 2.5 and 0.5 a GPU, 1 in the mean.
  EXPECT_EQ(scarcity(20), (std::vector<std::int64_t>{2500, 500}));
  EXPECT_EQ(scarcity(0), (std::vector<std::int64_t>{1000, 1000}));
}

TEST(Stoker, weighs_what_a_node_is_worth_beside_its_room) {
  const auto policy = make_policy(PolicyName::Stoker);
  const auto score = [&](const Scene& scene) { return policy->score(scene.candidate(*policy)); };
  const Workload workload = Workload::of({{a_shape(1, 1), 1}}, 100);
  const Scene plain({96, {1000, 1000}}, {1, 1}, workload);
  for (const PolicyName name : {PolicyName::DotProd, PolicyName::Clustering, PolicyName::Packing,
                                PolicyName::BestFit, PolicyName::Fgd, PolicyName::Random})
    EXPECT_EQ(make_policy(name)->warm_bonus(), 0) << "as published";
  EXPECT_GT(make_policy(PolicyName::Stoker)->warm_bonus(), 0) << "the image is there";
  Scene dear = plain;
  dear.kind.price_micros_per_hour = 2'000'000;
  EXPECT_LT(score(dear), score(plain)) << "the price decides between equals";
  EXPECT_GT(score(dear), score(plain) - 1'000'000'000) << "and only between equals";
  EXPECT_LT(score(Scene({96, {1000}}, {1, 0}, workload)), score(Scene({96, {}}, {1, 0}, workload)))
      << "a run without GPUs leaves nodes with GPUs alone";
  Scene scarce = plain;
  scarce.fit.scarcity = {1500};
  EXPECT_LT(score(scarce), score(plain)) << "GPUs that others name are left to them";
}

}  // namespace
}  // namespace stoker::core
