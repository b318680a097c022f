#pragma once
// Builds the text of one JSON object, member by member, without a value tree: history and records are
// written far more often than they are read.
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "core/workflow/run/document.h"

namespace stoker::workflow {

class ObjectText {
 public:
  ObjectText& add(std::string_view key, std::string_view text) {
    begin(key);
    json::write_string(out_, text);
    return *this;
  }
  ObjectText& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  ObjectText& add(std::string_view key, std::integral auto number) {
    begin(key);
    if constexpr (std::same_as<decltype(number), bool>)
      out_ += number ? "true" : "false";
    else
      out_ += std::to_string(number);
    return *this;
  }
  // `json` is a JSON text already.
  ObjectText& add_json(std::string_view key, std::string_view json) {
    begin(key);
    out_ += json;
    return *this;
  }
  ObjectText& add_if(std::string_view key, const std::optional<std::string>& text) {
    return text ? add(key, std::string_view(*text)) : *this;
  }
  // Leaves out what has its usual value.
  ObjectText& add_unless(std::string_view key, std::integral auto number, decltype(number) usual) {
    return number == usual ? *this : add(key, number);
  }
  ObjectText& add_unless_empty(std::string_view key, std::string_view text) {
    return text.empty() ? *this : add(key, text);
  }
  // "input": "<text>", "inputDetails": {"truncated": false}, as every event with a payload has them.
  ObjectText& add_payload(std::string_view key, std::string_view text) {
    add(key, text);
    begin(std::string(key) + "Details");
    out_ += "{\"truncated\":false}";
    return *this;
  }
  [[nodiscard]] std::string take() {
    out_ += '}';
    return std::move(out_);
  }

 private:
  void begin(std::string_view key) {
    if (out_.size() > 1) out_ += ',';
    json::write_string(out_, key);
    out_ += ':';
  }
  std::string out_ = "{";
};

}  // namespace stoker::workflow
