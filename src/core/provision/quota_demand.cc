#include "core/provision/quota_demand.h"

#include <algorithm>
#include <optional>

#include "core/fleet/demand/never.h"
#include "core/provision/snapshot.h"
#include "core/schedule/quota/uses.h"

namespace stoker::core {
namespace {

// More than a look launches for, and a bound on what counting costs.
constexpr std::int64_t kCountedMax = 10'000;

// What a run would take of an empty machine of the type.
QuotaUse use_on(const fleet::InstanceType& type, const Resources& resources) {
  Node node;
  node.instance_type = type.name;
  node.total = {.cpus_milli = type.vcpus * 1000, .memory_mib = type.memory_offered_mib(), .gpus = type.gpus};
  return quota_use(node, resources, {});
}

std::int64_t count_of(const std::vector<QuotaPart>& parts, const QuotaPlace& place) {
  const auto found = std::ranges::find(parts, place, &QuotaPart::place);
  return found == parts.end() ? 0 : found->jobs;
}

void count(std::vector<QuotaPart>& parts, const QuotaPlace& place) {
  const auto found = std::ranges::find(parts, place, &QuotaPart::place);
  if (found != parts.end())
    ++found->jobs;
  else
    parts.push_back({1, place});
}

}  // namespace

QuotaDemand::QuotaDemand(const State& state, const JobQueue& queue, const fleet::Catalogue& catalogue,
                         OfferedTypes offered)
    : state_(state),
      shares_(state.quota_shares.at(queue.no)),
      catalogue_(catalogue),
      offered_(std::move(offered)) {
  const auto book = state.quota_books.find(queue.no);
  if (book != state.quota_books.end()) book_ = book->second;
}

std::vector<QuotaPart> QuotaDemand::take(const GroupKey& key, const Job& first, std::int64_t jobs,
                                         QuotaRight right, const QuotaServed& served) {
  std::vector<QuotaPart> parts;
  if (full_.contains({key.share, right})) return parts;
  const std::vector<Choice> all = choices(key, *first.spec);
  for (std::int64_t taken = 0; taken < std::min(jobs, kCountedMax); ++taken) {
    const Taken one = take_one(key, *first.spec, all, right, served, parts);
    if (one == Taken::Refused) full_.insert({key.share, right});
    if (one != Taken::Yes) break;
  }
  return parts;
}

std::vector<QuotaDemand::Choice> QuotaDemand::choices(const GroupKey& key, const JobSpec& spec) const {
  std::vector<std::string> models;
  std::vector<std::string> types;
  if (const auto share = shares_.find(key.share); share != shares_.end())
    for (const CapacityLimit& limit : share->second.limits) {
      const bool has_gpus = spec.container.resources.all_gpu_milli() > 0;
      if (limit.unit.kind == CapacityUnit::Kind::GpuModel && has_gpus) models.push_back(limit.unit.name);
      if (limit.unit.kind == CapacityUnit::Kind::Instance) types.push_back(limit.unit.name);
    }
  if (models.empty() && types.empty()) return {Choice{}};
  if (models.empty()) models.emplace_back();
  if (types.empty()) types.emplace_back();
  const fleet::Need need = need_of(state_, state_.shape(key.shape));
  std::vector<Choice> all;
  for (const std::string& type : types)
    for (const std::string& model : models) {
      all.push_back({.place = {model, type}});
      set_price(all.back(), need);
    }
  std::ranges::stable_sort(all, [](const Choice& a, const Choice& b) {
    if (a.possible != b.possible) return a.possible;
    if (a.price == Money{} || b.price == Money{}) return b.price == Money{} && a.price != Money{};
    return static_cast<Wide>(a.price.micros) * b.slots < static_cast<Wide>(b.price.micros) * a.slots;
  });
  return all;
}

// That of the type that is offered for the least.
void QuotaDemand::set_price(Choice& choice, const fleet::Need& asked) const {
  fleet::Need need = asked;
  const auto& [model, instance_type] = choice.place;
  if (!model.empty() && need.gpu_models.empty()) need.gpu_models = {model};
  choice.possible = false;
  for (const auto& [name, price] : offered_) {
    if (!instance_type.empty() && name != instance_type) continue;
    const fleet::InstanceType* type = catalogue_.find(name);
    if (type == nullptr || fleet::lacks(*type, need) != 0) continue;
    choice.possible = true;
    const std::int64_t slots = fleet::slots(fleet::room_of(*type), need);
    const bool cheaper = choice.price == Money{} || static_cast<Wide>(price.micros) * choice.slots <
                                                        static_cast<Wide>(choice.price.micros) * slots;
    if (price == Money{} || !cheaper) continue;
    choice.price = price;
    choice.slots = slots;
  }
}

QuotaDemand::Taken QuotaDemand::take_one(const GroupKey& key, const JobSpec& spec,
                                         const std::vector<Choice>& choices, QuotaRight right,
                                         const QuotaServed& served, std::vector<QuotaPart>& parts) {
  const Resources& resources = spec.container.resources;
  const QuotaView view{shares_, book_};
  const QuotaVerdict verdict = may_start(view, key.share, resources, !key.stays, right);
  if (!verdict.ok) return Taken::Refused;
  const auto may = [](const std::vector<std::string>& allowed, const std::string& name) {
    return allowed.empty() || std::ranges::find(allowed, name) != allowed.end();
  };
  const auto take_on = [&](const Choice& choice, const QuotaUse& use) {
    book_.add(spec, use);
    count(parts, choice.place);
    return Taken::Yes;
  };
  const Choice* impossible = nullptr;  // nothing that is offered will do: said so by sizing
  bool refused = false;
  bool sold_out = false;
  for (const Choice& choice : choices) {
    const auto& [model, instance_type] = choice.place;
    if (!may(verdict.gpu_models, model) || !may(verdict.instance_types, instance_type)) continue;
    const auto known = served.find(choice.place);
    if (known != served.end() && count_of(parts, choice.place) >= known->second) {
      sold_out = true;
      continue;
    }
    if (!choice.possible) {
      if (impossible == nullptr) impossible = &choice;
      continue;
    }
    QuotaUse use;
    if (const fleet::InstanceType* type = catalogue_.find(instance_type)) use = use_on(*type, resources);
    // Of a multi-node job each node may take a machine of its own.
    if (!instance_type.empty() && spec.nodes) use.instance_milli = 1000 * spec.nodes->nodes();
    use.gpu_model = model;
    if (has_room(view, key.share, resources, use, !key.stays, right)) return take_on(choice, use);
    refused = true;
  }
  if (sold_out) return Taken::NoMachine;
  if (refused || impossible == nullptr) return Taken::Refused;
  return take_on(*impossible,
                 {.gpu_model = impossible->place.first, .instance_type = {}, .instance_milli = 0});
}

}  // namespace stoker::core
