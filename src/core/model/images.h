#pragma once
// The container images that a machine holds.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::core {

// By their full names (base/image_reference.h), sorted, each once; null: none. Shared, because plans are made
// on copies of nodes.
using HeldImages = std::shared_ptr<const std::vector<std::string>>;

// In any order, perhaps repeated.
inline HeldImages held_images(std::vector<std::string> names) {
  if (names.empty()) return nullptr;
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

inline bool holds(const HeldImages& images, std::string_view full_name) {
  return images != nullptr && std::ranges::binary_search(*images, full_name);
}

inline bool are_same(const HeldImages& a, const HeldImages& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace stoker::core
