#pragma once
// Lines added up: per job, tenant, queue, tag or environment.
#include <array>
#include <map>
#include <span>
#include <string>

#include "core/cost/ledger.h"

namespace stoker::cost {

enum class By : std::uint8_t { Job, Tenant, Queue, Tag, Environment };

struct Totals {
  std::array<Money, kKindCount> by_kind{};  // by Kind
  Duration time;                            // machine time times share
  bool provisional = false;                 // some machine goes on

  [[nodiscard]] Money of(Kind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] Money sum() const;
  void add(const Line& line);
  bool operator==(const Totals&) const = default;
};

// What nobody of that kind pays stands under "".
std::map<std::string, Totals> add_up(std::span<const NodeBill> bills, By by);
Totals total(std::span<const NodeBill> bills);

}  // namespace stoker::cost
