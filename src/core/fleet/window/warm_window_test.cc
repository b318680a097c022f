#include "core/fleet/window/warm_window.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stoker::fleet {
namespace {

WarmTerms terms(const char* per_hour, Duration cold, const char* wait_per_minute = "0",
                const char* fee = "0") {
  return {*parse_money(per_hour), cold, *parse_money(fee), *parse_money(wait_per_minute)};
}
std::int64_t tenths_of_minutes(Duration d) {
  return d.ms / 6000;
}

TEST(BreakEven, is_the_cold_time_and_more_when_waiting_is_worth_something) {
  EXPECT_EQ(break_even(terms("1.006", minutes(13))), minutes(13));
  EXPECT_EQ(tenths_of_minutes(break_even(terms("1.006", minutes(13), "0.10"))), 905)
      << "g5.xlarge: 90 minutes";
  EXPECT_EQ(tenths_of_minutes(break_even(terms("21.957642", minutes(13), "0.10"))), 165)
      << "p4d: 16.5 minutes";
  EXPECT_EQ(break_even(terms("2", {}, "0", "1")), minutes(30)) << "a fee of half an hour";
  EXPECT_EQ(break_even(terms("0", minutes(13)), hours(2)), hours(2)) << "own hardware is kept";
  EXPECT_EQ(break_even(terms("0.000001", hours(1), "1000"), hours(2)), hours(2));
}

TEST(BreakEven, never_costs_more_than_twice_the_best_in_hindsight) {
  Rng rng(3);
  for (int i = 0; i < 2000; ++i) {
    const WarmTerms t{Money{static_cast<std::int64_t>(1 + rng.below(40'000'000))},
                      seconds(static_cast<std::int64_t>(1 + rng.below(2000))),
                      Money{static_cast<std::int64_t>(rng.below(1'000'000))},
                      Money{static_cast<std::int64_t>(rng.below(500'000))}};
    const Duration window = break_even(t, days(10'000));
    const Duration gap = seconds(static_cast<std::int64_t>(rng.below(100'000)));
    const Money cold =
        cost_of(t.per_hour, t.cold) + t.launch_fee + Money{t.wait_per_minute.micros * t.cold.ms / 60'000};
    const Money best = std::min(cost_of(t.per_hour, gap), cold);
    const Money paid = gap <= window ? cost_of(t.per_hour, gap) : cost_of(t.per_hour, window) + cold;
    ASSERT_LE(paid.micros, 2 * best.micros + 2) << "walk " << i;
  }
}

TEST(GapBook, the_machine_that_became_idle_last_is_wanted_first) {
  GapBook book;
  book.wanted(Instant{1000});
  EXPECT_TRUE(book.gaps().empty()) << "nothing was idle";
  book.became_idle(Instant{2000});
  book.became_idle(Instant{5000});
  book.wanted(Instant{6000});
  book.wanted(Instant{9000});
  EXPECT_EQ(book.gaps(), (std::vector<Duration>{milliseconds(1000), milliseconds(7000)}));
}

TEST(GapBook, keeps_the_latest_gaps_only) {
  GapBook book;
  for (std::int64_t i = 0; i < 1000; ++i) {
    book.became_idle(Instant{i * 10'000 + 1});
    book.wanted(Instant{i * 10'000 + 1 + i});
  }
  EXPECT_EQ(book.gaps().size(), kGapsKept);
  for (const Duration gap : book.gaps()) EXPECT_GE(gap.ms, 1000 - static_cast<std::int64_t>(kGapsKept));
}

GapBook book_of(std::initializer_list<std::pair<int, Duration>> gaps) {
  GapBook book;
  Instant at{1000};
  for (const auto& [times, gap] : gaps)
    for (int i = 0; i < times; ++i) {
      book.became_idle(at);
      book.wanted(at = at + gap);
    }
  return book;
}

TEST(LearntWindow, is_the_one_that_would_have_cost_least) {
  const WarmTerms t = terms("1", minutes(10));
  EXPECT_EQ(learnt_window(t, book_of({{5, minutes(1)}}), hours(4)), minutes(10))
      << "too little seen: break-even";
  EXPECT_EQ(learnt_window(t, book_of({{40, minutes(30)}}), hours(4)), Duration{})
      << "every gap is dearer than a start";
  EXPECT_EQ(learnt_window(t, book_of({{40, minutes(4)}, {10, hours(3)}}), hours(4)), minutes(4) + seconds(1))
      << "the short gaps are bridged, for the long ones there is no use in waiting";
  EXPECT_EQ(learnt_window(terms("1", minutes(10), "1"), book_of({{40, minutes(30)}}), hours(4)),
            minutes(30) + seconds(1))
      << "waiting is dear here";
  EXPECT_EQ(learnt_window(terms("1", minutes(10), "1"), book_of({{40, minutes(30)}}), minutes(20)),
            Duration{})
      << "a longer window is not allowed, and a shorter one is of no use";
  EXPECT_EQ(learnt_window(terms("0", minutes(10)), GapBook{}, hours(4)), hours(4));
}

TEST(LearntWindow, agrees_with_trying_every_window) {
  Rng rng(8);
  for (int walk = 0; walk < 40; ++walk) {
    GapBook book;
    Instant at{1};
    for (int i = 0; i < 40; ++i) {
      book.became_idle(at);
      book.wanted(at = at + seconds(static_cast<std::int64_t>(rng.below(rng.chance(1, 2) ? 300 : 9000))));
    }
    const WarmTerms t{Money{3'600'000}, seconds(static_cast<std::int64_t>(rng.below(3000))), {}, {}};
    const auto total = [&](Duration window) {
      std::int64_t sum = 0;
      for (const Duration gap : book.gaps()) sum += gap <= window ? gap.ms : window.ms + t.cold.ms;
      return sum;
    };
    std::int64_t best = total({});
    for (int s = 0; s <= 9000; ++s) best = std::min(best, total(seconds(s)));
    const Duration learnt = learnt_window(t, book, hours(4));
    ASSERT_LE(total(learnt), best + 1000 * 40) << "walk " << walk << ": a second a gap is the margin";
  }
}

// 2026-01-05 was a Monday.
constexpr Instant kMonday{1'767'571'200'000};

TEST(WindowNow, follows_the_clock_of_the_place) {
  WarmWindow setting;
  setting.kind = WindowKind::Schedule;
  setting.fixed = minutes(1);
  setting.utc_offset_minutes = 60;
  setting.rules = {{.days = 0b0011111, .from_minute = 9 * 60, .to_minute = 17 * 60, .window = minutes(30)},
                   {.days = 0b0010000, .from_minute = 22 * 60, .to_minute = 2 * 60, .window = minutes(5)}};
  const auto at = [&](int day, int hour, int minute) {
    const Instant now = kMonday + days(day) + hours(hour - 1) + minutes(minute);
    return window_now(setting, {}, {}, now);
  };
  EXPECT_EQ(at(0, 9, 0).window, minutes(30));
  EXPECT_EQ(at(0, 8, 59).window, minutes(1));
  EXPECT_EQ(at(0, 17, 0).window, minutes(1));
  EXPECT_EQ(at(5, 10, 0).window, minutes(1)) << "Saturday";
  EXPECT_EQ(at(4, 23, 0).window, minutes(5)) << "Friday night";
  EXPECT_EQ(at(5, 1, 59).window, minutes(5)) << "which goes on after midnight";
  EXPECT_EQ(at(5, 2, 0).window, minutes(1));
  EXPECT_EQ(at(6, 23, 0).window, minutes(1));
  EXPECT_EQ(at(0, 8, 30).changes_at, kMonday + hours(8));
  EXPECT_EQ(at(0, 23, 30).changes_at, kMonday + hours(23)) << "midnight";
}

TEST(WindowNow, says_which_rule_speaks) {
  WarmWindow setting;
  setting.fixed = seconds(45);
  EXPECT_EQ(window_now(setting, {}, {}, kMonday).window, seconds(45));
  EXPECT_EQ(window_now(setting, {}, {}, kMonday).rule, "fixed");
  setting.kind = WindowKind::Learnt;
  EXPECT_EQ(window_now(setting, terms("1", minutes(10)), {}, kMonday).rule, "break-even");
  EXPECT_EQ(window_now(setting, terms("1", minutes(10)), book_of({{40, minutes(4)}}), kMonday).rule,
            "learnt");
}

}  // namespace
}  // namespace stoker::fleet
