#include <algorithm>
#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/cost/split.h"
#include "core/cost/summary.h"

namespace stoker::cost {
namespace {

constexpr Instant kStart{1'000'000'000};

TEST(Billing, begun_units_are_paid_and_a_minimum) {
  const auto paid = [](const BillingRule& rule, Duration ran) {
    return paid_until(rule, kStart, kStart + ran) - kStart;
  };
  EXPECT_EQ(paid(kPerSecond, seconds(61)), seconds(61));
  EXPECT_EQ(paid(kPerSecond, milliseconds(61'001)), seconds(62));
  EXPECT_EQ(paid(kPerSecond, seconds(2)), minutes(1));
  EXPECT_EQ(paid(kPerSecond, {}), minutes(1)) << "a start is paid";
  EXPECT_EQ(paid(kPerHour, minutes(61)), hours(2));
  EXPECT_EQ(paid(kPerHour, hours(1)), hours(1));
  EXPECT_EQ(paid(kPerSecond, milliseconds(-5)), minutes(1));
}

TEST(Billing, each_price_holds_until_the_next) {
  const std::vector<PriceStep> prices = {
      {kStart, dollars(1)}, {kStart + hours(1), dollars(3)}, {kStart + hours(2), dollars(5)}};
  const auto cost = [&](Duration from, Duration to) {
    return rounded(exact_cost(prices, kStart + from, kStart + to));
  };
  EXPECT_EQ(cost({}, hours(3)), dollars(9));
  EXPECT_EQ(cost(minutes(30), minutes(90)), dollars(2));
  EXPECT_EQ(cost(hours(-1), {}), dollars(1)) << "the first holds before, too";
  EXPECT_EQ(cost(hours(1), hours(1)), Money{});
}

TEST(Split, parts_add_up_to_the_millionth) {
  const std::vector<Wide> thirds = {1, 1, 1};
  EXPECT_EQ(split(Money{100}, thirds), (std::vector<Money>{{34}, {33}, {33}}));
  EXPECT_EQ(split(Money{-100}, thirds), (std::vector<Money>{{-34}, {-33}, {-33}}));
  const std::vector<Wide> weights = {5, 0, 10};
  EXPECT_EQ(split(Money{2}, weights), (std::vector<Money>{{1}, {0}, {1}})) << "the larger remainder first";
  const std::vector<Wide> nothing = {0, 0};
  EXPECT_EQ(split(Money{7}, nothing), (std::vector<Money>{{7}, {0}}));
  EXPECT_TRUE(split(Money{}, {}).empty());
}

TEST(Split, never_loses_anything_nor_is_off_by_more_than_one) {
  Rng rng(9);
  for (int i = 0; i < 3000; ++i) {
    std::vector<Wide> weights;
    Wide sum = 0;
    for (std::uint64_t n = 1 + rng.below(12); n > 0; --n) {
      const Wide weight = static_cast<Wide>(rng.next() >> rng.below(63)) << rng.below(40);
      weights.push_back(weight);
      sum += weight;
    }
    const Money amount{static_cast<std::int64_t>(rng.below(2'000'000'000'000))};
    const std::vector<Money> parts = split(amount, weights);
    Money total;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      total += parts[p];
      ASSERT_GE(parts[p].micros, 0);
      if (sum == 0) continue;
      const double exact =
          static_cast<double>(amount.micros) * (static_cast<double>(weights[p]) / static_cast<double>(sum));
      ASSERT_NEAR(static_cast<double>(parts[p].micros), exact, 1.001 + exact * 1e-12);
    }
    ASSERT_EQ(total, amount);
  }
}

TEST(DominantShare, is_the_largest_part_of_the_machine) {
  const Amounts machine{.gpu_milli = 4000, .cpus_milli = 48'000, .memory_mib = 192'000};
  EXPECT_EQ(dominant_share({1000, 4000, 16'000}, machine), 250'000);
  EXPECT_EQ(dominant_share({1000, 24'000, 16'000}, machine), 500'000);
  EXPECT_EQ(dominant_share({1000, 24'000, 16'000}, machine, {.gpu = 900, .cpu = 50, .memory = 50}), 225'000);
  EXPECT_EQ(dominant_share({500, 0, 0}, machine), 125'000);
  EXPECT_EQ(dominant_share({}, machine), 0);
  EXPECT_EQ(dominant_share({9000, 0, 0}, machine), kWholeNode);
}

// ---- the ledger ----

struct Ledger : ::testing::Test {
  NodeUse use;
  LedgerRules rules;
  Ledger() {
    use.node = "n";
    use.environment = "env";
    use.asked_by = {"", "", "queue", ""};
    use.prices = {{kStart, dollars(4)}};
    use.started = kStart;
    use.ready = kStart + minutes(15);
    use.ended = kStart + hours(3);
  }
  RunUse& run(const std::string& job, Share share, Duration from, Duration to, Duration pull = {}) {
    use.runs.push_back(
        {{job, "team", "queue", ""}, share, kStart + from, kStart + from + pull, kStart + to, kStart + to});
    return use.runs.back();
  }
  NodeBill made(Instant now = kStart + hours(9)) {
    NodeBill made = bill(use, rules, now);
    EXPECT_EQ(check_ledger({made}), "");
    return made;
  }
  // "a work 1.00, a warmup 0.50, queue/team idle 2.00, env idle 2.00"
  std::string lines(Instant now = kStart + hours(9)) {
    std::string text;
    for (const Line& line : made(now).lines)
      text += (text.empty() ? "" : ", ") + name_of_payer(line.payer) + " " + std::string(name_of(line.kind)) +
              " " + to_cents(line.amount);
    return text;
  }
  static std::string name_of_payer(const Payer& payer) {
    if (!payer.job.empty()) return payer.job;
    if (payer.queue.empty()) return "env";
    return payer.queue + (payer.tenant.empty() ? "" : "/" + payer.tenant);
  }
};

TEST_F(Ledger, warm_up_is_spread_over_the_runs_by_their_work) {
  run("a", 250'000, minutes(15), minutes(75));
  run("b", 250'000, minutes(15), minutes(135));
  run("c", 500'000, minutes(15), minutes(75));
  // 3 h at 4: 12. Warm-up 1: work is 1/4 h, 2/4 h and 2/4 h.
  EXPECT_EQ(
      lines(),
      "a work 1.00, b work 2.00, c work 2.00, a warmup 0.20, b warmup 0.40, c warmup 0.40, env idle 3.00, "
      "queue/team idle 3.00");
}

TEST_F(Ledger, the_pull_of_an_image_is_warm_up_too) {
  run("a", kWholeNode, minutes(15), hours(3), minutes(45));
  EXPECT_EQ(lines(), "a work 8.00, a warmup 4.00");
}

TEST_F(Ledger, work_since_the_last_checkpoint_is_waste_of_the_job) {
  run("a", kWholeNode, minutes(15), hours(3)).kept_until = kStart + hours(2);
  EXPECT_EQ(lines(), "a work 7.00, a warmup 1.00, a waste 4.00");
}

TEST_F(Ledger, a_machine_that_served_nobody_is_waste_of_who_asked_for_it) {
  EXPECT_EQ(lines(), "queue idle 11.00, queue waste 1.00") << "it waited for them";
  use.ready = {};
  EXPECT_EQ(lines(), "queue waste 12.00") << "it never joined";
  use.asked_by = {};
  EXPECT_EQ(lines(), "env waste 12.00");
}

TEST_F(Ledger, idle_time_beside_runs_goes_to_the_environment_or_to_those_runs_by_their_shares) {
  use.ready = use.started;
  run("a", 250'000, {}, hours(1));
  run("b", 250'000, {}, hours(3));
  EXPECT_EQ(lines(), "a work 1.00, b work 3.00, env idle 8.00");
  rules.spread_idle = true;
  EXPECT_EQ(lines(), "a work 1.00, b work 3.00, a idle 1.00, b idle 7.00");
}

TEST_F(Ledger, kinds_are_the_same_whoever_pays_for_idle_time) {
  use.prices = {{kStart, *parse_money("5.672")}};
  use.ready = kStart;
  use.ended = kStart + minutes(30);
  run("a", kWholeNode / 2, {}, minutes(30));
  run("b", kWholeNode / 4, {}, minutes(30));
  const auto work = [&] { return add_up({{made()}}, By::Environment).begin()->second.of(Kind::Work); };
  EXPECT_EQ(to_text(work()), "2.127000") << "three quarters";
  rules.spread_idle = true;
  EXPECT_EQ(to_text(work()), "2.127000") << "a quarter does not divide by three";
}

TEST_F(Ledger, while_nothing_runs_whoever_used_it_last_pays) {
  run("a", kWholeNode, minutes(30), minutes(60)).payer.tenant = "first";
  run("b", kWholeNode, minutes(90), minutes(120));
  EXPECT_EQ(lines(),
            "a work 2.00, b work 2.00, a warmup 0.50, b warmup 0.50, queue idle 1.00, queue/first idle 2.00, "
            "queue/team idle 4.00")
      << "before the first of them, whoever asked for it";
  use.used_by = {"", "before", "queue", ""};
  EXPECT_EQ(lines(),
            "a work 2.00, b work 2.00, a warmup 0.50, b warmup 0.50, queue/before idle 1.00, "
            "queue/first idle 2.00, queue/team idle 4.00")
      << "or used it before this bill";
  EXPECT_EQ(last_user(use), (Payer{"", "team", "queue", ""}));
  use.runs.clear();
  EXPECT_EQ(last_user(use), use.used_by);
}

TEST_F(Ledger, of_runs_that_end_together_the_one_that_began_last_counts_as_the_last) {
  use.ready = use.started;
  run("a", 500'000, {}, hours(1));
  run("b", 500'000, minutes(30), hours(1)).payer.tenant = "late";
  run("c", 500'000, {}, hours(1)).payer.tenant = "zeal";
  EXPECT_EQ(last_user(use).tenant, "late");
  EXPECT_NE(lines().find("queue/late idle 8.00"), std::string::npos) << lines();
}

TEST_F(Ledger, while_the_environment_keeps_it_that_pays_whoever_used_it) {
  run("a", kWholeNode, minutes(30), minutes(60));
  use.kept = {{kStart, kStart + minutes(20)}, {kStart + minutes(45), kStart + minutes(90)}};
  EXPECT_EQ(lines(), "a work 2.00, a warmup 1.00, env idle 2.33, queue idle 0.67, queue/team idle 6.00");
  use.kept.push_back({kStart + minutes(120), {}});
  EXPECT_EQ(lines(), "a work 2.00, a warmup 1.00, env idle 6.33, queue idle 0.67, queue/team idle 2.00");
}

TEST(Spans, only_a_change_is_noted_and_they_stay_in_order) {
  std::vector<Span> spans;
  EXPECT_FALSE(note_span(spans, false, kStart));
  EXPECT_TRUE(note_span(spans, true, kStart));
  EXPECT_FALSE(note_span(spans, true, kStart + hours(1)));
  EXPECT_TRUE(note_span(spans, false, kStart + hours(2)));
  EXPECT_TRUE(note_span(spans, true, kStart + hours(1))) << "the clock was set back";
  EXPECT_TRUE(note_span(spans, false, kStart));
  const Instant two = kStart + hours(2);
  EXPECT_EQ(spans, (std::vector<Span>{{kStart, two}, {two, two}}));
}

TEST_F(Ledger, shares_of_different_resources_give_way_when_they_pass_the_whole) {
  use.ready = use.started;
  run("a", 1'000'000, {}, hours(3));
  run("b", 500'000, {}, hours(3));
  EXPECT_EQ(lines(), "a work 8.00, b work 4.00");
}

TEST_F(Ledger, time_paid_after_the_end_is_waste) {
  rules.billing = kPerHour;
  use.ready = use.started;
  use.ended = kStart + minutes(90);
  run("a", kWholeNode, {}, minutes(90));
  EXPECT_EQ(lines(), "a work 6.00, env waste 2.00");
}

TEST_F(Ledger, spot_taken_back_in_the_first_hour_is_free_and_shown_as_credit) {
  use.ended = kStart + minutes(59);
  use.reclaimed = true;
  run("a", kWholeNode, minutes(15), minutes(59)).kept_until = kStart + minutes(45);
  EXPECT_EQ(lines(),
            "a work 2.00, a warmup 1.00, a waste 0.93, a credit -2.00, a credit -1.00, a credit -0.93");
  EXPECT_EQ(made().billed, Money{});
  EXPECT_EQ(to_cents(made().gross), "3.93");
  use.ended = kStart + minutes(60);
  EXPECT_EQ(made().billed, dollars(4));
  use.ended = kStart + minutes(59);
  use.reclaimed = false;
  EXPECT_EQ(made().billed, made().gross) << "ended by its owner";
}

TEST_F(Ledger, a_machine_that_goes_on_is_counted_until_now_and_provisional) {
  use.ended = {};
  run("a", kWholeNode, minutes(15), hours(1));
  const NodeBill until_now = made(kStart + hours(1));
  EXPECT_EQ(until_now.billed, dollars(4));
  for (const Line& line : until_now.lines) EXPECT_TRUE(line.provisional);
  EXPECT_EQ(lines(kStart + minutes(5)), "queue warmup 0.33") << "still booting";
}

TEST_F(Ledger, what_a_launch_costs_is_warm_up_of_those_it_served_and_is_not_given_back) {
  use.launch_fee = Money{100'001};
  run("a", kWholeNode / 2, minutes(10), minutes(20));
  run("b", kWholeNode / 2, minutes(10), minutes(40));
  use.ready = kStart + minutes(10);
  use.ended = kStart + minutes(40);
  use.reclaimed = true;
  EXPECT_EQ(made().billed, use.launch_fee) << "the time is free";
  Money launch;
  for (const Line& line : made().lines) {
    if (line.kind != Kind::WarmUp || line.time > Duration{}) continue;
    EXPECT_EQ(line.amount, (line.payer.job == "a" ? Money{25'000} : Money{75'001})) << "by their work";
    launch += line.amount;
  }
  EXPECT_EQ(launch, use.launch_fee);
  use.reclaimed = false;
  EXPECT_EQ(made().billed, made().gross);
  use.runs.clear();
  EXPECT_EQ(made().lines.back().kind, Kind::Waste) << "it served nobody";
  EXPECT_EQ(made().lines.back().amount, use.launch_fee);
  EXPECT_EQ(made().lines.back().payer, use.asked_by);
}

TEST_F(Ledger, totals_add_up_however_they_are_grouped) {
  run("a", 250'000, minutes(15), minutes(100), minutes(3));
  run("b", 333'333, minutes(15), minutes(77));
  const std::vector<NodeBill> bills = {made()};
  for (const By by : {By::Job, By::Tenant, By::Queue, By::Tag, By::Environment}) {
    Money sum;
    for (const auto& [key, totals] : add_up(bills, by)) sum += totals.sum();
    EXPECT_EQ(sum, dollars(12));
  }
  EXPECT_EQ(add_up(bills, By::Tenant).at("team").of(Kind::WarmUp), total(bills).of(Kind::WarmUp));
  EXPECT_EQ(add_up(bills, By::Environment).size(), 1U);
}

TEST(LedgerCheck, finds_what_does_not_add_up) {
  NodeBill bad;
  bad.node = "n";
  bad.billed = dollars(1);
  EXPECT_EQ(check_ledger({bad}), "machine n is billed 1.000000 and its lines add up to 0.000000");
  bad.lines = {{"n", {"", "", "q", ""}, "e", Kind::Work, dollars(1), {}, false}};
  EXPECT_EQ(check_ledger({bad}), "work of nobody on machine n");
  bad.lines[0].kind = Kind::Credit;
  EXPECT_EQ(check_ledger({bad}), "a line of 1.000000 of kind credit");
  bad.lines[0].node = "m";
  EXPECT_EQ(check_ledger({bad}), "a line of machine m on the bill of n");
}

// By line and by day, but for credit.
void check_charges(const NodeUse& use, const LedgerRules& rules, Instant now) {
  std::map<std::pair<Kind, Payer>, Money> lines;
  for (const Line& line : bill(use, rules, now).lines) lines[{line.kind, line.payer}] += line.amount;
  std::map<Instant, std::pair<Money, std::int64_t>> by_day;
  for (const Charge& charge : charges(use, rules, dollars(7), now)) {
    lines[{charge.line.kind, charge.line.payer}] += Money{} - charge.line.amount;
    const Instant midnight{charge.from.ms - charge.from.ms % days(1).ms};
    ASSERT_GT(charge.to, charge.from);
    ASSERT_LE(charge.to, midnight + days(1));
    ASSERT_LE(charge.line.time, charge.to - charge.from);
    if (charge.line.kind == Kind::Credit) continue;
    if (charge.line.time == Duration{} && charge.from == use.started) continue;  // the launch
    by_day[midnight].first += charge.line.amount;
    ++by_day[midnight].second;
  }
  for (const auto& [line, left] : lines) ASSERT_EQ(left, Money{}) << name_of(line.first) << line.second.job;
  const Instant end = use.ended ? paid_until(rules.billing, use.started, use.ended) : now;
  for (const auto& [midnight, sum] : by_day) {
    const Money cost =
        rounded(exact_cost(use.prices, std::max(midnight, use.started), std::min(midnight + days(1), end)));
    ASSERT_NEAR(static_cast<double>(sum.first.micros), static_cast<double>(cost.micros),
                static_cast<double>(2 * sum.second + 1))
        << midnight.ms;
  }
}

TEST(LedgerWalk, every_machine_second_is_one_of_the_kinds_and_lines_add_up_to_bills) {
  Rng rng(77);
  for (int i = 0; i < 1500; ++i) {
    NodeUse use;
    use.node = "n";
    use.started = kStart;
    const auto time = [&](std::int64_t most) {
      return milliseconds(static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(most))));
    };
    Instant at = kStart - hours(1);
    for (std::uint64_t n = 1 + rng.below(5); n > 0; --n, at = at + time(20'000'000))
      use.prices.push_back({at, Money{static_cast<std::int64_t>(rng.below(60'000'000))}});
    const Duration life = time(rng.chance(1, 10) ? 2'600'000'000 : 20'000'000);
    if (!rng.chance(1, 8)) use.ended = kStart + life;
    if (!rng.chance(1, 8)) use.ready = kStart + time(1'000'000);
    use.reclaimed = rng.chance(1, 3);
    if (rng.chance(1, 3)) use.launch_fee = Money{static_cast<std::int64_t>(rng.below(500'000))};
    for (std::uint64_t n = rng.below(10); n > 0; --n) {
      RunUse run;
      run.payer = {"job" + std::to_string(rng.below(5)), "t" + std::to_string(rng.below(2)), "q", ""};
      run.share = static_cast<Share>(1 + rng.below(kWholeNode));
      run.from = kStart + time(life.ms + 1);
      run.to = run.from + time(life.ms + 1);
      run.works_from = run.from + time(600'000);
      run.kept_until = run.from + time(life.ms + 1);
      use.runs.push_back(run);
    }
    if (rng.chance(1, 2)) use.asked_by = {"", "", "q", ""};
    if (rng.chance(1, 3)) use.used_by = {"", "t1", "q", ""};
    for (std::uint64_t n = rng.below(4); n > 0; --n)
      note_span(use.kept, n % 2 == 1, kStart + time(life.ms + 1));
    LedgerRules rules;
    if (rng.chance(1, 3)) rules.billing = kPerHour;
    rules.spread_idle = rng.chance(1, 2);
    const NodeBill made = bill(use, rules, kStart + life);
    ASSERT_EQ(check_ledger({made}), "") << "walk " << i;
    ASSERT_EQ(made, bill(use, rules, kStart + life));
    ASSERT_NO_FATAL_FAILURE(check_charges(use, rules, kStart + life)) << "walk " << i;
    // The time of all lines is the time that is paid for, but for rounding each down.
    Duration sum;
    for (const Line& line : made.lines) sum = sum + line.time;
    const Instant paid = use.ended ? paid_until(rules.billing, kStart, use.ended) : kStart + life;
    ASSERT_LE(sum, paid - kStart);
    ASSERT_GE(sum.ms, (paid - kStart).ms - static_cast<std::int64_t>(made.lines.size()) - 1 - life.ms / 1000)
        << "walk " << i;
  }
}

// The rule for one instant: whose idle time it is, in millionths of the machine.
std::map<Payer, Wide> idle_at(const NodeUse& use, bool spread, Instant at) {
  std::map<Payer, Wide> idle;
  Share used = 0;
  const RunUse* last = nullptr;
  for (const RunUse& run : use.runs) {
    const auto key = [](const RunUse& one) { return std::tuple(one.to, one.from, one.payer); };
    if (run.from <= at && at < run.to) used += run.share;
    if (run.from <= at && run.to <= at && (last == nullptr || key(run) > key(*last))) last = &run;
  }
  const Share free = std::max<Share>(0, kWholeNode - used);
  if (used > 0) {
    for (const RunUse& run : use.runs)
      if (spread && run.from <= at && at < run.to)
        idle[run.payer] += static_cast<Wide>(free) * run.share / used;
    if (!spread) idle[{}] += free;
    return idle;
  }
  const bool kept = std::ranges::any_of(
      use.kept, [&](const Span& span) { return span.from <= at && (!span.to || at < span.to); });
  Payer payer = last != nullptr ? last->payer : use.used_by == Payer{} ? use.asked_by : use.used_by;
  payer.job.clear();
  idle[kept ? Payer{} : payer] += free;
  return idle;
}

TEST(LedgerWalk, whose_idle_time_it_is_is_found_again_millisecond_by_millisecond) {
  Rng rng(78);
  std::size_t payers = 0;
  for (int i = 0; i < 600; ++i) {
    NodeUse use;
    use.node = "n";
    use.prices = {{kStart, dollars(1)}};
    use.started = kStart;
    const auto life = static_cast<std::int64_t>(1 + rng.below(90));
    const auto within = [&] {
      return kStart +
             milliseconds(static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(life) + 1)));
    };
    use.ready = rng.chance(1, 2) ? kStart : within();
    use.ended = kStart + milliseconds(life);
    if (rng.chance(1, 2)) use.asked_by = {"", "", "asked", ""};
    if (rng.chance(1, 3)) use.used_by = {"", "", "used", ""};
    for (std::uint64_t n = rng.below(7); n > 0; --n) {
      const auto [from, to] = std::minmax({within(), within()});
      const std::string tenant = "t" + std::to_string(rng.below(3));
      use.runs.push_back({{"job" + std::to_string(n), tenant, "q", ""},
                          static_cast<Share>(1 + rng.below(kWholeNode / 2)),
                          from,
                          from,
                          to,
                          to});
    }
    std::vector<Instant> turns;
    for (std::uint64_t n = rng.below(5); n > 0; --n) turns.push_back(within());
    std::ranges::sort(turns);
    for (std::size_t n = 0; n < turns.size(); ++n) note_span(use.kept, n % 2 == 0, turns[n]);
    LedgerRules rules{.billing = {.unit = milliseconds(1), .minimum = {}, .free_if_reclaimed_within = {}}};
    rules.spread_idle = rng.chance(1, 3);
    std::map<Payer, Wide> idle;
    for (Instant at = use.ready; at < use.ended; at = at + milliseconds(1))
      for (const auto& [payer, share] : idle_at(use, rules.spread_idle, at)) idle[payer] += share;
    std::map<Payer, Duration> expected;
    for (const auto& [payer, time] : idle)
      if (time > 0) expected[payer] = milliseconds(static_cast<std::int64_t>(time / kWholeNode));
    std::map<Payer, Duration> found;
    for (const Line& line : bill(use, rules, use.ended).lines)
      if (line.kind == Kind::Idle) found[line.payer] = line.time;
    ASSERT_EQ(found, expected) << "walk " << i;
    payers += found.size();
  }
  EXPECT_GT(payers, 1000U) << "walks in which nobody pays";
}

}  // namespace
}  // namespace stoker::cost
