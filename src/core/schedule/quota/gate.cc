#include "core/schedule/quota/gate.h"

#include <algorithm>

#include "core/job/submit.h"
#include "core/schedule/fit.h"
#include "core/schedule/quota/uses.h"

namespace stoker::core {
namespace {

const QuotaBook& book_of(const State& state, QueueNo queue) {
  static const QuotaBook kEmpty;
  const auto found = state.quota_books.find(queue);
  return found == state.quota_books.end() ? kEmpty : found->second;
}

// The book that counts for a contender: what runs, and what jobs will hold for which room is being made.
// Their part is promised to them: who took it meanwhile would be stopped for them, or they for it, without
// end.
class Promised {
 public:
  Promised(const State& state, const Contender& contender) : book_(&book_of(state, contender.turn.queue.no)) {
    if (state.claims.contains(contender.job)) return;
    for (const auto& [no, claim] : state.claims) {
      const Job& claimer = *state.jobs.find(no);
      // Who is being moved runs, and so is in the book.
      if (claimer.queue != contender.turn.queue.no || claimer.status != JobStatus::Runnable) continue;
      if (!with_claims_) with_claims_ = *book_;
      with_claims_->add(*claimer.spec, {});
    }
  }
  [[nodiscard]] bool any() const { return with_claims_.has_value(); }
  [[nodiscard]] const QuotaBook& book() const { return with_claims_ ? *with_claims_ : *book_; }

 private:
  const QuotaBook* book_;
  std::optional<QuotaBook> with_claims_;
};

// Whether a run with these resources takes anything of what the unit counts.
bool takes(const CapacityUnit& unit, const Resources& resources) {
  switch (unit.kind) {
    case CapacityUnit::Kind::Gpu:
    case CapacityUnit::Kind::GpuModel:
      return resources.all_gpu_milli() > 0;
    case CapacityUnit::Kind::Vcpu:
      return resources.cpus_milli > 0;
    case CapacityUnit::Kind::Instance:
      break;
  }
  return true;
}

// Both must hold: each of a wish's words stands in the model's name, so that both together are one wish.
std::vector<std::string> both(const std::vector<std::string>& wishes,
                              const std::vector<std::string>& allowed) {
  if (wishes.empty()) return allowed;
  std::vector<std::string> joined;
  for (const std::string& wish : wishes)
    for (const std::string& model : allowed) joined.push_back(wish == model ? wish : wish + " " + model);
  return joined;
}

}  // namespace

const QuotaShares* quota_shares_of(const State& state, QueueNo queue) {
  const auto found = state.quota_shares.find(queue);
  return found == state.quota_shares.end() ? nullptr : &found->second;
}

QuotaView quota_view(const State& state, QueueNo queue, const QuotaShares& shares) {
  return {shares, book_of(state, queue)};
}

QuotaVerdict quota_verdict(const State& state, const Contender& contender) {
  const QuotaShares* shares = contender.turn.quota_shares;
  if (shares == nullptr) return {.ok = true};
  const auto ask = [&](const QuotaBook& book) {
    return may_start({*shares, book}, contender.group.share, contender.shape.resources,
                     !contender.group.stays, contender.right);
  };
  QuotaVerdict verdict = ask(book_of(state, contender.turn.queue.no));
  const Promised promised(state, contender);
  if (!verdict.ok || !promised.any()) return verdict;
  verdict = ask(promised.book());
  if (!verdict.ok) verdict.text += "; this counts jobs for which room is being made";
  return verdict;
}

std::optional<Hold> held_by_quota(const World& world, const Contender& contender) {
  QuotaVerdict verdict = quota_verdict(world.state, contender);
  if (verdict.ok) return std::nullopt;
  return Hold{.kind = WaitKind::Quota, .text = std::move(verdict.text), .behind = {}};
}

Shape narrowed(const QuotaVerdict& verdict, Shape shape) {
  if (verdict.gpu_models.empty() && verdict.instance_types.empty()) return shape;
  if (!verdict.gpu_models.empty() && shape.resources.all_gpu_milli() > 0)
    shape.gpu.models = both(shape.gpu.models, verdict.gpu_models);
  shape.instance_types = verdict.instance_types;
  return shape;
}

ShapeNo narrowed_shape(World& world, const Contender& contender, ShapeNo number) {
  const QuotaVerdict verdict = quota_verdict(world.state, contender);
  if (verdict.gpu_models.empty() && verdict.instance_types.empty()) return number;
  return shape_number(world, narrowed(verdict, world.state.shape(number)));
}

bool allows_place(const State& state, const Contender& contender, const Node& node) {
  const QuotaShares* shares = contender.turn.quota_shares;
  if (shares == nullptr) return true;
  const Resources& resources = contender.shape.resources;
  const Promised promised(state, contender);
  return has_room({*shares, promised.book()}, contender.group.share, resources,
                  quota_use(node, resources, {}), !contender.group.stays, contender.right);
}

const Node* first_beyond_share(const State& state, const Contender& contender, const Job& gang,
                               const std::vector<RunPlace>& places) {
  const QuotaShares* shares = contender.turn.quota_shares;
  if (shares == nullptr) return nullptr;
  QuotaBook book = Promised(state, contender).book();
  const std::span<const Job> nodes = gang.children();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const JobSpec& spec = *nodes[i].spec;
    const QuotaUse use = quota_use(*places[i].node, spec.container.resources, places[i].gpus);
    if (!has_room({*shares, book}, contender.group.share, spec.container.resources, use,
                  !contender.group.stays, contender.right))
      return places[i].node;
    book.add(spec, use);
  }
  return nullptr;
}

Hold part_of_machine_text(const Contender& contender, const Node& node) {
  const QuotaUse use = quota_use(node, contender.shape.resources, {});
  return {.kind = WaitKind::Quota,
          .text = "Waits for quota share " + contender.group.share + ": the best place, node " + node.name +
                  ", takes " + thousandths(use.instance_milli) + " " + use.instance_type +
                  ", more than is left of it",
          .behind = {}};
}

std::optional<Hold> QuotaQueues::held(const State& state, const Contender& contender) const {
  const auto share = shares_.find(contender.group.share);
  if (share == shares_.end()) return std::nullopt;
  for (const Lacking& lacking : share->second)
    if (takes(lacking.unit, contender.shape.resources))
      return Hold{.kind = WaitKind::Order,
                  .text = "Waits behind job " + state.jobs.find(lacking.job)->public_id() +
                          ", which waits for quota share " + contender.group.share,
                  .behind = lacking.job};
  return std::nullopt;
}

void QuotaQueues::note_refused(const Contender& contender, const QuotaVerdict& verdict) {
  if (!verdict.never) shares_[contender.group.share].push_back({verdict.short_of, contender.job});
}

}  // namespace stoker::core
