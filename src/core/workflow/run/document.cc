#include "core/workflow/run/document.h"

#include <algorithm>

namespace stoker::workflow {
namespace {
// Beyond what Limits let pass; that is where users are told.
constexpr std::size_t kDepthMax = 512;
constexpr std::size_t kBytesMax = std::size_t{1} << 30;
}  // namespace

Document::Document() {
  static const json::Shared null_value = std::make_shared<const json::Value>();
  value_ = null_value;
}
Document::Document(json::Value value) : value_(std::make_shared<const json::Value>(std::move(value))) {}
Document::Document(json::Shared value) : value_(std::move(value)) {
  if (!value_) *this = Document();
}

Result<Document> Document::parse(std::string text) {
  Document document(TRY(json::parse(text, {.depth_max = kDepthMax, .bytes_max = kBytesMax})));
  document.text_ = std::make_shared<const std::string>(std::move(text));
  return document;
}

Document Document::array(const std::vector<std::optional<Document>>& elements) {
  json::Array values;
  values.reserve(elements.size());
  std::string text = "[";
  for (const auto& element : elements) {
    if (!element) continue;
    values.push_back(element->value());
    if (text.size() > 1) text += ',';
    text += element->text();
  }
  text += ']';
  Document whole{json::Value(std::move(values))};
  whole.text_ = std::make_shared<const std::string>(std::move(text));
  return whole;
}

const std::string& Document::text() const {
  if (!text_) text_ = std::make_shared<const std::string>(json::write(*value_));
  return *text_;
}

std::size_t Document::depth() const {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  const std::string& json = text();
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      while (++i < json.size() && json[i] != '"')
        if (json[i] == '\\') ++i;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace stoker::workflow
