#include "core/cost/summary.h"

namespace stoker::cost {
namespace {

const std::string& key_of(const Line& line, By by) {
  switch (by) {
    case By::Job:
      return line.payer.job;
    case By::Tenant:
      return line.payer.tenant;
    case By::Queue:
      return line.payer.queue;
    case By::Tag:
      return line.payer.tag;
    case By::Environment:
      break;
  }
  return line.environment;
}

}  // namespace

Money Totals::sum() const {
  Money sum;
  for (const Money money : by_kind) sum += money;
  return sum;
}

void Totals::add(const Line& line) {
  by_kind[static_cast<std::size_t>(line.kind)] += line.amount;
  time = time + line.time;
  provisional = provisional || line.provisional;
}

std::map<std::string, Totals> add_up(std::span<const NodeBill> bills, By by) {
  std::map<std::string, Totals> totals;
  for (const NodeBill& bill : bills)
    for (const Line& line : bill.lines) totals[key_of(line, by)].add(line);
  return totals;
}

Totals total(std::span<const NodeBill> bills) {
  Totals totals;
  for (const NodeBill& bill : bills)
    for (const Line& line : bill.lines) totals.add(line);
  return totals;
}

}  // namespace stoker::cost
