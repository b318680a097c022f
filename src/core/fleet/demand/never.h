#pragma once
// "Can never run": no type of the environment could hold a run even when empty. Proved type by type; kept
// apart from "waits for capacity".
#include <optional>
#include <string>
#include <vector>

#include "core/fleet/catalogue/catalogue.h"
#include "core/fleet/demand/demand.h"

namespace stoker::fleet {

// What an empty machine of a type lacks, as a set.
using TypeLack = std::uint8_t;
inline constexpr TypeLack kTypeLacksCpus = 1;
inline constexpr TypeLack kTypeLacksMemory = 2;
inline constexpr TypeLack kTypeLacksGpus = 4;  // too few, or none with a large enough part
inline constexpr TypeLack kTypeLacksGpuModel = 8;
inline constexpr TypeLack kTypeLacksGpuMemory = 16;
inline constexpr TypeLack kTypeLacksArchitecture = 32;
inline constexpr TypeLack kTypeLacksName = 64;  // it is not of the types asked for
inline constexpr TypeLack kTypeLacksMig = 128;  // its GPUs make no such MIG devices, or not so many

// 0: a run fits. The predicate agrees with slots(room_of(type), need) > 0.
TypeLack lacks(const InstanceType& type, const Need& need);

// Nothing when some type can hold a run; else one sentence that names the type that comes nearest and what
// it lacks. Names that the catalogue does not know count as unable.
std::optional<std::string> never_runs(const Catalogue& catalogue, const std::vector<std::string>& types,
                                      const Need& need);

}  // namespace stoker::fleet
