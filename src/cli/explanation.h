#pragma once
// The answer to Explain as text for a person.
#include <string>

#include "base/time.h"
#include "cli/table.h"
#include "json/json.h"

namespace stoker::cli {

std::string explanation_text(const json::Value& answer, Instant now, Table::Look look);

}  // namespace stoker::cli
