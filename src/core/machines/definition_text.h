#pragma once
// From the text of a definition to what executions run, with the error of the API.
#include <memory>
#include <string>

#include "base/result.h"
#include "core/workflow/definition/definition.h"

namespace stoker::core {

// InvalidDefinition names the faults.
Result<std::shared_ptr<const asl::Definition>> read_machine_definition(const std::string& text, bool express);

}  // namespace stoker::core
