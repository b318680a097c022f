#include "core/cost/focus.h"

#include <map>

#include <gtest/gtest.h>

#include "base/text.h"

namespace stoker::cost {
namespace {

constexpr Instant kStart{1'767'225'600'000};  // 2026-01-01

NodeUse two_hours() {
  NodeUse use;
  use.node = "m1";
  use.environment = "pool";
  use.asked_by = {"", "", "gpu", ""};
  use.prices = {{kStart, dollars(1)}};
  use.started = kStart;
  use.ready = kStart + minutes(6);
  use.ended = kStart + hours(2);
  use.runs = {{{"job \"a\", b", "vision", "gpu", ""},
               kWholeNode,
               kStart + minutes(6),
               kStart + minutes(6),
               kStart + hours(1),
               kStart + hours(1)}};
  return use;
}

std::vector<std::string> rows_of(const NodeUse& use, const FocusMachine& machine) {
  std::string text = focus_header();
  append_focus(use, {}, machine, kStart + days(1), text);
  std::vector<std::string> rows;
  for (const std::string_view row : split(text, '\n'))
    if (!row.empty()) rows.emplace_back(row);
  return rows;
}

TEST(Focus, has_a_row_for_each_line_of_the_bill) {
  const auto rows = rows_of(two_hours(), {.type = "g5.xlarge",
                                          .region = "us-east-1",
                                          .zone = "us-east-1a",
                                          .spot = true,
                                          .gpus = 1,
                                          .list_per_hour = dollars(3)});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows[0].starts_with(
      "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,ChargeCategory,"));
  EXPECT_EQ(
      rows[1],
      "0.900000,0.900000,2.700000,0.900000,USD,Usage,Work of a "
      "job,2026-01-01T00:06:00Z,2026-01-01T01:00:00Z,"
      "2026-01-01T00:00:00Z,2026-02-01T00:00:00Z,0.900000,GPU-Hours,Dynamic,0.900000,Hours,\"job \"\"a\"\", "
      "b\",m1,Job,us-east-1,"
      "us-east-1a,stoker,Compute,g5.xlarge,vision,\"{\"\"tenant\"\":\"\"vision\"\"}\",,work,pool,gpu,false");
  EXPECT_TRUE(rows[2].starts_with(
      "0.100000,0.100000,0.300000,0.100000,USD,Usage,Start of machines and image pulls,"));
  EXPECT_TRUE(rows[3].starts_with("1.000000,1.000000,3.000000,1.000000,USD,Usage,Idle machine time,"));
  EXPECT_TRUE(
      rows[3].ends_with(",m1,m1,Machine,us-east-1,us-east-1a,stoker,Compute,g5.xlarge,vision,\"{"
                        "\"\"tenant\"\":\"\"vision\"\"}\",,idle,pool,gpu,"
                        "false"))
      << "of the tenant that used it last, and no one job: " << rows[3];
}

// 27 days of January, 28 of February, five of March.
TEST(Focus, charges_lie_within_one_day_and_so_within_one_billing_period) {
  NodeUse use = two_hours();
  use.started = Instant{1'767'571'200'000};  // 2026-01-05
  use.prices = {{use.started, dollars(1)}, {use.started + days(27), dollars(2)}};
  use.ready = use.started;
  use.ended = use.started + days(60);
  use.runs[0].from = use.runs[0].works_from = use.started;
  use.runs[0].to = use.runs[0].kept_until = use.started + hours(30);
  std::map<std::string, Money> billed;
  std::map<std::string, Money> list;
  for (const std::string& row : rows_of(use, {.type = "c5.large", .list_per_hour = dollars(2)})) {
    const auto cells = split(row, ',');
    if (cells[0] == "BilledCost") continue;
    billed[std::string(cells[9])] += parse_money(cells[0]).value();
    list[std::string(cells[9])] += parse_money(cells[2]).value();
    EXPECT_GE(cells[7], cells[9]) << row;
    EXPECT_LE(cells[8], cells[10]) << row;
    EXPECT_EQ(cells[11].substr(0, 3), cells[6].starts_with("Idle") && cells[7].starts_with("2026-01-06")
                                          ? "18."
                                      : cells[8].substr(11, 2) == "06" ? "6.0"
                                                                       : "24.")
        << row;
  }
  EXPECT_EQ(billed, (std::map<std::string, Money>{{"2026-01-01T00:00:00Z", dollars(27 * 24)},
                                                  {"2026-02-01T00:00:00Z", dollars(28 * 48)},
                                                  {"2026-03-01T00:00:00Z", dollars(5 * 48)}}));
  EXPECT_EQ(list["2026-01-01T00:00:00Z"], dollars(27 * 48)) << "at the price of that day";
  EXPECT_EQ(list["2026-02-01T00:00:00Z"], dollars(28 * 48));
}

TEST(Focus, a_free_machine_has_its_credit_and_december_ends_in_january) {
  NodeUse use = two_hours();
  use.started = Instant{1'798'761'000'000};  // 2026-12-31 23:50
  use.prices = {{use.started, dollars(1)}};
  use.ready = use.started + minutes(1);
  use.ended = use.started + minutes(20);
  use.reclaimed = true;
  use.runs.clear();
  const auto rows = rows_of(use, {.type = "c5.large", .region = "us-east-1"});
  Money sum;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    sum += parse_money(rows[i].substr(0, rows[i].find(','))).value();
    const bool january = rows[i].find(",2027-01-01T00:00:00Z,2027-01-01T00:10:00Z,") != std::string::npos;
    EXPECT_NE(rows[i].find(january ? ",2027-01-01T00:00:00Z,2027-02-01T00:00:00Z,"
                                   : ",2026-12-01T00:00:00Z,2027-01-01T00:00:00Z,"),
              std::string::npos)
        << rows[i];
    EXPECT_NE(rows[i].find(",Hours,Standard,"), std::string::npos);
  }
  EXPECT_EQ(sum, Money{});
  EXPECT_NE(rows.back().find(",Credit,"), std::string::npos);
  EXPECT_EQ(rows.size(), 7u) << "the start, what idled on both days, and their credit";
}

// A tenth of a second on four GPUs: little, but not nothing.
TEST(Focus, tells_short_times_and_prices_machines_by_the_hour) {
  std::string text;
  append_row({.billed = Money{100},
              .list = Money{100},
              .from = kStart,
              .to = kStart + minutes(1),
              .time = milliseconds(100),
              .payer = {},
              .node = "m1",
              .environment = "pool",
              .machine = {.gpus = 4}},
             text);
  EXPECT_NE(text.find(",0.000111,GPU-Hours,Standard,0.000028,Hours,"), std::string::npos) << text;
}

}  // namespace
}  // namespace stoker::cost
