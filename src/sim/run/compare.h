#pragma once
// Several runs of scenarios beside each other: the mean and deviation over seeds of what people ask first.
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "sim/run/report.h"

namespace stoker::sim {

struct Measure {
  std::string_view name;   // "jobs done a day"
  std::string_view key;    // "jobsPerDay"
  std::string_view title;  // without the unit: "Jobs done a day"
  double (*of)(const Report&);
  std::string_view unit;    // count, minutes, hours, percent, dollars, ratio
  std::string_view better;  // more, less, none
  bool headline = false;    // one of the few that everybody asks for
};
const std::vector<Measure>& measures();

struct Runs {
  std::string scenario;
  std::vector<std::uint64_t> seeds;
  std::vector<Report> reports;  // one for each seed
};
struct MeanDeviation {
  double mean = 0;
  double deviation = 0;  // of the sample; 0 for one seed
};
MeanDeviation over_seeds(const Runs& runs, const Measure& measure);

// One column for each scenario.
std::string compare_text(const std::vector<Runs>& all);
// {"measures":{"jobsPerDay":[{"mean":..,"deviation":..},..],..}} in the order of the scenarios.
json::Value compare_json(const std::vector<Runs>& all);

}  // namespace stoker::sim
