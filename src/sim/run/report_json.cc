#include <cmath>

#include "base/text.h"
#include "sim/run/report.h"

namespace stoker::sim {
namespace {

double in_seconds(Duration time) {
  return static_cast<double>(time.ms) / 1000;
}
double in_hours(Duration time) {
  return std::round(static_cast<double>(time.ms) / 3600) / 1000;
}

json::Array to_json(const std::vector<BudgetNews>& budgets) {
  json::Array list;
  for (const BudgetNews& news : budgets)
    list.push_back(json::Object{{"environment", news.environment},
                                {"at", iso_time(news.at.ms)},
                                {"level", fleet::name_of(news.level)},
                                {"text", news.text}});
  return list;
}

json::Value to_json(const TimeSpread& spread) {
  if (spread.count == 0) return nullptr;
  return json::Object{{"mean", in_seconds(spread.mean)},
                      {"deviation", in_seconds(spread.deviation)},
                      {"median", in_seconds(spread.median)},
                      {"p95", in_seconds(spread.p95)},
                      {"max", in_seconds(spread.most)}};
}
// Of jobs that succeeded.
json::Value slowdown(const Figures& figures, std::int64_t milli) {
  if (figures.run.count == 0) return nullptr;
  return static_cast<double>(milli) / 1000;
}

json::Object to_json(const cost::Totals& totals) {
  json::Object object;
  for (std::size_t kind = 0; kind < cost::kKindCount; ++kind)
    object[cost::name_of(static_cast<cost::Kind>(kind))] = to_text(totals.by_kind[kind]);
  object["sum"] = to_text(totals.sum());
  return object;
}

json::Object to_json(const Report& report, const Figures& figures) {
  return {{"submitted", figures.submitted},
          {"succeeded", figures.succeeded},
          {"failed", figures.failed},
          {"running", figures.running},
          {"waiting", figures.waiting},
          {"waitSeconds", to_json(figures.wait)},
          {"toComputeSeconds", to_json(figures.to_compute)},
          {"runSeconds", to_json(figures.run)},
          {"turnaroundSeconds", to_json(figures.turnaround)},
          {"overheadSeconds", to_json(figures.overhead)},
          {"slowdown", slowdown(figures, figures.slowdown_milli)},
          {"slowdownP95", slowdown(figures, figures.slowdown_p95_milli)},
          {"interruptions", figures.interruptions},
          {"preemptions", figures.preemptions},
          {"failures", figures.failures},
          {"deadlines", figures.deadlines},
          {"deadlinesMet", figures.deadlines_met},
          {"lostHours", in_hours(figures.lost)},
          {"usefulGpuHours", in_hours(figures.gpu_work)},
          {"shareOfGpus", static_cast<double>(report.use_permille(figures)) / 1000},
          {"costDollars", to_json(figures.cost)}};
}

}  // namespace

json::Value to_json(const Scenario& scenario, std::uint64_t seed, const Report& report) {
  json::Object tenants;
  for (const auto& [tenant, figures] : report.tenants) tenants[tenant] = to_json(report, figures);
  const json::Object machines{{"count", report.machines},
                              {"launched", report.launches},
                              {"launchesFailed", report.launches_failed},
                              {"spot", report.spot_machines},
                              {"takenBack", report.machines_taken_back},
                              {"hours", in_hours(report.machine_time)},
                              {"gpuHours", in_hours(report.gpu_time)},
                              {"usefulGpuHours", in_hours(report.gpu_work)},
                              {"idle", static_cast<double>(report.idle_permille()) / 1000}};
  json::Object object{{"scenario", scenario.name},
                      {"seed", seed},
                      {"pricesAsOf", scenario.catalogue.prices_as_of()},
                      {"simulatedSeconds", in_seconds(report.simulated)},
                      {"makespanSeconds", in_seconds(report.makespan)},
                      {"jobsLeftOut", report.left_out},
                      {"jobsRefused", report.refused},
                      {"billedDollars", to_text(report.billed)},
                      {"machines", machines},
                      {"all", to_json(report, report.all)},
                      {"tenants", tenants}};
  if (report.has_multi_node()) {
    object["singleNode"] = to_json(report, report.single_node);
    object["multiNode"] = to_json(report, report.multi_node);
  }
  if (!report.budgets.empty()) object["budgets"] = to_json(report.budgets);
  if (!report.refusal.empty()) object["refusal"] = report.refusal;
  if (!report.waits.empty()) object["waits"] = report.waits;
  if (!report.ledger_fault.empty()) object["ledgerFault"] = report.ledger_fault;
  return object;
}

}  // namespace stoker::sim
