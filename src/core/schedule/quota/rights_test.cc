#include "core/schedule/quota/rights.h"

#include <gtest/gtest.h>

#include "core/resources/capacity_units.h"

namespace stoker::core {
namespace {

using Strategy = QuotaSharing::Strategy;

constexpr Resources gpus(std::int64_t count) {
  return {.cpus_milli = 1000, .memory_mib = 100, .gpus = count};
}

struct Rights : ::testing::Test {
  QuotaShares shares;
  QuotaBook book;
  [[nodiscard]] QuotaView view() const { return {shares, book}; }

  void share(const std::string& name, std::vector<std::pair<std::int64_t, std::string>> limits,
             Strategy strategy, std::int64_t percent = QuotaSharing::kNoBorrowLimit) {
    QuotaShare made{.name = name, .queue = QueueNo{1}};
    for (const auto& [max, unit] : limits)
      made.limits.push_back({.max = max, .given = unit, .unit = *parse_capacity_unit(unit)});
    made.sharing = {strategy, percent};
    shares[name] = made;
  }
  static JobSpec spec(const std::string& name, const Resources& resources) {
    JobSpec made;
    made.share = name;
    made.container.resources = resources;
    return made;
  }
  void run(const std::string& name, std::int64_t count, const std::string& model = "NVIDIA T4",
           const std::string& instance = "", std::int64_t milli = 0) {
    book.add(spec(name, gpus(count)), {model, instance, milli});
  }
  std::string ask(const std::string& name, std::int64_t count, bool may_borrow = true) {
    for (const auto& [right, word] : {std::pair{QuotaRight::Own, "own"}, {QuotaRight::Borrow, "borrowed"}})
      if (may_start(view(), name, gpus(count), may_borrow, right).ok) return word;
    return may_start(view(), name, gpus(count), may_borrow, QuotaRight::Borrow).text;
  }
};

TEST_F(Rights, a_share_has_a_right_to_its_limit_and_to_no_more) {
  share("a", {{4, "GPU"}}, Strategy::Reserve);
  EXPECT_EQ(ask("a", 4), "own");
  run("a", 3);
  EXPECT_EQ(ask("a", 1), "own");
  EXPECT_EQ(ask("a", 2), "Waits for quota share a: asks 2 GPU, 3 of 4 GPU are in use; it does not borrow");
  EXPECT_EQ(ask("a", 5),
            "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - The job is larger than what quota share a "
            "may ever have: asks 5 GPU, 3 of 4 GPU "
            "are in use; it does not borrow");
}

TEST_F(Rights, what_lenders_leave_idle_can_be_borrowed) {
  share("a", {{4, "GPU"}}, Strategy::Lend);
  share("b", {{4, "GPU"}}, Strategy::LendAndBorrow);
  EXPECT_EQ(ask("b", 8), "borrowed");
  run("b", 4);
  run("a", 1);
  EXPECT_EQ(ask("b", 3), "borrowed");
  EXPECT_EQ(
      ask("b", 4),
      "Waits for quota share b: asks 4 GPU, 4 of 4 GPU are in use; idle and lent by other shares: 3 GPU");
  EXPECT_EQ(
      ask("b", 1, false),
      "Waits for quota share b: asks 1 GPU, 4 of 4 GPU are in use; a job that is not preemptible does not "
      "borrow");
  run("b", 3);
  EXPECT_EQ(
      ask("b", 1),
      "Waits for quota share b: asks 1 GPU, 7 of 4 GPU are in use, 3 of them borrowed; idle and lent by "
      "other shares: 0 GPU");
  EXPECT_EQ(ask("a", 3), "own") << "lent or not, it is its own";
}

TEST_F(Rights, what_is_reserved_is_lent_to_nobody) {
  share("a", {{4, "GPU"}}, Strategy::Reserve);
  share("b", {{4, "GPU"}}, Strategy::LendAndBorrow);
  run("b", 4);
  EXPECT_EQ(idle_to_lend(view(), "b", {CapacityUnit::Kind::Gpu}), 0);
  EXPECT_EQ(
      ask("b", 1),
      "Waits for quota share b: asks 1 GPU, 4 of 4 GPU are in use; idle and lent by other shares: 0 GPU");
  EXPECT_TRUE(may_start(view(), "b", gpus(5), true, QuotaRight::Borrow).never) << "nobody lends, ever";
}

TEST_F(Rights, what_others_hold_beyond_their_rights_takes_nothing_from_an_owner) {
  share("a", {{4, "GPU"}}, Strategy::LendAndBorrow);
  share("b", {{0, "GPU"}}, Strategy::LendAndBorrow);
  run("b", 4);
  run("a", 1);
  EXPECT_LT(idle_to_lend(view(), "a", {CapacityUnit::Kind::Gpu}), 0);
  EXPECT_TRUE(may_start(view(), "a", gpus(3), true, QuotaRight::Borrow).ok);
  EXPECT_FALSE(may_start(view(), "a", gpus(4), true, QuotaRight::Borrow).ok);
  EXPECT_FALSE(may_start(view(), "b", gpus(1), true, QuotaRight::Borrow).ok);
}

TEST_F(Rights, borrowing_ends_at_the_borrow_limit_in_percent) {
  share("a", {{100, "GPU"}}, Strategy::Lend);
  for (const auto& [percent, most] : {std::pair{0, 4}, {25, 5}, {50, 6}, {200, 12}, {-1, 104}}) {
    share("b", {{4, "GPU"}}, Strategy::LendAndBorrow, percent);
    for (const std::int64_t count : {most, most + 1})
      EXPECT_EQ(may_start(view(), "b", gpus(count), true, QuotaRight::Borrow).ok, count == most)
          << percent << " percent, " << count;
  }
}

TEST_F(Rights, units_do_not_mix_and_all_limits_hold) {
  share("a", {{64, "VCPU"}}, Strategy::Lend);
  share("b", {{1, "GPU"}, {2, "VCPU"}}, Strategy::LendAndBorrow);
  run("b", 1);
  EXPECT_EQ(idle_to_lend(view(), "b", {CapacityUnit::Kind::Vcpu}), 64'000);
  EXPECT_NE(ask("b", 1).find("1 of 1 GPU"), std::string::npos) << "vCPUs that are lent are no GPUs";
  EXPECT_EQ(ask("b", 0), "own");
  EXPECT_EQ(may_start(view(), "b", {.cpus_milli = 3000}, true, QuotaRight::Own).ok, false);
  EXPECT_EQ(may_start(view(), "b", {.cpus_milli = 3000}, true, QuotaRight::Borrow).ok, true);
}

TEST_F(Rights, parts_of_gpus_count_in_parts) {
  share("a", {{1, "GPU"}}, Strategy::Reserve);
  book.add(spec("a", {.gpu_milli = 400}), {});
  EXPECT_TRUE(may_start(view(), "a", {.gpu_milli = 600}, true, QuotaRight::Own).ok);
  const auto no = may_start(view(), "a", {.gpu_milli = 700}, true, QuotaRight::Own);
  EXPECT_EQ(no.text, "Waits for quota share a: asks 0.7 GPU, 0.4 of 1 GPU are in use; it does not borrow");
}

TEST_F(Rights, gpus_by_model_are_chosen_among_those_with_room) {
  share("a", {{4, "A100"}, {8, "T4"}}, Strategy::Reserve);
  run("a", 3, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(may_start(view(), "a", gpus(1), true, QuotaRight::Own).gpu_models,
            (std::vector<std::string>{"a100", "t4"}));
  EXPECT_EQ(may_start(view(), "a", gpus(2), true, QuotaRight::Own).gpu_models,
            (std::vector<std::string>{"t4"}));
  EXPECT_EQ(ask("a", 9),
            "MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED - The job is larger than what quota share a "
            "may ever have: asks 9 A100, 3 of 4 "
            "A100 are in use; it does not borrow");
  EXPECT_EQ(may_start(view(), "a", gpus(0), true, QuotaRight::Own).gpu_models, std::vector<std::string>{});
  EXPECT_FALSE(has_room(view(), "a", gpus(2), {"NVIDIA A100-SXM4-80GB", "", 0}, true, QuotaRight::Own));
  EXPECT_TRUE(has_room(view(), "a", gpus(2), {"Tesla T4", "", 0}, true, QuotaRight::Own));
}

TEST_F(Rights, machines_count_by_the_part_that_is_taken) {
  share("a", {{1, "g5.12xlarge"}}, Strategy::Lend);
  share("b", {{1, "g5.12xlarge"}}, Strategy::LendAndBorrow);
  run("b", 2, "NVIDIA A10G", "g5.12xlarge", 500);
  EXPECT_EQ(may_start(view(), "b", gpus(1), true, QuotaRight::Own).instance_types,
            (std::vector<std::string>{"g5.12xlarge"}));
  EXPECT_TRUE(has_room(view(), "b", gpus(2), {"NVIDIA A10G", "g5.12xlarge", 500}, true, QuotaRight::Own));
  run("b", 4, "NVIDIA A10G", "g5.12xlarge", 1000);
  EXPECT_FALSE(may_start(view(), "b", gpus(1), true, QuotaRight::Own).ok);
  EXPECT_TRUE(has_room(view(), "b", gpus(2), {"NVIDIA A10G", "g5.12xlarge", 500}, true, QuotaRight::Borrow));
  EXPECT_FALSE(has_room(view(), "b", gpus(3), {"NVIDIA A10G", "g5.12xlarge", 750}, true, QuotaRight::Borrow));
}

TEST_F(Rights, loans_are_told_from_whom_to_whom) {
  share("a", {{4, "GPU"}}, Strategy::Lend);
  share("b", {{2, "GPU"}}, Strategy::LendAndBorrow);
  share("c", {{2, "GPU"}}, Strategy::LendAndBorrow);
  run("b", 4);
  run("c", 3);
  run("a", 1);
  EXPECT_TRUE(is_over(view(), shares.at("b")));
  EXPECT_FALSE(is_over(view(), shares.at("a")));
  EXPECT_EQ(describe(view(), shares.at("a")),
            "Quota share a uses 1 of 4 GPU; 2 GPU are lent to b; 1 GPU are lent to c");
  EXPECT_EQ(describe(view(), shares.at("b")), "Quota share b uses 4 of 2 GPU; 2 GPU are borrowed from a");
  run("a", 2);
  EXPECT_EQ(describe(view(), shares.at("b")),
            "Quota share b uses 4 of 2 GPU; 1 GPU are borrowed from a; 1 GPU are beyond what it may have");
}

TEST_F(Rights, a_book_that_gives_all_back_is_as_it_was) {
  run("a", 2, "NVIDIA T4", "g4dn.xlarge", 1000);
  run("a", 1);
  book.remove(spec("a", gpus(2)), {"NVIDIA T4", "g4dn.xlarge", 1000});
  EXPECT_EQ(book.of("a").gpu, 1000);
  EXPECT_EQ(book.of("a").of({CapacityUnit::Kind::Instance, "g4dn.xlarge"}), 0);
  book.remove(spec("a", gpus(1)), {"NVIDIA T4", "", 0});
  EXPECT_EQ(book, QuotaBook{});
}

TEST(CapacityUnits, are_gpus_vcpus_models_and_instance_types) {
  using Kind = CapacityUnit::Kind;
  struct Row {
    std::string_view text;
    std::optional<CapacityUnit> unit;
  };
  for (const Row& row : {Row{"GPU", CapacityUnit{Kind::Gpu}},
                         {"VCPU", CapacityUnit{Kind::Vcpu}},
                         {"vCPU", CapacityUnit{Kind::Vcpu}},
                         {"A100", CapacityUnit{Kind::GpuModel, "a100"}},
                         {"A100-80GB", CapacityUnit{Kind::GpuModel, "a100-80gb"}},
                         {"RTX 6000", CapacityUnit{Kind::GpuModel, "rtx 6000"}},
                         {"g5.12xlarge", CapacityUnit{Kind::Instance, "g5.12xlarge"}},
                         {"ml.p4d.24xlarge", CapacityUnit{Kind::Instance, "ml.p4d.24xlarge"}},
                         {"", std::nullopt},
                         {"GPUS", std::nullopt},
                         {"MEMORY", std::nullopt},
                         {"NUM_INSTANCES", std::nullopt},
                         {"g5.", std::nullopt},
                         {"-A100", std::nullopt},
                         {"G5.12XLARGE", std::nullopt}})
    EXPECT_EQ(parse_capacity_unit(row.text), row.unit) << row.text;
}

}  // namespace
}  // namespace stoker::core
