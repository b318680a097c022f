#include "core/cost/focus.h"

#include <algorithm>

#include "base/text.h"
#include "json/json.h"

namespace stoker::cost {
namespace {

constexpr std::string_view kColumns[] = {"BilledCost",        "EffectiveCost",
                                         "ListCost",          "ContractedCost",
                                         "BillingCurrency",   "ChargeCategory",
                                         "ChargeDescription", "ChargePeriodStart",
                                         "ChargePeriodEnd",   "BillingPeriodStart",
                                         "BillingPeriodEnd",  "ConsumedQuantity",
                                         "ConsumedUnit",      "PricingCategory",
                                         "PricingQuantity",   "PricingUnit",
                                         "ResourceId",        "ResourceName",
                                         "ResourceType",      "RegionId",
                                         "AvailabilityZone",  "ServiceName",
                                         "ServiceCategory",   "SkuId",
                                         "SubAccountId",      "Tags",
                                         "ChargeClass",       "x_Kind",
                                         "x_Environment",     "x_Queue",
                                         "x_Provisional"};

std::string quoted(std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(cell);
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

// Hours with six decimals, as money has: what costs something is some time.
std::string in_hours(Wide milliseconds) {
  constexpr std::int64_t kParts = 1'000'000;
  const auto parts = static_cast<std::int64_t>((milliseconds * 10 + 18) / 36);
  std::string decimals = std::to_string(kParts + parts % kParts).substr(1);
  return std::to_string(parts / kParts) + "." + decimals;
}

// The first instant of the month, and of the next: FOCUS' billing period.
std::pair<std::string, std::string> month_of(Instant at) {
  const std::string text = iso_time(at.ms);  // 2026-01-05T…
  std::int64_t year = parse_int(text.substr(0, 4)).value_or(0);
  std::int64_t month = parse_int(text.substr(5, 2)).value_or(1) + 1;
  if (month > 12) {
    month = 1;
    ++year;
  }
  constexpr std::string_view kRest = "-01T00:00:00Z";
  return {text.substr(0, 7) + std::string(kRest),
          std::to_string(year) + "-" + std::to_string(100 + month).substr(1) + std::string(kRest)};
}

std::string_view describe(Kind kind) {
  switch (kind) {
    case Kind::Work:
      return "Work of a job";
    case Kind::WarmUp:
      return "Start of machines and image pulls";
    case Kind::Idle:
      return "Idle machine time";
    case Kind::Waste:
      return "Lost work and machines without use";
    case Kind::Credit:
      return "Not billed: taken back in the first hour";
  }
  return "";
}

std::string tags_of(const Payer& payer) {
  json::Object tags;
  if (!payer.tenant.empty()) tags["tenant"] = payer.tenant;
  if (!payer.tag.empty()) tags["tag"] = payer.tag;
  return json::write(tags);
}

}  // namespace

std::string focus_header() {
  std::string line;
  for (const std::string_view column : kColumns) line += (line.empty() ? "" : ",") + std::string(column);
  return line + "\n";
}

void append_row(const FocusRow& row, std::string& out) {
  const FocusMachine& machine = row.machine;
  const auto [month, next_month] = month_of(row.from);
  const bool job = !row.payer.job.empty();
  const std::string amount = to_text(row.billed);
  const std::string cells[] = {
      amount,
      amount,
      to_text(row.list),
      amount,
      "USD",
      row.kind == Kind::Credit ? "Credit" : "Usage",
      std::string(describe(row.kind)),
      iso_time(row.from.ms),
      iso_time(row.to.ms),
      month,
      next_month,
      in_hours(static_cast<Wide>(row.time.ms) * std::max<std::int64_t>(1, machine.gpus)),
      machine.gpus > 0 ? "GPU-Hours" : "Hours",
      machine.spot ? "Dynamic" : "Standard",
      in_hours(static_cast<Wide>(row.time.ms)),  // machines are priced by the hour
      "Hours",
      job ? row.payer.job : row.node,
      row.node,
      job ? "Job" : "Machine",
      machine.region,
      machine.zone,
      "stoker",
      "Compute",
      machine.type,
      row.payer.tenant,
      tags_of(row.payer),
      "",  // its class: corrections of closed periods have one, and there are none
      std::string(name_of(row.kind)),
      row.environment,
      row.payer.queue,
      row.provisional ? "true" : "false"};
  static_assert(std::size(kColumns) == std::size(cells));
  for (std::size_t i = 0; i < std::size(cells); ++i) out += (i == 0 ? "" : ",") + quoted(cells[i]);
  out += "\n";
}

void append_focus(const NodeUse& use, const LedgerRules& rules, const FocusMachine& machine, Instant now,
                  std::string& out) {
  for (const Charge& charge : charges(use, rules, machine.list_per_hour, now))
    append_row({.kind = charge.line.kind,
                .billed = charge.line.amount,
                .list = charge.list,
                .from = charge.from,
                .to = charge.to,
                .time = charge.line.time,
                .payer = charge.line.payer,
                .node = charge.line.node,
                .environment = charge.line.environment,
                .machine = machine,
                .provisional = charge.line.provisional},
               out);
}

}  // namespace stoker::cost
