#pragma once
// Image references and the credentials for their registry, from the files that podman and docker log in to
// (containers-auth.json(5)). Credentials are handed to the engine in a header and kept nowhere.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stoker::agent {

struct ImageReference {
  std::string name;      // without tag and digest: "registry.example:5000/team/train"
  std::string tag;       // "latest" when none is given; with a digest: "sha256:..."
  std::string registry;  // "registry.example:5000", "docker.io" for names without a registry
  std::string path;      // "team/train"; docker.io's own images: "library/busybox"
  bool operator==(const ImageReference&) const = default;
};
// Nothing for what cannot be one (empty, spaces, empty parts).
std::optional<ImageReference> parse_image_reference(std::string_view text);

// Where auth files may be, the first that answers counts. From the environment of this process:
// REGISTRY_AUTH_FILE, $XDG_RUNTIME_DIR/containers/auth.json, ~/.config/containers/auth.json,
// $DOCKER_CONFIG/config.json, ~/.docker/config.json.
std::vector<std::string> auth_files();

// The value of X-Registry-Auth for this image: "" when no file knows its registry. The longest entry that is
// the registry or a part of the image's path counts; a helper (docker-credential-NAME) is run, without a
// shell. Io when a helper fails or a file is no JSON: then the pull goes on without, and a refusal will say
// so.
Result<std::string> registry_auth(const ImageReference& image, const std::vector<std::string>& files);

}  // namespace stoker::agent
