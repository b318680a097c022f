#include "core/provision/quota_demand.h"

#include <algorithm>

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

void count(std::vector<QuotaPart>& parts, const std::string& gpu_model, const std::string& type) {
  const auto same = [&](const QuotaPart& part) {
    return part.gpu_model == gpu_model && part.instance_type == type;
  };
  const auto found = std::ranges::find_if(parts, same);
  if (found != parts.end())
    ++found->jobs;
  else
    parts.push_back({1, gpu_model, type});
}

}  // namespace

QuotaDemand::QuotaDemand(const State& state, const JobQueue& queue, const fleet::Catalogue& catalogue,
                         std::set<std::string> offered)
    : state_(state),
      shares_(state.quota_shares.at(queue.no)),
      catalogue_(catalogue),
      offered_(std::move(offered)) {
  const auto book = state.quota_books.find(queue.no);
  if (book != state.quota_books.end()) book_ = book->second;
}

std::vector<QuotaPart> QuotaDemand::take(const GroupKey& key, const Job& first, std::int64_t jobs,
                                         QuotaRight right) {
  std::vector<QuotaPart> parts;
  if (full_.contains({key.share, right})) return parts;
  for (std::int64_t taken = 0; taken < std::min(jobs, kCountedMax); ++taken)
    if (!take_one(key, *first.spec, right, parts)) {
      full_.insert({key.share, right});
      break;
    }
  return parts;
}

bool QuotaDemand::take_one(const GroupKey& key, const JobSpec& spec, QuotaRight right,
                           std::vector<QuotaPart>& parts) {
  const Resources& resources = spec.container.resources;
  const QuotaView view{shares_, book_};
  const QuotaVerdict verdict = may_start(view, key.share, resources, !key.stays, right);
  if (!verdict.ok) return false;
  const std::string model = verdict.gpu_models.empty() ? "" : verdict.gpu_models.front();
  std::vector<std::string> types = verdict.instance_types;
  if (types.empty()) types.emplace_back();
  const fleet::Need need = need_of(state_, state_.shape(key.shape));
  const std::string* impossible = nullptr;  // nothing that is offered will do: said so by sizing
  for (const std::string& name : types) {
    const fleet::InstanceType* type = name.empty() ? nullptr : catalogue_.find(name);
    if (!name.empty() && (type == nullptr || !offered_.contains(name) || fleet::lacks(*type, need) != 0)) {
      if (impossible == nullptr) impossible = &name;
      continue;
    }
    QuotaUse use = type == nullptr ? QuotaUse{} : use_on(*type, resources);
    // Of a multi-node job each node may take a machine of its own.
    if (type != nullptr && spec.nodes) use.instance_milli = 1000 * spec.nodes->nodes();
    use.gpu_model = model;
    if (!has_room(view, key.share, resources, use, !key.stays, right)) {
      impossible = nullptr;
      continue;
    }
    book_.add(spec, use);
    count(parts, model, name);
    return true;
  }
  if (impossible == nullptr) return false;
  book_.add(spec, {});
  count(parts, model, *impossible);
  return true;
}

}  // namespace stoker::core
