#include "sim/run/compare.h"

#include <algorithm>
#include <cmath>

namespace stoker::sim {
namespace {

double days_of(const Report& report) {
  return std::max(1e-9, static_cast<double>(report.simulated.ms) / static_cast<double>(days(1).ms));
}
double minutes_of(Duration time) {
  return static_cast<double>(time.ms) / 60'000;
}
double hours_of(Duration time) {
  return static_cast<double>(time.ms) / 3'600'000;
}
double dollars_of(Money money) {
  return static_cast<double>(money.micros) / 1e6;
}

// Three decimals for small values, none for large ones.
std::string short_text(double value) {
  const int decimals = std::abs(value) < 10 ? 3 : std::abs(value) < 1000 ? 1 : 0;
  const double scale = std::pow(10, decimals);
  const auto scaled = std::llround(std::abs(value) * scale);
  std::string digits = std::to_string(scaled);
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (decimals > 0) digits.insert(digits.size() - places, ".");
  return (value < 0 && scaled != 0 ? "-" : "") + digits;
}

// "±" is one column and two bytes.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string to_width(std::string text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  if (columns < width) text.append(width - columns, ' ');
  return text;
}

constexpr std::size_t kColumnMost = 40;

std::size_t width_of(const std::vector<std::string>& column) {
  constexpr std::size_t kLeast = 12;
  std::size_t width = kLeast;
  for (const std::string& cell : column) width = std::max(width, columns_of(cell) + 2);
  return width;
}

// Variants of one file begin alike, up to ": "; that is said once.
std::size_t common_name(const std::vector<Runs>& all) {
  const std::size_t colon = all.empty() ? std::string::npos : all.front().scenario.find(": ");
  if (colon == std::string::npos || all.size() < 2) return 0;
  const std::string begin = all.front().scenario.substr(0, colon + 2);
  const bool alike =
      std::ranges::all_of(all, [&](const Runs& runs) { return runs.scenario.starts_with(begin); });
  return alike ? begin.size() : 0;
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = {
      {"jobs done a day", "jobsPerDay", "Jobs done a day",
       [](const Report& r) { return static_cast<double>(r.all.succeeded) / days_of(r); }, "count", "more",
       true},
      {"mean wait, min", "waitMinutes", "Mean wait for a machine",
       [](const Report& r) { return minutes_of(r.all.wait.mean); }, "minutes", "less", true},
      {"95 % wait at most, min", "waitP95Minutes", "95 % of jobs wait at most",
       [](const Report& r) { return minutes_of(r.all.wait.p95); }, "minutes", "less"},
      {"mean wait to compute, min", "toComputeMinutes", "Mean wait until work begins",
       [](const Report& r) { return minutes_of(r.all.to_compute.mean); }, "minutes", "less"},
      {"mean turnaround, h", "turnaroundHours", "Mean time from submission to end",
       [](const Report& r) { return hours_of(r.all.turnaround.mean); }, "hours", "less"},
      {"mean slowdown", "slowdown", "Mean slowdown",
       [](const Report& r) { return static_cast<double>(r.all.slowdown_milli) / 1000; }, "ratio", "less"},
      {"spread of overhead, min", "overheadDeviationMinutes", "Spread from start to finish",
       [](const Report& r) { return minutes_of(r.all.overhead.deviation); }, "minutes", "less", true},
      {"interruptions", "interruptions", "Interruptions of jobs",
       [](const Report& r) { return static_cast<double>(r.all.interruptions); }, "count", "less", true},
      {"preemptions", "preemptions", "Jobs stopped for others",
       [](const Report& r) { return static_cast<double>(r.all.preemptions); }, "count", "less"},
      {"work done twice, h", "lostHours", "Work lost and done again",
       [](const Report& r) { return hours_of(r.all.lost); }, "hours", "less"},
      {"idle GPU time, %", "idlePercent", "Idle GPU time",
       [](const Report& r) { return static_cast<double>(r.idle_permille()) / 10; }, "percent", "less", true},
      {"machines launched", "launches", "Machines launched",
       [](const Report& r) { return static_cast<double>(r.launches); }, "count", "none"},
      {"bill, USD", "billedDollars", "Bill", [](const Report& r) { return dollars_of(r.billed); }, "dollars",
       "less", true},
      {"bill a job done, USD", "dollarsPerJob", "Bill for each job done",
       [](const Report& r) {
         return r.all.succeeded == 0 ? 0 : dollars_of(r.billed) / static_cast<double>(r.all.succeeded);
       },
       "dollars", "less", true},
      {"  of it warm-up, USD", "warmupDollars", "… of the bill, for starting",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::WarmUp)); }, "dollars", "less"},
      {"  of it idle, USD", "idleDollars", "… of the bill, for idle machines",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::Idle)); }, "dollars", "less"},
      {"  of it waste, USD", "wasteDollars", "… of the bill, for waste",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::Waste)); }, "dollars", "less"},
  };
  return all;
}

MeanDeviation over_seeds(const Runs& runs, const Measure& measure) {
  MeanDeviation result;
  if (runs.reports.empty()) return result;
  const auto count = static_cast<double>(runs.reports.size());
  for (const Report& report : runs.reports) result.mean += measure.of(report) / count;
  double squares = 0;
  for (const Report& report : runs.reports) {
    const double off = measure.of(report) - result.mean;
    squares += off * off;
  }
  if (count > 1) result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

std::string compare_text(const std::vector<Runs>& all) {
  constexpr std::size_t kNameWidth = 28;
  std::vector<std::vector<std::string>> columns;
  const std::size_t common = common_name(all);
  for (const Runs& runs : all) {
    std::vector<std::string> column = {runs.scenario.substr(common, kColumnMost)};
    for (const Measure& measure : measures()) {
      const MeanDeviation value = over_seeds(runs, measure);
      column.push_back(short_text(value.mean));
      if (runs.reports.size() > 1) column.back() += " ± " + short_text(value.deviation);
    }
    columns.push_back(std::move(column));
  }
  std::string text;
  if (common > 0) text += all.front().scenario.substr(0, common) + "\n";
  for (std::size_t row = 0; row <= measures().size(); ++row) {
    text += to_width(row == 0 ? "" : std::string(measures()[row - 1].name), kNameWidth);
    for (const std::vector<std::string>& column : columns) text += to_width(column[row], width_of(column));
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text;
}

json::Value compare_json(const std::vector<Runs>& all) {
  json::Array scenarios;
  for (const Runs& runs : all)
    scenarios.push_back(
        json::Object{{"name", runs.scenario}, {"seeds", json::Array(runs.seeds.begin(), runs.seeds.end())}});
  json::Object values;
  for (const Measure& measure : measures()) {
    json::Array row;
    for (const Runs& runs : all) {
      const MeanDeviation value = over_seeds(runs, measure);
      row.push_back(json::Object{{"mean", value.mean}, {"deviation", value.deviation}});
    }
    values[measure.key] = std::move(row);
  }
  return json::Object{{"scenarios", std::move(scenarios)}, {"measures", std::move(values)}};
}

}  // namespace stoker::sim
