#pragma once
#include <cstddef>
#include <string_view>

#include "core/workflow/jsonata/syntax/ast.h"
#include "core/workflow/jsonata/value/fault.h"

namespace stoker::jsonata {

// Bounds of the recursion over what is written: brackets within brackets, and the height of the tree, which
// chains of operators raise too.
inline constexpr std::size_t kNestingMax = 200;
inline constexpr std::size_t kHeightMax = 500;

Answer<Ast> parse_expression(std::string_view source);

// The second pass; `ast.root` as the parser made it becomes the tree for the evaluation.
Answer<void> resolve(Ast& ast);

}  // namespace stoker::jsonata
