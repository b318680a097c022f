#pragma once
// Tables of expressions for the tests: what each gives, as JSON text, "undefined", "function", or "CODE:
// text" of an error.
#include <string>
#include <string_view>
#include <vector>

#include "core/workflow/jsonata/jsonata.h"

namespace stoker::jsonata::testing {

struct Case {
  std::string_view rule;  // a sentence
  std::string_view expression;
  std::string_view result;
};

// As JSONata has it: $eval, and nothing of AWS. The instant is 2026-03-01T12:30:45.678Z, chance counts up.
Environment plain_environment();
Environment aws_environment();

std::string result_of(std::string_view expression, std::string_view input = {},
                      const Environment& environment = plain_environment());
// Checks every case against `input`, JSON text; empty: there is none.
void check(const std::vector<Case>& cases, std::string_view input = {},
           const Environment& environment = plain_environment());

}  // namespace stoker::jsonata::testing
