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
#include "core/workflow/data/spot.h"
#include "core/workflow/jsonata/jsonata.h"

namespace stoker::asl {

enum class Language : std::uint8_t { JsonPath, Jsonata };

// A fault of a definition, found while reading it.
struct TemplateFault {
  // SCHEMA_VALIDATION_FAILED, INVALID_JSONATA_EXPRESSION, UNSUPPORTED_JSONATA_EXPRESSION
  std::string code;
  std::string message;
  // Relative to the value that was read: "/a/b[0]" is the expression there; for a key "x.$" it is the object
  // that has it. "": the value itself.
  std::string where;
  bool operator==(const TemplateFault&) const = default;
};

// An intrinsic call, "States.Format('{}', $.a)": JSONPath mode only. Calls nest 10 deep.
class Intrinsic {
 public:
  // InvalidArgument says why not: the syntax, an unknown function, a wrong number of arguments.
  static Result<Intrinsic> parse(std::string_view text);
  // States.Runtime for arguments that do not fit or are not there; States.DataLimitExceeded above
  // kEvaluationBytesMax. Needs Scope::random.
  [[nodiscard]] Evaluated<json::Value> evaluate(const Scope& scope) const;
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::string_view function() const;       // "States.Format"
  [[nodiscard]] std::vector<const Path*> paths() const;  // all that it reads, also in nested calls

 private:
  struct Parsed;
  explicit Intrinsic(std::shared_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}
  std::shared_ptr<const Parsed> parsed_;
};

// "{% expression %}" exactly; anything else is no expression.
bool is_jsonata(std::string_view text);
// What is between the marks, without blanks around it. `text` must be such an expression.
std::string_view jsonata_source(std::string_view text);

// One expression of JSONata as the value of one field. `field` names it in faults ("Output/a[0]").
// States.QueryEvaluationError when it gives nothing, a function, an error or too deep a value.
Evaluated<json::Value> evaluate_jsonata(const jsonata::Expression& expression, std::string_view field,
                                        const Scope& scope);

inline constexpr std::size_t kTemplateFaultsMax = 200;

class Payload {
 public:
  // Reads the whole tree; its faults are reported, the first kTemplateFaultsMax of them, then there is no
  // payload.
  static std::optional<Payload> parse(const json::Value& value, Language language,
                                      std::vector<TemplateFault>& faults);
  // `field` is the name of the field it stands in ("Parameters", "Output", "Assign", ...). Needs
  // Scope::random. A path that finds nothing is States.Runtime, but an index past the end of an array gives
  // null. An expression: as evaluate_jsonata. States.DataLimitExceeded above kEvaluationBytesMax or
  // kValueDepthMax.
  [[nodiscard]] Evaluated<json::Value> evaluate(std::string_view field, const Scope& scope) const;

  // Everything it reads, for checks and for variableReferences.
  void visit_paths(const std::function<void(const Path&)>& visit) const;
  // `where` as in TemplateFault.
  void visit_expressions(
      const std::function<void(const jsonata::Expression&, const Spot& where)>& visit) const;

 private:
  struct Parsed;
  explicit Payload(std::shared_ptr<const Parsed> parsed) : parsed_(std::move(parsed)) {}
  std::shared_ptr<const Parsed> parsed_;
};

// A field that is a literal, or computed: by its "...Path" twin or an intrinsic (JSONPath), or by "{% %}".
using Setting = std::variant<json::Value, Path, Intrinsic, jsonata::Expression>;

}  // namespace stoker::asl
