#pragma once
// Reads the XML that S3 answers with: elements and their text. No DTDs, no entities but the five of XML and
// characters by number; attributes are passed over.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::tasks {

struct XmlElement {
  std::string name;
  std::string text;
  std::vector<XmlElement> children;

  // The text of the first child of that name, "" when there is none.
  [[nodiscard]] std::string_view operator[](std::string_view child) const;
};

inline constexpr std::size_t kXmlDepthMax = 16;
inline constexpr std::size_t kXmlElementsMax = 100'000;
// The outermost element. Nothing for what is not well-formed or above the bounds.
std::optional<XmlElement> parse_xml(std::string_view text);

}  // namespace stoker::tasks
