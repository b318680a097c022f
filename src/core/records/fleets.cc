#include <algorithm>

#include "core/records/documents.h"

namespace stoker::core {
namespace {

json::Value to_json(const fleet::Need& need) {
  json::Array models;
  for (const std::string& model : need.gpu_models) models.emplace_back(model);
  json::Array types;
  for (const std::string& type : need.instance_types) types.emplace_back(type);
  return json::Object{{"cpus_milli", need.cpus_milli},
                      {"memory_mib", need.memory_mib},
                      {"gpus", need.gpus},
                      {"gpu_milli", need.gpu_milli},
                      {"mig", need.mig},
                      {"mig_devices", need.mig_devices},
                      {"gpu_memory_min_mib", need.gpu_memory_min_mib},
                      {"gpu_models", std::move(models)},
                      {"architecture", need.architecture},
                      {"instance_types", std::move(types)},
                      {"spot", static_cast<int>(need.spot)}};
}

fleet::Need read_need(const json::Value& value) {
  fleet::Need need;
  need.cpus_milli = json::get_int(value, "cpus_milli");
  need.memory_mib = json::get_int(value, "memory_mib");
  need.gpus = json::get_int(value, "gpus");
  need.gpu_milli = json::get_int(value, "gpu_milli");
  need.mig = json::get_string(value, "mig");
  need.mig_devices = json::get_int(value, "mig_devices");
  need.gpu_memory_min_mib = json::get_int(value, "gpu_memory_min_mib");
  for (const json::Value& model : json::get_array(value, "gpu_models"))
    need.gpu_models.emplace_back(json::text(model));
  need.architecture = json::get_string(value, "architecture");
  for (const json::Value& type : json::get_array(value, "instance_types"))
    need.instance_types.emplace_back(json::text(type));
  need.spot = static_cast<fleet::SpotWish>(json::get_int(value, "spot"));
  return need;
}

Instant instant_of(const json::Value& body, std::string_view key) {
  return {json::get_int(body, key)};
}

// Members that say nothing are left out: there are many machines, and most of them are well.
void put(json::Object& body, std::string_view key, Instant at) {
  if (at) body[key] = at.ms;
}
void put(json::Object& body, std::string_view key, bool yes) {
  if (yes) body[key] = true;
}

void put(json::Object& body, std::string_view key, const CostPayer& payer) {
  if (payer != CostPayer{}) body[key] = json::Object{{"queue", payer.queue}, {"share", payer.share}};
}
CostPayer read_payer(const json::Value& body, std::string_view key) {
  const json::Value* payer = json::find(body, key);
  if (payer == nullptr) return {};
  return {std::string(json::get_string(*payer, "queue")), std::string(json::get_string(*payer, "share"))};
}

template <class Amount>
json::Array by_kind(const std::array<Amount, cost::kKindCount>& amounts, std::int64_t Amount::* number) {
  json::Array list;
  for (const Amount& amount : amounts) list.push_back(amount.*number);
  return list;
}
// What is absent stays.
template <class Amount>
void read_by_kind(const json::Value& body, std::string_view key,
                  std::array<Amount, cost::kKindCount>& amounts, std::int64_t Amount::* number) {
  const json::Array& list = json::get_array(body, key);
  for (std::size_t i = 0; i < std::min(list.size(), amounts.size()); ++i)
    if (list[i].is_int64()) amounts[i].*number = list[i].get_int64();
}

}  // namespace

DocumentRecord to_record(const Fleet& fleet) {
  json::Object zones;
  for (const auto& [subnet, zone] : fleet.zones) zones[subnet] = zone;
  return document(DocumentKind::Fleet, fleet.environment,
                  {{"environment", fleet.environment},
                   {"pools", fleet.pools.write()},
                   {"gaps", fleet.gaps.write()},
                   {"zones", std::move(zones)},
                   {"launches", fleet.launches},
                   {"desired_seen", fleet.desired_seen},
                   {"vcpus_desired", fleet.vcpus_desired},
                   {"fault", fleet.fault},
                   {"month", fleet.month.ms},
                   {"spent_micros", fleet.spent.micros},
                   {"billed_micros", fleet.billed.micros},
                   {"costs_micros", by_kind(fleet.costs, &Money::micros)}});
}

DocumentRecord to_record(const LaunchedNode& launched) {
  json::Object body{{"name", launched.name},
                    {"environment", launched.environment},
                    {"type", launched.pool.type},
                    {"zone", launched.pool.zone},
                    {"spot", launched.pool.market == fleet::Market::Spot},
                    {"cpus_milli", launched.total.cpus_milli},
                    {"memory_mib", launched.total.memory_mib},
                    {"gpus", launched.total.gpus},
                    {"price_micros", launched.price.micros},
                    {"reason", static_cast<int>(launched.reason)},
                    {"asked_at", launched.asked_at.ms}};
  if (launched.on_demand != Money{}) body["on_demand_micros"] = launched.on_demand.micros;
  if (!launched.instance.empty()) body["instance"] = launched.instance;
  put(body, "asked_by", launched.asked_by);
  put(body, "used_by", launched.used_by);
  json::Array kept;
  for (const cost::Span& span : launched.kept) kept.push_back(json::Array{span.from.ms, span.to.ms});
  if (!kept.empty()) body["kept"] = std::move(kept);
  put(body, "started_at", launched.started_at);
  put(body, "ready_at", launched.ready_at);
  put(body, "idle_since", launched.idle_since);
  put(body, "accounted_from", launched.accounted_from);
  put(body, "claimed", launched.claimed);
  put(body, "mig", launched.mig);
  put(body, "rebalance", launched.rebalance);
  put(body, "draining", launched.draining);
  put(body, "retired", launched.retired);
  put(body, "deadline", launched.deadline);
  if (!launched.why.empty()) body["why"] = launched.why;
  json::Array runs;
  for (const fleet::NodeRuns& entry : launched.runs)
    runs.push_back(json::Object{{"need", to_json(entry.need)}, {"runs", entry.runs}});
  if (!runs.empty()) body["runs"] = std::move(runs);
  return document(DocumentKind::LaunchedNode, launched.name, std::move(body));
}

std::string cost_day_key(Instant day, const std::string& environment) {
  return std::to_string(day.ms) + "/" + environment;
}

DocumentRecord to_record(const CostDay& day) {
  json::Array lines;
  for (const auto& [key, sums] : day.lines) {
    json::Object line{{"queue", key.payer.queue},
                      {"share", key.payer.share},
                      {"costs_micros", by_kind(sums.billed, &Money::micros)},
                      {"time_ms", by_kind(sums.time, &Duration::ms)}};
    if (sums.list != sums.billed) line["list_micros"] = by_kind(sums.list, &Money::micros);
    if (!key.machine.type.empty()) line["type"] = key.machine.type;
    put(line, "spot", key.machine.spot);
    if (key.machine.gpus != 0) line["gpus"] = key.machine.gpus;
    lines.push_back(std::move(line));
  }
  return document(DocumentKind::CostDay, cost_day_key(day.day, day.environment),
                  {{"day", day.day.ms},
                   {"environment", day.environment},
                   {"billed_micros", day.billed.micros},
                   {"lines", std::move(lines)}});
}

Result<void> load_cost_day(World& world, const json::Value& body) {
  CostDay day;
  day.day = instant_of(body, "day");
  day.environment = json::get_string(body, "environment");
  if (day.environment.empty()) return fail(Code::Internal, "it has no environment");
  day.billed = {json::get_int(body, "billed_micros")};
  for (const json::Value& line : json::get_array(body, "lines")) {
    CostSums& sums = day.lines[{
        .payer = {std::string(json::get_string(line, "queue")), std::string(json::get_string(line, "share"))},
        .machine = {.type = std::string(json::get_string(line, "type")),
                    .spot = json::get_bool(line, "spot"),
                    .gpus = json::get_int(line, "gpus")}}];
    read_by_kind(line, "costs_micros", sums.billed, &Money::micros);
    sums.list = sums.billed;
    read_by_kind(line, "list_micros", sums.list, &Money::micros);
    read_by_kind(line, "time_ms", sums.time, &Duration::ms);
  }
  auto& days = world.state.cost_days;
  const auto key = std::pair(day.day, day.environment);
  days.insert_or_assign(key, std::move(day));
  return {};
}

Result<void> load_fleet(World& world, const json::Value& body) {
  Fleet fleet;
  fleet.environment = json::get_string(body, "environment");
  if (fleet.environment.empty()) return fail(Code::Internal, "it has no environment");
  if (const json::Value* pools = json::find(body, "pools")) fleet.pools = fleet::PoolBook::read(*pools);
  if (const json::Value* gaps = json::find(body, "gaps")) fleet.gaps = fleet::GapBook::read(*gaps);
  for (const auto& [subnet, zone] : json::get_object(body, "zones"))
    fleet.zones.emplace(subnet, json::text(zone));
  fleet.launches = static_cast<std::uint64_t>(json::get_int(body, "launches"));
  fleet.desired_seen = json::get_int(body, "desired_seen", -1);
  fleet.vcpus_desired = json::get_int(body, "vcpus_desired");
  fleet.fault = json::get_string(body, "fault");
  fleet.month = instant_of(body, "month");
  fleet.spent = {json::get_int(body, "spent_micros")};
  fleet.billed = {json::get_int(body, "billed_micros")};
  read_by_kind(body, "costs_micros", fleet.costs, &Money::micros);
  const std::string name = fleet.environment;
  world.state.fleets[name] = std::move(fleet);
  return {};
}

Result<void> load_launched_node(World& world, const json::Value& body) {
  LaunchedNode launched;
  launched.name = json::get_string(body, "name");
  if (launched.name.empty()) return fail(Code::Internal, "it has no name");
  launched.environment = json::get_string(body, "environment");
  launched.pool = {std::string(json::get_string(body, "type")), std::string(json::get_string(body, "zone")),
                   json::get_bool(body, "spot") ? fleet::Market::Spot : fleet::Market::OnDemand};
  launched.total = {.cpus_milli = json::get_int(body, "cpus_milli"),
                    .memory_mib = json::get_int(body, "memory_mib"),
                    .gpus = json::get_int(body, "gpus")};
  launched.price = {json::get_int(body, "price_micros")};
  launched.on_demand = {json::get_int(body, "on_demand_micros")};
  launched.reason = static_cast<fleet::LaunchReason>(json::get_int(body, "reason"));
  launched.asked_at = instant_of(body, "asked_at");
  launched.instance = json::get_string(body, "instance");
  launched.started_at = instant_of(body, "started_at");
  launched.ready_at = instant_of(body, "ready_at");
  launched.idle_since = instant_of(body, "idle_since");
  launched.asked_by = read_payer(body, "asked_by");
  launched.used_by = read_payer(body, "used_by");
  for (const json::Value& span : json::get_array(body, "kept"))
    if (span.is_array() && span.get_array().size() == 2 && span.get_array()[0].is_int64() &&
        span.get_array()[1].is_int64())
      launched.kept.push_back({{span.get_array()[0].get_int64()}, {span.get_array()[1].get_int64()}});
  launched.accounted_from = instant_of(body, "accounted_from");
  launched.claimed = json::get_bool(body, "claimed");
  launched.mig = json::get_bool(body, "mig");
  launched.rebalance = json::get_bool(body, "rebalance");
  launched.draining = json::get_bool(body, "draining");
  launched.retired = json::get_bool(body, "retired");
  launched.deadline = instant_of(body, "deadline");
  launched.why = json::get_string(body, "why");
  for (const json::Value& entry : json::get_array(body, "runs"))
    if (const json::Value* need = json::find(entry, "need"))
      launched.runs.push_back({.need = read_need(*need), .runs = json::get_int(entry, "runs")});
  if (launched.reason == fleet::LaunchReason::Owned) {
    const Instant due =
        day_of(launched.accounted_from ? launched.accounted_from : launched.started_at) + days(1);
    world.provision.owned_due = std::min(world.provision.owned_due.value_or(due), due);
  }
  const std::string name = launched.name;
  world.state.launched[name] = std::move(launched);
  return {};
}

}  // namespace stoker::core
