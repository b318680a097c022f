#include "core/resources/fleet_tags.h"

#include "core/resources/own_tags.h"
#include "core/resources/testing.h"

namespace stoker::core {
namespace {

using namespace testing;

fleet::FleetPolicy policy_of(const Tags& tags) {
  EXPECT_EQ(fault_in_own_tags(ResourceKind::ComputeEnvironment, tags), "");
  fleet::FleetPolicy policy;
  apply_fleet_tags(tags, policy);
  return policy;
}

TEST(FleetTags, say_what_the_document_cannot) {
  const auto policy = policy_of({{"stoker:age-max", "2d"},
                                 {"stoker:budget", "99.50"},
                                 {"stoker:budget-stop-fleet", "120"},
                                 {"stoker:budget-warn", "0"},
                                 {"stoker:cold-start", "5m"},
                                 {"stoker:consolidate-after", "10m"},
                                 {"stoker:gpus-max", "8"},
                                 {"stoker:one-run", "true"},
                                 {"stoker:patience", "0.5"},
                                 {"stoker:spot", "first"},
                                 {"stoker:spot-failures-max", "0"},
                                 {"stoker:wait-per-minute", "0.10"},
                                 {"team", "anything"}});
  EXPECT_EQ(policy.age_max, days(2));
  EXPECT_EQ(policy.budget.limit, Money{99'500'000});
  EXPECT_EQ(policy.budget.stop_fleet_percent, 120);
  EXPECT_EQ(policy.budget.warn_percent, 0);
  EXPECT_EQ(policy.budget.stop_launches_percent, 100) << "not said: the default";
  EXPECT_EQ(policy.cold.total(), minutes(5));
  EXPECT_TRUE(policy.consolidate);
  EXPECT_EQ(policy.consolidate_after, minutes(10));
  EXPECT_EQ(policy.limits.gpus_max, 8);
  EXPECT_TRUE(policy.one_run);
  EXPECT_EQ(policy.patience_milli, 500);
  EXPECT_EQ(policy.market.use, fleet::SpotUse::First);
  EXPECT_EQ(policy.market.failures_max, 0);
  EXPECT_EQ(policy.wait_per_minute, Money{100'000});
}

TEST(FleetTags, have_warm_windows_fixed_learnt_and_by_the_clock) {
  EXPECT_EQ(policy_of({{"stoker:warm-window", "0"}}).window, fleet::WarmWindow{});
  EXPECT_EQ(policy_of({{"stoker:warm-window", "90s"}}).window.fixed, seconds(90));
  const auto learnt = policy_of({{"stoker:warm-window", "learnt 2h"}}).window;
  EXPECT_EQ(learnt.kind, fleet::WindowKind::Learnt);
  EXPECT_EQ(learnt.most, hours(2));
  const auto clock =
      policy_of({{"stoker:warm-window", "mon-fri 09:00-17:30 30m / sun-mon 22:00-06:00 0 / UTC-02:00 / 5m"}})
          .window;
  EXPECT_EQ(clock.kind, fleet::WindowKind::Schedule);
  EXPECT_EQ(clock.fixed, minutes(5));
  EXPECT_EQ(clock.utc_offset_minutes, -120);
  ASSERT_EQ(clock.rules.size(), 2U);
  EXPECT_EQ(clock.rules[0], (fleet::WindowRule{0x1f, 540, 1050, minutes(30)}));
  EXPECT_EQ(clock.rules[1], (fleet::WindowRule{0x41, 1320, 360, {}}));
}

TEST(FleetTags, that_are_not_legal_are_refused_with_their_rule) {
  for (const auto& [key, value, text] : std::initializer_list<std::array<std::string_view, 3>>{
           {"stoker:warm-windows", "5m",
            "is no tag of this server for compute environments; it knows stoker:age-max"},
           {"stoker:deadline", "5m", "is no tag of this server for compute environments"},
           {"stoker:warm-window", "soon", "stoker:warm-window must be a time such as 0"},
           {"stoker:warm-window", "8d", "must be a time"},
           {"stoker:warm-window", "mon-fri 9:00-17:30 30m", "must be a time"},
           {"stoker:warm-window", "mon-fry 09:00-17:30 30m", "must be a time"},
           {"stoker:warm-window", "mon-fri 09:00-09:00 5m", "each with a begin and another end"},
           {"stoker:warm-window", "5m / sat 24:00-00:00 1h", "must be a time"},
           {"stoker:warm-window", "5m / ", "must be a time"},
           {"stoker:warm-window", "UTC+15:00", "must be a time"},
           {"stoker:warm-window", "5m / 10m", "must be a time"},
           {"stoker:warm-window", "learnt/5m", "must be a time"},
           {"stoker:warm-window", "5m / learnt", "must be a time"},
           {"stoker:warm-window", "learnt / mon 09:00-10:00 5m", "must be a time"},
           {"stoker:warm-window", "learnt 0", "must be a time"},
           {"stoker:warm-window", "UTC+01:00", "must be a time"},
           {"stoker:warm-window", "UTC+01:00 / 5m", "must be a time"},
           {"stoker:warm-window", "mon 09:00-10:00 5m / UTC+01:00 / UTC+02:00", "must be a time"},
           {"stoker:warm-window", "mon 09:00-10:00 5m / 5m / 0", "must be a time"},
           {"stoker:budget", "0", "must be dollars"},
           {"stoker:budget", "-3", "must be dollars"},
           {"stoker:budget-warn", "101.5", "must be a whole number of percent"},
           {"stoker:gpus-max", "0", "must be a whole number from 1"},
           {"stoker:spot", "always", "must be first, only or never, not 'always'"},
           {"stoker:idle-cost", "somebody", "must be environment or proportional"},
           {"stoker:patience", "-1", "must be a number from 0"},
           {"stoker:age-max", "0s", "must be a time"}}) {
    const std::string answer =
        fault_in_own_tags(ResourceKind::ComputeEnvironment, {{std::string(key), std::string(value)}});
    EXPECT_NE(answer.find(text), std::string::npos) << key << '=' << value << "\n  answered: " << answer;
  }
}

TEST(FleetTags, are_in_the_order_of_their_names) {
  EXPECT_TRUE(std::ranges::is_sorted(fleet_tag_rules(), {}, &FleetTagRule::key));
}

}  // namespace
}  // namespace stoker::core
