#include "core/placement/pool.h"

#include <map>

#include "base/assert.h"
#include "base/image_reference.h"
#include "base/rng.h"
#include "core/placement/census.h"
#include "core/placement/devices.h"
#include "core/placement/holders.h"
#include "core/placement/view.h"

namespace stoker::core {
namespace {

// Shapes whose view of the pool is kept. When there are more, all are made anew as they are asked about.
constexpr std::size_t kViewsMax = 4096;

}  // namespace

struct Pool::Impl {
  explicit Impl(PolicyName name, std::uint64_t seed)
      : policy(make_policy(name)), census(*policy), rng(seed) {}

  std::unique_ptr<Policy> policy;
  Census census;
  Rng rng;
  std::map<std::string, Holders> holders;  // of the images of views, by full name
  std::map<ShapeNo, View> views;
  std::uint64_t epoch = 0;  // of the census, when the views were made

  View& view_of(ShapeNo no, const Shape& shape) {
    const auto known = views.find(no);
    if (known != views.end() && epoch == census.epoch()) {
      known->second.catch_up(shape);
      return known->second;
    }
    if (epoch != census.epoch() || views.size() >= kViewsMax) {
      views.clear();
      holders.clear();
    }
    epoch = census.epoch();
    View& view = views.try_emplace(no, census, *policy, shape, holders_of(shape)).first->second;
    view.catch_up(shape);
    return view;
  }

  Holders* holders_of(const Shape& shape) {
    if (!shape.container() || policy->warm_bonus() == 0) return nullptr;
    std::string name = full_image_name(shape.image);
    return &holders.try_emplace(name, census, name).first->second;
  }

  Node* by_chance(const View& view) {
    std::vector<Node*> fitting;
    for (const Census::Slot& slot : census.slots())
      if (slot.state != kNoNumber && view.fits(slot.state)) fitting.push_back(slot.node);
    return fitting.empty() ? nullptr : fitting[rng.below(fitting.size())];
  }
};

Pool::Pool(PolicyName policy, std::uint64_t seed) : impl_(std::make_unique<Impl>(policy, seed)) {}
Pool::Pool(Pool&&) noexcept = default;
Pool& Pool::operator=(Pool&&) noexcept = default;
Pool::~Pool() = default;

void Pool::put(Node& node) {
  impl_->census.put(node);
}
void Pool::update(Node& node) {
  impl_->census.update(node);
}
void Pool::note_images(Node& node) {
  impl_->census.note_images(node);
}
void Pool::remove(Node& node) {
  impl_->census.remove(node);
}
void Pool::set_aside(Node& node) {
  impl_->census.set_aside(node);
}
void Pool::take_back(Node& node) {
  impl_->census.take_back(node);
}

bool Pool::empty() const {
  return impl_->census.in_use() == 0;
}

Node* Pool::choose(ShapeNo no, const Shape& shape) {
  View& view = impl_->view_of(no, shape);
  if (impl_->policy->by_chance()) return impl_->by_chance(view);
  const SlotNo slot = view.best();
  return slot == kNoNumber ? nullptr : impl_->census.slots()[slot].node;
}

std::vector<std::string> Pool::devices(const Node& node, ShapeNo no, const Shape& shape) {
  const View& view = impl_->view_of(no, shape);
  const StateNo state = impl_->census.slots()[node.pool_slot].state;
  ASSERT(state != kNoNumber && view.fits(state), "devices of a node where the run does not fit");
  return choose_devices(node, view.candidate(state), *impl_->policy, impl_->rng);
}

Pool::Shortage Pool::shortage(ShapeNo no, const Shape& shape) {
  View& view = impl_->view_of(no, shape);
  const auto [lack, could_hold] = view.shortage();
  return {.lack = lack, .could_hold = could_hold, .node = could_hold ? view.example() : nullptr};
}

std::vector<Node*> Pool::could_hold(ShapeNo no, const Shape& shape, std::size_t most) {
  const View& view = impl_->view_of(no, shape);
  const auto& slots = impl_->census.slots();
  std::vector<Node*> nodes;
  for (SlotNo slot = 0; slot < slots.size() && nodes.size() < most; ++slot)
    if (view.could_hold(slot)) nodes.push_back(slots[slot].node);
  return nodes;
}

bool Pool::has_outgrown_workload() const {
  return impl_->census.has_outgrown_workload();
}

void Pool::set_workload(Workload workload) {
  impl_->census.set_workload(std::move(workload));
}

}  // namespace stoker::core
