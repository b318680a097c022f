// Amounts, widths, tables: text in, text out.
#include <gtest/gtest.h>

#include "cli/quantity.h"
#include "cli/table.h"
#include "cli/text_width.h"

namespace stoker::cli {
namespace {

TEST(Memory, is_read_in_the_units_that_people_use) {
  const std::pair<const char*, std::int64_t> rows[] = {
      {"4G", 4096},   {"4g", 4096},    {"4GB", 4096}, {"4GiB", 4096}, {"512M", 512}, {"512", 512},
      {"1.5G", 1536}, {"2T", 2 << 20}, {"1k", 1},     {"1M", 1},      {"0.1G", 103}, {"1500K", 2}};
  for (const auto& [text, mib] : rows) {
    const auto read = parse_memory_mib(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, mib) << text;
  }
}

TEST(Memory, that_makes_no_sense_is_refused_with_an_example) {
  for (const char* text :
       {"", "G", "4X", "-4G", "4 G", "0", "0M", "1e5", "4GG", "1.2.3G", "nan", "99999999T", "iB"}) {
    const auto read = parse_memory_mib(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find("4G"), std::string::npos) << text;
  }
}

TEST(Duration, is_read_in_the_units_that_people_use) {
  const std::pair<const char*, std::int64_t> rows[] = {
      {"90s", 90'000},      {"90", 90'000}, {"15m", 900'000},       {"2h", 7'200'000},  {"1d", 86'400'000},
      {"1h30m", 5'400'000}, {"0.5s", 500},  {"2:30:00", 9'000'000}, {"1.5h", 5'400'000}};
  for (const auto& [text, ms] : rows) {
    const auto read = parse_duration(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->ms, ms) << text;
  }
}

TEST(Duration, that_makes_no_sense_is_refused) {
  for (const char* text : {"", "h", "2x", "-2h", "1h30", "30:00", "1:2:3", "1:60:00", "::", "1h 30m", "1e9d",
                           "99999999d", "-1:00:00"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Duration, is_written_in_at_most_two_units) {
  const std::pair<std::int64_t, const char*> rows[] = {
      {-5, "0s"},        {0, "0s"},          {34, "34ms"},         {94, "94ms"},          {95, "0.1s"},
      {340, "0.3s"},     {9'949, "9.9s"},    {9'950, "9s"},        {12'000, "12s"},       {59'999, "59s"},
      {60'000, "1m00s"}, {245'000, "4m05s"}, {7'800'000, "2h10m"}, {273'600'000, "3d04h"}};
  for (const auto& [ms, text] : rows) EXPECT_EQ(duration_text(milliseconds(ms)), text) << ms;
}

TEST(Memory, is_written_short) {
  EXPECT_EQ(memory_text(0), "0M");
  EXPECT_EQ(memory_text(512), "512M");
  EXPECT_EQ(memory_text(4096), "4G");
  EXPECT_EQ(memory_text(1536), "1.5G");
  EXPECT_EQ(memory_text(3 << 20), "3T");
  EXPECT_EQ(cpus_text(2000), "2");
  EXPECT_EQ(cpus_text(250), "0.25");
}

TEST(Width, counts_columns_not_bytes) {
  EXPECT_EQ(text_width("abc"), 3u);
  EXPECT_EQ(text_width("äöü"), 3u);
  EXPECT_EQ(text_width("日本"), 4u);
  EXPECT_EQ(text_width("e\u0301"), 1u);  // e and a combining accent
  EXPECT_EQ(text_width("🔥"), 2u);
  EXPECT_EQ(text_width("\xff\xc3"), 2u);  // no UTF-8: a column a byte
}

TEST(Width, cut_text_ends_in_an_ellipsis_and_never_is_wider) {
  EXPECT_EQ(cut_to_width("training", 8), "training");
  EXPECT_EQ(cut_to_width("training", 5), "trai…");
  EXPECT_EQ(cut_to_width("日本語", 4), "日…");  // half a character does not fit
  EXPECT_EQ(cut_to_width("abc", 0), "");
  for (std::size_t width = 0; width < 12; ++width)
    EXPECT_LE(text_width(cut_to_width("a日本é🔥xyz", width)), width);
}

TEST(Printable, takes_the_power_over_the_terminal_from_text) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td"), "a [31mb c d");
  EXPECT_EQ(printable("\xff"), "\uFFFD");
  EXPECT_EQ(printable("x\xc2\x9b"
                      "31m"),
            "x  31m");
  EXPECT_EQ(printable("grün"), "grün");
}

Table two_jobs() {
  Table table({{.title = "ID"},
               {.title = "NAME", .shrinks_to = 4},
               {.title = "GPUS", .right = true},
               {.title = "REASON", .shrinks_to = 6}});
  table.add({{"1b9d"}, {"日本-training"}, {"2"}, {"needs 2 GPUs, 1 is free"}});
  table.add({{"77aa"}, {"x"}, {""}, {""}});
  return table;
}

TEST(Table, columns_line_up_whatever_the_characters) {
  EXPECT_EQ(two_jobs().render({}),
            "ID    NAME           GPUS  REASON\n"
            "1b9d  日本-training     2  needs 2 GPUs, 1 is free\n"
            "77aa  x\n");
}

TEST(Table, the_widest_column_that_may_gives_way_first) {
  const std::string text = two_jobs().render({.columns = 40});
  EXPECT_EQ(text,
            "ID    NAME           GPUS  REASON\n"
            "1b9d  日本-training     2  needs 2 GPUs…\n"
            "77aa  x\n");
  for (std::size_t columns = 24; columns < 60; ++columns)
    for (const std::string& line : two_jobs().lines({.columns = columns}))
      EXPECT_LE(text_width(line), columns) << line;
}

TEST(Table, colours_change_no_width) {
  Table table({{.title = "A"}, {.title = "B"}});
  table.add({{"x", Colour::Red}, {"y"}});
  EXPECT_EQ(table.render({.colours = true}), "\x1b[1mA\x1b[0m  \x1b[1mB\x1b[0m\n\x1b[31mx\x1b[0m  y\n");
}

TEST(Table, painted_text_is_cut_by_what_is_seen) {
  EXPECT_EQ(cut_painted("a\x1b[31mbc\x1b[0md", 4), "a\x1b[31mbc\x1b[0md");
  EXPECT_EQ(cut_painted("a\x1b[31mbcd\x1b[0me", 3), "a\x1b[31mb…\x1b[0m");
  EXPECT_EQ(cut_painted("a\x1b[31mbc\x1b[0md", 3), "a\x1b[31mb…\x1b[0m");
  EXPECT_EQ(cut_painted("plain", 3), "pl…");
}

}  // namespace
}  // namespace stoker::cli
