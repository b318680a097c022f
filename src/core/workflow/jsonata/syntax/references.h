#pragma once
// What an expression reads of the world around it.
#include <string>
#include <vector>

#include "core/workflow/jsonata/syntax/ast.h"

namespace stoker::jsonata {

struct References {
  // Variables that it does not bind itself and that are no functions of the language, with the names behind.
  std::vector<std::vector<std::string>> variables;
  // Sentences about what reads the input at the top of the expression.
  std::vector<std::string> top_level;
};

References find_references(const Node& root);

}  // namespace stoker::jsonata
