#include "core/schedule/place.h"

#include <algorithm>

#include "core/schedule/fit.h"
#include "core/schedule/places.h"
#include "core/schedule/quota/gate.h"

namespace stoker::core {
namespace {

void note_example(Finding& finding, const Node& node) {
  finding.node = &node;
  finding.free = free_for_others(node);
  finding.kept_for = node.hold.job;
}

}  // namespace

PlaceSearch find_place(World& world, Kept& kept, const Contender& contender) {
  const ShapeNo number = narrowed_shape(world, contender, contender.group.shape);
  const Shape& shape = world.state.shape(number);
  PlaceSearch search{.node = nullptr, .pool = nullptr, .shape = number, .lent = false, .findings = {}};
  for (const std::string& name : contender.turn.environments) {
    Finding finding{.environment = &world.state.environments.at(name)};
    Pool* pool = finding.environment->enabled ? find_pool(world, name) : nullptr;
    if (pool == nullptr) {
      search.findings.push_back(finding);
      continue;
    }
    finding.nodes = true;
    if (Node* node = pool->choose(number, shape))
      return {.node = node, .pool = pool, .shape = number, .lent = false, .findings = {}};
    const Pool::Shortage there = pool->shortage(number, shape);
    finding.could_hold = there.could_hold;
    if (there.node != nullptr) note_example(finding, *there.node);
    finding.lack = there.lack;
    for (const KeptNode& one : kept.find(name)) {
      const NodeFit fit = Kept::fit(one, shape);
      if (fit.fits() && kept.may_use(one, contender))
        return {.node = one.node, .pool = pool, .shape = number, .lent = true, .findings = {}};
      if (fit.ever == 0) {
        finding.could_hold = true;
        finding.lack |= fit.now;
        if (fit.fits()) finding.behind = one.job;
        if (fit.fits() || finding.node == nullptr) {
          note_example(finding, *one.node);
          finding.free = kept.free_for(one, contender);
          if (finding.free != free_for_others(*one.node)) finding.kept_for = one.job;
        }
      }
    }
    search.findings.push_back(finding);
  }
  // Only a job that runs nowhere has something kept for it.
  for (const Finding& finding : search.findings) {
    const std::string& name = finding.environment->name;
    if (finding.could_hold && !kept.has_first(name)) kept.keep(name, *find_pool(world, name), contender);
  }
  return search;
}

std::optional<Hold> find_never(World& world, Kept& kept, const Contender& contender) {
  const ShapeNo number = narrowed_shape(world, contender, contender.group.shape);
  const Shape& shape = world.state.shape(number);
  std::vector<Finding> findings;
  for (const std::string& name : contender.turn.environments) {
    if (world.state.fleets.contains(name)) return std::nullopt;  // other machines may be launched
    Finding finding{.environment = &world.state.environments.at(name)};
    if (Pool* pool = finding.environment->enabled ? find_pool(world, name) : nullptr) {
      finding.nodes = true;
      const auto could = [&](const KeptNode& one) { return Kept::fit(one, shape).ever == 0; };
      if (pool->shortage(number, shape).could_hold || std::ranges::any_of(kept.find(name), could))
        return std::nullopt;
    }
    findings.push_back(finding);
  }
  if (std::ranges::none_of(findings, &Finding::nodes)) return std::nullopt;
  return describe_findings(world.state, contender, shape, findings);
}

}  // namespace stoker::core
