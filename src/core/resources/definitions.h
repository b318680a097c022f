#pragma once
// Changing a registered definition.
#include <memory>

#include "core/world.h"

namespace stoker::core {

// Puts a changed copy in the place of a revision, also for the specs made from it, and notes the change.
// Definitions are shared and never written to.
void replace_definition(World& world, std::shared_ptr<const JobDefinition> definition);
// The specs of one revision: a range of World::spec_index, whose keys begin with the definition's id.
template <class Function>
void for_specs_of(const World& world, const std::string& id, Function function) {
  const auto& index = world.spec_index;
  if (const auto plain = index.find(id); plain != index.end()) function(*plain->second);
  for (auto it = index.lower_bound(id + '\n'); it != index.end() && it->first.starts_with(id + '\n'); ++it)
    function(*it->second);
}

}  // namespace stoker::core
