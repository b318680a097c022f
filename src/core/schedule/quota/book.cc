#include "core/schedule/quota/book.h"

#include "base/assert.h"
#include "core/placement/gpu_model.h"

namespace stoker::core {
namespace {

// The share of a key that falls to nothing goes: books that say the same are equal.
void change(std::map<std::string, std::int64_t>& amounts, const std::string& key, std::int64_t by) {
  if (key.empty() || by == 0) return;
  const auto at = amounts.try_emplace(key, 0).first;
  at->second += by;
  ASSERT(at->second >= 0, "a share gives back more than it held");
  if (at->second == 0) amounts.erase(at);
}

void change(ShareHolding& share, const Resources& resources, const QuotaUse& use, int sign) {
  share.gpu += sign * resources.all_gpu_milli();
  share.vcpu += sign * resources.cpus_milli;
  share.runs += sign;
  change(share.by_gpu_model, use.gpu_model, sign * resources.all_gpu_milli());
  change(share.by_instance, use.instance_type, sign * use.instance_milli);
}

}  // namespace

std::int64_t ShareHolding::of(const CapacityUnit& unit) const {
  switch (unit.kind) {
    case CapacityUnit::Kind::Gpu:
      return gpu;
    case CapacityUnit::Kind::Vcpu:
      return vcpu;
    case CapacityUnit::Kind::GpuModel: {
      std::int64_t amount = 0;
      for (const auto& [model, held] : by_gpu_model)
        if (is_model(model, unit.name)) amount += held;
      return amount;
    }
    case CapacityUnit::Kind::Instance: {
      const auto found = by_instance.find(unit.name);
      return found == by_instance.end() ? 0 : found->second;
    }
  }
  return 0;
}

std::int64_t amount_of(const CapacityUnit& unit, const Resources& resources, const QuotaUse& use) {
  ShareHolding one;
  change(one, resources, use, 1);
  return one.of(unit);
}

void QuotaBook::add(const JobSpec& spec, const QuotaUse& use) {
  ShareHolding& share = shares_[spec.share];
  change(share, spec.container.resources, use, 1);
  ++share.by_priority[spec.scheduling_priority];
}

void QuotaBook::remove(const JobSpec& spec, const QuotaUse& use) {
  const auto at = shares_.find(spec.share);
  ASSERT(at != shares_.end(), "a run of a share that has none");
  change(at->second, spec.container.resources, use, -1);
  const auto runs = at->second.by_priority.find(spec.scheduling_priority);
  ASSERT(runs != at->second.by_priority.end(), "a run of another priority than the one that began");
  if (--runs->second == 0) at->second.by_priority.erase(runs);
  if (at->second.runs == 0) shares_.erase(at);
}

const ShareHolding& QuotaBook::of(const std::string& share) const {
  static const ShareHolding kNothing;
  const auto found = shares_.find(share);
  return found == shares_.end() ? kNothing : found->second;
}

}  // namespace stoker::core
