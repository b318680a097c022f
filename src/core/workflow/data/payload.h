#pragma once
// Values of a definition that are computed when a state runs: payload templates in JSONPath mode (keys that
// end in ".$"), JSON with "{% %}" strings in JSONata mode.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/workflow/data/fault.h"
#include "core/workflow/data/path.h"
#include "core/workflow/data/scope.h"
#include "core/workflow/jsonata/jsonata.h"

namespace stoker::asl {

enum class Language : std::uint8_t { JsonPath, Jsonata };

// A fault of a definition, found while reading it. `where` is relative to the value ("/a/b.$").
struct TemplateFault {
  std::string
      code;  // SCHEMA_VALIDATION_FAILED, INVALID_JSONATA_EXPRESSION, UNSUPPORTED_JSONATA_EXPRESSION, ...
  std::string message;
  std::string where;
};

// An intrinsic call, "States.Format('{}', $.a)": JSONPath mode only.
class Intrinsic {
 public:
  static Result<Intrinsic> parse(std::string_view text);
  [[nodiscard]] Evaluated<json::Value> evaluate(const Scope& scope) const;
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::string_view function() const;       // "States.Format"
  [[nodiscard]] std::vector<const Path*> paths() const;  // all that it reads, also in nested calls

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

// "{% expression %}" exactly; anything else is no expression.
bool is_jsonata(std::string_view text);

// One expression of JSONata as the value of one field. `field` names it in faults ("Output/a[0]").
Evaluated<json::Value> evaluate_jsonata(const jsonata::Expression& expression, std::string_view field,
                                        const Scope& scope);

class Payload {
 public:
  // Reads the whole tree; every fault in it is reported, then there is no payload.
  static std::optional<Payload> parse(const json::Value& value, Language language,
                                      std::vector<TemplateFault>& faults);
  // `field` is the name of the field it stands in ("Parameters", "Output", "Assign", ...).
  [[nodiscard]] Evaluated<json::Value> evaluate(std::string_view field, const Scope& scope) const;

  // Everything it reads, for checks and for variableReferences.
  void visit_paths(const std::function<void(const Path&)>& visit) const;
  void visit_expressions(
      const std::function<void(const jsonata::Expression&, std::string_view where)>& visit) const;

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

// A field that is a literal, or computed: by its "...Path" twin or an intrinsic (JSONPath), or by "{% %}".
using Setting = std::variant<json::Value, Path, Intrinsic, jsonata::Expression>;

}  // namespace stoker::asl
