#include "core/fleet/market/pool.h"

#include <gtest/gtest.h>

namespace stoker::fleet {
namespace {

constexpr Instant kNow{1'000'000'000};
const Pool kSpotA{"g5.xlarge", "a", Market::Spot};
const Pool kSpotB{"g5.xlarge", "b", Market::Spot};
const Pool kOnDemandA{"g5.xlarge", "a", Market::OnDemand};
const Pool kBigSpotB{"g5.12xlarge", "b", Market::Spot};
const Pool kOtherSpotA{"g6.xlarge", "a", Market::Spot};

struct Row {
  const char* says;
  LaunchFailure why;
  std::vector<Pool> parked;
  std::vector<Pool> free;
};

TEST(PoolBook, a_failure_parks_what_it_is_about) {
  const Row rows[] = {
      {"capacity: one pool", LaunchFailure::Capacity, {kSpotA}, {kSpotB, kOnDemandA, kOtherSpotA}},
      {"price: the spot of the family",
       LaunchFailure::Price,
       {kSpotA, kSpotB, kBigSpotB},
       {kOnDemandA, kOtherSpotA}},
      {"quota: the market of the family",
       LaunchFailure::Quota,
       {kSpotA, kBigSpotB},
       {kOnDemandA, kOtherSpotA}},
      {"zone: all in it", LaunchFailure::Zone, {kSpotA, kOnDemandA, kOtherSpotA}, {kSpotB}},
      {"spot forbidden: all spot", LaunchFailure::SpotForbidden, {kSpotB, kOtherSpotA}, {kOnDemandA}},
  };
  for (const Row& row : rows) {
    PoolBook book;
    book.failed(kSpotA, row.why, kNow);
    for (const Pool& pool : row.parked) {
      ASSERT_TRUE(book.parked(pool, kNow)) << row.says << ": " << describe(pool);
      EXPECT_EQ(book.parked(pool, kNow)->why, row.why);
    }
    for (const Pool& pool : row.free)
      EXPECT_FALSE(book.parked(pool, kNow)) << row.says << ": " << describe(pool);
    book.succeeded(kSpotA);
    for (const Pool& pool : row.parked)
      EXPECT_FALSE(book.parked(pool, kNow)) << row.says << ": " << describe(pool);
  }
}

TEST(PoolBook, a_pool_that_took_a_machine_back_is_avoided_for_a_while) {
  PoolBook book;
  book.interrupted(kSpotA, kNow);
  EXPECT_TRUE(book.avoided(kSpotA, kNow));
  EXPECT_FALSE(book.avoided(kSpotB, kNow));
  EXPECT_FALSE(book.parked(kSpotA, kNow)) << "it may have one";
  EXPECT_EQ(book.spot_failures(kNow), 0);
  EXPECT_EQ(PoolBook::read(book.write()), book);
  EXPECT_FALSE(book.avoided(kSpotA, kNow + minutes(3)));
  book.succeeded(kSpotA);
  EXPECT_FALSE(book.avoided(kSpotA, kNow));
}

TEST(PoolBook, each_failure_in_a_row_doubles_the_time_up_to_an_hour) {
  PoolBook book;
  Instant now = kNow;
  for (const std::int64_t expected : {3, 6, 12, 24, 48, 60, 60}) {
    book.failed(kSpotA, LaunchFailure::Capacity, now);
    const Instant until = book.parked(kSpotA, now).value().until;
    EXPECT_EQ(until - now, minutes(expected));
    EXPECT_FALSE(book.parked(kSpotA, until));
    now = until;
  }
  book.failed(kSpotA, LaunchFailure::Capacity, now + hours(3));
  EXPECT_EQ(book.parked(kSpotA, now + hours(3))->until, now + hours(3) + minutes(3))
      << "after a quiet time anew";
}

TEST(PoolBook, refusals_of_launches_that_were_made_together_count_once) {
  PoolBook book;
  for (int i = 0; i < 20; ++i) book.failed(kSpotA, LaunchFailure::Capacity, kNow);
  EXPECT_EQ(book.parked(kSpotA, kNow)->until, kNow + minutes(3));
  EXPECT_EQ(book.spot_failures(kNow), 20);
  book.succeeded(kOnDemandA);
  EXPECT_EQ(book.spot_failures(kNow), 20);
  EXPECT_EQ(book.spot_failures(kNow + kSpotFailureLife), 0) << "old news";
  book.succeeded(kOtherSpotA);
  EXPECT_EQ(book.spot_failures(kNow), 0);
}

TEST(PoolBook, failures_of_spot_count_longer_than_a_pool_is_parked) {
  PoolBook book;
  Instant now = kNow;
  for (int failures = 1; failures <= 12; ++failures) {  // tried as soon as it may be
    book.failed(kSpotA, LaunchFailure::Capacity, now);
    EXPECT_EQ(book.spot_failures(now), failures);
    now = book.parked(kSpotA, now).value().until;
    EXPECT_EQ(book.spot_failures(now), failures);
  }
  now = now + kSpotFailureLife;
  EXPECT_EQ(book.spot_failures(now), 0) << "it is tried again";
  book.failed(kSpotB, LaunchFailure::Capacity, now);
  EXPECT_EQ(book.spot_failures(now), 13) << "one failure is enough";
  now = now + kSpotFailureMemory + hours(1);
  book.failed(kSpotB, LaunchFailure::Capacity, now);
  EXPECT_EQ(book.spot_failures(now), 1);
}

TEST(PoolBook, is_bounded) {
  PoolBook book;
  for (std::size_t i = 0; i < kParkedMax + 10; ++i)
    book.failed({"t" + std::to_string(i) + ".x", "a", Market::OnDemand}, LaunchFailure::Capacity, kNow);
  EXPECT_TRUE(book.parked({"t0.x", "a", Market::OnDemand}, kNow));
  EXPECT_FALSE(book.parked({"t" + std::to_string(kParkedMax + 1) + ".x", "a", Market::OnDemand}, kNow));
  const Instant later = kNow + hours(5);
  book.failed({"new.x", "a", Market::OnDemand}, LaunchFailure::Capacity, later);
  EXPECT_TRUE(book.parked({"new.x", "a", Market::OnDemand}, later)) << "old entries make room";
}

}  // namespace
}  // namespace stoker::fleet
