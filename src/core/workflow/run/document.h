#pragma once
// A JSON value with its text. The text of what came from outside is kept as it came, so that history shows
// what the user wrote; the text of what was computed is written once, when it is first wanted.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace stoker::workflow {

class Document {
 public:
  Document();  // null
  explicit Document(json::Value value);
  Document(json::Shared value);  // NOLINT: as good as the value itself
  // `text` must be one JSON value; otherwise the error of json::parse.
  static Result<Document> parse(std::string text);

  // RECORDED: the results of branches are put together with the texts that they have.
  static Document array(const std::vector<std::optional<Document>>& elements);

  [[nodiscard]] const json::Value& value() const { return *value_; }
  [[nodiscard]] const json::Shared& shared() const { return value_; }
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] std::size_t depth() const;  // of nested objects and arrays; walks the text

  bool operator==(const Document& other) const { return text() == other.text(); }

 private:
  json::Shared value_;
  mutable std::shared_ptr<const std::string> text_;
};

}  // namespace stoker::workflow
