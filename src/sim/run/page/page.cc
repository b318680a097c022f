#include "sim/run/page/page.h"

#include "base/text.h"

namespace stoker::sim {

// The files beside this one, by cmake/embed.cmake.
extern const std::string_view kPageHtml;
extern const std::string_view kPageCss;
extern const std::string_view kPageScript;
extern const std::string_view kCharts;

namespace {

double thousandths(std::int64_t value) {
  return static_cast<double>(value) / 1000;
}
double in_dollars(Money money) {
  return static_cast<double>(money.micros) / 1e6;
}

json::Array thousandths(const std::vector<std::int64_t>& values) {
  json::Array list;
  for (const std::int64_t value : values) list.emplace_back(thousandths(value));
  return list;
}

json::Object series(const Timeline& timeline) {
  json::Object object{{"stepSeconds", timeline.step.ms / 1000}};
  for (std::size_t use = 0; use < kGpuUseCount; ++use)
    object[name_of(static_cast<GpuUse>(use))] = thousandths(timeline.gpus[use]);
  object["jobsWaiting"] = thousandths(timeline.jobs_waiting);
  object["gpusWanted"] = thousandths(timeline.gpus_wanted);
  return object;
}

json::Array days_of(const Timeline& timeline) {
  json::Array list;
  for (const Day& day : timeline.days) {
    json::Object object{{"jobsDone", day.jobs_done}, {"machinesLost", day.machines_lost}};
    for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
      object[cost::name_of(static_cast<cost::Kind>(kind))] = in_dollars(day.cost[kind]);
    list.push_back(std::move(object));
  }
  return list;
}

// In percent of all.
json::Array percents(const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  json::Array list;
  for (const std::int64_t count : counts)
    list.emplace_back(sum == 0 ? 0.0 : static_cast<double>(count) * 100 / static_cast<double>(sum));
  return list;
}

json::Array warnings_of(const Report& report) {
  json::Array list;
  const auto say = [&](std::int64_t count, const std::string& text) {
    if (count > 0) list.emplace_back(std::to_string(count) + text);
  };
  say(report.left_out,
      " jobs of traces were left out: larger than the scenario allows, or nobody knows how long they run.");
  say(report.refused, " jobs were refused: " + report.refusal);
  say(report.all.waiting, " jobs still wait at the end; the first: " + report.waits);
  for (const BudgetNews& news : report.budgets)
    list.emplace_back("The budget of " + news.environment + ", " + iso_time(news.at.ms) + ": " + news.text);
  if (!report.ledger_fault.empty()) list.emplace_back("Fault in the books: " + report.ledger_fault);
  return list;
}

json::Object entry_json(const PageEntry& entry, const std::vector<Measure>& shown) {
  const Scenario& scenario = *entry.scenario;
  const Report& first = entry.runs.reports.front();
  const json::Value report = to_json(scenario, entry.runs.seeds.front(), first);
  json::Object values;
  for (const Measure& measure : shown) values[measure.key] = to_json(over_seeds(entry.runs, measure));
  json::Object object{{"name", scenario.name},
                      {"about", scenario.about},
                      {"story", scenario.story},
                      {"warnings", warnings_of(first)},
                      {"simulatedSeconds", first.simulated.ms / 1000},
                      {"measures", std::move(values)},
                      {"all", *json::find(report, "all")},
                      {"tenants", *json::find(report, "tenants")},
                      {"series", series(entry.timeline)},
                      {"days", days_of(entry.timeline)},
                      {"waits", percents(entry.spreads.waits)},
                      {"overheads", percents(entry.spreads.overheads)}};
  if (!first.has_multi_node()) return object;
  for (const std::string_view part : {"singleNode", "multiNode"}) object[part] = *json::find(report, part);
  object["multiNodeWaits"] = percents(entry.spreads.multi_node_waits);
  return object;
}

json::Object page_data(const std::vector<PageEntry>& entries) {
  std::vector<const Runs*> runs;
  for (const PageEntry& entry : entries) runs.push_back(&entry.runs);
  const std::vector<Measure> shown = measures_for(runs);
  json::Array scenarios;
  for (const PageEntry& entry : entries) scenarios.push_back(entry_json(entry, shown));
  json::Array list;
  for (const Measure& measure : shown)
    list.push_back(json::Object{{"key", measure.key},
                                {"name", measure.title},
                                {"unit", measure.unit},
                                {"better", measure.better},
                                {"ofHowMany", measure.of_how_many},
                                {"headline", measure.headline}});
  json::Array bins;
  for (const std::string_view name : spread_names()) bins.emplace_back(name);
  return {{"pricesAsOf", entries.front().scenario->catalogue.prices_as_of()},
          {"seeds", entries.front().runs.seeds.size()},
          {"measures", std::move(list)},
          {"bins", std::move(bins)},
          {"scenarios", std::move(scenarios)}};
}

// JSON inside a script element: no "<", so that no text of it can end the element.
std::string in_script(const json::Value& value) {
  const std::string text = json::write(value);
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string in_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string page_html(const std::vector<PageEntry>& entries) {
  std::string title;
  for (const PageEntry& entry : entries) title += (title.empty() ? "" : ", ") + entry.scenario->name;
  const std::pair<std::string_view, std::string> parts[] = {{"@TITLE@", in_html(title)},
                                                            {"@CSS@", std::string(kPageCss)},
                                                            {"@DATA@", in_script(page_data(entries))},
                                                            {"@CHARTS@", std::string(kCharts)},
                                                            {"@SCRIPT@", std::string(kPageScript)}};
  // In the order of the template, so that no part is looked into for another's place.
  std::string page;
  std::string_view rest = kPageHtml;
  for (const auto& [place, text] : parts) {
    const std::size_t at = rest.find(place);
    page += rest.substr(0, at);
    page += text;
    rest.remove_prefix(at + place.size());
  }
  page += rest;
  return page;
}

}  // namespace stoker::sim
