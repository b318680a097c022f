#pragma once
// Checks one JSON value against a shape of the service models. What the models cannot say is checked by hand
// in the operations.
#include <string>
#include <vector>

#include "aws/shapes.h"
#include "base/result.h"
#include "json/json.h"

namespace stoker::aws {

// Values nested deeper than this are refused; the deepest shape of the models has about a dozen levels.
inline constexpr int kShapeDepthMax = 32;
// So many faults are named; more are only counted as "and more".
inline constexpr std::size_t kFaultsNamedMax = 10;
// So much of a wrong value is quoted, in bytes. Step Functions quotes long tokens in full (recorded: 3,097
// characters).
inline constexpr std::size_t kQuotedBytesMax = 256;
inline constexpr std::size_t kQuotedBytesMaxOfStates = 4'096;

// Checks required members, types, enumerations, bounds of numbers, lengths and patterns. Members whose value
// is null are taken out of `value`, as if they had not been sent; members that the shape does not know stay
// and are ignored. InvalidArgument names every fault by its path, in the words of AWS: "1 validation error
// detected: Value 'x' at 'tags.1.member.key' failed to satisfy constraint: Member must have length less than
// or equal to 128".
Result<void> validate(ShapeId shape, json::Value& value, std::size_t quoted_bytes_max = kQuotedBytesMax);

// For tests of what we send: as above, and a member that the shape does not know is a fault too. Empty: all
// well.
std::vector<std::string> faults_of_answer(ShapeId shape, const json::Value& value);

// Compiles every pattern of the table, so that the first request does not wait for it. Aborts on a pattern
// that is not understood: the table is ours.
void compile_patterns();

}  // namespace stoker::aws
