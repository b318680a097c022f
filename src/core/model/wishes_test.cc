#include "core/model/wishes.h"

#include <gtest/gtest.h>

namespace stoker::core {
namespace {

TEST(Stop, keeps_what_the_job_has_saved) {
  struct Row {
    std::string_view rule;
    Checkpoint checkpoint;
    Duration every;
    Duration told_after;  // of work; 0: not told
    Duration ended_after;
    Duration kept;
  };
  const Row rows[] = {
      {"who says nothing keeps nothing", Checkpoint::None, {}, minutes(25), minutes(25), {}},
      {"who saves when told keeps all until then",
       Checkpoint::Signal,
       {},
       minutes(25),
       minutes(26),
       minutes(25)},
      {"and nothing when nobody told it", Checkpoint::Signal, {}, {}, minutes(25), {}},
      {"who saves every so often keeps until the last time",
       Checkpoint::Periodic,
       minutes(10),
       {},
       minutes(25),
       minutes(20)},
      {"also the time at which it ends", Checkpoint::Periodic, minutes(10), {}, minutes(30), minutes(30)},
      {"and is not helped by being told", Checkpoint::Periodic, minutes(10), minutes(25), minutes(25),
       minutes(20)},
      {"before the first time nothing", Checkpoint::Periodic, minutes(10), {}, minutes(9), {}},
      {"who saves both ways keeps the better of it",
       Checkpoint::Signal,
       minutes(10),
       {},
       minutes(25),
       minutes(20)},
      {"who was told before it worked has done nothing",
       Checkpoint::Signal,
       {},
       minutes(-5),
       minutes(25),
       {}},
      {"nor has who ended before it worked", Checkpoint::Periodic, minutes(10), {}, minutes(-25), {}},
  };
  constexpr Instant kFrom{1'000'000'000};
  for (const Row& row : rows) {
    Wishes wishes;
    wishes.checkpoint = row.checkpoint;
    wishes.checkpoint_every = row.every;
    const Instant told = row.told_after == Duration{} ? Instant{} : kFrom + row.told_after;
    EXPECT_EQ(kept_until(wishes, {.works_from = kFrom, .told_at = told, .at = kFrom + row.ended_after}),
              kFrom + row.kept)
        << row.rule;
  }
}

TEST(Stop, takes_no_more_than_the_time_between_two_checkpoints) {
  EXPECT_EQ(lost_most({}), std::nullopt) << "all of it";
  EXPECT_EQ(lost_most({.checkpoint = Checkpoint::Signal}), Duration{}) << "there is a notice";
  EXPECT_EQ(lost_most({.checkpoint = Checkpoint::Periodic, .checkpoint_every = minutes(20)}), minutes(20));
}

}  // namespace
}  // namespace stoker::core
