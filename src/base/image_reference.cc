#include "base/image_reference.h"

#include "base/text.h"

namespace stoker {
namespace {

constexpr std::size_t kReferenceBytesMax = 512;
constexpr std::string_view kDockerHubOnce = "index.docker.io";  // its first name, which engines still take

}  // namespace

std::optional<ImageReference> parse_image_reference(std::string_view text) {
  if (text.empty() || text.size() > kReferenceBytesMax) return std::nullopt;
  for (const char c : text)
    if (c <= ' ' || c > '~') return std::nullopt;
  ImageReference out;
  out.tag = "latest";
  std::string_view name = text;
  if (const auto at = name.find('@'); at != std::string_view::npos) {
    out.tag = name.substr(at + 1);
    name = name.substr(0, at);
  }
  if (const auto colon = name.rfind(':');
      colon != std::string_view::npos && name.find('/', colon) == std::string_view::npos) {
    if (text.find('@') == std::string_view::npos) out.tag = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  out.name = name;
  for (const auto part : split(name, '/'))
    if (part.empty()) return std::nullopt;
  if (out.tag.empty()) return std::nullopt;
  const auto slash = name.find('/');
  const auto first = name.substr(0, slash);
  const bool host = slash != std::string_view::npos &&
                    (first.find_first_of(".:") != std::string_view::npos || first == "localhost");
  out.registry = host && first != kDockerHubOnce ? first : kDockerHub;
  out.path = host ? name.substr(slash + 1) : name;
  if (out.registry == kDockerHub && out.path.find('/') == std::string::npos) out.path = "library/" + out.path;
  return out;
}

std::string full_image_name(std::string_view text) {
  const auto reference = parse_image_reference(text);
  if (!reference) return std::string(text);
  return reference->registry + "/" + reference->path + (reference->is_digest() ? "@" : ":") + reference->tag;
}

}  // namespace stoker
