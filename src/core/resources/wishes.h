#pragma once
// The tags of a job that mean something to this server: all of those that begin with "stoker:". One table has
// their names, legal values and defaults; docs/job-tags.md says the same for people.
#include <optional>
#include <span>
#include <string_view>

#include "core/model/types.h"
#include "core/model/wishes.h"

namespace stoker::core {

inline constexpr std::string_view kOwnPrefix = "stoker:";
inline constexpr std::size_t kWishModelsMax = 16;

struct WishRule {
  std::string_view key;                                // "stoker:spot"
  std::string_view rule;                               // what a value must be, for the error text
  bool (*read)(std::string_view value, Wishes& into);  // false: no legal value
};
std::span<const WishRule> wish_rules();

// The wishes among the tags of a definition and of a job, which wins tag by tag. stoker:max-running of a job
// limits an array and is no wish.
Tags wish_tags(const Tags& definition, const std::optional<Tags>& job);
// Cannot fail: what is odd reads as its default.
Wishes interpret_wishes(const Tags& tags);

}  // namespace stoker::core
