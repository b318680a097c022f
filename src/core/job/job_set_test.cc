#include "core/job/job_set.h"

#include <set>

#include <gtest/gtest.h>

#include "base/rng.h"

namespace stoker::core {
namespace {

TEST(JobSet, agrees_with_an_ordered_set_on_random_work) {
  Rng rng(3);
  JobSet set;
  std::set<std::uint64_t> twin;
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t n = rng.below(rng.chance(1, 2) ? 200 : 10'000);
    if (rng.chance(1, 2))
      ASSERT_EQ(set.insert(JobNo{n}), twin.insert(n).second);
    else
      ASSERT_EQ(set.erase(JobNo{n}), twin.erase(n) == 1);
    ASSERT_EQ(set.size(), twin.size());
    ASSERT_EQ(set.first(), twin.empty() ? std::nullopt : std::optional(JobNo{*twin.begin()}));
    const std::uint64_t at = rng.below(10'500);
    const auto next = twin.lower_bound(at);
    ASSERT_EQ(set.next_from(JobNo{at}), next == twin.end() ? std::nullopt : std::optional(JobNo{*next}))
        << at;
    ASSERT_EQ(set.before(JobNo{at}),
              next == twin.begin() ? std::nullopt : std::optional(JobNo{*std::prev(next)}))
        << at;
  }
  const auto last = set.before(JobNo{UINT64_MAX});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->value, *twin.rbegin());
}

}  // namespace
}  // namespace stoker::core
