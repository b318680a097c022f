#pragma once
// Credentials for the registry of an image, from the files that podman and docker log in to
// (containers-auth.json(5)). They are handed to the engine in a header and kept nowhere.
#include <string>
#include <vector>

#include "base/image_reference.h"
#include "base/result.h"

namespace stoker::agent {

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
