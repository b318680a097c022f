#pragma once
// Collects what is wrong with a definition. Bounded, whatever the definition is.
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/definition/read.h"
#include "core/workflow/definition/where.h"

namespace stoker::asl {

inline constexpr std::size_t kDiagnosticsMax = 1000;  // further ones are dropped, but an error still counts
inline constexpr std::size_t kDiagnosticBytesMax = 2000;  // of a message or location; longer ones are cut

class Diagnosis {
 public:
  void error(std::string_view code, std::string_view message, const Where& where);
  // With a location that is no place in the document: none, or one in its text.
  void error_in_text(std::string_view code, std::string_view message, std::string_view location);
  void warning(std::string_view code, std::string_view message, const Where& where);
  // The most frequent kind, SCHEMA_VALIDATION_FAILED.
  void schema(std::string_view message, const Where& where);

  [[nodiscard]] bool failed() const { return errors_ > 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  // What comes now is only counted.
  [[nodiscard]] bool full() const { return found_.size() >= kDiagnosticsMax; }
  std::vector<Diagnostic> take() && { return std::move(found_); }

 private:
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> found_;
  std::size_t errors_ = 0;  // also those that were dropped
};

}  // namespace stoker::asl
