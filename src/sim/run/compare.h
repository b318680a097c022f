#pragma once
// Several runs of scenarios beside each other: the mean and deviation over seeds of what people ask first.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "sim/run/report.h"

namespace stoker::sim {

struct Measure {
  std::string name;   // "jobs done a day"
  std::string key;    // "jobsPerDay"
  std::string title;  // without the unit: "Jobs done a day"
  double (*of)(const Report&);
  std::string_view unit;    // count, minutes, hours, percent, dollars, ratio
  std::string_view better;  // more, less, none
  bool headline = false;    // one of the few that everybody asks for
  // Whether a report has the jobs that it is about; null: it is about all.
  bool (*has)(const Report&) = nullptr;
  // It is only shown where it makes sense for some report; null: it always does.
  bool (*makes_sense)(const Report&) = nullptr;
  std::string_view of_how_many = {};  // the key of what it is a part of
};
// All there are: of all jobs, of those with a deadline, of single-node jobs and of multi-node jobs.
const std::vector<Measure>& measures();

struct Runs {
  std::string scenario;
  std::vector<std::uint64_t> seeds;
  std::vector<Report> reports;  // one for each seed

  [[nodiscard]] bool has_multi_node() const;
};
// Those that make sense for some of the reports.
std::vector<Measure> measures_for(const std::vector<const Runs*>& all);

struct MeanDeviation {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 for one seed
};
// Over the runs that have such jobs; nothing where none has.
std::optional<MeanDeviation> over_seeds(const Runs& runs, const Measure& measure);
// {"mean":..,"deviation":..}, or null.
json::Value to_json(const std::optional<MeanDeviation>& value);

// One column for each scenario; deadlines where one of them has some, single-node and multi-node jobs apart
// where one of them has both.
std::string compare_text(const std::vector<Runs>& all);
// {"measures":{"jobsPerDay":[{"mean":..,"deviation":..},..],..}} in the order of the scenarios; null for one
// that has no such jobs.
json::Value compare_json(const std::vector<Runs>& all);

}  // namespace stoker::sim
