#pragma once
// What limits of quota shares can count (docs/quota-shares.md).
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/fleet/catalogue/catalogue.h"
#include "core/model/node.h"
#include "core/model/quota.h"

namespace stoker::core {

// "GPU", "VCPU", an instance type or the model of a GPU, by its looks; nothing for what can be none of them.
std::optional<CapacityUnit> parse_capacity_unit(std::string_view text);

// There are such things: GPU and VCPU, every name in the form of an instance type, and models that a machine
// of the catalogue or one of the nodes has. A model is known when some word of it that has a digit is a word
// of the name that a catalogue or a driver gives ("A100" of "A100-80GB").
bool is_known_unit(const CapacityUnit& unit, const fleet::Catalogue& catalogue,
                   const std::map<std::string, Node>& nodes);

}  // namespace stoker::core
