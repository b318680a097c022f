#include "core/workflow/run/retry.h"

#include <gtest/gtest.h>

namespace stoker::workflow {
namespace {

TEST(Retry, which_names_take_which_errors) {
  struct Row {
    const char* what;
    std::vector<std::string> error_equals;
    const char* error;
    bool taken;
  };
  const std::vector<Row> rows = {
      {"its own name", {"Busy"}, "Busy", true},
      {"another name", {"Busy"}, "Lost", false},
      {"any of several", {"A", "B"}, "B", true},
      {"ALL takes custom errors", {"States.ALL"}, "Busy", true},
      {"ALL takes time-outs", {"States.ALL"}, "States.Timeout", true},
      {"ALL takes results that are too large", {"States.ALL"}, "States.DataLimitExceeded", true},
      {"nothing takes States.Runtime", {"States.ALL"}, "States.Runtime", false},
      {"not even its own name", {"States.Runtime"}, "States.Runtime", false},
      {"TaskFailed takes custom errors", {"States.TaskFailed"}, "Busy", true},
      {"TaskFailed takes no time-out", {"States.TaskFailed"}, "States.Timeout", false},
      {"nor a lost heartbeat", {"States.TaskFailed"}, "States.HeartbeatTimeout", false},
      {"a lost heartbeat is a time-out", {"States.Timeout"}, "States.HeartbeatTimeout", true},
      {"a time-out is no lost heartbeat", {"States.HeartbeatTimeout"}, "States.Timeout", false},
      {"names differ by case", {"busy"}, "Busy", false},
      {"an error without a name", {"States.ALL"}, "", true},
  };
  for (const Row& row : rows) EXPECT_EQ(takes(row.error_equals, row.error), row.taken) << row.what;
}

std::uint64_t no_chance() {
  return 0;
}

TEST(Retry, delays_grow_to_their_bound_and_counters_are_each_their_own) {
  const std::vector<asl::Retrier> retriers = {
      {.error_equals = {"A"}, .interval_s = 3, .attempts_max = 4, .backoff_rate = 1.5, .delay_max_s = 6},
      {.error_equals = {"States.ALL"},
       .interval_s = 1,
       .attempts_max = 1,
       .backoff_rate = 2.0,
       .delay_max_s = {}}};
  std::vector<std::int64_t> counters;
  const auto delay = [&](const char* error) {
    const auto retrying = retry(retriers, counters, error, no_chance);
    return retrying ? retrying->delay.ms : -1;
  };
  EXPECT_EQ(delay("A"), 3000);
  EXPECT_EQ(delay("B"), 1000);
  EXPECT_EQ(delay("A"), 4500);
  EXPECT_EQ(delay("A"), 6000) << "6,750 without the bound";
  EXPECT_EQ(delay("B"), -1) << "its one attempt is spent";
  EXPECT_EQ(delay("A"), 6000);
  EXPECT_EQ(delay("A"), -1) << "States.ALL behind it is not tried";
  EXPECT_EQ(counters, (std::vector<std::int64_t>{4, 1}));
}

TEST(Retry, extreme_numbers_make_long_delays_not_wrong_ones) {
  const std::vector<asl::Retrier> retriers = {{.error_equals = {"States.ALL"},
                                               .interval_s = 99'999'999,
                                               .attempts_max = 99'999'999,
                                               .backoff_rate = 1e300,
                                               .delay_max_s = {}}};
  std::vector<std::int64_t> counters = {99'999'998};
  const auto retrying = retry(retriers, counters, "A", no_chance);
  ASSERT_TRUE(retrying);
  EXPECT_EQ(retrying->delay, seconds(99'999'999));
  EXPECT_FALSE(retry(retriers, counters, "A", no_chance));
}

TEST(Retry, zero_attempts_mean_never) {
  const std::vector<asl::Retrier> retriers = {
      {.error_equals = {"A"}, .interval_s = 1, .attempts_max = 0, .backoff_rate = 2.0, .delay_max_s = {}}};
  std::vector<std::int64_t> counters;
  EXPECT_FALSE(retry(retriers, counters, "A", no_chance));
}

}  // namespace
}  // namespace stoker::workflow
