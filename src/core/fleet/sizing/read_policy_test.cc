#include <gtest/gtest.h>

#include "core/fleet/sizing/testing.h"

namespace stoker::fleet {
namespace {

using testing::catalogue;

Result<FleetPolicy> read(std::string_view text) {
  return read_fleet_policy(json::parse(text).value(), catalogue());
}

TEST(ReadFleetPolicy, types_and_zones_are_enough) {
  const FleetPolicy policy = read(R"({"types":["p5"],"zones":["x"]})").value();
  EXPECT_EQ(policy.types, (std::vector<std::string>{"p5.4xlarge", "p5.48xlarge"}));
  FleetPolicy defaults;
  defaults.types = policy.types;
  defaults.zones = {"x"};
  EXPECT_EQ(policy, defaults);
}

TEST(ReadFleetPolicy, reads_every_member) {
  const FleetPolicy policy =
      read(R"({"region":"r","zones":["a","b"],"types":["g5.xlarge"],"strategy":"BEST_FIT",
    "spot":{"use":"first","pricePercentMax":70,"failuresMax":2,"waitMaxSeconds":600,"poolSharePercentMax":40},
    "limits":{"vcpusMin":4,"vcpusMax":400,"gpusMax":50,"nodesMax":60,"launchesMax":7},
    "cold":{"bootSeconds":100,"pullSeconds":200,"launchFee":"0.10"},
    "window":{"kind":"schedule","seconds":5,"utcOffsetMinutes":-300,
              "rules":[{"days":["mon","sun"],"from":"09:30","to":"24:00","seconds":1800}]},
    "waitPerMinute":0.25,"patience":0.5,"patienceMaxSeconds":60,"runGuessSeconds":70,
    "consolidate":{"afterSeconds":80},"bootMaxSeconds":90,"silentMaxSeconds":91,"ageMaxSeconds":92,"stopGraceSeconds":93,
    "budget":{"limit":1000,"warnPercent":50,"stopLaunchesPercent":90,"stopFleetPercent":120}})")
          .value();
  EXPECT_EQ(policy.region, "r");
  EXPECT_EQ(policy.strategy, Strategy::BestFit);
  EXPECT_EQ(policy.market, (MarketPolicy{SpotUse::First, 70, 2, minutes(10), 40}));
  EXPECT_EQ(policy.limits, (FleetLimits{4, 400, 50, 60, 7}));
  EXPECT_EQ(policy.cold, (ColdStart{seconds(100), seconds(200), Money{100'000}}));
  EXPECT_EQ(policy.window.kind, WindowKind::Schedule);
  EXPECT_EQ(policy.window.utc_offset_minutes, -300);
  EXPECT_EQ(policy.window.rules, (std::vector<WindowRule>{{0b1000001, 570, 1440, minutes(30)}}));
  EXPECT_EQ(policy.wait_per_minute, Money{250'000});
  EXPECT_EQ(policy.patience_milli, 500);
  EXPECT_TRUE(policy.consolidate);
  EXPECT_EQ(policy.consolidate_after, seconds(80));
  EXPECT_EQ(policy.age_max, seconds(92));
  EXPECT_EQ(policy.budget, (Budget{dollars(1000), 50, 90, 120}));
}

TEST(ReadFleetPolicy, names_the_member_that_breaks_a_rule) {
  const std::pair<const char*, const char*> rows[] = {
      {R"(7)", "zones: must be a list"},
      {R"({"zones":["a"]})", "types: must be a list"},
      {R"({"zones":[],"types":["g5"]})", "zones: must be a list"},
      {R"({"zones":["a"],"types":["x1"]})", "instanceTypes: x1 is neither"},
      {R"({"zones":["a"],"types":["g5"],"colour":"red"})", "colour: is not known"},
      {R"({"zones":["a"],"types":["g5"],"strategy":"CHEAP"})", "strategy: is none"},
      {R"({"zones":["a"],"types":["g5"],"spot":{"use":"maybe"}})", "spot: use: must be first"},
      {R"({"zones":["a"],"types":["g5"],"spot":{"x":1}})", "spot: x: is not known"},
      {R"({"zones":["a"],"types":["g5"],"spot":[]})", "spot: must be an object"},
      {R"({"zones":["a"],"types":["g5"],"limits":{"vcpusMin":5,"vcpusMax":4}})",
       "limits: vcpusMin: must not be above"},
      {R"({"zones":["a"],"types":["g5"],"limits":{"vcpusMax":1.5}})", "limits: vcpusMax: must be a whole"},
      {R"({"zones":["a"],"types":["g5"],"window":{"kind":"warm"}})", "window: kind: must be"},
      {R"({"zones":["a"],"types":["g5"],"window":{"seconds":700000}})",
       "window: seconds: must be at most 7 days"},
      {R"({"zones":["a"],"types":["g5"],"window":{"rules":[{"from":"9:00","to":"10:00"}]}})",
       "rules: from: must be a time"},
      {R"({"zones":["a"],"types":["g5"],"window":{"rules":[{"from":"24:01","to":"10:00"}]}})",
       "rules: from: must be a time"},
      {R"({"zones":["a"],"types":["g5"],"window":{"rules":[{"from":"09:00","to":"09:00"}]}})",
       "rules: to: must be another time"},
      {R"({"zones":["a"],"types":["g5"],"window":{"rules":[{"days":["day"],"from":"09:00","to":"10:00"}]}})",
       "rules: days: are mon"},
      {R"({"zones":["a"],"types":["g5"],"window":{"kind":"schedule","seconds":60}})", "rules: must be given"},
      {R"({"zones":["a"],"types":["g5"],"window":{"kind":"schedule","rules":[]}})",
       "rules: must be a list of 1"},
      {R"({"zones":["a"],"types":["g5"],"window":{"kind":"fixed","rules":[{"from":"09:00","to":"10:00"}]}})",
       "rules: has no effect on a window of kind fixed"},
      {R"({"zones":["a"],"types":["g5"],"window":{"kind":"learnt","seconds":60}})", "seconds: has no effect"},
      {R"({"zones":["a"],"types":["g5"],"window":{"kind":"learnt","mostSeconds":0}})",
       "mostSeconds: must be more than 0"},
      {R"({"zones":["a"],"types":["g5"],"window":{"mostSeconds":60}})", "mostSeconds: has no effect"},
      {R"({"zones":["a"],"types":["g5"],"window":{"utcOffsetMinutes":60}})",
       "utcOffsetMinutes: has no effect"},
      {R"({"zones":["a"],"types":["g5"],"limits":{"vcpusMax":0}})", "limits: vcpusMax: must be a whole"},
      {R"({"zones":["a"],"types":["g5"],"limits":{"nodesMax":0}})", "limits: nodesMax: must be a whole"},
      {R"({"zones":["a"],"types":["g5"],"patience":-1})", "patience: must be a number"},
      {R"({"zones":["a"],"types":["g5"],"patience":"1"})", "patience: must be a number"},
      {R"({"zones":["a"],"types":["g5"],"waitPerMinute":-1})", "waitPerMinute: must be an amount"},
      {R"({"zones":["a"],"types":["g5"],"bootMaxSeconds":-1})", "bootMaxSeconds: must be a whole"},
      {R"({"zones":["a"],"types":["g5"],"budget":{"limit":"much"}})", "budget: limit: must be an amount"},
  };
  for (const auto& [text, fault] : rows) {
    const auto policy = read(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_NE(policy.error().message.find(fault), std::string::npos)
        << text << " said " << policy.error().message;
  }
}

}  // namespace
}  // namespace stoker::fleet
