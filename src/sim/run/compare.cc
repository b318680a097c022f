#include "sim/run/compare.h"

#include <algorithm>
#include <cmath>

#include "sim/run/cell.h"

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

// A part of all jobs.
using Part = const Figures& (*)(const Report&);

const Figures& multi_node(const Report& report) {
  return report.multi_node;
}
// All are, where there are no others.
const Figures& single_node(const Report& report) {
  return report.has_multi_node() ? report.single_node : report.all;
}

// `key` and `title` begin the names of the measures.
template <Part kPart>
void add_part(const std::string& key, const std::string& title, std::vector<Measure>& all) {
  using Has = bool (*)(const Report&);
  constexpr Has kSome = [](const Report& r) { return kPart(r).submitted > 0; };
  constexpr Has kPlaced = [](const Report& r) { return kPart(r).wait.count > 0; };
  constexpr Has kDone = [](const Report& r) { return kPart(r).run.count > 0; };
  const auto add = [&](std::string name, std::string_view end_of_key, std::string_view rest,
                       double (*of)(const Report&), std::string_view unit, Has has) {
    Measure measure{std::move(name), key, title, of, unit, "less"};
    measure.key += end_of_key;
    measure.title.append(": ").append(rest);
    measure.makes_sense = [](const Report& r) { return r.has_multi_node(); };
    measure.has = has;
    all.push_back(std::move(measure));
  };
  const auto count = [](const Report& r) { return static_cast<double>(kPart(r).submitted); };
  all.push_back({title, key + "Jobs", title, count, "count", "none"});
  all.back().name[0] = static_cast<char>(title[0] - 'A' + 'a');
  all.back().makes_sense = [](const Report& r) { return r.has_multi_node(); };
  add(
      "  mean wait, min", "WaitMinutes", "mean wait for machines",
      [](const Report& r) { return minutes_of(kPart(r).wait.mean); }, "minutes", kPlaced);
  add(
      "  95 % wait at most, min", "WaitP95Minutes", "95 % of them wait at most",
      [](const Report& r) { return minutes_of(kPart(r).wait.p95); }, "minutes", kPlaced);
  add(
      "  mean run, h", "RunHours", "mean run", [](const Report& r) { return hours_of(kPart(r).run.mean); },
      "hours", kDone);
  all.back().better = "none";
  add(
      "  mean slowdown", "Slowdown", "mean slowdown",
      [](const Report& r) { return static_cast<double>(kPart(r).slowdown_milli) / 1000; }, "ratio", kDone);
  add(
      "  interruptions", "Interruptions", "interruptions",
      [](const Report& r) { return static_cast<double>(kPart(r).interruptions); }, "count", kSome);
  add(
      "  work done twice, h", "LostHours", "work lost and done again",
      [](const Report& r) { return hours_of(kPart(r).lost); }, "hours", kSome);
}

std::vector<Measure> measures_for(const std::vector<Runs>& all) {
  std::vector<const Runs*> pointers;
  for (const Runs& runs : all) pointers.push_back(&runs);
  return stoker::sim::measures_for(pointers);
}

std::string cell_of(const Runs& runs, const Measure& measure) {
  const std::optional<MeanDeviation> value = over_seeds(runs, measure);
  if (!value) return "-";
  std::string cell = short_text(value->mean);
  if (runs.reports.size() > 1) cell += " ± " + short_text(value->deviation);
  return cell;
}

bool was_placed(const Report& report) {
  return report.all.wait.count > 0;
}
bool was_done(const Report& report) {
  return report.all.run.count > 0;
}

const std::vector<Measure>& measures_of_all() {
  static const std::vector<Measure> all = {
      {"jobs done a day", "jobsPerDay", "Jobs done a day",
       [](const Report& r) { return static_cast<double>(r.all.succeeded) / days_of(r); }, "count", "more",
       true},
      {"jobs that wait at the end", "waitingAtEnd", "Jobs that still wait at the end",
       [](const Report& r) { return static_cast<double>(r.all.waiting); }, "count", "less", false, nullptr,
       [](const Report& r) { return r.all.waiting > 0; }},
      {"mean wait, min", "waitMinutes", "Mean wait for a machine",
       [](const Report& r) { return minutes_of(r.all.wait.mean); }, "minutes", "less", true, was_placed},
      {"95 % wait at most, min", "waitP95Minutes", "95 % of jobs wait at most",
       [](const Report& r) { return minutes_of(r.all.wait.p95); }, "minutes", "less", false, was_placed},
      {"mean wait to compute, min", "toComputeMinutes", "Mean wait until work begins",
       [](const Report& r) { return minutes_of(r.all.to_compute.mean); }, "minutes", "less", false,
       was_placed},
      {"mean turnaround, h", "turnaroundHours", "Mean time from submission to end",
       [](const Report& r) { return hours_of(r.all.turnaround.mean); }, "hours", "less", false, was_done},
      {"mean slowdown", "slowdown", "Mean slowdown",
       [](const Report& r) { return static_cast<double>(r.all.slowdown_milli) / 1000; }, "ratio", "less",
       false, was_done},
      {"spread of overhead, min", "overheadDeviationMinutes", "Spread from start to finish",
       [](const Report& r) { return minutes_of(r.all.overhead.deviation); }, "minutes", "less", true,
       was_done},
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
       [](const Report& r) { return dollars_of(r.billed) / static_cast<double>(r.all.succeeded); }, "dollars",
       "less", true, [](const Report& r) { return r.all.succeeded > 0; }},
      {"  of it warm-up, USD", "warmupDollars", "… of the bill, for starting",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::WarmUp)); }, "dollars", "less"},
      {"  of it idle, USD", "idleDollars", "… of the bill, for idle machines",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::Idle)); }, "dollars", "less"},
      {"  of it waste, USD", "wasteDollars", "… of the bill, for waste",
       [](const Report& r) { return dollars_of(r.all.cost.of(cost::Kind::Waste)); }, "dollars", "less"},
      {"times a budget spoke up", "budgetNews", "Times a budget warned or stopped something",
       [](const Report& r) { return static_cast<double>(r.budgets.size()); }, "count", "less", false, nullptr,
       [](const Report& r) { return !r.budgets.empty(); }},
  };
  return all;
}

void add_deadlines(std::vector<Measure>& all) {
  const auto has = [](const Report& r) { return r.all.deadlines > 0; };
  all.push_back({.name = "deadlines met",
                 .key = "deadlinesMet",
                 .title = "Deadlines met",
                 .of = [](const Report& r) { return static_cast<double>(r.all.deadlines_met); },
                 .unit = "count",
                 .better = "more",
                 .headline = true,
                 .has = has,
                 .makes_sense = has,
                 .of_how_many = "deadlines"});
  all.push_back({.name = "  of jobs with a deadline",
                 .key = "deadlines",
                 .title = "… of jobs with a deadline",
                 .of = [](const Report& r) { return static_cast<double>(r.all.deadlines); },
                 .unit = "count",
                 .better = "none",
                 .has = has,
                 .makes_sense = has});
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all = [] {
    std::vector<Measure> made = measures_of_all();
    add_deadlines(made);
    add_part<single_node>("singleNode", "Single-node jobs", made);
    add_part<multi_node>("multiNode", "Multi-node jobs", made);
    return made;
  }();
  return all;
}

std::vector<Measure> measures_for(const std::vector<const Runs*>& all) {
  std::vector<Measure> shown;
  for (const Measure& measure : measures()) {
    const auto makes_sense = [&](const Runs* runs) {
      return measure.makes_sense == nullptr || std::ranges::any_of(runs->reports, measure.makes_sense);
    };
    if (std::ranges::any_of(all, makes_sense)) shown.push_back(measure);
  }
  return shown;
}

bool Runs::has_multi_node() const {
  return std::ranges::any_of(reports, &Report::has_multi_node);
}

std::optional<MeanDeviation> over_seeds(const Runs& runs, const Measure& measure) {
  std::vector<double> values;
  for (const Report& report : runs.reports)
    if (measure.has == nullptr || measure.has(report)) values.push_back(measure.of(report));
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  MeanDeviation result;
  for (const double value : values) result.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  if (count > 1) result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

json::Value to_json(const std::optional<MeanDeviation>& value) {
  if (!value) return nullptr;
  return json::Object{{"mean", value->mean}, {"deviation", value->deviation}};
}

std::string compare_text(const std::vector<Runs>& all) {
  constexpr std::size_t kNameWidth = 28;
  const std::vector<Measure> shown = measures_for(all);
  std::vector<std::vector<std::string>> columns;
  const std::size_t common = common_name(all);
  for (const Runs& runs : all) {
    std::vector<std::string> column = {cut_to_columns(runs.scenario.substr(common), kColumnMost)};
    for (const Measure& measure : shown) column.push_back(cell_of(runs, measure));
    columns.push_back(std::move(column));
  }
  std::string text;
  if (common > 0) text += one_line(all.front().scenario.substr(0, common - 2)) + "\n";
  for (std::size_t row = 0; row <= shown.size(); ++row) {
    text += to_width(row == 0 ? "" : shown[row - 1].name, kNameWidth);
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
  for (const Measure& measure : measures_for(all)) {
    json::Array row;
    for (const Runs& runs : all) row.push_back(to_json(over_seeds(runs, measure)));
    values[measure.key] = std::move(row);
  }
  return json::Object{{"scenarios", std::move(scenarios)}, {"measures", std::move(values)}};
}

}  // namespace stoker::sim
