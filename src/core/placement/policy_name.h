#pragma once
// The policies by name, as people write them.
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stoker::core {

enum class PolicyName : std::uint8_t { Random, DotProd, Clustering, Packing, BestFit, Fgd, Stoker };
inline constexpr PolicyName kDefaultPolicy = PolicyName::Stoker;
inline constexpr std::array<std::string_view, 7> kPolicyNames = {
    "random", "dotprod", "clustering", "packing", "bestfit", "fgd", "stoker"};
constexpr std::string_view name_of(PolicyName name) {
  return kPolicyNames[static_cast<std::size_t>(name)];
}
std::optional<PolicyName> parse_policy(std::string_view text);

}  // namespace stoker::core
