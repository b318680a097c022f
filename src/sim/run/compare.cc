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

std::string to_width(std::string text, std::size_t width) {
  // "±" is one column and two bytes.
  const auto columns = static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  if (columns < width) text.append(width - columns, ' ');
  return text;
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> kMeasures = {
      {"jobs done a day", "jobsPerDay",
       [](const Report& r) { return static_cast<double>(r.all.succeeded) / days_of(r); }},
      {"mean wait, min", "waitMinutes", [](const Report& r) { return minutes_of(r.all.wait.mean); }},
      {"95 % wait at most, min", "waitP95Minutes",
       [](const Report& r) { return minutes_of(r.all.wait.p95); }},
      {"mean wait to compute, min", "toComputeMinutes",
       [](const Report& r) { return minutes_of(r.all.to_compute.mean); }},
      {"mean turnaround, h", "turnaroundHours",
       [](const Report& r) { return hours_of(r.all.turnaround.mean); }},
      {"mean slowdown", "slowdown",
       [](const Report& r) { return static_cast<double>(r.all.slowdown_milli) / 1000; }},
      {"spread of overhead, min", "overheadDeviationMinutes",
       [](const Report& r) { return minutes_of(r.all.overhead.deviation); }},
      {"interruptions", "interruptions",
       [](const Report& r) { return static_cast<double>(r.all.interruptions); }},
      {"work done twice, h", "lostHours", [](const Report& r) { return hours_of(r.all.lost); }},
      {"idle GPU time, %", "idlePercent",
       [](const Report& r) { return static_cast<double>(r.idle_permille()) / 10; }},
      {"machines launched", "launches", [](const Report& r) { return static_cast<double>(r.launches); }},
      {"bill, USD", "billedDollars", [](const Report& r) { return dollars_of(r.billed); }},
      {"bill a job done, USD", "dollarsPerJob",
       [](const Report& r) {
         return r.all.succeeded == 0 ? 0 : dollars_of(r.billed) / static_cast<double>(r.all.succeeded);
       }},
      {"  of it warm-up, USD", "warmupDollars",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::WarmUp)); }},
      {"  of it idle, USD", "idleDollars",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::Idle)); }},
      {"  of it waste, USD", "wasteDollars",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::Waste)); }},
  };
  return kMeasures;
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
  constexpr std::size_t kWidth = 26;
  std::string text = to_width("", kNameWidth);
  for (const Runs& runs : all) text += to_width(runs.scenario.substr(0, kWidth - 2), kWidth);
  text += "\n";
  for (const Measure& measure : measures()) {
    text += to_width(std::string(measure.name), kNameWidth);
    for (const Runs& runs : all) {
      const MeanDeviation value = over_seeds(runs, measure);
      std::string cell = short_text(value.mean);
      if (runs.reports.size() > 1) cell += " ± " + short_text(value.deviation);
      text += to_width(std::move(cell), kWidth);
    }
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
