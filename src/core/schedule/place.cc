#include "core/schedule/place.h"

#include "core/schedule/places.h"

namespace stoker::core {

PlaceSearch find_place(World& world, Kept& kept, const Contender& contender) {
  const ShapeNo number = contender.group.shape;
  PlaceSearch place;
  for (const std::string& name : contender.turn.environments) {
    Finding finding{.environment = &world.state.environments.at(name)};
    Pool* pool = finding.environment->enabled ? find_pool(world, name) : nullptr;
    if (pool == nullptr) {
      place.findings.push_back(finding);
      continue;
    }
    finding.nodes = true;
    finding.kept = kept.block(name, asks_for(ask_of(contender.shape)));
    Node* node = pool->choose(number, contender.shape);
    if (finding.kept.lack == 0 && node != nullptr) return {.node = node, .pool = pool, .findings = {}};
    const Pool::Shortage there = pool->shortage(number, contender.shape);
    finding.could_hold = there.could_hold;
    finding.node = there.node;
    if (node == nullptr && there.could_hold) {
      finding.lack = there.lack;
      kept.keep(name, there.lack, contender.job);
    }
    place.findings.push_back(finding);
  }
  return place;
}

}  // namespace stoker::core
