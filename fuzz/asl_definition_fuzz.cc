// Definitions of state machines. Whatever comes is read or refused with a reason, the two readings agree, and
// what was read can be walked.
#include "base/assert.h"
#include "base/text.h"
#include "core/workflow/definition/json_fault.h"
#include "core/workflow/definition/read.h"
#include "core/workflow/definition/variable_references.h"
#include "fuzz.h"

namespace {

using namespace stoker;
using namespace stoker::asl;

bool has_error(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& found : diagnostics)
    if (!found.warning) return true;
  return false;
}

void check_words(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& found : diagnostics) {
    ASSERT(!found.code.empty() && !found.message.empty());
    ASSERT(found.message.size() < 10'000 && found.location.size() < 10'000);
  }
}

void check_machine(std::string_view text, bool express) {
  const ReadDefinition read = read_definition(text, express);
  ASSERT(has_error(read.diagnostics) == (read.definition == nullptr));
  check_words(read.diagnostics);
  if (read.definition == nullptr) {
    ASSERT(invalid_definition_message(read.diagnostics).starts_with("Invalid State Machine Definition: '"));
    return;
  }
  ASSERT(!find_json_fault(text, kDefinitionDepthMax));
  ASSERT(read.definition->machine->states.contains(read.definition->machine->start_at));
  for (const auto& [state, names] : variable_references(*read.definition)) ASSERT(!names.empty(), state);
  ASSERT(read_definition(text, express).diagnostics == read.diagnostics);
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  check_machine(bytes, false);
  check_machine(bytes, true);
  const ReadState read = read_lone_state(bytes, "S");
  ASSERT(has_error(read.diagnostics) == (read.state == nullptr));
  check_words(read.diagnostics);
}
