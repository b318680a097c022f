#include "core/workflow/definition/diagnosis.h"

namespace stoker::asl {
namespace {

// At a character's border, so that the rest is valid UTF-8.
std::string cut(std::string_view text) {
  if (text.size() <= kDiagnosticBytesMax) return std::string(text);
  std::size_t end = kDiagnosticBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

void Diagnosis::add(Diagnostic diagnostic) {
  if (!diagnostic.warning) ++errors_;
  if (!full()) found_.push_back(std::move(diagnostic));
}

void Diagnosis::error_in_text(std::string_view code, std::string_view message, std::string_view location) {
  add({.warning = false, .code = std::string(code), .message = cut(message), .location = cut(location)});
}

void Diagnosis::error(std::string_view code, std::string_view message, const Where& where) {
  if (full())
    ++errors_;
  else
    error_in_text(code, message, where.text());
}

void Diagnosis::warning(std::string_view code, std::string_view message, const Where& where) {
  if (full()) return;
  add({.warning = true, .code = std::string(code), .message = cut(message), .location = cut(where.text())});
}

void Diagnosis::schema(std::string_view message, const Where& where) {
  error("SCHEMA_VALIDATION_FAILED", message, where);
}

}  // namespace stoker::asl
