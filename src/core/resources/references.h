#pragma once
// "Ref::name" in the arguments of a command (aws-batch.md 2.7).
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace stoker::core {

inline constexpr std::size_t kCommandBytesMax = 256 * 1024;  // all arguments together, after replacement

bool has_references(const std::vector<std::string>& command);
// Replaces every Ref:: followed by letters, digits, '_', '.' and '-', also inside an argument. Of several
// parameters that could be meant the longest name wins; replaced text is not looked at again.
// InvalidArgument with Amazon's text when no parameter has the name.
Result<std::vector<std::string>> replace_references(const std::vector<std::string>& command,
                                                    const std::map<std::string, std::string>& parameters);

}  // namespace stoker::core
