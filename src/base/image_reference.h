#pragma once
// Names of container images, as job definitions and container engines write them.
#include <optional>
#include <string>
#include <string_view>

namespace stoker {

inline constexpr std::string_view kDockerHub = "docker.io";

struct ImageReference {
  std::string name;      // without tag and digest: "registry.example:5000/team/train"
  std::string tag;       // "latest" when none is given; with a digest: "sha256:..."
  std::string registry;  // "registry.example:5000", "docker.io" for names without a registry
  std::string path;      // "team/train"; docker.io's own images: "library/busybox"
  bool operator==(const ImageReference&) const = default;
  [[nodiscard]] bool is_digest() const { return tag.find(':') != std::string::npos; }
};
// Nothing for what cannot be one (empty, spaces, empty parts).
std::optional<ImageReference> parse_image_reference(std::string_view text);

// One name for all ways to write the same: "docker.io/library/busybox:latest",
// "registry.example/a@sha256:...". Texts that cannot be a reference stay as they are.
std::string full_image_name(std::string_view text);

}  // namespace stoker
