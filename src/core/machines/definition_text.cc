#include "core/machines/definition_text.h"

#include "core/machines/errors.h"
#include "core/workflow/definition/read.h"

namespace stoker::core {

Result<std::shared_ptr<const asl::Definition>> read_machine_definition(const std::string& text,
                                                                       bool express) {
  asl::ReadDefinition read = asl::read_definition(text, express);
  if (!read.definition) return invalid_definition(asl::invalid_definition_message(read.diagnostics));
  return std::move(read.definition);
}

}  // namespace stoker::core
