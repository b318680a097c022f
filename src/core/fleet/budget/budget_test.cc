#include "core/fleet/budget/budget.h"

#include <gtest/gtest.h>

namespace stoker::fleet {
namespace {

constexpr Instant kNow{1'000'000'000};

TEST(Budget, acts_at_its_marks) {
  const Budget budget{
      .limit = dollars(1000), .warn_percent = 80, .stop_launches_percent = 100, .stop_fleet_percent = 120};
  const std::pair<std::int64_t, BudgetLevel> rows[] = {{0, BudgetLevel::Fine},
                                                       {799, BudgetLevel::Fine},
                                                       {800, BudgetLevel::Warn},
                                                       {999, BudgetLevel::Warn},
                                                       {1000, BudgetLevel::StopLaunches},
                                                       {1199, BudgetLevel::StopLaunches},
                                                       {1200, BudgetLevel::StopFleet},
                                                       {-5, BudgetLevel::Fine}};
  for (const auto& [spent, level] : rows)
    EXPECT_EQ(judge(budget, dollars(spent), {}, kNow).level, level) << spent;
  EXPECT_EQ(judge(budget, dollars(1000), {}, kNow).text,
            "1000.00 of 1000.00 USD are spent (100 %): no more launches in this period");
}

TEST(Budget, a_mark_of_zero_never_acts_and_no_limit_is_no_budget) {
  EXPECT_EQ(judge({.limit = dollars(1)}, dollars(500), {}, kNow).level, BudgetLevel::StopLaunches);
  EXPECT_EQ(
      judge({.limit = dollars(1), .warn_percent = 0, .stop_launches_percent = 0}, dollars(500), {}, kNow)
          .level,
      BudgetLevel::Fine);
  EXPECT_EQ(judge({}, dollars(500), dollars(5), kNow), BudgetVerdict{});
}

TEST(Budget, says_when_it_will_be_used_up) {
  const Budget budget{.limit = dollars(100)};
  EXPECT_EQ(judge(budget, dollars(60), dollars(20), kNow).runs_out_at, kNow + hours(2));
  EXPECT_EQ(judge(budget, dollars(60), {}, kNow).runs_out_at, std::nullopt);
  EXPECT_EQ(judge(budget, dollars(160), dollars(20), kNow).runs_out_at, kNow);
  EXPECT_EQ(judge(budget, dollars(80), dollars(20), kNow).text,
            "80.00 of 100.00 USD are spent (80 %), all at this rate by 1970-01-12T14:46:40Z");
  EXPECT_EQ(judge(budget, dollars(60), Money{1}, kNow).runs_out_at, std::nullopt) << "in some thousand years";
}

}  // namespace
}  // namespace stoker::fleet
